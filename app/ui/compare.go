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

// compared is a chart that is no curve over time: its rows of names and pictures, and its table.
type compared struct {
	rows  [][2]string // by row: names and picture
	time  bool        // the pictures lie on the axis of the lanes
	high  float64     // of a picture in px, for the cursor
	table string
	key   string // legend as markup
}

// winners is who gains and who loses between the first two lanes.
func (c *Charts) winners(r *run.Result) *drawing {
	of := sides(r)
	if len(of) < 2 && len(r.Lanes) > 1 {
		return &drawing{finding: r.Finding}
	}
	if len(of) < 2 {
		return &drawing{finding: findings.Finding{Claim: words.T("There is one lane."),
			Because: words.T("Add a second policy to see who wins and who loses.")}}
	}
	a, b := of[0], of[1]
	names, u := [2]string{a.Title, b.Title}, r.Axis.Unit
	gains := chart.Gains(a.Trace, b.Trace)
	d := &drawing{finding: findings.Gains(gains, a.Trace, names, u), more: &compared{}}
	job, ok := r.Jobs[c.Job]
	if !ok {
		job = -1
	}
	says := func(g chart.Gain) string { return findings.GainWords(g, a.Trace.Jobs[g.Job].Name, names, u) }
	d.more.rows = [][2]string{{draw.GainScaleSVG(gains, u, c.H.gutter()),
		draw.GainsSVG(gains, a.Trace, says, job, float64(c.PlotW), d.finding.Claim)}}
	t := newTextTable(`data-test="chart-table"`, d.finding.Claim, "Job", "#"+a.Title+", "+u.Short,
		"#"+b.Title+", "+u.Short, "#"+words.F("{0} is", a.Title))
	for _, g := range gains[:min(len(gains), tableRows)] {
		x, y := took(a.Trace, g.Job), took(b.Trace, g.Job)
		t.row(` data-job="`+draw.Escape(a.Trace.Jobs[g.Job].Name)+`"`, a.Trace.Jobs[g.Job].Name, "#"+tookWords(x, u),
			"#"+tookWords(y, u), "#"+sooner(x, y, u))
	}
	d.more.table = t.String()
	return d
}

func took(t *trace.Trace, j int32) unit.Tick {
	if f := t.Jobs[j].Finish; f >= 0 {
		return f - t.Jobs[j].Arrive
	}
	return unit.Never
}

// fairness is finish-time fairness by job, from the engine's rows.
func (c *Charts) fairness(r *run.Result) *drawing {
	d := &drawing{more: &compared{}}
	of, styles := ran(r)
	name := func(j int32) string { return of[0].Trace.Jobs[j].Name }
	var curves []chart.Ratios
	for i, l := range of {
		v := make([]float64, len(l.Meta.Jobs))
		for k := range v {
			v[k] = l.Meta.Jobs[k].FTF
		}
		curves = append(curves, chart.NewRatios(v, l.Title, styles[i]))
		d.curves = append(d.curves, chart.Curve{Name: l.Title, Style: styles[i]})
	}
	d.finding = findings.Ratios(curves, name)
	d.more.rows = [][2]string{{draw.CDFScaleSVG(c.H.gutter()),
		draw.RatiosSVG(curves, name, float64(c.PlotW), d.finding.Claim)}}
	head := []string{"Job"}
	for _, l := range of {
		head = append(head, "#"+l.Title)
	}
	t := newTextTable(`data-test="chart-table"`, d.finding.Claim, head...)
	for j := range of[0].Meta.Jobs[:min(len(of[0].Meta.Jobs), tableRows)] {
		cells := []string{name(int32(j))}
		for _, l := range of {
			says := "–"
			if v := l.Meta.Jobs[j].FTF; v > 0 {
				says = figure.Fixed(v, 2)
			}
			cells = append(cells, "#"+says)
		}
		t.row(` data-job="`+draw.Escape(cells[0])+`"`, cells...)
	}
	d.more.table = t.String()
	return d
}

// shareColumns is how finely the axis is divided.
const shareColumns = 200

