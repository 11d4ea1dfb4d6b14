package numbers

import (
	"math"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/state"
	"hadarlab/app/ui/charts"
	. "hadarlab/app/ui/html"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/data"
	"hadarlab/core/chart/draw"
	"hadarlab/core/insights"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Vary is a number of the scenario that is varied, or two.
type Vary struct {
	Many
	Of     compare.Vary
	May    *state.Varying // be varied; nil where the section is shut
	Search *WinnerSearch
	Table  bool
}

func VaryOf(s *state.Lab) *Vary {
	c := &Vary{Of: s.Vary}
	if c.Many = manyOf(s, true, &c.Of.Sweep); c.Of.Open {
		c.May, c.Search, c.Table = s.Varying(), winnerSearchOf(s), s.View.Tables[2]
	}
	return c
}

// varied is how sentences name the figures that have a picture, the first of figures.
var varied = [len(data.SweepFigures)]string{"mean completion", "last finish", "GPU utilisation", "worst fairness"}

// Render draws the section.
func (c *Vary) Render() app.UI {
	if !c.Of.Open {
		return c.section("vary", "Vary a number", "and see where the lead changes")
	}
	problem := c.May.Problem()
	kids := []app.UI{c.Search.drawn(c.May), elm.Part(&Axes{c.May}),
		Say("p.mute help", "Values are a list, as 1, 2, 4, or a range, as 1 to 9 by 2, or 1 to 9 in 5."),
		c.going("Run all", problem, c.May.Amount(), false, state.RunVary{}, state.RunVary{OnServer: true}),
		refused(problem, c.Runs), staleNotice(c.Stale)}
	if len(c.Of.Points) > 0 {
		kids = append(kids, c.results()...)
	}
	return c.section("vary", "Vary a number", "and see where the lead changes", kids...)
}

// Axes are the numbers that are varied.
type Axes struct{ *state.Varying }

// Render draws their fields.
func (c *Axes) Render() app.UI {
	return El("div.axes", append(c.axis(0, words.T("Number")), c.axis(1, words.T("Second number"))...)...)
}

// axis chooses a number and its values.
func (c *Axes) axis(i int, label string) []app.UI {
	a := c.Axis(i)
	id := "axis-" + Itoa(i)
	var groups, options []app.UI
	group, known := "", a.Free
	flush := func() {
		if len(options) > 0 {
			groups = append(groups, Set(El("optgroup", options...), "label", group))
		}
		options = nil
	}
	if i > 0 {
		groups = append(groups, Option("", words.T("none"), a.Path == "" && !a.Free))
	}
	for _, k := range c.Variables() {
		if k.Group != group {
			flush()
			group = k.Group
		}
		here := k.Path == a.Path && !a.Free
		known = known || here
		options = append(options, Option(k.Path, k.Name, here))
	}
	flush()
	if !known && a.Path != "" {
		groups = append(groups, Option(a.Path, a.Path, true))
	}
	groups = append(groups, Option("?", words.T("Another number, by its pointer…"), a.Free))
	pick := Given(Set(El("select.field", groups...), "id", id, "data-test", id), "change",
		func(path string) state.Action {
			if path == "?" {
				return state.ChooseVariable{Axis: i, Path: a.Path, Free: true}
			}
			return state.ChooseVariable{Axis: i, Path: path}
		}, a.Path)
	out := []app.UI{Set(Txt("label", label), "for", id), pick}
	if a.Free {
		out = append(out, El("span"),
			Given(Set(El("input.field mono|type=text|autocomplete=off|spellcheck=false"), "placeholder",
				"/scenario/jobs/0/steps", "data-test", id+"-path", "aria-label", words.F("Pointer to: {0}", label),
				"value", a.GivenPath), "input",
				func(path string) state.Action { return state.ChooseVariable{Axis: i, Path: path, Free: true} }, id))
	}
	if a.Path == "" && !a.Free {
		return out
	}
	return append(out, Set(Say("label", "Values"), "for", id+"-values"),
		Given(Set(El("input.field|type=text|autocomplete=off|spellcheck=false"), "id", id+"-values",
			"data-test", id+"-values", "value", a.GivenText), "input",
			func(text string) state.Action { return state.TypeValues{Axis: i, Text: text} }, id))
}

// Varied is what the pictures of a varied number share.
type Varied struct {
	Request         *message.SweepRequest
	Variables       []edit.Variable
	Titles, Letters []string
	Scales          [len(varied)]scale
	Now             float64
}

func (c *Vary) varied() Varied {
	v := &c.Of
	return Varied{v.Request, v.Variables, v.Titles, v.Letters, c.scales(),
		c.May.Variable(v.Variables[0].Path).Value}
}

// second are the values of the second number; one that is none where there is no second.
func (v *Varied) second() []float64 {
	if len(v.Request.Vary) > 1 {
		return v.Request.Vary[1].Values
	}
	return []float64{math.NaN()}
}

// titled names a value of the second number; nothing where there is none.
func (v *Varied) titled(value float64, after string) string {
	if math.IsNaN(value) {
		return ""
	}
	return edit.FormatNumber(value) + " " + v.Variables[1].Noun + after
}

// figure is one figure over the values of the first number.
func (v *Varied) figure(k int, row []message.SweepPoint) *chart.Vary {
	out := &chart.Vary{X: v.Request.Vary[0].Values, Now: v.Now, Name: v.Variables[0].Axis(),
		Noun: v.Variables[0].Noun, What: words.T(varied[k]), Good: figures[k].Good,
		Share: figures[k].Unit == message.Ratio}
	for l, title := range v.Titles {
		line := chart.VaryLine{Name: title, Style: charts.LaneStyle(l), Letter: v.Letters[l]}
		for i := range row {
			y, cut := chart.Unfinished, false
			if l < len(row[i].Runs) {
				run := &row[i].Runs[l]
				y, cut = figures[k].of(run)/v.Scales[k].size, run.Outcome != "done"
			}
			line.Y, line.Cut = append(line.Y, y), append(line.Cut, cut)
		}
		out.Lines = append(out.Lines, line)
	}
	return out
}

// row is the points at one value of the second number, with no runs where none have come.
func (c *Vary) row(second int) []message.SweepPoint {
	v := &c.Of
	out := make([]message.SweepPoint, len(v.Request.Vary[0].Values))
	for i := range out {
		if at := v.Point(i, second); at < len(v.Points) {
			out[i] = v.Points[at]
		}
	}
	return out
}

// scales are those of the figures over all runs.
func (c *Vary) scales() (of [len(varied)]scale) {
	for k := range of {
		top := 0.0
		c.runs(func(_ int, r *message.Lane) {
			if v := figures[k].of(r); v > top { // NaN is not
				top = v
			}
		})
		of[k] = figures[k].scale(top)
	}
	return of
}

func (c *Vary) runs(f func(point int, r *message.Lane)) {
	for i := range c.Of.Points {
		p := &c.Of.Points[i]
		for k := range p.Runs {
			f(i, &p.Runs[k])
		}
	}
}

// results are the sentence, the pictures and the table.
func (c *Vary) results() []app.UI {
	v, all := &c.Of, c.varied()
	scales := all.Scales
	var kids, rows []app.UI
	for at, value := range all.second() {
		row := c.row(at)
		found := insights.Vary(words.Now(), all.figure(0, row))
		kids = append(kids, says("vary-says", all.titled(value, ": ")+found.Claim, found.Because))
		rows = append(rows, elm.Part(&Multiples{all, at, row, v.Cursor}))
	}
	open := OnOff(c.Table)
	walk := elm.On(El(
		"div.walk|tabindex=0|role=group|data-test=vary-walk|aria-label=Charts of the varied number. Left and right walk the values, Enter opens one as the scenario.", rows...), "keydown", c.keys)
	said := words.T("Click a point, or press Enter on one, to make it the scenario; undo brings yours back.")
	said = words.T("A dot is a lane’s run with one value.") + " " + said
	if at := v.Point(v.Cursor, 0); at < len(v.Points) {
		said = c.at(at, scales[0]) + " " + said
	}
	kids = append(kids, laneKey(v.Titles, v.Letters, El("li",
		app.Raw(`<svg width="12" height="10" aria-hidden="true"><path data-role="now" transform="translate(6 1)" d="`+
			draw.NowMark+`"></path></svg>`), Say("span", "the scenario now"))), walk,
		Txt("p.xs mute|data-test=vary-here", said),
		El("div.line", Set(Button(".btn|data-test=vary-toggle", "Table", "table", state.ToggleTable{Which: 2}),
			"aria-expanded", open, "aria-pressed", open)))
	if c.Table {
		kids = append(kids, elm.On(Set(scrolling("All runs", c.table(scales)), "data-twin", "vary"), "click",
			func(_ app.Context, e app.Event) {
				if at := platform.Closest(e.Value, "data-point"); at != "" {
					Do(state.OpenPoint{Point: WholeNumber(at)})
				}
			}))
	}
	return kids
}

// Multiples are the pictures at one value of the second number.
type Multiples struct {
	Varied
	At     int
	Points []message.SweepPoint
	Cursor int
}

func (m *Multiples) Render() app.UI {
	value := m.second()[m.At]
	pictures := Each(len(varied), func(k int) app.UI {
		of := m.figure(k, m.Points)
		y := of.Scale()
		caption := figures[k].titled(m.Scales[k])
		svg := draw.VarySVG(words.Now(), of, m.Cursor, m.titled(value, ": ")+caption+". "+insights.Vary(words.Now(),
			of).Claim)
		return Set(El("figure", Txt("figcaption", caption),
			El("div.small", app.Raw(draw.ScaleSVG(words.Now(), &y, "", 44)),
				elm.On(El("div.stack", app.Raw(svg)), "click", m.open, Itoa(m.At)))), "data-test", "multiple",
			"data-metric", figures[k].Name)
	})
	return El("div", Set(Txt("h3", m.titled(value, "")), "hidden", Flag(math.IsNaN(value))),
		El("div.multi", pictures...))
}

// open opens the point whose column is met.
func (m *Multiples) open(_ app.Context, e app.Event) {
	if at := platform.Closest(e.Value, "data-value"); at != "" {
		v := compare.Vary{Sweep: compare.Sweep{Request: m.Request}}
		Do(state.OpenPoint{Point: v.Point(WholeNumber(at), m.At)})
	}
}

// at says what stands at a point, in a scale of the first figure.
func (c *Vary) at(point int, of scale) string {
	v := &c.Of
	said := v.Says(point) + "."
	for l := range v.Points[point].Runs {
		r := &v.Points[point].Runs[l]
		if math.IsNaN(figures[0].of(r)) {
			said += " " + words.F("{0}: no job finishes.", v.Titles[l])
			continue
		}
		said += " " + v.Titles[l] + " " + figures[0].sig(r, of) + " " + of.unit + "."
	}
	return said
}

// sig is the figure of a run in a scale, to four digits.
func (f *measure) sig(l *message.Lane, of scale) string {
	v := f.of(l)
	if math.IsNaN(v) {
		return "–"
	}
	return words.Sig(v/of.size, 4)
}

// keys walk the values and open one.
func (c *Vary) keys(_ app.Context, e app.Event) {
	step := map[string]int{"ArrowLeft": -1, "ArrowRight": 1, "Home": -compare.MaxValues,
		"End": compare.MaxValues}[e.Get("key").String()]
	switch {
	case step != 0:
		Do(state.WalkPoint{By: step})
	case e.Get("key").String() == "Enter":
		Do(state.OpenWalked{})
	default:
		return
	}
	e.PreventDefault()
	e.Call("stopPropagation")
}

// table has a row a run, and a button a point.
func (c *Vary) table(scales [len(varied)]scale) string {
	v := &c.Of
	var head []string
	for i := range v.Request.Vary {
		head = append(head, "#"+v.Variables[i].Axis())
	}
	head = append(head, "Policy")
	for k, scale := range scales {
		head = append(head, "#"+figures[k].titled(scale))
	}
	head = append(head, "Outcome", "")
	t := markup.NewTable(`data-test="vary-table"`, "All runs", head...)
	last, lane := -1, 0
	c.runs(func(point int, r *message.Lane) {
		if point != last {
			last, lane = point, 0
		}
		cells := []string{}
		for _, value := range v.Points[point].Values {
			cells = append(cells, "#"+edit.FormatNumber(value))
		}
		cells = append(cells, v.Titles[lane])
		for k := range varied {
			cells = append(cells, "#"+figures[k].sig(r, scales[k]))
		}
		open := "<td></td>"
		if lane == 0 {
			open = `<td><button type="button" class="btn" data-test="vary-open" data-point="` + Itoa(point) +
				`" aria-label="` + draw.Escape(words.F("Open {0}", v.Says(point))) + `">` +
				draw.Escape(words.T("Open")) + `</button></td>`
		}
		t.RowWith(` data-policy="`+draw.Escape(r.Policy)+`"`, open, append(cells, words.T(r.Outcome))...)
		lane++
	})
	return t.String()
}
