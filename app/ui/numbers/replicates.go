package numbers

import (
	"math"

	"hadarlab/app/compare"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/ui/charts"
	. "hadarlab/app/ui/html"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/insights"
	"hadarlab/core/message"
	"hadarlab/core/unit"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Many is a section of many runs: whether they can be run, and how far they are.
type Many struct {
	Runs   *compare.Sweep
	Vary   bool // it varies a number
	Takes  bool // the server takes them
	Ready  bool // the engine does
	Faulty bool // the scenario has errors
	Stale  bool // what has come is of another scenario
}

// manyOf is such a section with its runs, a copy of those of the state.
func manyOf(s *state.Lab, vary bool, runs *compare.Sweep) Many {
	m := Many{Runs: runs, Vary: vary}
	if !runs.Open {
		return m
	}
	m.Takes, m.Ready = s.Server.Takes && !s.Doc.Recorded(), s.Engine == room.EngineReady
	m.Faulty, m.Stale = s.Diags.HasErrors(), stale(runs, s)
	return m
}

// stale says that what stands of a sweep is of another scenario.
func stale(w *compare.Sweep, s *state.Lab) bool { return w.Request != nil && w.Stale(s.Doc) }

// Replicates is the section that says how sure the comparison is: the scenario with many seeds.
type Replicates struct {
	Many
	Seeds, Noise string // what is wrong with the number of seeds, and with the variation of lengths
	Problem      string // with either, in a sentence
	Listed       bool   // the jobs are, so that their lengths may vary
	Amount       string // how many runs it would be
	Draws        []string
}

func ReplicatesOf(s *state.Lab) *Replicates {
	u := s.Replicates
	c := &Replicates{Many: manyOf(s, false, &u.Sweep)}
	if !u.Open {
		return c
	}
	c.Problem, c.Listed, c.Draws = u.SeedsProblem(), s.Doc.Scenario.Generator == nil, s.Draws(s.Doc)
	c.Amount = s.SeedsAmount(s.Doc)
	_, c.Seeds = u.Count()
	_, c.Noise = u.NoisePercent()
	return c
}

// Render draws the section.
func (c *Replicates) Render() app.UI {
	u := c.Runs
	if !u.Open {
		return c.section("sure", "How sure is this?", "the same comparison with other draws")
	}
	input := func(id, value string, wrong string, typed func(text string) state.Action) app.UI {
		return Given(Set(El("input.field num|type=text|inputmode=numeric|autocomplete=off"), "id", id, "data-test", id,
			"value", value, "aria-invalid", Flag(wrong != "")), "input", typed)
	}
	lines := []app.UI{El("div.line", Say("label|for=sure-seeds", "Seeds"),
		input("sure-seeds", "20", c.Seeds, func(s string) state.Action { return state.SetSeeds{Text: s} }),
		Say("span.mute", "2 to 200, counted up from the scenario’s own seed"))}
	if c.Listed {
		lines = append(lines, El("div.line", Say("label|for=sure-noise", "Lengths vary by, %"),
			input("sure-noise", "10", c.Noise, func(s string) state.Action { return state.SetNoise{Text: s} })))
	}
	drawn := El("ul.help|data-test=sure-draws",
		Each(len(c.Draws), func(i int) app.UI { return Txt("li", c.Draws[i]) })...)
	if len(c.Draws) == 0 && c.Problem == "" {
		drawn = Set(Note("note", Say("div",
			"Nothing in this scenario is random: every seed would give the same run. Let the lengths vary, or let policies misjudge them under Edit all › Run.")),
			"data-test", "many-problem")
	}
	kids := []app.UI{
		Say("p.mute help",
			"Each seed is one run under every policy, and the policies are compared seed by seed. What a seed draws anew here:"),
		drawn, El("div", lines...),
		c.going("Run them", c.Problem, c.Amount, len(c.Draws) == 0, state.Replicate{}, state.Replicate{OnServer: true}),
		refused(c.Problem, u), staleNotice(c.Stale)}
	if of := u.Estimates(); of != nil {
		kids = append(kids, c.estimates(of)...)
	}
	return c.section("sure", "How sure is this?", "the same comparison with other draws", kids...)
}

// estimated is the scale of a figure's means.
func estimated(f *measure, of []message.PolicySummary) scale {
	top := 0.0
	for i := range of {
		if e := compare.Estimate(of[i].Metrics, f.Name); e != nil {
			top = max(top, e.Mean)
		}
	}
	return f.scale(top)
}

// replicateFigures is how many of the figures have a row.
const replicateFigures = 9

// estimates are the sentences, the pictures of the main figures and the table of all.
func (c *Replicates) estimates(of []message.PolicySummary) []app.UI {
	u := c.Runs
	var kids []app.UI
	differences := []chart.Whisker{}
	for i := 1; i < len(of); i++ {
		if d := compare.Against(of, i, "jct_s"); d != nil {
			f := insights.Replicates(words.Now(), u.Titles[0], u.Titles[i], d)
			kids = append(kids, says("sure-says", f.Claim, f.Because))
			differences = append(differences, chart.Whisk(d, 1, u.Letters[i], charts.LaneStyle(i)))
		}
	}
	kids = append(kids, laneKey(u.Titles, u.Letters))
	var pictures []app.UI
	picture := func(title string, ws []chart.Whisker, zero bool) {
		if len(ws) == 0 { // no seed has the figure
			return
		}
		said := title + ":"
		for i := range ws {
			said += " " + ws[i].Letter + " " + ws[i].Spread(words.Now()) + "."
		}
		pictures = append(pictures,
			Set(El("figure", Txt("figcaption", title), app.Raw(draw.WhiskersSVG(words.Now(), ws, zero, said))),
				"data-test", "whiskers"))
	}
	for k := range varied {
		f := &figures[k]
		scale := estimated(f, of)
		var ws []chart.Whisker
		for i := range of {
			if e := compare.Estimate(of[i].Metrics, f.Name); e != nil {
				ws = append(ws, chart.Whisk(e, scale.size, u.Letters[i], charts.LaneStyle(i)))
			}
		}
		picture(f.titled(scale), ws, false)
	}
	if len(differences) > 0 {
		w := figure.SecondsUnit(math.Abs(differences[0].Mean))
		for i := range differences {
			size := float64(w.Length) / float64(unit.Second)
			d := &differences[i]
			d.Mean, d.Low, d.High = d.Mean/size, d.Low/size, d.High/size
		}
		title := words.F("The same jobs, {0} later under {1} than under {2}", w.Short, u.Titles[0], u.Titles[1])
		if len(differences) > 1 {
			title = words.F("The same jobs, {0} later under {1} than under each other lane", w.Short, u.Titles[0])
		}
		picture(title, differences, true)
	}
	varied := ""
	if e := u.Request.LengthNoise; e > 0 {
		varied = " " + words.F("Lengths varied by {0}.", words.Percent(e))
	}
	return append(kids, El("div.multi", pictures...), Txt("p.xs mute",
		words.T("A dot is the mean over the seeds, a line its 95 % interval by Student's t.")+varied),
		scrolling("Means over the seeds", c.table(of)))
}

// table has a row a figure: each policy's mean, and the first one's difference to it, seed by seed.
func (c *Replicates) table(of []message.PolicySummary) string {
	titles := c.Runs.Titles
	head := []string{"Mean ± half the 95 % interval"}
	for i := range of {
		head = append(head, "#"+titles[i])
	}
	for i := 1; i < len(of); i++ {
		head = append(head, "#"+titles[0]+" − "+titles[i], "#sign agrees")
	}
	t := markup.NewTable(`data-test="sure-table"`, "Means over the seeds", head...)
	for k := range figures[:replicateFigures] {
		f := &figures[k]
		scale := estimated(f, of)
		cells := []string{f.titled(scale)}
		for i := range of {
			cells = append(cells, spreadCell(compare.Estimate(of[i].Metrics, f.Name), scale.size))
		}
		for i := 1; i < len(of); i++ {
			e := compare.Against(of, i, f.Name)
			cells = append(cells, spreadCell(e, scale.size))
			if e == nil {
				cells = append(cells, "#–")
			} else {
				cells = append(cells, "#"+words.F("{0} of {1}", Itoa(e.SameSign), Itoa(e.N)))
			}
		}
		t.Row(` data-metric="`+f.Name+`"`, cells...)
	}
	return t.String()
}

func spreadCell(e *message.Estimate, size float64) string {
	if e == nil {
		return "#–"
	}
	w := chart.Whisk(e, size, "", "")
	return "#" + w.Spread(words.Now())
}

// section is the whole, which is its heading where it is shut.
func (m *Many) section(test, title, brief string, kids ...app.UI) app.UI {
	open := m.Runs.Open
	label, whole := words.T("Show"), words.F("Show: {0}", words.T(title))
	if open {
		label, whole = words.T("Hide"), words.F("Hide: {0}", words.T(title))
	}
	toggle := Set(Button(".btn|data-kind=quiet", label, "toggle", state.ToggleSweep{Vary: m.Vary}),
		"data-test", test+"-open", "aria-expanded", OnOff(open), "aria-controls", test+"-body", "aria-label", whole)
	return Set(El("section.panel many",
		El("header", Set(Say("h2", title), "id", "h-"+test), Say("span.mute", brief), toggle),
		Set(El("div.pad", kids...), "id", test+"-body", "hidden", Flag(!open))), "data-test", test,
		"aria-labelledby", "h-"+test)
}

// going is the row of buttons: run or stop, how much it is, how far it is, what can be saved. Idle says that to run
// makes no sense, away runs it on the server.
func (m *Many) going(label, problem, amount string, idle bool, run, away state.Action) app.UI {
	w := m.Runs
	kids := []app.UI{Set(Button(".btn|data-kind=primary|data-test=many-run", label, label, run),
		"disabled", Flag(problem != "" || idle || !m.Ready || m.Faulty))}
	said := ""
	if w.Busy() {
		kids[0] = Set(Button(".btn|data-test=many-stop", "Stop", "stop", state.StopSweep{Vary: m.Vary}),
			"disabled", Flag(w.Stopping))
	}
	switch n := w.Runs(); {
	case w.Busy() && w.OnServer && w.At.Now == "":
		said = words.T("On the server, waiting for its turn")
	case w.Busy() && w.OnServer:
		said = words.F("On the server: {0} of {1} runs done", Itoa(w.At.Done), Itoa(w.At.Runs))
	case w.Busy():
		said = words.F("{0} of {1} runs done", Itoa(w.At.Done), Itoa(w.At.Runs))
	case w.Request == nil || !w.Problem.IsZero() && n == 0:
	case w.Over:
		said = words.N(n, "{0} run done", "{0} runs done")
	default:
		said = words.F("Stopped: {0} of {1} runs are shown", Itoa(n), Itoa(w.At.Runs))
	}
	if !w.Busy() && m.Takes {
		kids = append(kids, Set(Button(".btn|data-test=many-server", words.T("Run on the server"), "away", away),
			"disabled", Flag(problem != "" || idle || m.Faulty)))
	}
	if !w.Busy() && !idle {
		kids = append(kids, Txt("span|data-test=many-amount", amount))
	}
	kids = append(kids, Set(Txt("span.mute|data-test=many-progress", said), "data-done", Itoa(w.Runs())))
	if w.Runs() > 0 {
		kids = append(kids, Button(".btn|data-kind=quiet|data-test=many-csv", "Runs as CSV", "csv",
			state.SaveSweep{Vary: m.Vary}),
			Button(".btn|data-kind=quiet|data-test=many-vega", "as Vega-Lite", "vega",
				state.SaveSweep{Vary: m.Vary, Vega: true}))
	}
	return El("div.line", kids...)
}

// scrolling holds a table that may be wider than the screen; the keyboard reaches it.
func scrolling(caption, table string) app.UI {
	return Set(El("div.scroll|tabindex=0|role=region", app.Raw(table)), "aria-label", words.T(caption))
}

// staleNotice says that what stands is of another scenario.
func staleNotice(stale bool) app.UI {
	if !stale {
		return El("div|hidden=true")
	}
	return Set(Note("note", Say("div", "These runs are of the scenario before your last edits. Run again to update.")),
		"data-test", "many-stale")
}

// refused is why a sweep gave nothing, or no more.
func refused(problem string, w *compare.Sweep) app.UI {
	switch {
	case problem != "":
		return Set(Note("error", Txt("div", problem)), "data-test", "many-problem")
	case !w.Problem.IsZero():
		return Set(Note("error", El("div", Bold(Upper(words.Sentence(w.Problem.In(words.Now())))),
			Text(" "+w.Fix.In(words.Now())))), "data-test", "many-problem")
	}
	return El("div|hidden=true")
}

// laneKey names the lines of a sweep, and other marks.
func laneKey(titles, letters []string, more ...app.UI) app.UI {
	return El("ul.legend", append(Each(len(titles), func(i int) app.UI {
		return El("li", app.Raw(`<svg width="30" height="12" aria-hidden="true"><path data-series="`+charts.LaneStyle(i)+
			`" d="M0 6H30"></path></svg>`), Text(letters[i]+" "+titles[i]))
	}), more...)...)
}

// says is a sentence with its claim in bold.
func says(test, claim, because string) app.UI {
	return Set(El("p", Bold(claim), Text(" "+because)), "data-says", test, "data-test", test)
}
