package state

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/words"
)

// Vary is a number of the document, or two, that is varied.
type Vary struct {
	Sweep
	Axes         [2]Axis // the second is varied when it has a path
	Cursor       int     // value of the first axis under the keyboard
	WinnerSearch WinnerSearch
	Variables    []edit.Variable // the numbers that what has come is about
	late         int             // rows of pictures that are still to be drawn after the last answer
}

// Axis is what is said of one number.
type Axis struct {
	Path string // "" = none
	Free bool   // the path is typed
	Text string // of the values, as typed
	// What the fields were given: a field that is typed in is left alone.
	GivenPath, GivenText string
}

// Most values of the two axes.
const (
	MaxValues = 40
	MaxSecond = 6
)

// ParseValues reads the values of an axis: a list, as 1, 2, 4, or a range, as 1 to 9 by 2 or 1 to 9 in 5. They are
// put in order. The message names the fault.
func ParseValues(text string, r edit.Range, most int) ([]float64, string) {
	clean := strings.NewReplacer(",", " ", ";", " ", "−", "-").Replace(text)
	parts := strings.Fields(clean)
	for i, w := range parts { // the words between are those of the reader's language, or English
		for _, key := range [...][2]string{{"to", words.In("range", "to")}, {"by", words.In("range", "by")},
			{"in", words.In("range", "in")}} {
			if w == key[1] {
				parts[i] = key[0]
			}
		}
	}
	var values []float64
	if len(parts) == 5 && parts[1] == "to" && (parts[3] == "by" || parts[3] == "in") ||
		len(parts) == 3 && parts[1] == "to" {
		var of [3]float64
		step := [...]string{"", "", "1"}
		for i := 0; i < len(parts); i += 2 {
			step[i/2] = parts[i]
		}
		for i := range of {
			v, problem := edit.ParseNumber(step[i], edit.Range{Min: -math.MaxFloat64, Max: math.MaxFloat64})
			if problem != "" {
				return nil, problem
			}
			of[i] = v
		}
		values = spread(of[0], of[1], of[2], len(parts) == 5 && parts[3] == "in", r.Whole)
		parts = nil
	}
	for _, w := range parts {
		v, problem := edit.ParseNumber(w, r)
		if problem != "" {
			return nil, problem
		}
		values = append(values, v)
	}
	slices.Sort(values)
	values = slices.Compact(values)
	for _, v := range values {
		if _, problem := edit.ParseNumber(message.Number(v), r); problem != "" {
			return nil, problem
		}
	}
	switch n := len(values); {
	case n < 2:
		return nil, words.T("needs two values or more, as 1, 2, 4, or 1 to 9 by 2, or 1 to 9 in 5")
	case n > most:
		return nil, words.F("has more than {0} values; leave some out", itoa(most))
	}
	return values, ""
}

// spread are the values of a range: with a step, or so many of them. No more than are refused anyway.
func spread(from, to, by float64, many, whole bool) (values []float64) {
	n := by - 1
	if !many {
		n = math.Floor((to-from)/by + 1e-9)
	}
	if !(n >= 1 && n < 1000) {
		return nil
	}
	for i := 0.0; i <= n; i++ {
		v := from + float64(i*by)
		if many {
			v = from + float64((to-from)*i)/n
		}
		if whole {
			v = math.Round(v)
		}
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 9, 64), 64) // as precise as documents are
		values = append(values, v)
	}
	return values
}

// Listed is a list of values as people type it.
func Listed(values []float64) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, message.Number(v))
	}
	return strings.Join(texts, ", ")
}

// fewJobs is up to how many jobs the page itself looks whether values fit.
const fewJobs = 500

// fitting are the values with which the scenario has no errors: one alone would keep a sweep from running.
func (s *State) fitting(path string, values []float64) []float64 {
	if s.Doc.JobCount() > fewJobs {
		return values
	}
	var out []float64
	raw := s.Doc.Marshal(false)
	for _, v := range values {
		changed, err := text.SetNumber(raw, path, v)
		if err != nil {
			continue
		}
		doc, diags := scenario.Parse(changed, scenario.FileLimits)
		if doc == nil || diags.HasErrors() {
			continue
		}
		with := s.with(doc)
		if with.judge(); !with.Diags.HasErrors() {
			out = append(out, v)
		}
	}
	return out
}

// offered are values of a number for an axis, as text: no more than it takes, the nearest.
func offered(k *edit.Variable, values []float64, axis int) string {
	if axis > 0 && len(values) > MaxSecond {
		values = slices.Sorted(slices.Values(outward(values, k.Value)[:MaxSecond]))
	}
	return Listed(values)
}

// Axis is what stands for an axis: until something is chosen, the first number of the document.
func (s *State) Axis(i int) Axis {
	a := s.Vary.Axes[i]
	if i == 0 && a == (Axis{}) {
		if variables := s.Variables(); len(variables) > 0 {
			text := Listed(s.usual(&variables[0]))
			return Axis{Path: variables[0].Path, Text: text, GivenText: text}
		}
	}
	return a
}

// values are those of an axis, or what is wrong with it.
func (s *State) values(i int) ([]float64, string) {
	a, most := s.Axis(i), MaxValues
	if i > 0 {
		most = MaxSecond
	}
	k := s.Variable(a.Path)
	values, problem := ParseValues(a.Text, k.Range, most)
	if problem != "" {
		problem = words.F("{0} {1}.", k.Name, problem)
	}
	return values, problem
}

