package ui

import (
	"slices"

	"hadarlab/app/edit"
	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/data"
	"hadarlab/core/chart/draw"
	"hadarlab/core/findings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Charts are the curves under the timeline, one at a time, on the same time axis.
type Charts struct {
	Plots
	Tab   string
	Log   bool // prices stand by their logarithm
	Table bool
}

func chartsOf(s *state.State) *Charts {
	return &Charts{Plots: plotsOf(s), Tab: s.View.Tab, Log: s.View.LogPrices, Table: s.View.Tables[1]}
}

// Keys 1 to 9 open the charts in their order. Those after the first few stand in a menu.
const fewTabs = 5

// sketch is how the page draws one of the charts.
type sketch struct {
	draw     func(c *Charts, r *run.Result) *drawing
	offered  func(r *run.Result) bool // whether a result has something to show in it, nil = any has
	ofJob    bool                     // it shows the selected job
	ofMoment bool                     // it is of the cursor's instant
	scaled   bool                     // it has a logarithmic scale, too
}

var sketches = map[string]sketch{}

// sketched gives a chart its drawing. It is called from init, where the chart is drawn.
func sketched(id string, s sketch) { sketches[id] = s }

// offered says whether a result has something to show in a chart.
func offered(r *run.Result, id string) bool {
	f := sketches[id].offered
	return f == nil || f(r)
}

// tabAt is the place of a chart among the tabs.
func tabAt(id string) int {
	return slices.IndexFunc(data.Charts(), func(c *data.Chart) bool { return c.ID == id })
}

// drawing is one chart: finding, pictures one under the other, legend and table.
type drawing struct {
	finding  findings.Finding
	curves   []chart.Curve // of the legend
	key      string        // another legend, as markup
	test     string        // hook of the pictures
	pictures []picture
	mark     func(job int32) string       // the selected job over the first picture, nil = it is drawn into it
	nearest  func(x, y float64) (j int32) // job that a click in it means, nil = the one that it meets
	head     []string                     // of the table, nil = there is none
	table    func(t *textTable)
	moment   int // at which it holds, where it is of an instant
}

// picture is a picture beside its names. One on the lanes' axis has a height in px, for the cursor.
type picture struct {
	names, svg string
	high       float64
}

// render draws the tabs and the chosen chart.
func (c *Charts) render() app.UI {
	r := c.Result
	if len(sides(r)) == 0 {
		return el("section")
	}
	tabs := data.Charts()
	open, at, more := onoff(c.Table), tabAt(c.Tab), words.T("More")
	if at >= fewTabs {
		t := tabs[at]
		more = words.T(t.Title)
	}
	return set(el("section.panel tabs|aria-label=Charts",
		el("div.tabbar",
			on(el("div.tablists", el("div|role=tablist|aria-label=Charts", each(fewTabs, c.tab)...),
				el("details.drop", set(el("summary", text(more), icon("down")), "data-here", flag(at >= fewTabs)),
					el("div.menu|role=tablist|aria-label=More charts", each(len(tabs)-fewTabs,
						func(i int) app.UI { return c.tab(fewTabs + i) })...))), "keydown", c.arrows),
			el("details.drop right", say("summary.btn|data-kind=quiet", "View"), el("div.menu",
				set(button(".btn|data-test=chart-toggle", "Table", "table", state.ToggleTable{Which: 1}),
					"aria-expanded", open, "aria-pressed", open),
				set(button(".btn|data-test=chart-log|title=Each step up the scale is ten times the price",
					"Log scale", "log", state.ToggleLog{}), "aria-pressed", onoff(c.Log),
					"hidden", flag(!sketches[c.Tab].scaled)),
				save("Chart as CSV", state.SaveChart{}, "save-chart-csv"),
				save("Chart as Vega-Lite", state.SaveChart{Vega: true}, "save-chart-vega")))),
		whole(func() app.UI { return c.chosen(r) }),
	), "data-stale", onoff(!c.Fresh))
}

// chosen is the chart of the chosen tab with its table. Where it cannot be drawn the tabs still lead to others.
func (c *Charts) chosen(r *run.Result) app.UI {
	d := c.drawing(r)
	kids := []app.UI{el("p", bold(d.finding.Claim), text(" "+d.finding.Because)), legend(d.curves)}
	if d.key != "" {
		kids = append(kids, app.Raw(d.key))
	}
	for i, p := range d.pictures {
		spec, stack := "div.stack", []app.UI{app.Raw(p.svg)}
		if p.high > 0 {
			spec, stack = "div.stack|data-axis=time", append(stack, app.Raw(c.cursorSVG(c.Moment, p.high, false)))
		}
		if d.mark != nil {
			stack = append(stack, app.Raw(d.mark(jobIn(r, c.Job))))
		}
		kids = append(kids, set(el("div.tchart", app.Raw(p.names), on(el(spec, stack...), "click", c.picked)),
			"data-test", d.test, "data-lane", edit.LaneLetter(i)))
	}
	table := el("div.twin|data-twin=chart|hidden=true")
	if c.Table && d.head != nil {
		t := newTextTable(`data-test="chart-table"`, d.finding.Claim, d.head...)
		d.table(t)
		table = on(el("div.twin|data-twin=chart", app.Raw(t.String()), txt("p.mute", t.rest)), "click", pickJob)
	}
	return set(el("div.tp|id=chart|role=tabpanel|data-test=chart", append(kids, table)...),
		"aria-labelledby", "tab-"+c.Tab, "data-chart", c.Tab)
}

// jobIn is a job's number in a result, -1 = it has none.
func jobIn(r *run.Result, name string) int32 {
	if j, ok := r.Jobs[name]; ok {
		return j
	}
	return -1
}

// picked selects the job that a click in a picture means, and moves the cursor where the picture has the lanes' axis.
func (c *Charts) picked(ctx app.Context, e app.Event) {
	r := c.Result
	d := c.drawing(r)
	x, y := platform.Point(ctx.JSSrc(), e)
	if d.nearest == nil {
		pickJob(ctx, e)
	} else if j := d.nearest(x, y); j >= 0 {
		do(state.Select{Job: r.Ran()[0].Trace.Jobs[j].Name})
	}
	if d.pictures[0].high > 0 {
		do(state.GoTime{At: c.time().At(x)})
	}
}

// drawing is the chosen chart. Of one of an instant only the latest is kept.
func (c *Charts) drawing(r *run.Result) *drawing {
	name, of := c.Tab, sketches[c.Tab]
	if of.ofJob {
		name += " " + c.Job
	}
	if of.scaled && c.Log {
		name += " by logarithm"
	}
	draw := func() *drawing { return c.draw(r) }
	d := c.Plot.drawing(name, draw)
	if of.ofMoment && d.moment != c.Moment {
		delete(c.drawn().charts, name)
		d = c.Plot.drawing(name, draw)
	}
	return d
}

// tab is one tab. The Tab key reaches the open one, and in the menu that does not have it the first.
func (c *Charts) tab(i int) app.UI {
	t := data.Charts()[i]
	index := "-1"
	if t.ID == c.Tab || i%fewTabs == 0 && i/fewTabs != tabAt(c.Tab)/fewTabs {
		index = "0"
	}
	return on(set(means(say("button|type=button|role=tab|aria-controls=chart", t.Title), t.Title), "id", "tab-"+t.ID,
		"aria-selected", onoff(t.ID == c.Tab), "data-test", "tab-"+t.ID, "tabindex", index, "hidden",
		flag(t.ID != c.Tab && !offered(c.Result, t.ID))), "click",
		closing(act(state.Tab{Name: t.ID})), t.ID)
}

// arrows walk the tabs, Home and End lead to the first and the last.
func (c *Charts) arrows(_ app.Context, e app.Event) {
	tabs := data.Charts()
	at, by := tabAt(c.Tab), 1
	switch e.Get("key").String() {
	case "ArrowLeft":
		by = len(tabs) - 1
	case "ArrowRight":
	case "Home":
		at = len(tabs) - 1
	case "End":
		at, by = 0, len(tabs)-1
	default:
		return
	}
	e.PreventDefault()
	for at = (at + by) % len(tabs); !offered(c.Result, tabs[at].ID); at = (at + by) % len(tabs) {
	}
	to := tabs[at].ID
	do(state.Tab{Name: to})
	platform.Focus("#tab-" + to)
}

// ran are all lanes that ran, with the styles of their curves.
func ran(r *run.Result) (of []*run.Lane, styles []string) {
	for i, l := range r.Lanes {
		if l.Trace != nil {
			of, styles = append(of, l), append(styles, laneStyle(i))
		}
	}
	return of, styles
}

// sides are the lanes that are compared, or the only one that ran.
func sides(r *run.Result) []*run.Lane {
	if a, b := r.Pair(); a != nil {
		return []*run.Lane{a, b}
	}
	return r.Ran()
}

// draw makes the chosen chart; the first one stands for what is none.
func (c *Charts) draw(r *run.Result) *drawing {
	if len(r.Ran()) == 0 {
		return &drawing{finding: findings.Finding{Claim: words.T("Nothing was simulated.")}}
	}
	of, known := sketches[c.Tab]
	if !known {
		of = sketches[data.Charts()[0].ID]
	}
	return of.draw(c, r)
}

func init() { sketched("busy", sketch{draw: (*Charts).busy}) }

// busy is how many GPUs work.
func (c *Charts) busy(r *run.Result) *drawing {
	d := perLane(r, func(l *run.Lane) chart.Series { return chart.Busy(l.Trace) })
	of, theirs := compares(r, d)
	d.finding = findings.Busy(words.Now(), of, theirs, r.Axis.Unit)
	chart.Settle(d.curves, c.time(), 1)
	return c.overTime(r, d, chart.LinearScale(max(float64(of[0].Trace.GPUs()), 1), 4), words.T("GPUs"))
}

func init() { sketched("queue", sketch{draw: (*Charts).queue}) }

// queue is how many jobs wait.
func (c *Charts) queue(r *run.Result) *drawing {
	d, top := perLane(r, func(l *run.Lane) chart.Series { return l.Chart.Queue(nil) }), 1.0
	for i := range d.curves {
		top = max(top, d.curves[i].Series.Max())
	}
	of, theirs := compares(r, d)
	d.finding = findings.Queue(words.Now(), of, theirs, r.Axis.Unit)
	chart.Settle(d.curves, c.time(), -1)
	return c.overTime(r, d, chart.LinearScale(top, 4), words.T("jobs"))
}

// perLane is a drawing with a curve for each lane that ran.
func perLane(r *run.Result, of func(l *run.Lane) chart.Series) *drawing {
	d := &drawing{}
	lanes, styles := ran(r)
	for i, l := range lanes {
		d.curves = append(d.curves, chart.Curve{Name: words.Own(l.Title), Style: styles[i], Spiky: true, Series: of(l)})
	}
	return d
}

// compares are the lanes that the sentence of such a drawing compares, while the picture shows all, and their curves.
func compares(r *run.Result, d *drawing) (of []findings.Side, curves []chart.Curve) {
	lanes, _ := ran(r)
	for _, l := range sides(r) {
		of, curves = append(of, l.Side()), append(curves, d.curves[slices.Index(lanes, l)])
	}
	return of, curves
}

// overTime draws the curves of a drawing; its table lists the steps of all by time.
func (c *Charts) overTime(r *run.Result, d *drawing, y chart.Scale, of string) *drawing {
	d.pictures = []picture{{draw.ScaleSVG(words.Now(), &y, of, c.gutter()), draw.CurvesSVG(words.Now(), c.time(),
		&y, d.curves, float64(c.PlotW), d.finding.Claim+" "+d.finding.Because), draw.CurveHeight}}
	u := r.Axis.Unit
	d.head = []string{"#" + words.F("From, {0}", u.Short)}
	for i := range d.curves {
		d.head = append(d.head, "#"+d.curves[i].Name.In(words.Now())+", "+of)
	}
	d.table = func(t *textTable) {
		times := chart.StepTimes(d.curves, c.time())
		for _, at := range times[:min(len(times), tableRows)] {
			cells := []string{"#" + u.Number(words.Now(), at)}
			for i := range d.curves {
				cells = append(cells, "#"+words.Sig(d.curves[i].Series.At(at), 4))
			}
			t.row("", cells...)
		}
		if len(times) > tableRows {
			t.rest = words.F("The first {0} of {1} steps.", itoa(tableRows), itoa(len(times)))
		}
	}
	return d
}

func init() { sketched("prices", sketch{draw: (*Charts).prices, scaled: true}) }

// prices is the chart of the first lane that prices GPUs.
func (c *Charts) prices(r *run.Result) *drawing {
	of := sides(r)
	for _, l := range of {
		curves, _ := chart.PriceCurves(l.Trace)
		if len(curves) == 0 {
			continue
		}
		d := &drawing{curves: curves, finding: findings.Prices(words.Now(), l.Trace, l.Title, l.Meta.PriceUnit)}
		lo, hi := 0.0, 0.0
		for i := range curves {
			for _, v := range curves[i].Series.V {
				if v > 0 && (lo == 0 || v < lo) {
					lo = v
				}
				hi = max(hi, v)
			}
		}
		y := chart.LinearScale(hi, 4)
		if c.Log {
			y = chart.LogScale(lo, hi, 4)
		}
		return c.overTime(r, d, y, words.T(l.Meta.PriceUnit))
	}
	return &drawing{finding: findings.Prices(words.Now(), of[0].Trace, of[0].Title, "")}
}

// legend names the curves by their line.
func legend(curves []chart.Curve) app.UI {
	return el("ul.legend", each(len(curves), func(i int) app.UI {
		c := &curves[i]
		line := `<svg width="30" height="12" aria-hidden="true"><path data-series="` + c.Style + `" d="M0 6H30"></path>`
		if c.Mark != "" {
			line += `<svg data-role="curve-mark" x="15" y="6" width="1" height="1" overflow="visible"><path transform="translate(-4 -4) scale(.67)" d="` + c.Mark + `"></path></svg>`
		}
		return el("li", app.Raw(line+`</svg>`), txt("span", c.Name.In(words.Now())))
	})...)
}

// tableRows is how many rows a chart's table lists.
const tableRows = 200
