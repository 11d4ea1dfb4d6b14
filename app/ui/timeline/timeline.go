// Package timeline draws what happens over time, on one axis: the lanes of the policies, who holds what, and the
// charts under them.
package timeline

import (
	"slices"
	"strconv"

	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/app/ui/charts"
	. "hadarlab/app/ui/html"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart/draw"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Plots are what pictures over the time axis show: a plot, and what is looked at there.
type Plots struct {
	charts.Plot
	Moment int
	Job    string
	Fresh  bool
}

func plotsOf(s *state.Lab) Plots {
	return Plots{Plot: PlotOf(s), Moment: s.View.Moment, Job: s.View.Job, Fresh: s.Fresh()}
}

// Timeline is the lanes under one time axis and the way through the rounds.
type Timeline struct {
	Plots
	By      string // what one row is
	Playing bool
	Table   bool // it is open
	Lanes   []elm.View
	Spans   elm.View
}

// Of is the timeline, whose lanes and table take their turns.
func Of(s *state.Lab, t *elm.Turns, upon Upon) *Timeline {
	v := &s.View
	only := ""
	if v.OnlyJob {
		only = v.Job
	}
	l := &Timeline{Plots: plotsOf(s), By: v.RowsBy(s.Result), Playing: v.Playing, Table: v.Tables[0],
		Spans: t.InTurn(LastTurn, "spans", &Spans{Result: s.Result, Page: v.Page, Open: v.Tables[0], Job: v.Job,
			Only: only})}
	for i := range s.Result.Lanes {
		l.Lanes = append(l.Lanes, t.InTurn(i+1, "lane"+Itoa(i), laneOf(s, i, l.Plots, upon)))
	}
	return l
}

// After sets the slider's value, which must follow its range.
func (t Plots) After() {
	t.zoomed()
	platform.Glide()
	if slider := app.Window().GetElementByID("scrub"); slider.Truthy() {
		slider.Set("value", t.Moment)
	}
}

// Render draws the timeline.
func (t *Timeline) Render() app.UI {
	r := t.Result
	kids := []app.UI{t.axis(r)}
	for _, lane := range t.Lanes {
		kids = append(kids, elm.Part(lane))
	}
	if r.Forked() {
		kids = append(kids, app.Raw(forkLegend(r.Left())))
	}
	if r.Slowed() {
		kids = append(kids, app.Raw(markup.Swatches("slow-legend",
			`<svg width="26" height="14" aria-hidden="true" data-role="slow"><rect data-part="box" y="5" width="26" height="3"></rect></svg>`,
			words.T("the node below is slow; Why says how slow"))))
	}
	lanes := elm.On(Set(El("div.lanes|id=lanes|data-test=timeline|tabindex=0|role=group", kids...),
		"aria-label", words.T(
			"Timeline. Arrow keys walk the bars, Enter explains, n and p jump to disagreements, Space plays, plus and minus zoom.")), "keydown", Keys(TimelineKeys))
	return Set(El("section.panel timeline|aria-labelledby=h-timeline", t.header(r), t.zoombar(r), lanes, t.scrub(r),
		elm.Part(t.Spans), elm.Hook(t.Plots)),
		"data-stale", OnOff(!t.Fresh))
}

func (t *Timeline) header(r *run.Result) app.UI {
	n := len(r.Diff.Moments)
	play, label := "play", words.T("Play (Space)")
	if t.Playing {
		play, label = "pause", words.T("Pause (Space)")
	}
	return El("header",
		Say("h2|id=h-timeline", "Who holds which GPU"),
		El("div.transport|role=group|aria-label=Move through the rounds",
			Set(Tool("|data-test=previous-disagreement", "first", "Previous disagreement (p)", "p",
				state.Disagreement{By: -1}), "disabled", Flag(r.Diff.Next(t.Moment, -1) < 0)),
			Set(Tool("|data-minor=1|data-test=step-back", "back", "Previous round", "b", state.Step{By: -1}),
				"disabled", Flag(t.Moment == 0)),
			Set(Tool("|data-test=play", play, label, play, state.Play{}), "aria-pressed", OnOff(t.Playing)),
			Set(Tool("|data-minor=1|data-test=step", "forward", "Next round", "f", state.Step{By: 1}),
				"disabled", Flag(t.Moment >= n-1)),
			Set(Tool("|data-test=next-disagreement", "last", "Next disagreement (n)", "n", state.Disagreement{By: 1}),
				"disabled", Flag(r.Diff.Next(t.Moment, 1) < 0))),
		elm.Part(&Views{Plot: t.Plot, By: t.By, Table: t.Table}))
}

// forkLegend names the marks of runs with copies; what a copy leaves has one where copies have nodes to themselves.
func forkLegend(left bool) string {
	marks := []string{
		`<svg width="26" height="14" aria-hidden="true" data-hue="1" data-role="fork"><path data-part="tie" d="M4 7H22"></path><circle data-part="knot" cx="4" cy="7" r="3"></circle><circle data-part="knot" cx="22" cy="7" r="3"></circle></svg>`, words.T("copies of one job"),
		`<svg width="22" height="14" aria-hidden="true" data-hue="1" data-role="bar"><rect data-part="box" width="22" height="14" rx="2"></rect><rect data-part="merge" x="8" width="5" height="14"></rect></svg>`, words.T("merge, or what a round is charged for one"),
		`<svg width="22" height="14" aria-hidden="true" data-hue="1" data-role="bar"><rect data-part="box" width="22" height="14" rx="2"></rect><rect data-part="stall" x="1" width="6" height="14"></rect></svg>`, words.T("start or restart")}
	if left {
		marks = append(marks,
			`<svg width="22" height="14" aria-hidden="true" data-role="left"><rect data-part="box" fill="url(#hatch-idle)" width="22" height="14" rx="2"></rect></svg>`, words.T("left by a copy"))
	}
	return markup.Swatches("fork-legend", marks...)
}

// mark says what is special about the cursor's round.
func (t *Timeline) mark(r *run.Result) string {
	m, ok := r.Moment(t.Moment)
	switch {
	case !ok || len(r.Lanes) < 2:
		return ""
	case t.Moment == r.Diff.First:
		return words.T("they first differ")
	case m.Differ > 0 && len(r.Lanes) > 2:
		one, base := r.Pair()
		return words.F("{0} and {1} differ", edit.LaneLetter(slices.Index(r.Lanes, one)),
			edit.LaneLetter(slices.Index(r.Lanes, base)))
	case m.Differ > 0:
		return words.T("they differ")
	}
	return words.T("they agree")
}

// axis is the time, and where the compared lanes part.
func (t *Timeline) axis(r *run.Result) app.UI {
	first := -1
	if r.Diff.First >= 0 {
		first = r.Round(0, r.Diff.First)
	}
	return Set(El("div.axisrow|data-test=divergence", El("div.margin"),
		El("div.where", Bold(words.F("Round {0}/{1}", Itoa(t.Moment+1), Itoa(len(r.Diff.Moments)))),
			Txt("span.mute", t.mark(r))),
		elm.On(El("div.stack|data-axis=time", app.Raw(t.AxisSVG()),
			app.Raw(t.CursorSVG(t.Moment, draw.AxisHeight, true))), "click", t.jump, "axis")),
		"data-round", Itoa(first), "data-moment", Itoa(r.Diff.First))
}

// jump moves the cursor to where a hand is on the time axis.
func (t *Timeline) jump(ctx app.Context, e app.Event) {
	x, _ := platform.Point(ctx.JSSrc(), e)
	Do(state.GoTime{At: t.Time().At(x)})
}

// scrub is the slider of the rounds. Its field counts rounds, for keys and whom it is read to; what is seen of it, and
// where a hand takes it, stands under the axis, as rounds are of any length and only a part of them may be seen.
func (t *Timeline) scrub(r *run.Result) app.UI {
	n := len(r.Diff.Moments)
	m, _ := r.Moment(t.Moment)
	u := r.Axis.Unit
	field := Given(Set(El("input|id=scrub|type=range|data-test=scrub|min=0|step=1"), "max", Itoa(max(0, n-1)),
		"value", Itoa(t.Moment), "disabled", Flag(n < 2),
		"aria-valuetext", words.F("Round {0} of {1}, {2} to {3}", Itoa(t.Moment+1), Itoa(n), u.At(words.Now(),
			m.At), u.Number(words.Now(), m.End))), "input",
		func(value string) state.Action { return state.Go{To: WholeNumber(value)} })
	hand := elm.On(El("div.stack|data-axis=rounds", field, app.Raw(t.SliderSVG(t.Moment))), "pointerdown", t.take)
	hand = elm.On(elm.On(hand, "pointermove", t.drag), "click", release)
	return El("div.scrub", El("div.margin"), El("div.lbl", Say("label|for=scrub", "Round")), hand, t.faded())
}

// take moves the cursor to where a hand has taken the slider, and has it hear of the hand from then on.
func (t *Timeline) take(ctx app.Context, e app.Event) {
	if e.Get("button").Int() == 0 {
		ctx.JSSrc().Call("setPointerCapture", e.Get("pointerId"))
		t.jump(ctx, e)
	}
}

func (t *Timeline) drag(ctx app.Context, e app.Event) {
	if e.Get("buttons").Int()&1 != 0 {
		t.jump(ctx, e)
	}
}

// release gives the keys to the slider that a hand has let go.
func release(app.Context, app.Event) { app.Window().GetElementByID("scrub").Call("focus") }

// faded says what pale bars and outlines are, where there are some.
func (t *Timeline) faded() app.UI {
	same, was, numbered, out := false, false, false, false
	for i, l := range t.Result.Lanes {
		if l.Trace == nil || l.Chart.Many() {
			continue // its bars are painted, all alike
		}
		p := t.Picture(i)
		numbered, out = numbered || l.Chart.Numbered(), true
		same, was = same || slices.Contains(p.Same, true), was || p.Ghosts()
	}
	var says []app.UI
	if len(t.Result.Ran()) > 1 && t.Result.Diff.First >= 0 {
		says = append(says, Say("span", "Shaded: the compared lanes differ."), Text(" "))
	}
	if same {
		says = append(says, Say("span", "Pale bars: the compared lane gives the job the same GPUs all the while."))
	}
	if was {
		says = append(says, Text(" "), Say("span", "Dashed outlines: before the last change."))
	}
	if numbered {
		says = append(says, Text(" "),
			Say("span", "Numbers in bars: steps of a copy in a round. Knots: copies are merged."))
	}
	if w := t.Result.Doc.Scenario.Window; w != nil && t.Result.Axis.Measured[1] > 0 {
		says = append(says, Text(" "), Txt("span", words.F(
			"Bracket over the time: from the first arrival to the last finish of the jobs that are measured, {0} to {1} by arrival.",
			Itoa(w.From+1), Itoa(w.From+w.Jobs))))
		if out {
			says = append(says, Text(" "), Say("span", "See-through bars: jobs that are not measured."))
		}
	}
	if says == nil {
		return nil
	}
	return El("p.xs mute", says...)
}

// Spans is the same as the pictures, as a table; it stands in the page even while it is not shown.
type Spans struct {
	Result *run.Result
	Page   int
	Open   bool
	Job    string // selected
	Only   string // the job that alone is listed, "" = all are
}

// Render draws the table and the way through its pages.
func (t *Spans) Render() app.UI {
	_, total := t.Result.HolderRows(t.Page, t.Only)
	rows := elm.Part(&SpanRows{Result: t.Result, Page: t.Page, Only: t.Only})
	kids := []app.UI{elm.On(El("div", rows), "click", pickJob)}
	if t.Job != "" {
		kids = append([]app.UI{Set(elm.On(Txt("button.btn|type=button|data-test=spans-only", words.F("Only {0}", t.Job)),
			"click", Act(state.ToggleOnlyJob{})), "aria-pressed", OnOff(t.Only != ""))}, kids...)
	}
	if pages := (total + run.PageRows - 1) / run.PageRows; pages > 1 {
		kids = append(kids, El("div.pages",
			Set(Button(".btn", "Earlier rows", "back", state.TurnPage{By: -1}), "disabled", Flag(t.Page == 0)),
			Txt("span", words.F("Rows {0} to {1} of {2}", Itoa(t.Page*run.PageRows+1),
				Itoa(min(total, (t.Page+1)*run.PageRows)), Itoa(total))),
			Set(Button(".btn", "Later rows", "on", state.TurnPage{By: 1}), "disabled", Flag(t.Page+1 >= pages))))
	}
	return Set(El("div.twin|data-twin=spans", kids...), "hidden", Flag(!t.Open))
}

// SpanRows is one page of the timeline's table. Rows by the hundred are made as text: as elements they would cost a
// tenth of a second.
type SpanRows struct {
	Result *run.Result
	Page   int
	Only   string
}

func (t *SpanRows) Render() app.UI {
	r := t.Result
	rows, total := r.HolderRows(t.Page, t.Only)
	short := r.Axis.Unit.Short
	head, forked := []string{"Policy", "Job", "Node", "GPUs", "#" + words.F("From, {0}", short),
		"#" + words.F("To, {0}", short)}, r.Forked()
	if forked {
		head = append(head, words.In("column", "Copy"))
	}
	b := markup.NewTable(`data-test="spans-table" data-rows="`+Itoa(total)+`"`, "Who holds which GPU", head...)
	for i := range rows {
		row := &rows[i]
		cells := []string{r.Lanes[row.Lane].Title, row.Job, row.Node, row.GPUs, "#" + row.From, "#" + row.To}
		if forked {
			cells = append(cells, row.Note)
		}
		b.Row(` data-policy="`+draw.Escape(r.Lanes[row.Lane].Policy.ID)+`" data-job="`+draw.Escape(row.Job)+`"`,
			cells...)
	}
	return El("div", app.Raw(b.String()))
}

// pickJob selects the job that was clicked in a table made as text.
func pickJob(_ app.Context, e app.Event) {
	if job := platform.Closest(e.Value, "data-job"); job != "" {
		Do(state.Select{Job: job})
	}
}

// Names is the column beside a lane's plot. A click on a node's name folds it; the menu View does it for the keyboard.
type Names struct {
	charts.Plot
	Lane int
}

// Render draws the names.
func (v *Names) Render() app.UI {
	p, wide := v.Picture(v.Lane), v.Gutter()
	return El("div.rownames", app.Raw(draw.GutterSVG(words.Now(), p.Lane, p.Trace, p.Frame, wide)),
		elm.On(El("div|data-test=folds", app.Raw(draw.FoldsSVG(words.Now(), p.Lane, p.Trace, p.Frame, wide))), "click",
			v.fold, Itoa(v.Lane)))
}

func (v *Names) fold(_ app.Context, e app.Event) {
	if node := platform.Closest(e.Value, "data-node"); node != "" {
		Do(state.Fold{Node: node})
	}
}

// mostNodes is how many nodes the menu lists.
const mostNodes = 100

// Views is the menu of how the lanes are shown: what a row is, how much of the time, and the same as a table.
type Views struct {
	charts.Plot
	By    string // what one row is
	Table bool   // it is open
}

// Render draws the menu.
func (t *Views) Render() app.UI {
	r, a := t.Result, &t.Rows
	which := func(name, label string) app.UI {
		return Set(Button("|data-test=rows-"+name, label, name, state.Arrange{By: name}),
			"aria-pressed", OnOff(t.By == name))
	}
	nodes := r.Nodes()
	list := Each(min(len(nodes), mostNodes), func(i int) app.UI {
		n := nodes[i]
		pinned := slices.Contains(a.Pinned, n)
		return Set(El("li", Txt("b", n),
			Set(Button(".btn|data-test=rows-fold", "Fold", "fold"+n, state.Fold{Node: n}),
				"aria-label", words.F("Fold {0}", n), "aria-pressed", OnOff(slices.Contains(a.Folded, n)),
				"disabled", Flag(a.Types && !pinned)),
			Set(Button(".btn|data-test=rows-pin", "Pin to top", "pin"+n, state.Pin{Node: n}),
				"aria-label", words.F("Pin {0} to the top", n), "aria-pressed", OnOff(pinned))), "data-node", n)
	})
	if n := len(nodes) - mostNodes; n > 0 {
		list = append(list, Txt("li", words.F("and {0} more", Itoa(n))))
	}
	open, zoom := OnOff(t.Table), app.UI(nil)
	if t.Zoom.Whole() {
		zoom = zoomIn(&t.Plot)
	}
	return El("details.drop rows-menu|data-test=rows", Say("summary.btn|data-kind=quiet", "View"), El("div.menu",
		El("div.menu-row", Set(Button(".btn|data-test=spans-toggle", "Table", "table", state.ToggleTable{Which: 0}),
			"aria-expanded", open, "aria-pressed", open), zoom),
		El("div.menu-row", Say("b", "Rows"), El("span.seg|role=group|aria-label=What a row is",
			which(state.RowGPU, "GPUs"), which(state.RowNode, "Nodes"), which(state.RowType, "GPU types"))),
		El("ul", list...)))
}

// zoombar is the buttons of the time axis and what is seen of it. Fit is there whenever something is cut off.
func (t *Timeline) zoombar(r *run.Result) app.UI {
	from, to, _ := r.Shares(t.Zoom)
	a := r.View(t.Zoom)
	var kids []app.UI
	if !t.Zoom.Whole() {
		kids = append(kids, zoomIn(&t.Plot),
			Tool("|data-kind=quiet|data-test=zoom-out", "minus", "Zoom out (−)", "out", state.ZoomBy{By: 2}),
			Set(Tool("|data-kind=quiet|data-test=pan-left", "back", "Earlier (A)", "a", state.Pan{By: -0.5}),
				"disabled", Flag(from == 0)),
			Set(Tool("|data-kind=quiet|data-test=pan-right", "forward", "Later (D)", "d", state.Pan{By: 0.5}),
				"disabled", Flag(to == 1)),
			elm.On(Set(El("button.btn|type=button|data-test=zoom-fit", Icon("fit"), Say("span", "Fit")),
				"title", words.T("Show the whole axis (0)")), "click", Act(state.ZoomBy{}), "fit"),
			app.Raw(
				`<svg class="map" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true"><rect y="3" width="1000" height="2"></rect><rect data-part="seen" x="`+
					strconv.Itoa(int(from*1000))+`" width="`+strconv.Itoa(max(8, int((to-from)*1000)))+
					`" height="8"></rect></svg>`),
			Txt("span|data-test=zoom-says|role=status", words.F("Shown: {0} to {1} of {2}",
				a.Clock(words.Now(), a.From), a.Clock(words.Now(), a.To),
				a.Unit.Long(words.Now(), r.Axis.To-r.Axis.From))))
	}
	return Set(El("div.zoombar|data-test=zoombar|role=group|aria-label=Zoom", kids...),
		"hidden", Flag(t.Zoom.Whole()), "data-from", markup.Exact(a.From.Seconds()), "data-to",
		markup.Exact(a.To.Seconds()))
}

// zoomIn shows half of what is seen. It stands in the menu until there is something cut off.
func zoomIn(p *charts.Plot) app.UI {
	from, to, least := p.Result.Shares(p.Zoom)
	return Set(Tool("|data-kind=quiet|data-test=zoom-in", "plus", "Zoom in (+)", "in", state.ZoomBy{By: 0.5}),
		"disabled", Flag(to-from <= least))
}

// zoomed tells the gestures what is drawn now.
func (p Plots) zoomed() {
	from, to, least := p.Result.Shares(p.Zoom)
	platform.Zoomed(from, to, least, func(from, to float64) {
		elm.Guard(func() { Do(state.SetWindow{From: from, To: to}) })
	})
}