// VaryProblem is what is wrong with the request as it stands, "" = nothing.
func (s *State) VaryProblem() string {
	first, second := s.Axis(0), s.Axis(1)
	switch _, problem := s.values(0); {
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
	_, problem := s.values(1)
	return problem
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
	RunVary struct{}
	// WalkPoint moves the cursor over the values.
	WalkPoint struct{ By int }
	// OpenPoint makes the scenario that of a point.
	OpenPoint struct{ Point int }
)

func (a ChooseVariable) on(s *State) []Effect {
	v := &s.Vary
	axis := s.Axis(a.Axis)
	if a.Free && !axis.Free {
		axis.GivenPath = a.Path
	}
	axis.Path, axis.Free = a.Path, a.Free
	k := s.Variable(a.Path)
	if text := offered(&k, s.fitting(k.Path, s.usual(&k)), a.Axis); !a.Free && text != axis.GivenText {
		axis.Text, axis.GivenText = text, text
	}
	v.Axes[a.Axis], v.Rev = axis, v.Rev+1
	return nil
}

func (a TypeValues) on(s *State) []Effect {
	axis := s.Axis(a.Axis)
	axis.Text = a.Text
	s.Vary.Axes[a.Axis], s.Vary.Rev = axis, s.Vary.Rev+1
	return nil
}

func (RunVary) on(s *State) []Effect {
	if s.VaryProblem() != "" {
		return nil
	}
	v := &s.Vary
	cursor, variables, req := 0, []edit.Variable{}, &message.SweepRequest{}
	for i := range v.Axes {
		a := s.Axis(i)
		if a.Path == "" {
			continue
		}
		values, _ := s.values(i)
		k := s.Variable(a.Path)
		if variables = append(variables, k); i == 0 {
			cursor = max(0, slices.Index(values, k.Value))
		}
		req.Vary = append(req.Vary, message.Axis{Path: a.Path, Values: values})
	}
	effects := s.askSweep(&v.Sweep, req)
	if effects != nil {
		v.Cursor, v.Variables = cursor, variables
	}
	return effects
}

func (a WalkPoint) on(s *State) []Effect {
	v := &s.Vary
	if v.Request != nil {
		v.Cursor, v.Rev = min(max(0, v.Cursor+a.By), len(v.Request.Vary[0].Values)-1), v.Rev+1
	}
	return nil
}

// rows is how many values the second number has, 1 where there is none.
func (v *Vary) rows() int {
	if v.Request == nil || len(v.Request.Vary) < 2 {
		return 1
	}
	return len(v.Request.Vary[1].Values)
}

// RowRev is the revision that a row of pictures shows. One row is drawn at a time, in turn: all of them would hold up
// the page.
func (v *Vary) RowRev(row int) int64 {
	n := int64(v.rows())
	return v.Rev - ((v.Rev-int64(row))%n+n)%n
}

// varied takes news of the varied number.
func (s *State) varied(m *message.Message) []Effect {
	v := &s.Vary
	first := len(v.Points) == 0
	effects := s.sweepAnswered(&v.Sweep, m)
	if first && len(v.Points) > 0 {
		effects = append(effects, Reveal{PartVarySays})
	}
	if !v.Busy() && v.drawAll() {
		effects = append(effects, After{20, drawLate{}})
	}
	return effects
}

// drawAll has every row drawn once more, where there are several.
func (v *Vary) drawAll() bool {
	n := v.rows()
	if n > 1 {
		v.late = n
	}
	return n > 1
}

// drawNext draws the next row, false when all are drawn.
func (v *Vary) drawNext() bool {
	if v.late == 0 {
		return false
	}
	v.late, v.Rev = v.late-1, v.Rev+1
	return true
}

// drawLate draws the next row after the last answer.
type drawLate struct{}

func (drawLate) on(s *State) []Effect {
	if !s.Vary.drawNext() {
		return nil
	}
	return []Effect{After{20, drawLate{}}}
}

// Point is the place in the grid of a value of each axis.
func (v *Vary) Point(first, second int) int {
	if len(v.Request.Vary) < 2 {
		return first
	}
	return first*len(v.Request.Vary[1].Values) + second
}

// Says names a point: its numbers and their values.
func (v *Vary) Says(point int) string {
	said := ""
	for i, value := range v.Points[point].Values {
		if i > 0 {
			said += ", "
		}
		said += v.Variables[i].Name + ": " + v.Variables[i].Range.Say(value)
	}
	return said
}

func (a OpenPoint) on(s *State) []Effect {
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
func (s *State) openPoint(w *Sweep, axes []message.Axis, values []float64, said, report string) []Effect {
	raw := []byte(w.Request.Scenario)
	for i, value := range values {
		raw, _ = text.SetNumber(raw, axes[i].Path, value) // it has run
	}
	doc, _ := scenario.Parse(raw, scenario.FileLimits)
	if doc == nil {
		return nil
	}
	w.Rev++
	effects := Do{edit.Rewrite{Sentence: said, Make: func(d *scenario.Document) { *d = *doc }}}.on(s)
	w.opened(s.Doc)
	return append(effects, s.toast(report, true)...)
}
