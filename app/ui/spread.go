package ui

import (
	"hadarlab/app/edit"
	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/findings"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// ran are all lanes that ran, with the styles of their curves.
func ran(r *run.Result) (of []*run.Lane, styles []string) {
	for i, l := range r.Lanes {
		if l.Trace != nil {
			of, styles = append(of, l), append(styles, [...]string{"a", "b", "c"}[i%3])
		}
	}
	return of, styles
}

// cdf is how many jobs are complete within what time.
func (c *Charts) cdf(r *run.Result) *drawing {
	d := &drawing{}
	of, styles := ran(r)
	for i, l := range of {
		d.cdf = append(d.cdf, chart.NewCDF(l.Trace, l.Title, styles[i]))
		d.curves = append(d.curves, chart.Curve{Name: l.Title, Style: styles[i]})
	}
	d.axis = chart.CDFAxis(d.cdf)
	d.finding = findings.CDF(d.cdf, d.axis.Unit)
	d.svg = draw.CDFSVG(&d.axis, d.cdf, of[0].Trace, float64(c.PlotW), d.finding.Claim+" "+d.finding.Because)
	d.scale = draw.CDFScaleSVG(c.H.gutter())
	return d
}

// cdfPlot is the curves with the selected job's steps.
func (c *Charts) cdfPlot(r *run.Result, d *drawing) app.UI {
	job, ok := r.Jobs[c.Job]
	if !ok {
		job = -1
	}
	return el("div.tchart", app.Raw(d.scale),
		on(el("div.stack|data-test=cdf", app.Raw(d.svg), app.Raw(draw.CDFMarkSVG(&d.axis, d.cdf, job, c.Job))),
			"click", c.pickStep))
}

// pickStep selects the job whose step is nearest to the click.
func (c *Charts) pickStep(ctx app.Context, e app.Event) {
	d := c.H.drawing("cdf", func() *drawing { return c.cdf(c.H.S.Result) })
	x, y := platform.Point(ctx.JSSrc(), e)
	of, _ := ran(c.H.S.Result)
	if j := draw.Nearest(&d.axis, d.cdf, x, y, float64(c.H.S.View.PlotW)); j >= 0 {
		c.H.Do(state.Select{Job: of[0].Trace.Jobs[j].Name})
	}
}

// cdfTable lists the jobs by their completion time in the first lane, with the other lanes' beside it.
func (c *Charts) cdfTable(r *run.Result, d *drawing) string {
	of, _ := ran(r)
	u := d.axis.Unit
	head := []string{"Job"}
	took := make([][]unit.Tick, len(d.cdf))
	for i := range d.cdf {
		head = append(head, "#"+d.cdf[i].Name+", "+u.Short)
		took[i] = make([]unit.Tick, d.cdf[i].Jobs)
		for j := range took[i] {
			took[i][j] = unit.Never
		}
		for _, s := range d.cdf[i].Steps {
			took[i][s.Job] = s.Took
		}
	}
	if len(d.cdf) > 1 {
		head = append(head, "#"+words.F("{0} is", d.cdf[0].Name))
	}
	t := newTextTable(`data-test="chart-table"`, d.finding.Claim, head...)
	row := func(t *textTable, jobs *trace.Trace, j int32) {
		cells := []string{jobs.Jobs[j].Name}
		for i := range took {
			cells = append(cells, "#"+tookWords(took[i][j], u))
		}
		if len(took) > 1 {
			cells = append(cells, "#"+sooner(took[0][j], took[1][j], u))
		}
		t.row(` data-job="`+draw.Escape(jobs.Jobs[j].Name)+`"`, cells...)
	}
	for _, s := range d.cdf[0].Steps[:min(len(d.cdf[0].Steps), tableRows)] {
		row(t, of[0].Trace, s.Job)
	}
	for j, left := range took[0] {
		if left == unit.Never && j < tableRows {
			row(t, of[0].Trace, int32(j))
		}
	}
	return t.String()
}

func tookWords(t unit.Tick, u figure.Unit) string {
	if t == unit.Never {
		return words.T("never")
	}
	return u.Number(t)
}

func sooner(a, b unit.Tick, u figure.Unit) string {
	switch {
	case a == unit.Never || b == unit.Never:
		return "–"
	case u.Number(a) == u.Number(b):
		return words.T("alike")
	case a < b:
		return words.F("▼ {0} sooner", u.Number(b-a))
	}
	return words.F("▲ {0} later", u.Number(a-b))
}

// types is how the GPUs of each type spend their time, lane by lane.
func (c *Charts) types(r *run.Result) *drawing {
	d := &drawing{}
	of, _ := ran(r)
	var sides []findings.Side
	for _, l := range of {
		d.use, sides = append(d.use, l.Chart.UsageByType(l.Trace)), append(sides, l.Side())
	}
	d.finding = findings.Usage(sides, d.use)
	for i, l := range of {
		d.strips = append(d.strips, [2]string{draw.UsageGutterSVG(l.Trace, d.use[i], l.Title, c.H.gutter()),
			draw.UsageSVG(c.H.time(), l.Trace, d.use[i], l.Title+". "+d.finding.Claim)})
	}
	return d
}

// typesPlot is a strip a GPU type, one lane under the other.
func (c *Charts) typesPlot(d *drawing) app.UI {
	kids := []app.UI{usageLegend()}
	for i, s := range d.strips {
		kids = append(kids, set(el("div.tchart|data-test=usage", app.Raw(s[0]),
			on(el("div.stack|data-axis=time", app.Raw(s[1]),
				app.Raw(c.H.cursorSVG(draw.UsageHeight(len(d.use[i])), false))), "click", c.jump)),
			"data-lane", edit.LaneLetter(i)))
	}
	return el("div", kids...)
}

// usageLegend names the parts of a strip; the number beside each is the share that works.
func usageLegend() app.UI {
	return swatches("usage-legend",
		`<svg width="16" height="12" aria-hidden="true"><rect data-use="busy" width="16" height="12"></rect></svg>`,
		words.T("busy"),
		`<svg width="16" height="12" aria-hidden="true"><rect data-use="held" width="16" height="12"></rect></svg>`,
		words.T("held, no progress"),
		`<svg width="16" height="12" aria-hidden="true"><rect data-use="waste" width="16" height="12"></rect></svg>`,
		words.T("idle while a job waits"),
		`<svg width="16" height="12" aria-hidden="true"><rect data-role="node-bg" width="16" height="12"></rect><rect data-role="usage-frame" width="16" height="12"></rect></svg>`, words.T("free"))
}

func (c *Charts) typesTable(r *run.Result, d *drawing) string {
	of, _ := ran(r)
	t := newTextTable(`data-test="chart-table"`, d.finding.Claim, "Policy", "GPU type", "#GPUs", "#Busy", "#Held",
		"#Idle, a job waits", "#Free")
	for i, l := range of {
		for k := range d.use[i] {
			u := &d.use[i][k]
			name := l.Trace.Types[u.Type]
			cells := []string{l.Title, figure.TypeTitle(name), "#" + itoa(int(u.GPUs))}
			for _, s := range u.Share {
				cells = append(cells, "#"+figure.Fixed(s*100, 1)+" %")
			}
			t.row(` data-policy="`+draw.Escape(l.Policy.ID)+`" data-type="`+draw.Escape(name)+`" data-busy="`+
				exact(u.Share[chart.ShareBusy])+`"`, cells...)
		}
	}
	return t.String()
}