// shares is who makes what part of the progress.
func (c *Charts) shares(r *run.Result) *drawing {
	d := &drawing{more: &compared{time: true, high: draw.SharesHeight}}
	of, _ := ran(r)
	var runs []*trace.Trace
	var titles []string
	for _, l := range of {
		runs, titles = append(runs, l.Trace), append(titles, l.Title)
	}
	best := chart.BestRates(runs)
	var all []chart.Shares
	for _, t := range runs {
		all = append(all, chart.NewShares(t, c.H.time(), best, shareColumns))
	}
	d.finding = findings.Shares(all, runs, titles)
	t := newTextTable(`data-test="chart-table"`, d.finding.Claim, "Policy", "Job",
		"#Part of the progress that is shown")
	for i := range all {
		d.more.rows = append(d.more.rows, [2]string{draw.NameSVG(titles[i], c.H.gutter(), draw.SharesHeight),
			draw.SharesSVG(&all[i], runs[i], titles[i]+". "+d.finding.Claim)})
		for k, j := range all[i].Jobs {
			name := runs[i].Jobs[j].Name
			t.row(` data-job="`+draw.Escape(name)+`"`, titles[i], name, "#"+figure.Fixed(all[i].Mean[k]*100, 1)+" %")
		}
		if others := all[i].Mean[len(all[i].Jobs)]; others > 0 {
			t.row("", titles[i], words.T("others"), "#"+figure.Fixed(others*100, 1)+" %")
		}
	}
	d.more.table = t.String()
	return d
}

// overheads is where all GPU time went.
func (c *Charts) overheads(r *run.Result) *drawing {
	d := &drawing{more: &compared{}}
	of, _ := ran(r)
	var all [][len(chart.Causes)]float64
	head := []string{"GPU time"}
	var titles []string
	for _, l := range of {
		all, titles = append(all, chart.Spending(&l.Meta.Metrics)), append(titles, l.Title)
		head = append(head, "#"+l.Title)
	}
	d.finding = findings.Spending(titles, all)
	for i := range all {
		d.more.rows = append(d.more.rows, [2]string{draw.NameSVG(titles[i], c.H.gutter(), draw.SpendingHeight),
			draw.SpendingSVG(all[i], titles[i]+". "+d.finding.Claim, float64(c.PlotW))})
	}
	t := newTextTable(`data-test="chart-table"`, d.finding.Claim, head...)
	d.more.key = `<ul class="legend">`
	for k := range chart.Causes {
		cells, any := []string{chart.Causes[k].Title()}, false
		for i := range all {
			cells, any = append(cells, "#"+figure.Fixed(all[i][k]*100, 1)+" %"), any || all[i][k] > 0
		}
		t.row(` data-cause="`+chart.Causes[k].ID+`" data-share="`+exact(all[0][k])+`"`, cells...)
		if any {
			var one [len(chart.Causes)]float64
			one[k] = 1
			d.more.key += `<li><span class="swatch">` + draw.SpendingSVG(one, chart.Causes[k].Title(), 0) +
				`</span><span>` + draw.Escape(chart.Causes[k].Title()) + `</span></li>`
		}
	}
	d.more.key += `</ul>`
	d.more.table = t.String()
	return d
}

// comparedPlot is the pictures, one under the other. A click selects the job that it meets, else moves the cursor.
func (c *Charts) comparedPlot(m *compared) app.UI {
	kids := []app.UI{app.Raw(m.key)}
	if m.key == "" {
		kids = nil
	}
	for i, row := range m.rows {
		inside, spec := []app.UI{app.Raw(row[1])}, "div.stack"
		if m.time {
			inside, spec = append(inside, app.Raw(c.H.cursorSVG(m.high, false))), "div.stack|data-axis=time"
		}
		kids = append(kids, set(el("div.tchart|data-test=compared", app.Raw(row[0]),
			on(el(spec, inside...), "click", c.pickCompared, onoff(m.time))), "data-lane", edit.LaneLetter(i)))
	}
	return el("div", kids...)
}

func (c *Charts) pickCompared(ctx app.Context, e app.Event) {
	if job := platform.Closest(e.Value, "data-job"); job != "" {
		c.H.Do(state.Select{Job: job})
	}
	if c.Tab == "shares" {
		c.jump(ctx, e)
	}
}
