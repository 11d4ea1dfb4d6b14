package ui

import (
	"hadarlab/app/edit"
	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/app/ui/charts"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/data"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Charts are the curves under the timeline, one at a time, on the same time axis.
type Charts struct {
	charts.Chart
	Fresh bool
	Table bool // it is open
}

func chartsOf(s *state.Lab) *Charts {
	v := &s.View
	return &Charts{Chart: charts.Chart{Plot: plotOf(s), Tab: v.Tab, Moment: v.Moment, Job: v.Job, Log: v.LogPrices},
		Fresh: s.Fresh(), Table: v.Tables[1]}
}

// Keys 1 to 9 open the charts in their order. Those after the first few stand in a menu.
const fewTabs = 5

// render draws the tabs and the chosen chart.
func (c *Charts) render() app.UI {
	r := c.Result
	if len(r.Ran()) == 0 {
		return el("section")
	}
	tabs := data.Charts()
	open, at, more := onoff(c.Table), charts.At(c.Tab), words.T("More")
	if at >= fewTabs {
		t := tabs[at]
		more = words.T(t.Title)
	}
	return set(el("section.panel tabs|aria-label=Charts",
		el("div.tabbar",
			on(el("div.tablists", el("div|role=tablist|aria-label=Charts", each(fewTabs, c.tab)...),
				el("details.drop", set(el("summary", text(more), icon("down")), "data-here", flag(at >= fewTabs)),
					el("div.menu|role=tablist|aria-label=More charts", each(len(tabs)-fewTabs,
						func(i int) app.UI { return c.tab(fewTabs + i) })...))), "keydown", page.chartKey),
			el("details.drop right", say("summary.btn|data-kind=quiet", "View"), el("div.menu",
				set(button(".btn|data-test=chart-toggle", "Table", "table", state.ToggleTable{Which: 1}),
					"aria-expanded", open, "aria-pressed", open),
				set(button(".btn|data-test=chart-log|title=Each step up the scale is ten times the price",
					"Log scale", "log", state.ToggleLog{}), "aria-pressed", onoff(c.Log),
					"hidden", flag(!charts.Scaled(c.Tab))),
				save("Chart as CSV", state.SaveChart{}, "save-chart-csv"),
				save("Chart as Vega-Lite", state.SaveChart{Vega: true}, "save-chart-vega")))),
		whole(func() app.UI { return c.chosen(r) }),
	), "data-stale", onoff(!c.Fresh))
}

// chosen is the chart of the chosen tab with its table. Where it cannot be drawn the tabs still lead to others.
func (c *Charts) chosen(r *run.Result) app.UI {
	d := c.Drawing()
	kids := []app.UI{el("p", bold(d.Finding.Claim), text(" "+d.Finding.Because)), legend(d.Curves)}
	if d.Key != "" {
		kids = append(kids, app.Raw(d.Key))
	}
	for i, p := range d.Pictures {
		spec, stack := "div.stack", []app.UI{app.Raw(p.SVG)}
		if p.High > 0 {
			spec, stack = "div.stack|data-axis=time", append(stack, app.Raw(c.CursorSVG(c.Moment, p.High, false)))
		}
		if d.Mark != nil {
			stack = append(stack, app.Raw(d.Mark(r.JobNumber(c.Job))))
		}
		kids = append(kids, set(el("div.tchart", app.Raw(p.Names), on(el(spec, stack...), "click", c.picked)),
			"data-test", d.Test, "data-lane", edit.LaneLetter(i)))
	}
	table := el("div.twin|data-twin=chart|hidden=true")
	if c.Table && d.Head != nil {
		t := markup.NewTable(`data-test="chart-table"`, d.Finding.Claim, d.Head...)
		d.Table(t)
		table = on(el("div.twin|data-twin=chart", app.Raw(t.String()), txt("p.mute", t.Rest)), "click", pickJob)
	}
	return set(el("div.tp|id=chart|role=tabpanel|data-test=chart", append(kids, table)...),
		"aria-labelledby", "tab-"+c.Tab, "data-chart", c.Tab)
}

// picked selects the job that a click in a picture means, and moves the cursor where the picture has the lanes' axis.
func (c *Charts) picked(ctx app.Context, e app.Event) {
	r := c.Result
	d := c.Drawing()
	x, y := platform.Point(ctx.JSSrc(), e)
	if d.Nearest == nil {
		pickJob(ctx, e)
	} else if j := d.Nearest(x, y); j >= 0 {
		do(state.Select{Job: r.Ran()[0].Trace.Jobs[j].Name})
	}
	if d.Pictures[0].High > 0 {
		do(state.GoTime{At: c.Time().At(x)})
	}
}

// tab is one tab. The Tab key reaches the open one, and in the menu that does not have it the first.
func (c *Charts) tab(i int) app.UI {
	t := data.Charts()[i]
	index := "-1"
	if t.ID == c.Tab || i%fewTabs == 0 && i/fewTabs != charts.At(c.Tab)/fewTabs {
		index = "0"
	}
	return on(set(means(say("button|type=button|role=tab|aria-controls=chart", t.Title), t.Title), "id", "tab-"+t.ID,
		"aria-selected", onoff(t.ID == c.Tab), "data-test", "tab-"+t.ID, "tabindex", index, "hidden",
		flag(t.ID != c.Tab && !charts.Offered(c.Result, t.ID))), "click",
		closing(act(state.Tab{Name: t.ID})), t.ID)
}

// chartKey walks the tabs from the one that is open now, which may not be drawn yet; Home and End lead to the first and
// the last.
func (h *Host) chartKey(_ app.Context, e app.Event) {
	c, tabs := chartsOf(&h.S.Lab), data.Charts()
	at, by := charts.At(c.Tab), 1
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
	for at = (at + by) % len(tabs); !charts.Offered(c.Result, tabs[at].ID); at = (at + by) % len(tabs) {
	}
	to := tabs[at].ID
	h.Do(state.Tab{Name: to})
	platform.Focus("#tab-" + to)
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
