package state

import (
	"cmp"
	"slices"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
)

// fewJobs is up to how many jobs the page itself looks whether values fit.
const fewJobs = 500

// Varying is what may be varied of the scenario, and what is to be.
type Varying struct {
	Edition int64 // of the document
	Doc     *scenario.Document
	Boot    *room.Boot
	Ran     float64 // how long the last result lasts, in s
	Chosen  [2]compare.Axis
}

// Varying is what may be varied now.
func (s *Lab) Varying() *Varying {
	v := &Varying{Edition: s.edition, Doc: s.Doc, Boot: s.Boot, Chosen: s.Vary.Axes}
	for _, l := range s.Result.Lanes {
		v.Ran = max(v.Ran, l.Meta.Metrics.MakespanS)
	}
	return v
}

// Variables are the numbers of the document that have names, those that are varied most first.
func (v *Varying) Variables() []edit.Variable { return edit.Variables(v.Doc, v.Boot.Params) }

// Variable is the number at a pointer. Where it has no name its value is not known, and the engine says what it may be.
func (v *Varying) Variable(path string) edit.Variable { return edit.VariableAt(v.Variables(), path) }

// usual gives the values that are offered for a number.
func (v *Varying) usual() func(k *edit.Variable) []float64 {
	span := compare.Span(v.Doc, v.Ran)
	return func(k *edit.Variable) []float64 {
		return compare.Usual(k, cmp.Or(v.Doc.Scenario.RoundS, 360), span)
	}
}

// Axis is what stands for an axis: until something is chosen, the first number of the document.
func (v *Varying) Axis(i int) compare.Axis {
	a := v.Chosen[i]
	if i == 0 && a == (compare.Axis{}) {
		if variables := v.Variables(); len(variables) > 0 {
			text := compare.Listed(v.usual()(&variables[0]))
			return compare.Axis{Path: variables[0].Path, Text: text, GivenText: text}
		}
	}
	return a
}

// values are those of an axis, or what is wrong with it.
func (v *Varying) values(i int) ([]float64, string) {
	a, most := v.Axis(i), compare.MaxValues
	if i > 0 {
		most = compare.MaxSecond
	}
	k := v.Variable(a.Path)
	values, problem := compare.ParseValues(a.Text, k.Range, most)
	if problem != "" {
		problem = words.F("{0} {1}.", k.Name, problem)
	}
	return values, problem
}

// Problem is what is wrong with the request as it stands, "" = nothing.
func (v *Varying) Problem() string {
	first, second := v.Axis(0), v.Axis(1)
	switch _, problem := v.values(0); {
	case first.Path == "":
		return words.T("Choose a number.")
	case problem != "":
		return problem
	case second.Path == first.Path:
		return words.T("The second number is the first one.")
	case second.Path == "" && !second.Free:
		return ""
	case second.Path == "":
		return words.T("Name the second number by its pointer, or choose none.")
	}
	_, problem := v.values(1)
	return problem
}

// Amount says how many runs it would be, "" where that is not known yet.
func (v *Varying) Amount() string {
	if v.Problem() != "" {
		return ""
	}
	a := amountOf(v.Doc, v.Boot)
	for i := len(v.Chosen) - 1; i >= 0; i-- {
		if v.Axis(i).Path != "" {
			values, _ := v.values(i)
			a.times(len(values), words.N(len(values), "{0} value", "{0} values"))
		}
	}
	return a.String()
}

// fitting are the values with which the scenario has no errors: one alone would keep a sweep from running.
func (v *Varying) fitting(path string, values []float64) []float64 {
	if v.Doc.JobCount() > fewJobs {
		return values
	}
	var out []float64
	raw := v.Doc.Marshal(false)
	for _, value := range values {
		changed, err := text.SetNumber(raw, path, value)
		if err != nil {
			continue
		}
		doc, diags := scenario.Parse(changed, scenario.FileLimits)
		if doc == nil || diags.HasErrors() {
			continue
		}
		if !v.Boot.Findings(doc).HasErrors() {
			out = append(out, value)
		}
	}
	return out
}

