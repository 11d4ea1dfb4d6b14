package timeline

import (
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/app/ui/charts"
	. "hadarlab/app/ui/html"
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

func ChartsOf(s *state.Lab) *Charts {
	v := &s.View
	return &Charts{Chart: charts.Chart{Plot: PlotOf(s), Tab: charts.Shown(s.Result, v.Tab), Moment: v.Moment,
		Job: v.Job, Log: v.LogPrices},
		Fresh: s.Fresh(), Table: v.Tables[1]}
}

// Keys 1 to 9 open the charts in their order. Those after the first few stand in a menu.
const fewTabs = 5

// Render draws the tabs and the chosen chart.
func (c *Charts) Render() app.UI {
	r := c.Result
	if len(r.Ran()) == 0 {
		return El("section")
	}
	open := OnOff(c.Table)
	return Set(El("section.panel tabs|aria-label=Charts",
		El("div.tabbar",
			elm.Part(&Tabs{r, c.Tab}),
			El("details.drop right", Say("summary.btn|data-kind=quiet", "View"), El("div.menu",
				Set(Button(".btn|data-test=chart-toggle", "Table", "table", state.ToggleTable{Which: 1}),
					"aria-expanded", open, "aria-pressed", open),
				Set(Button(".btn|data-test=chart-log|title=Each step up the scale is ten times the price",
					"Log scale", "log", state.ToggleLog{}), "aria-pressed", OnOff(c.Log),
					"hidden", Flag(!charts.Scaled(c.Tab))),
				Save("Chart as CSV", state.SaveChart{Of: c.Tab}, "save-chart-csv"),
				Save("Chart as Vega-Lite", state.SaveChart{Of: c.Tab, Vega: true}, "save-chart-vega")))),
		elm.Whole(func() app.UI { return c.chosen(r) }),
	), "data-stale", OnOff(!c.Fresh))
}

// chosen is the chart of the chosen tab with its table. Where it cannot be drawn the tabs still lead to others.
func (c *Charts) chosen(r *run.Result) app.UI {
	d := c.Drawing()
	kids := []app.UI{El("p", Bold(d.Finding.Claim), Text(" "+d.Finding.Because)), legend(d.Curves)}
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
		kids = append(kids, Set(El("div.tchart", app.Raw(p.Names), elm.On(El(spec, stack...), "click", c.picked)),
			"data-test", d.Test, "data-lane", edit.LaneLetter(i)))
	}
	table := El("div.twin|data-twin=chart|hidden=true")
	if c.Table && d.Head != nil {
		t := markup.NewTable(`data-test="chart-table"`, d.Finding.Claim, d.Head...)
		d.Table(t)
		table = elm.On(El("div.twin|data-twin=chart", app.Raw(t.String()), Txt("p.mute", t.Rest)), "click", pickJob)
	}
	return Set(El("div.tp|id=chart|role=tabpanel|data-test=chart", append(kids, table)...),
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
		Do(state.Select{Job: r.Ran()[0].Trace.Jobs[j].Name})
	}
	if platform.Closest(e.Value, "data-axis") == "time" {
		Do(state.GoTime{At: c.Time().At(x)})
	}
}

// Tabs are those of the charts, apart from what they show: that changes with the cursor.
type Tabs struct {
	Result *run.Result
	Tab    string
}

// Render draws the tabs, and those after the first few as a menu.
func (c *Tabs) Render() app.UI {
	tabs, at, more := data.Charts(), charts.At(c.Tab), words.T("More")
	if at >= fewTabs {
		t := tabs[at]
		more = words.T(t.Title)
	}
	return elm.On(El("div.tablists", El("div|role=tablist|aria-label=Charts", Each(fewTabs, c.tab)...),
		El("details.drop", Set(El("summary", Text(more), Icon("down")), "data-here", Flag(at >= fewTabs)),
			El("div.menu|role=tablist|aria-label=More charts", Each(len(tabs)-fewTabs,
				func(i int) app.UI { return c.tab(fewTabs + i) })...))), "keydown", Keys(ChartKeys))
}

// tab is one tab. The Tab key reaches the open one, and in the menu that does not have it the first.
func (c *Tabs) tab(i int) app.UI {
	t := data.Charts()[i]
	index := "-1"
	if t.ID == c.Tab || i%fewTabs == 0 && i/fewTabs != charts.At(c.Tab)/fewTabs {
		index = "0"
	}
	return elm.On(Set(Means(Say("button|type=button|role=tab|aria-controls=chart", t.Title), t.Title), "id", "tab-"+t.ID,
		"aria-selected", OnOff(t.ID == c.Tab), "data-test", "tab-"+t.ID, "tabindex", index, "hidden",
		Flag(!charts.Offered(c.Result, t.ID))), "click",
		Closing(Act(state.ChooseChart{Name: t.ID})), t.ID)
}

// legend names the curves by their line.
func legend(curves []chart.Curve) app.UI {
	return El("ul.legend", Each(len(curves), func(i int) app.UI {
		c := &curves[i]
		line := `<svg width="30" height="12" aria-hidden="true"><path data-series="` + c.Style + `" d="M0 6H30"></path>`
		if c.Mark != "" {
			line += `<svg data-role="curve-mark" x="15" y="6" width="1" height="1" overflow="visible"><path transform="translate(-4 -4) scale(.67)" d="` + c.Mark + `"></path></svg>`
		}
		return El("li", app.Raw(line+`</svg>`), Txt("span", c.Name.In(words.Now())))
	})...)
}
