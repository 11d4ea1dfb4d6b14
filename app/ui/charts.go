package ui

import (
	"slices"

	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/findings"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Charts are the curves under the timeline, one at a time, on the same time axis.
type Charts struct {
	H      *Host
	Result int64
	Moment int
	Job    string
	Tab    string
	Log    bool // prices stand by their logarithm
	Table  bool
	PlotW  int
	Zoom   run.Window
	Fresh  bool
}

type chartTab struct{ id, title string }

// tabs are the charts; keys 1 to 9 open them in this order. Those after the first few stand in a menu.
var tabs = [...]chartTab{{"busy", "Utilisation"}, {"prices", "Prices"}, {"queue", "Queue"}, {"cdf", "Completion"},
	{"winners", "Winners"}, {"fairness", "Fairness"}, {"types", "By GPU type"}, {"shares", "Shares"},
	{"overheads", "Overheads"}}

const fewTabs = 5

// drawing is one chart: finding, picture, legend and table.
type drawing struct {
	finding findings.Finding
	svg     string
	scale   string
	curves  []chart.Curve
	unit    string
	cdf     []chart.CDF     // of the completion times
	axis    chart.Axis      // of them
	use     [][]chart.Usage // by lane and GPU type
	strips  [][2]string     // by lane: names and strips
	more    *compared       // charts of rows
}

// render draws the tabs and the chosen chart.
func (c *Charts) render() app.UI {
	r := c.H.S.Result
	if len(sides(r)) == 0 {
		return el("section")
	}
	open, at, more := onoff(c.Table), c.H.chart(), words.T("More")
	if at >= fewTabs {
		t := tabs[at]
		more = words.T(t.title)
	}
	return set(el("section.panel tabs|aria-label=Charts",
		el("div.tabbar",
			on(el("div.tablists", el("div|role=tablist|aria-label=Charts", each(fewTabs, c.tab)...),
				el("details.drop", set(el("summary", text(more), icon("down")), "data-here", flag(at >= fewTabs)),
					el("div.menu|role=tablist|aria-label=More charts", each(len(tabs)-fewTabs,
						func(i int) app.UI { return c.tab(fewTabs + i) })...))), "keydown", c.arrows),
			el("details.drop right", say("summary.btn|data-kind=quiet", "View"), el("div.menu",
				set(c.H.button(".btn|data-test=chart-toggle", "Table", "table", state.ToggleTable{Which: 1}),
					"aria-expanded", open, "aria-pressed", open),
				set(c.H.button(".btn|data-test=chart-log|title=Each step up the scale is ten times the price",
					"Log scale", "log", state.ToggleLog{}), "aria-pressed", onoff(c.Log),
					"hidden", flag(c.Tab != "prices"))))),
		whole(func() app.UI { return c.chosen(r) }),
	), "data-stale", onoff(!c.Fresh))
}

// chosen is the chart of the chosen tab with its table. Where it cannot be drawn the tabs still lead to others.
func (c *Charts) chosen(r *run.Result) app.UI {
	d := c.H.drawing(c.drawn(), func() *drawing { return c.draw(r) })
	kids := []app.UI{el("p", bold(d.finding.Claim), text(" "+d.finding.Because)), legend(d.curves)}
	switch {
	case d.more != nil:
		kids = append(kids, c.comparedPlot(d.more))
	case len(d.cdf) > 0:
		kids = append(kids, c.cdfPlot(r, d))
	case len(d.strips) > 0:
		kids = append(kids, c.typesPlot(d))
	case d.svg != "":
		kids = append(kids, el("div.tchart", app.Raw(d.scale),
			on(el("div.stack|data-axis=time", app.Raw(d.svg), app.Raw(c.H.cursorSVG(draw.CurveHeight, false))),
				"click", c.jump)))
	}
	return set(el("div.tp|id=chart|role=tabpanel|data-test=chart", append(kids, c.table(r, d))...),
		"aria-labelledby", "tab-"+c.Tab, "data-chart", c.Tab)
}

// drawn is the name under which a drawing is kept: that of the winners shows the selected job, and that of the prices
// has two scales.
func (c *Charts) drawn() string {
	switch {
	case c.Tab == "winners":
		return c.Tab + " " + c.Job
	case c.Tab == "prices" && c.Log:
		return "prices by logarithm"
	}
	return c.Tab
}

// chart is the open tab's place.
func (h *Host) chart() int {
	return slices.IndexFunc(tabs[:], func(t chartTab) bool { return t.id == h.S.View.Tab })
}

// tab is one tab. The Tab key reaches the open one, and in the menu that does not have it the first.
func (c *Charts) tab(i int) app.UI {
	t := tabs[i]
	index := "-1"
	if t.id == c.Tab || i%fewTabs == 0 && i/fewTabs != c.H.chart()/fewTabs {
		index = "0"
	}
	return on(set(means(say("button|type=button|role=tab|aria-controls=chart", t.title), t.title), "id", "tab-"+t.id,
		"aria-selected", onoff(t.id == c.Tab), "data-test", "tab-"+t.id, "tabindex", index), "click",
		closing(c.H.on(state.Tab{Name: t.id})), t.id)
}

// arrows walk the tabs, Home and End lead to the first and the last.
func (c *Charts) arrows(_ app.Context, e app.Event) {
	at := c.H.chart()
	switch e.Get("key").String() {
	case "ArrowLeft":
		at += len(tabs) - 1
	case "ArrowRight":
		at++
	case "Home":
		at = 0
	case "End":
		at = len(tabs) - 1
	default:
		return
	}
	e.PreventDefault()
	to := tabs[at%len(tabs)].id
	c.H.Do(state.Tab{Name: to})
	platform.Focus("#tab-" + to)
}

func (c *Charts) jump(ctx app.Context, e app.Event) {
	x, _ := platform.Point(ctx.JSSrc(), e)
	c.H.Do(state.GoTime{At: c.H.time().At(x)})
}

// sides are the first two lanes that ran.
func sides(r *run.Result) []*run.Lane {
	var out []*run.Lane
	for _, l := range r.Lanes {
		if l.Trace != nil && len(out) < 2 {
			out = append(out, l)
		}
	}
	return out
}

// draw makes the chosen chart.
func (c *Charts) draw(r *run.Result) *drawing {
	of := sides(r)
	if len(of) == 0 {
		return &drawing{finding: findings.Finding{Claim: words.T("Nothing was simulated.")}}
	}
	var compared []findings.Side // the sentence compares two lanes, the picture shows all
	for _, l := range of {
		compared = append(compared, l.Side())
	}
	lanes, styles := ran(r)
	d := &drawing{}
	top, ticks, sign := 0.0, 4, 1.0
	switch c.Tab {
	case "prices":
		return c.prices(r, of)
	case "cdf":
		return c.cdf(r)
	case "winners":
		return c.winners(r)
	case "fairness":
		return c.fairness(r)
	case "shares":
		return c.shares(r)
	case "overheads":
		return c.overheads(r)
	case "types":
		return c.types(r)
	case "queue":
		d.unit, sign = words.T("jobs"), -1
		for i, l := range lanes {
			d.curves = append(d.curves, chart.Curve{Name: l.Title, Style: styles[i], Spiky: true,
				Series: l.Chart.Queue()})
			top = max(top, d.curves[i].Series.Max())
		}
		d.finding = findings.Queue(compared, d.curves, r.Axis.Unit)
	default:
		d.unit = words.T("GPUs")
		top = float64(of[0].Trace.GPUs())
		for i, l := range lanes {
			d.curves = append(d.curves, chart.Curve{Name: l.Title, Style: styles[i], Spiky: true,
				Series: chart.Busy(l.Trace)})
		}
		d.finding = findings.Busy(compared, d.curves, r.Axis.Unit)
	}
	chart.Settle(d.curves, c.H.time(), sign)
	y := chart.LinearScale(max(top, 1), ticks)
	c.fill(r, d, &y)
	return d
}

func (c *Charts) fill(r *run.Result, d *drawing, y *chart.Scale) {
	d.svg = draw.CurvesSVG(c.H.time(), y, d.curves, float64(c.H.S.View.PlotW), d.finding.Claim+" "+d.finding.Because)
	d.scale = draw.ScaleSVG(y, d.unit, c.H.gutter())
}

// prices is the chart of the first lane that prices GPUs.
func (c *Charts) prices(r *run.Result, of []*run.Lane) *drawing {
	d := &drawing{}
	for _, l := range of {
		curves, _ := chart.PriceCurves(l.Trace)
		if len(curves) == 0 {
			continue
		}
		unit := l.Meta.PriceUnit
		d.unit = words.T(unit)
		d.finding, d.curves = findings.Prices(l.Trace, l.Title, unit), curves
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
		c.fill(r, d, &y)
		return d
	}
	d.finding = findings.Prices(of[0].Trace, of[0].Title, "")
	return d
}

// legend names the curves by their line.
func legend(curves []chart.Curve) app.UI {
	return el("ul.legend", each(len(curves), func(i int) app.UI {
		c := &curves[i]
		line := `<svg width="30" height="12" aria-hidden="true"><path data-series="` + c.Style + `" d="M0 6H30"></path>`
		if c.Mark != "" {
			line += `<svg data-role="curve-mark" x="15" y="6" width="1" height="1" overflow="visible"><path transform="translate(-4 -4) scale(.67)" d="` + c.Mark + `"></path></svg>`
		}
		return el("li", app.Raw(line+`</svg>`), txt("span", c.Name))
	})...)
}

// tableRows is how many steps the chart's table lists.
const tableRows = 200

// table lists the steps of all curves by time.
func (c *Charts) table(r *run.Result, d *drawing) app.UI {
	switch {
	case !c.Table || d.more == nil && len(d.curves)+len(d.strips) == 0:
		return el("div.twin|data-twin=chart|hidden=true")
	case d.more != nil:
		return on(el("div.twin|data-twin=chart", app.Raw(d.more.table)), "click", c.H.pickJob, "more")
	case len(d.cdf) > 0:
		return on(el("div.twin|data-twin=chart", app.Raw(c.cdfTable(r, d))), "click", c.H.pickJob)
	case len(d.strips) > 0:
		return el("div.twin|data-twin=chart", app.Raw(c.typesTable(r, d)))
	}
	times := chart.StepTimes(d.curves, c.H.time())
	shown := times[:min(len(times), tableRows)]
	u := r.Axis.Unit
	head := []string{"#" + words.F("From, {0}", u.Short)}
	for i := range d.curves {
		head = append(head, "#"+d.curves[i].Name+", "+d.unit)
	}
	t := newTextTable(`data-test="chart-table"`, d.finding.Claim, head...)
	for _, at := range shown {
		cells := []string{"#" + u.Number(at)}
		for i := range d.curves {
			cells = append(cells, "#"+figure.Sig(d.curves[i].Series.At(at), 4))
		}
		t.row("", cells...)
	}
	rest := ""
	if len(times) > len(shown) {
		rest = words.F("The first {0} of {1} steps.", itoa(len(shown)), itoa(len(times)))
	}
	return el("div.twin|data-twin=chart", app.Raw(t.String()), txt("p.mute", rest))
}