type (
	// ChooseVariable chooses a number for an axis; Free asks for a pointer.
	ChooseVariable struct {
		Axis int
		Path string
		Free bool
	}
	// TypeValues types the values of an axis.
	TypeValues struct {
		Axis int
		Text string
	}
	// RunVary runs all points.
	RunVary struct{ OnServer bool }
	// WalkPoint moves the cursor over the values.
	WalkPoint struct{ By int }
	// OpenPoint makes the scenario that of a point; OpenWalked that of the one under the cursor.
	OpenPoint  struct{ Point int }
	OpenWalked struct{}
)

func (a ChooseVariable) on(s *Lab) []Effect {
	v := s.Varying()
	axis := v.Axis(a.Axis)
	if a.Free && !axis.Free {
		axis.GivenPath = a.Path
	}
	axis.Path, axis.Free = a.Path, a.Free
	k := v.Variable(a.Path)
	if text := compare.Offered(&k, v.fitting(k.Path, v.usual()(&k)), a.Axis); !a.Free && text != axis.GivenText {
		axis.Text, axis.GivenText = text, text
	}
	s.Vary.Axes[a.Axis] = axis
	return nil
}

func (a TypeValues) on(s *Lab) []Effect {
	axis := s.Varying().Axis(a.Axis)
	axis.Text = a.Text
	s.Vary.Axes[a.Axis] = axis
	return nil
}

func (a RunVary) on(s *Lab) []Effect {
	now := s.Varying()
	if now.Problem() != "" {
		return nil
	}
	v := &s.Vary
	cursor, variables, req := 0, []edit.Variable{}, &message.SweepRequest{}
	for i := range v.Axes {
		axis := now.Axis(i)
		if axis.Path == "" {
			continue
		}
		values, _ := now.values(i)
		k := now.Variable(axis.Path)
		if variables = append(variables, k); i == 0 {
			cursor = max(0, slices.Index(values, k.Value))
		}
		req.Vary = append(req.Vary, message.Axis{Path: axis.Path, Values: values})
	}
	effects := s.askSweep(&v.Sweep, req, a.OnServer)
	if effects != nil {
		v.Cursor, v.Variables = cursor, variables
	}
	return effects
}

func (a WalkPoint) on(s *Lab) []Effect {
	v := &s.Vary
	if v.Request != nil {
		v.Cursor = min(max(0, v.Cursor+a.By), len(v.Request.Vary[0].Values)-1)
	}
	return nil
}

// varied takes news of the varied number.
func (s *Comparisons) varied(m *message.Message) []Effect {
	first := len(s.Vary.Points) == 0
	s.sweepAnswered(&s.Vary.Sweep, m)
	if first && len(s.Vary.Points) > 0 {
		return []Effect{Reveal{room.PartVarySays}}
	}
	return nil
}

func (OpenWalked) on(s *Lab) []Effect {
	if s.Vary.Request == nil {
		return nil
	}
	return OpenPoint{s.Vary.Point(s.Vary.Cursor, 0)}.on(s)
}

func (a OpenPoint) on(s *Lab) []Effect {
	v := &s.Vary
	if a.Point < 0 || a.Point >= len(v.Points) {
		return nil
	}
	if v.Cursor = a.Point; len(v.Request.Vary) > 1 {
		v.Cursor /= len(v.Request.Vary[1].Values)
	}
	said := v.Says(a.Point)
	return s.openPoint(&v.Sweep, v.Request.Vary, v.Points[a.Point].Values, said,
		words.F("The scenario now has {0}.", said))
}

