// Package numbers draws the figures of runs: those of one, how sure they are over many seeds, how they move with a
// number that is varied, and what would change the winner.
package numbers

import (
	"math"
	"slices"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/share"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart/data"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/unit"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Numbers compares the lanes' figures.
type Numbers struct {
	Result *run.Result
	All    bool
	Fresh  bool
}

func Of(s *state.Lab) *Numbers {
	return &Numbers{Result: s.Result, All: s.View.AllFacts, Fresh: s.Fresh()}
}

// measure is one row of the numbers.
type measure struct {
	message.Metric
	main bool // it stands where the others are folded
}

// bounded are the rows that set a figure against what no schedule of the lane's kind beats.
var bounded = [...]message.Metric{
	{Name: "makespan_over_bound", Title: "Last finish ÷ what no schedule of its kind beats", Good: -1},
	{Name: "avg_jct_over_bound", Title: "Mean completion ÷ what no schedule of its kind beats", Good: -1},
}

// mainFigures come first and always stand: those that sections of many runs draw, too, come before the others.
var mainFigures = append(data.SweepFigures[:], "preemptions")

// figures are the rows in their order: the main ones, the others as they stand in files, and what is bounded.
var figures = func() (rows []measure) {
	for _, name := range mainFigures {
		rows = append(rows, measure{*message.FindMetric(name), true})
	}
	for i := range message.AllMetrics {
		if m := &message.AllMetrics[i]; !slices.Contains(mainFigures, m.Name) {
			rows = append(rows, measure{Metric: *m})
		}
	}
	return append(rows, measure{Metric: bounded[0]}, measure{Metric: bounded[1]})
}()

// of is the figure of a run, NaN where it has no meaning.
func (f *measure) of(l *message.Lane) float64 {
	b := l.Bounds
	if b == nil || l.Outcome != "done" { // they hold for runs that finish every job
		b = &message.Bounds{}
	}
	switch f.Name {
	case bounded[0].Name:
		return over(l.Metrics.MakespanS, b.MakespanS)
	case bounded[1].Name:
		return over(l.Metrics.AvgJCTS, b.AvgJCTS)
	}
	return f.Of(&l.Metrics)
}

func over(v, bound float64) float64 {
	if bound <= 0 {
		return math.NaN()
	}
	return v / bound
}

// scale is the unit of figures that stand together, "" = none, and how many of their own make one.
type scale struct {
	unit string
	size float64
}

// scale is that of a figure which is top at most.
func (f *measure) scale(top float64) scale {
	switch f.Unit {
	case message.Time:
		u := figure.SecondsUnit(top)
		return scale{u.Short, float64(u.Length) / float64(unit.Second)}
	case message.Ratio:
		return scale{"%", 0.01}
	}
	return scale{"", 1}
}

// titled is the figure's title with its unit.
func (f *measure) titled(s scale) string { return titled(words.T(f.Title), s.unit) }

func titled(title, unit string) string {
	if unit == "" {
		return title
	}
	return title + ", " + unit
}

// Render draws the table.
func (n *Numbers) Render() app.UI {
	r := n.Result
	one, base := compared(r)
	head := []app.UI{El("th|scope=col", Say("span.vh", "Metric"))}
	for _, l := range r.Lanes {
		head = append(head, ThNum(l.Title))
	}
	if one != nil && len(r.Lanes) == 2 {
		head = append(head, ThNum(words.F("{0} against {1}", one.Title, base.Title)))
	} else if one != nil { // there is no room for titles
		head = append(head, ThNum(words.F("{0} against {1}", edit.LaneLetter(slices.Index(r.Lanes, one)),
			edit.LaneLetter(slices.Index(r.Lanes, base)))))
	}
	var rows []app.UI
	for i := range figures {
		row := n.row(r, &figures[i], one, base)
		rows = append(rows, Set(row, "hidden", Flag(!n.All && !figures[i].main || figures[i].Unit == message.GPUTime &&
			none(r, &figures[i]))))
	}
	return Set(El("section.panel|aria-labelledby=h-numbers",
		El("header", Say("h2|id=h-numbers", "Numbers"),
			Set(Button(".btn|data-kind=quiet|data-test=all-metrics", "All metrics", "all", state.ToggleFacts{}),
				"aria-pressed", OnOff(n.All)),
			El("details.drop|data-test=save", Say("summary.btn|data-kind=quiet", "Save"),
				El("div.menu", files(r)...))),
		Table(".rows numbers", "Figures of the lanes", head, rows), windows(r), n.measured(r),
		Set(El("p.xs", Say("a|href=/docs/trust|hreflang=en|target=_blank|data-test=trust", "How far to trust it")),
			"hidden", Flag(!n.All))),
		"data-stale", OnOff(!n.Fresh))
}

// compared are the lanes whose difference is told, nil where figures do not compare: of a run that was stopped, or
// where one finishes more jobs, so that means and last finishes are of other jobs.
func compared(r *run.Result) (one, base *run.Lane) {
	if one, base = r.Pair(); r.Cut() || one == nil || len(one.Chart.Dones) != len(base.Chart.Dones) {
		return nil, nil
	}
	return one, base
}

// none says that the figure is 0 in every lane: most scenarios have no stalls or faults.
func none(r *run.Result, f *measure) bool {
	return !slices.ContainsFunc(r.Ran(), func(l *run.Lane) bool { return f.of(&l.Meta) != 0 })
}

// windows say what was measured where that is some of the jobs: once where it is the same of all lanes.
func windows(r *run.Result) app.UI {
	var says, titles []string
	for _, l := range r.Ran() {
		if l.Meta.Window == nil {
			continue
		}
		text := ""
		for _, sentence := range l.Meta.Window.Says() {
			text += " " + sentence.In(words.Now())
		}
		says, titles = append(says, text), append(titles, l.Title+":")
	}
	if len(slices.Compact(slices.Clone(says))) == 1 {
		says, titles = says[:1], []string{""}
	}
	lines := Each(len(says), func(i int) app.UI { return Txt("p.xs mute", strings.TrimSpace(titles[i]+says[i])) })
	return Set(El("div.pad|data-test=window", lines...), "hidden", Flag(says == nil))
}

// measured is what the policies say of the finished run, and what the lower bounds rest on.
func (n *Numbers) measured(r *run.Result) app.UI {
	var kids []app.UI
	for _, l := range r.Lanes {
		if len(l.Meta.Measured) > 0 {
			kids = append(kids, Txt("h3", words.F("{0}, measured on this run", l.Title)), Terms(l.Meta.Measured,
				figure.Scale{}))
		}
	}
	for _, l := range r.Lanes {
		if l.Meta.Bounds != nil {
			kids = append(kids, Txt("p.xs mute", beaten(l)))
		}
	}
	return Set(El("div.pad|data-test=measured", kids...), "hidden", Flag(!n.All || kids == nil))
}

// beaten says which schedules do not beat a lane's bounds, and what those rest on.
func beaten(l *run.Lane) string {
	b := l.Meta.Bounds
	last, mean := words.T(b.Names.MakespanS), words.T(b.Names.AvgJCTS)
	switch b.Kind {
	case message.OneGang:
		return words.F("No schedule of one gang a job that finishes every job beats the bounds of {0}: last finish, {1}; mean completion, {2}.", l.Title, last, mean)
	case message.OwnCopies:
		return words.F("No schedule of copies, one of a job on a node and none larger than it asks for, that finishes every job beats the bounds of {0}: last finish, {1}; mean completion, {2}.", l.Title, last, mean)
	case message.AnyCopies:
		return words.F("No schedule of copies, one of a job on a node and none larger than the largest here, that finishes every job beats the bounds of {0}: last finish, {1}; mean completion, {2}.", l.Title, last, mean)
	case message.SharedGPUs:
		return words.F("No schedule of one gang a job, two jobs on a GPU at most, that finishes every job beats the bounds of {0}: last finish, {1}; mean completion, {2}.", l.Title, last, mean)
	}
	return words.F("No schedule of its kind that finishes every job beats the bounds of {0}: last finish, {1}; mean completion, {2}.", l.Title, last, mean)
}

// files are what can be saved of the result.
func files(r *run.Result) []app.UI {
	kids := []app.UI{Save("Result as JSON", state.SaveResult{}, "save-result"),
		Save("Jobs as CSV", state.SaveResult{CSV: true}, "save-csv")}
	for i, l := range r.Lanes {
		if l.Trace != nil {
			kids = append(kids, Set(Save(words.F("Picture of {0} as SVG", l.Title), state.SaveSVG{Lane: i},
				"save-svg"), "data-lane", edit.LaneLetter(i)))
		}
	}
	markdown := elm.On(Say("button.btn|type=button|data-kind=quiet|data-test=save-report", "Numbers for a report (Markdown)"),
		"click", Closing(func(app.Context, app.Event) {
			Do(state.SaveReport{Origin: platform.Home(), Table: report(r)})
		}), "report")
	return append(append(kids, markdown), exports(r)...)
}

// report is the table of figures for a report, in Markdown.
func report(r *run.Result) string {
	one, base := compared(r)
	u := r.Axis.Unit
	head, rule := "| |", "|---|"
	for _, l := range r.Lanes {
		head, rule = head+" "+share.Markdown(l.Title)+" |", rule+"---:|"
	}
	if one != nil {
		head, rule = head+" "+share.Markdown(words.F("{0} against {1}", one.Title, base.Title))+" |", rule+"---|"
	}
	out := head + "\n" + rule + "\n"
	for i := range figures {
		f := &figures[i]
		if f.Unit == message.GPUTime && none(r, f) {
			continue
		}
		row := "| " + f.label(u) + " |"
		for _, l := range r.Lanes {
			cell := "–"
			if l.Trace != nil {
				cell = f.say(f.of(&l.Meta), u)
			}
			row += " " + cell + " |"
		}
		if one != nil {
			row += " " + f.gap(f.of(&one.Meta), f.of(&base.Meta), u) + " |"
		}
		out += row + "\n"
	}
	return out
}

// label names a figure with its unit.
func (f *measure) label(u figure.Unit) string {
	if f.Unit == message.Time {
		return words.T(f.Title) + ", " + u.Short
	}
	return words.T(f.Title)
}

func (n *Numbers) row(r *run.Result, f *measure, one, base *run.Lane) app.UI {
	cells := []app.UI{Term("th|scope=row", f.label(r.Axis.Unit))}
	for _, l := range r.Lanes {
		if l.Trace == nil {
			cells = append(cells, TdNum("–"))
			continue
		}
		v := f.of(&l.Meta)
		cells = append(cells, Set(El("td.num|data-test=metric", Text(f.say(v, r.Axis.Unit)), f.was(l, v, r.Axis.Unit)),
			"data-policy", l.Policy.ID, "data-metric", f.Name,
			"data-value", markup.Exact(v)))
	}
	if one != nil {
		cells = append(cells, f.difference(f.of(&one.Meta), f.of(&base.Meta), r.Axis.Unit))
	}
	return El("tr", cells...)
}

// was is the figure before the last edit, where it was another.
func (f *measure) was(l *run.Lane, v float64, u figure.Unit) app.UI {
	if l.Before == nil || math.IsNaN(v) {
		return nil
	}
	if before := f.of(&l.Before.Meta); !math.IsNaN(before) && f.say(before, u) != f.say(v, u) {
		return El("small.was", Say("span", "was"), Text(" "+f.say(before, u)))
	}
	return nil
}

func (f *measure) say(v float64, u figure.Unit) string {
	if math.IsNaN(v) {
		return "–"
	}
	switch f.Unit {
	case message.Time:
		return u.Seconds(words.Now(), v)
	case message.Ratio:
		return words.Percent(v)
	}
	if v = f.shown(v); f.Unit == message.Counted || math.Abs(v) >= 100 {
		return words.Fixed(v, 0)
	}
	return words.Fixed(v, 2)
}

// shown is a figure of the other kinds as it is written: in its unit, rounded.
func (f *measure) shown(v float64) float64 {
	if f.Unit == message.GPUTime {
		v /= 3600
	}
	if f.Unit == message.Counted || math.Abs(v) >= 100 {
		return math.Round(v)
	}
	return math.Round(v*100) / 100
}

// difference is the cell of how the first lane differs from the second.
func (f *measure) difference(a, b float64, u figure.Unit) app.UI {
	says := f.gap(a, b, u)
	way := strings.LastIndexByte(says, ' ') + 1
	cell := El("td.num diff", Text(says[:way]), Txt("small", says[way:]))
	switch f.way(a, b, u) {
	case 1:
		return Set(cell, "data-better", "1")
	case -1:
		return Set(cell, "data-worse", "1")
	}
	return cell
}

// way is 1 where a is better than b and -1 where it is worse. Figures that have no better, and those that tie, are
// neither.
func (f *measure) way(a, b float64, u figure.Unit) int {
	switch {
	case f.Good == 0, math.IsNaN(a), math.IsNaN(b), f.say(a, u) == f.say(b, u), f.relative(b) && message.Tied(a, b):
		return 0
	case (a > b) == (f.Good > 0):
		return 1
	}
	return -1
}

// relative says whether a difference from base b is told as a share of it.
func (f *measure) relative(b float64) bool {
	return (f.Unit == message.Time || f.Unit == message.Amount) && b != 0
}

// gap is how a differs from its base b: a share of it, points of two percentages, or the difference of the figures as
// they are shown, so that it can be checked.
func (f *measure) gap(a, b float64, u figure.Unit) string {
	if math.IsNaN(a) || math.IsNaN(b) {
		return ""
	}
	if f.say(a, u) == f.say(b, u) {
		return words.T("alike")
	}
	if f.relative(b) {
		return figure.Against(words.Now(), message.Against(a, b))
	}
	d, size := a-b, ""
	switch f.Unit {
	case message.Time:
		size = u.Seconds(words.Now(), math.Abs(d)) + " " + u.Short
	case message.Ratio:
		points := d * 100
		if math.Abs(d) >= 0.01 { // as the two are shown
			points = math.Round(a*100) - math.Round(b*100)
		}
		size = figure.Points(words.Now(), points)
	default:
		a, b, decimals := f.shown(a), f.shown(b), 2
		if f.Unit == message.Counted || a >= 100 && b >= 100 {
			decimals = 0
		}
		size = words.Fixed(math.Abs(a-b), decimals)
	}
	return figure.Apart(words.Now(), d, size)
}

// exports are the files for other programs, and print.
func exports(r *run.Result) []app.UI {
	var kids []app.UI
	for i, l := range r.Lanes {
		if l.Trace != nil {
			kids = append(kids, Set(Save(words.F("Events of {0} as CSV", l.Title), state.SaveEvents{Lane: i},
				"save-events"), "data-lane", edit.LaneLetter(i)))
		}
	}
	png := elm.On(Say("button.btn|type=button|data-kind=quiet|data-test=save-png", "Timeline as PNG"), "click",
		Closing(func(app.Context, app.Event) {
			Do(state.SavePNG{Origin: platform.Home()})
		}), "png")
	return append(kids, Save("Trace for Perfetto (Chrome JSON)", state.SaveChrome{}, "save-chrome"), png,
		Save("Print…", state.Print{}, "print"))
}
