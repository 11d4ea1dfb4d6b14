package ui

import (
	"slices"

	"hadarlab/app/run"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/findings"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

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
	d := &drawing{finding: findings.Gains(gains, a.Trace, names, u), test: "compared", head: completionHead(of, u)}
	says := func(g chart.Gain) string { return findings.GainWords(g, a.Trace.Jobs[g.Job].Name, names, u) }
	d.pictures = []picture{{names: draw.GainScaleSVG(gains, u, c.H.gutter()), svg: draw.GainsSVG(gains, a.Trace, says,
		jobIn(r, c.Job), float64(c.PlotW), d.finding.Claim)}}
	d.table = func(t *textTable) {
		for _, g := range gains[:min(len(gains), tableRows)] {
			t.completion(of, g.Job, u)
		}
	}
	return d
}

// fairness is finish-time fairness by job, from the engine's rows.
func (c *Charts) fairness(r *run.Result) *drawing {
	d := &drawing{test: "compared", head: []string{"Job"}}
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
	d.pictures = []picture{{names: draw.CDFScaleSVG(c.H.gutter()), svg: draw.RatiosSVG(curves, name, float64(c.PlotW),
		d.finding.Claim)}}
	for _, l := range of {
		d.head = append(d.head, "#"+l.Title)
	}
	d.table = func(t *textTable) {
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
	}
	return d
}

// shareColumns is how finely the axis is divided.
const shareColumns = 200

// shares is who makes what part of the progress.
func (c *Charts) shares(r *run.Result) *drawing {
	var runs []*trace.Trace
	var titles []string
	for _, l := range r.Ran() {
		runs, titles = append(runs, l.Trace), append(titles, l.Title)
	}
	best := chart.BestRates(runs)
	var all []chart.Shares
	for _, t := range runs {
		all = append(all, chart.NewShares(t, c.H.time(), best, shareColumns))
	}
	d := &drawing{finding: findings.Shares(all, runs, titles), test: "compared",
		head: []string{"Policy", "Job", "#Part of the progress seen"}}
	for i := range all {
		d.pictures = append(d.pictures, picture{draw.NameSVG(titles[i], c.H.gutter(), draw.SharesHeight),
			draw.SharesSVG(&all[i], runs[i], titles[i]+". "+d.finding.Claim), draw.SharesHeight})
	}
	d.table = func(t *textTable) {
		for i := range all {
			for k, j := range all[i].Jobs {
				name := runs[i].Jobs[j].Name
				t.row(` data-job="`+draw.Escape(name)+`"`, titles[i], name,
					"#"+figure.Fixed(all[i].Mean[k]*100, 1)+" %")
			}
			if others := all[i].Mean[len(all[i].Jobs)]; others > 0 {
				t.row("", titles[i], words.T("others"), "#"+figure.Fixed(others*100, 1)+" %")
			}
		}
	}
	return d
}

// overheads is where all GPU time went.
func (c *Charts) overheads(r *run.Result) *drawing {
	d := &drawing{test: "compared", head: []string{"GPU time"}}
	var all [][len(chart.Causes)]float64
	var titles []string
	for _, l := range r.Ran() {
		all, titles = append(all, chart.Spending(&l.Meta.Metrics)), append(titles, l.Title)
		d.head = append(d.head, "#"+l.Title)
	}
	d.finding = findings.Spending(titles, all)
	for i := range all {
		d.pictures = append(d.pictures, picture{names: draw.NameSVG(titles[i], c.H.gutter(), draw.SpendingHeight),
			svg: draw.SpendingSVG(all[i], titles[i]+". "+d.finding.Claim, float64(c.PlotW))})
	}
	var key []string
	for k := range chart.Causes {
		if slices.ContainsFunc(all, func(of [len(chart.Causes)]float64) bool { return of[k] > 0 }) {
			var one [len(chart.Causes)]float64
			one[k] = 1
			key = append(key, `<span class="swatch">`+draw.SpendingSVG(one, chart.Causes[k].Title(), 0)+`</span>`,
				chart.Causes[k].Title())
		}
	}
	d.key = swatches("spending-legend", key...)
	d.table = func(t *textTable) {
		for k := range chart.Causes {
			cells := []string{chart.Causes[k].Title()}
			for i := range all {
				cells = append(cells, "#"+figure.Fixed(all[i][k]*100, 1)+" %")
			}
			t.row(` data-cause="`+chart.Causes[k].ID+`" data-share="`+exact(all[0][k])+`"`, cells...)
		}
	}
	return d
}