// openPoint makes the scenario that of a sweep with these values, which have run, as one edit that a short report tells
// of.
func (s *Lab) openPoint(w *compare.Sweep, axes []message.Axis, values []float64, said, report string) []Effect {
	if w.Stale(s.Doc) {
		report = words.F("This is the scenario of those runs, with {0}. Undo brings yours back.", said)
	}
	raw := []byte(w.Request.Scenario)
	for i, value := range values {
		raw, _ = text.SetNumber(raw, axes[i].Path, value) // it has run
	}
	doc, _ := scenario.Parse(raw, scenario.FileLimits)
	if doc == nil {
		return nil
	}
	effects := Do{edit.Rewrite{Sentence: said, Make: func(d *scenario.Document) { *d = *doc }}}.on(s)
	w.Opened(s.Doc)
	return append(effects, s.Tell(report, true)...)
}

// Plan are the numbers that a search for what changes the winner tries, and how many runs that takes at most: none
// where there are no two policies.
func (v *Varying) Plan() (tries []compare.Tried, runs int) {
	runs = 1
	usual := v.usual()
	for _, k := range v.Variables() {
		t := compare.NewTried(k, usual(&k))
		tries = append(tries, t)
		runs += t.Ahead()
	}
	if titles, _ := run.Titles(v.Doc, v.Boot.WholeTitle); len(titles) > 1 {
		return tries, runs * len(titles)
	}
	return nil, 0
}

type (
	// StartWinnerSearch begins the search.
	StartWinnerSearch struct{}
	// StopWinnerSearch ends it; what is found stays.
	StopWinnerSearch struct{}
	// TryFound gives a number the value that changes the winner.
	TryFound struct{ At int }
	// CurveOf varies a number over the values that were tried.
	CurveOf struct{ At int }
)

func (StartWinnerSearch) on(s *Lab) []Effect {
	h := &s.WinnerSearch
	tries, runs := s.Varying().Plan()
	if runs == 0 {
		return nil
	}
	effects := s.askSweep(&h.Sweep, &message.SweepRequest{}, false)
	if effects != nil {
		*h = compare.WinnerSearch{Sweep: h.Sweep, Tries: tries}
	}
	return effects
}

func (StopWinnerSearch) on(s *Lab) []Effect {
	h := &s.WinnerSearch
	if h.ID == 0 {
		return nil
	}
	id := h.ID
	h.ID = 0 // what it still answers is ignored
	s.Spoken = words.T("Stopped. What was found is shown.")
	return []Effect{End{ID: id}}
}

// searched takes news of the value under way.
func (s *Comparisons) searched(m *message.Message) []Effect {
	h := &s.WinnerSearch
	if !h.Tried(m) {
		return nil
	}
	var effects []Effect
	value, first := h.Next()
	if first {
		effects = []Effect{Reveal{room.PartWinnersSays}}
	}
	if value != nil {
		h.ID = s.Seq()
		return append(effects, room.Ask{Request: &message.Message{ID: h.ID, Sweep: value}})
	}
	if h.Over {
		s.Spoken = words.T("All numbers are tried.")
	}
	return effects
}

func (a TryFound) on(s *Lab) []Effect {
	h := &s.WinnerSearch
	if a.At < 0 || a.At >= len(h.Tries) || !h.Tries[a.At].Found {
		return nil
	}
	t := &h.Tries[a.At]
	said, wins := words.F("{0}: {1} to {2}", t.Name, edit.FormatNumber(t.Value), t.Range.Say(t.To)), h.Titles[0]
	if chart.Lead(t.JCT[0], t.JCT[1], -1) > 0 {
		wins = h.Titles[1]
	}
	return s.openPoint(&h.Sweep, []message.Axis{{Path: t.Path}}, []float64{t.To}, said,
		words.F("{0}. Now {1} wins in mean completion.", said, wins))
}

func (a CurveOf) on(s *Lab) []Effect {
	h, v := &s.WinnerSearch, &s.Vary
	if a.At < 0 || a.At >= len(h.Tries) {
		return nil
	}
	t := &h.Tries[a.At]
	text := compare.Listed(s.Varying().fitting(t.Path, t.Values))
	v.Axes = [2]compare.Axis{{Path: t.Path, Text: text, GivenText: text}}
	return append(RunVary{}.on(s), Reveal{room.PartVaryAxes})
}
