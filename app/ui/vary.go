package ui

import (
	"math"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/platform"
	"hadarlab/app/state"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/findings"
	"hadarlab/core/message"
	"hadarlab/core/unit"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Vary is a number of the scenario that is varied, or two.
type Vary struct {
	H            *Host
	Doc          int64
	Rev          int64
	WinnerSearch int64
	Table        bool
	Engine       state.EngineState
}

// varied are the figures that have a picture, as sentences name them: the first of figures.
var varied = [...]string{"mean completion", "last finish", "GPU utilisation", "worst fairness"}

// render draws the section.
func (c *Vary) render() app.UI {
	h, v := c.H, &c.H.S.Vary
	if !v.Open {
		return h.many("vary", "Vary a number", "and see where the lead changes", true)
	}
	problem := h.S.VaryProblem()
	kids := append(h.winnerSearch(),
		el("div.axes", append(c.axis(0, words.T("Number")), c.axis(1, words.T("Second number"))...)...),
		say("p.mute help", "Values are a list, as 1, 2, 4, or a range, as 1 to 9 by 2, or 1 to 9 in 5."),
		h.going(true, "Run all", problem, false, state.RunVary{}), h.wrong(problem, &v.Sweep), h.staleSweep(&v.Sweep))
	if len(v.Points) > 0 {
		kids = append(kids, c.results()...)
	}
	return h.many("vary", "Vary a number", "and see where the lead changes", true, kids...)
}

// axis chooses a number and its values.
func (c *Vary) axis(i int, label string) []app.UI {
	h, a := c.H, c.H.S.Axis(i)
	id := "axis-" + itoa(i)
	var groups, options []app.UI
	group, known := "", a.Free
	flush := func() {
		if len(options) > 0 {
			groups = append(groups, set(el("optgroup", options...), "label", group))
		}
		options = nil
	}
	if i > 0 {
		groups = append(groups, option("", words.T("none"), a.Path == "" && !a.Free))
	}
	for _, k := range h.S.Variables() {
		if k.Group != group {
			flush()
			group = k.Group
		}
		here := k.Path == a.Path && !a.Free
		known = known || here
		options = append(options, option(k.Path, k.Name, here))
	}
	flush()
	if !known && a.Path != "" {
		groups = append(groups, option(a.Path, a.Path, true))
	}
	groups = append(groups, option("?", words.T("Another number, by its pointer…"), a.Free))
	pick := on(set(el("select.field", groups...), "id", id, "data-test", id), "change",
		func(ctx app.Context, _ app.Event) {
			path := ctx.JSSrc().Get("value").String()
			if path == "?" {
				h.Do(state.ChooseVariable{Axis: i, Path: a.Path, Free: true})
			} else {
				h.Do(state.ChooseVariable{Axis: i, Path: path})
			}
		}, a.Path)
	out := []app.UI{set(txt("label", label), "for", id), pick}
	if a.Free {
		out = append(out, el("span"),
			on(set(el("input.field mono|type=text|autocomplete=off|spellcheck=false"), "placeholder",
				"/scenario/jobs/0/steps", "data-test", id+"-path", "aria-label", words.F("Pointer to: {0}", label),
				"value", a.GivenPath), "input", func(ctx app.Context, _ app.Event) {
				h.Do(state.ChooseVariable{Axis: i, Path: ctx.JSSrc().Get("value").String(), Free: true})
			}, id))
	}
	if a.Path == "" && !a.Free {
		return out
	}
	return append(out, set(say("label", "Values"), "for", id+"-values"),
		on(set(el("input.field|type=text|autocomplete=off|spellcheck=false"), "id", id+"-values",
			"data-test", id+"-values", "value", a.GivenText), "input", func(ctx app.Context, _ app.Event) {
			h.Do(state.TypeValues{Axis: i, Text: ctx.JSSrc().Get("value").String()})
		}, id))
}

// second are the values of the second number; one that is none where there is no second.
func (c *Vary) second() []float64 {
	if v := &c.H.S.Vary; len(v.Request.Vary) > 1 {
		return v.Request.Vary[1].Values
	}
	return []float64{math.NaN()}
}

// figure is one figure over the values of the first number, at one of the second.
func (c *Vary) figure(k, second int, size float64) *chart.Vary {
	v := &c.H.S.Vary
	out := &chart.Vary{X: v.Request.Vary[0].Values, Now: c.now(), Name: v.Variables[0].Axis(),
		Noun: v.Variables[0].Noun, What: words.T(varied[k]), Good: figures[k].good}
	for l, title := range v.Titles {
		line := chart.VaryLine{Name: title, Style: laneStyle(l), Letter: v.Letters[l]}
		for i := range out.X {
			y, cut := chart.Unfinished, false
			if at := v.Point(i, second); at < len(v.Points) && l < len(v.Points[at].Runs) {
				run := &v.Points[at].Runs[l]
				y, cut = figures[k].of(run)/size, run.Outcome != "done"
			}
			line.Y, line.Cut = append(line.Y, y), append(line.Cut, cut)
		}
		out.Lines = append(out.Lines, line)
	}
	return out
}

// now is the value of the number in the scenario as it stands.
func (c *Vary) now() float64 { return c.H.S.Variable(c.H.S.Vary.Variables[0].Path).Value }

// scale is the unit of a figure over all runs, and how many of its own make one.
func (c *Vary) scale(k int) (string, float64) {
	switch figures[k].kind {
	case "time":
		top := 0.0
		c.runs(func(_ int, r *message.Lane) { top = max(top, figures[k].of(r)) })
		u := figure.SecondsUnit(top)
		return u.Short, float64(u.Length) / float64(unit.Second)
	case "ratio":
		return "%", 0.01
	}
	return "", 1
}

func (c *Vary) runs(f func(point int, r *message.Lane)) {
	for i := range c.H.S.Vary.Points {
		p := &c.H.S.Vary.Points[i]
		for k := range p.Runs {
			f(i, &p.Runs[k])
		}
	}
}

// results are the sentence, the pictures and the table.
func (c *Vary) results() []app.UI {
	h, v := c.H, &c.H.S.Vary
	var kids, rows []app.UI
	for at, value := range c.second() {
		_, size := c.scale(0)
		found := findings.Vary(c.figure(0, at, size))
		kids = append(kids, says("vary-says", c.titled(value, ": ")+found.Claim, found.Because))
		rows = append(rows, part(&Multiples{H: h, At: at, Rev: v.RowRev(at), Cursor: v.Cursor, Now: c.now()}))
	}
	open := onoff(c.Table)
	walk := on(
		el(
			"div.walk|tabindex=0|role=group|data-test=vary-walk|aria-label=Charts of the varied number. Left and right walk the values, Enter opens one as the scenario.", rows...), "keydown", c.keys)
	said := words.T("Click a point, or press Enter on one, to make it the scenario; undo brings yours back.")
	if at := v.Point(v.Cursor, 0); at < len(v.Points) {
		said = c.at(at) + " " + said
	}
	kids = append(kids, laneKey(v.Titles, v.Letters, el("li",
		app.Raw(`<svg width="12" height="10" aria-hidden="true"><path data-role="now" transform="translate(6 1)" d="`+
			draw.NowMark+`"></path></svg>`), say("span", "the scenario now"))), walk,
		txt("p.xs mute|data-test=vary-here", said),
		el("div.line", set(h.button(".btn|data-test=vary-toggle", "Table", "table", state.ToggleTable{Which: 2}),
			"aria-expanded", open, "aria-pressed", open)))
	if c.Table {
		kids = append(kids, on(set(scrolling("All runs", c.table()), "data-twin", "vary"), "click",
			func(_ app.Context, e app.Event) {
				if at := platform.Closest(e.Value, "data-point"); at != "" {
					h.Do(state.OpenPoint{Point: wholeNumber(at)})
				}
			}))
	}
	return kids
}

// titled names a value of the second number; nothing where there is none.
func (c *Vary) titled(value float64, after string) string {
	if math.IsNaN(value) {
		return ""
	}
	return edit.FormatNumber(value) + " " + c.H.S.Vary.Variables[1].Noun + after
}

// Multiples are the pictures at one value of the second number.
type Multiples struct {
	H      *Host
	At     int
	Rev    int64
	Cursor int
	Now    float64
}

func (m *Multiples) render() app.UI {
	c := &Vary{H: m.H}
	value := c.second()[m.At]
	pictures := each(len(varied), func(k int) app.UI {
		name, size := c.scale(k)
		of := c.figure(k, m.At, size)
		y := of.Scale()
		caption := titled(words.T(figures[k].title), name)
		svg := draw.VarySVG(of, m.Cursor, c.titled(value, ": ")+caption+". "+findings.Vary(of).Claim)
		return set(el("figure", txt("figcaption", caption),
			el("div.small", app.Raw(draw.ScaleSVG(&y, "", 44)),
				on(el("div.stack", app.Raw(svg)), "click", c.click(m.At), itoa(m.At)))), "data-test", "multiple",
			"data-metric", figures[k].name)
	})
	return el("div", set(txt("h3", c.titled(value, "")), "hidden", flag(math.IsNaN(value))),
		el("div.multi", pictures...))
}

// at says what stands at a point.
func (c *Vary) at(point int) string {
	v := &c.H.S.Vary
	name, size := c.scale(0)
	said := v.Says(point) + "."
	for l := range v.Points[point].Runs {
		said += " " + v.Titles[l] + " " + figure.Sig(figures[0].of(&v.Points[point].Runs[l])/size, 4) + " " + name + "."
	}
	return said
}

// click opens the point whose column is met.
func (c *Vary) click(second int) app.EventHandler {
	return func(_ app.Context, e app.Event) {
		if at := platform.Closest(e.Value, "data-value"); at != "" {
			c.H.Do(state.OpenPoint{Point: c.H.S.Vary.Point(wholeNumber(at), second)})
		}
	}
}

// keys walk the values and open one.
func (c *Vary) keys(_ app.Context, e app.Event) {
	step := map[string]int{"ArrowLeft": -1, "ArrowRight": 1, "Home": -compare.MaxValues,
		"End": compare.MaxValues}[e.Get("key").String()]
	switch {
	case step != 0:
		c.H.Do(state.WalkPoint{By: step})
	case e.Get("key").String() == "Enter":
		c.H.Do(state.OpenPoint{Point: c.H.S.Vary.Point(c.H.S.Vary.Cursor, 0)})
	default:
		return
	}
	e.PreventDefault()
	e.Call("stopPropagation")
}

// table has a row a run, and a button a point.
func (c *Vary) table() string {
	v := &c.H.S.Vary
	var head []string
	for i := range v.Request.Vary {
		head = append(head, "#"+v.Variables[i].Axis())
	}
	head = append(head, "Policy")
	var sizes [len(varied)]float64
	for k := range varied {
		name, size := c.scale(k)
		head, sizes[k] = append(head, "#"+titled(words.T(figures[k].title), name)), size
	}
	head = append(head, "Outcome", "")
	t := newTextTable(`data-test="vary-table"`, "All runs", head...)
	last, lane := -1, 0
	c.runs(func(point int, r *message.Lane) {
		if point != last {
			last, lane = point, 0
		}
		t.add(`<tr data-policy="` + draw.Escape(r.Policy) + `">`)
		cells := []string{}
		for _, value := range v.Points[point].Values {
			cells = append(cells, "#"+edit.FormatNumber(value))
		}
		cells = append(cells, v.Titles[lane])
		for k := range varied {
			cells = append(cells, "#"+figure.Sig(figures[k].of(r)/sizes[k], 4))
		}
		for _, s := range append(cells, words.T(r.Outcome)) {
			said, class := cell(s)
			t.add("<td" + class + ">" + said + "</td>")
		}
		if lane == 0 {
			t.add(`<td><button type="button" class="btn" data-test="vary-open" data-point="` + itoa(point) +
				`" aria-label="` + draw.Escape(words.F("Open {0}", v.Says(point))) + `">` +
				draw.Escape(words.T("Open")) + `</button></td></tr>`)
		} else {
			t.add("<td></td></tr>")
		}
		lane++
	})
	return t.String()
}
