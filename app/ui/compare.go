package ui

import (
	"slices"

	"hadarlab/app/edit"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/findings"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

func init() { sketched("winners", sketch{draw: (*Charts).winners, ofJob: true}) }

// winners is who gains and who loses between the two lanes that are compared.
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
	d := &drawing{finding: findings.Gains(words.Now(), gains, a.Trace, names, u), test: "compared",
		head: completionHead(of, of, u)}
	says := func(g chart.Gain) string {
		return findings.GainWords(words.Now(), g, a.Trace.Jobs[g.Job].Name, names, u)
	}
	d.pictures = []picture{{names: draw.GainScaleSVG(words.Now(), gains, u, c.gutter()), svg: draw.GainsSVG(gains,
		a.Trace, says, jobIn(r, c.Job), float64(c.PlotW), d.finding.Claim)}}
	d.table = func(t *textTable) {
		for _, g := range gains[:min(len(gains), tableRows)] {
			t.completion(of, of, g.Job, u)
		}
	}
	return d
}

func init() { sketched("fairness", sketch{draw: (*Charts).fairness}) }

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
		d.curves = append(d.curves, chart.Curve{Name: words.Own(l.Title), Style: styles[i]})
	}
	d.finding = findings.Ratios(words.Now(), curves, name)
	d.pictures = []picture{{names: draw.CDFScaleSVG(words.Now(), c.gutter()), svg: draw.RatiosSVG(words.Now(),
		curves, name, float64(c.PlotW), d.finding.Claim)}}
	for _, l := range of {
		d.head = append(d.head, "#"+l.Title)
	}
	d.table = func(t *textTable) {
		for j := range of[0].Meta.Jobs[:min(len(of[0].Meta.Jobs), tableRows)] {
			cells := []string{name(int32(j))}
			for _, l := range of {
				says := "–"
				if v := l.Meta.Jobs[j].FTF; v > 0 {
					says = words.Fixed(v, 2)
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

func init() { sketched("shares", sketch{draw: (*Charts).shares}) }

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
		all = append(all, chart.NewShares(t, c.time(), best, shareColumns))
	}
	d := &drawing{finding: findings.Shares(words.Now(), all, runs, titles), test: "compared",
		head: []string{"Policy", "Job", "#Part of the progress that is shown"}}
	for i := range all {
		d.pictures = append(d.pictures, picture{draw.NameSVG(c.named(i), c.gutter(), draw.SharesHeight),
			draw.SharesSVG(words.Now(), &all[i], runs[i], titles[i]+". "+d.finding.Claim), draw.SharesHeight})
	}
	d.table = func(t *textTable) {
		for i := range all {
			for k, j := range all[i].Jobs {
				name := runs[i].Jobs[j].Name
				t.row(` data-job="`+draw.Escape(name)+`"`, titles[i], name,
					"#"+words.Fixed(all[i].Mean[k]*100, 1)+" %")
			}
			if others := all[i].Mean[len(all[i].Jobs)]; others > 0 {
				t.row("", titles[i], words.T("others"), "#"+words.Fixed(others*100, 1)+" %")
			}
		}
	}
	return d
}

func init() { sketched("overheads", sketch{draw: (*Charts).overheads}) }

// overheads is where all GPU time went.
func (c *Charts) overheads(r *run.Result) *drawing {
	var all [][]float64
	var titles []string
	for _, l := range r.Ran() {
		all, titles = append(all, chart.Spending(&l.Meta.Metrics)), append(titles, l.Title)
	}
	return c.parts(words.T("GPU time"), chart.Causes[:], all, titles, findings.Spending(words.Now(), titles, all))
}

// named is the i-th lane that ran, with its letter: many a title has no room beside a picture.
func (c *Charts) named(i int) string {
	r := c.Result
	l := r.Ran()[i]
	return edit.LaneLetter(slices.Index(r.Lanes, l)) + " " + l.Title
}

// parts are bars of parts of some GPU time, one a lane.
func (c *Charts) parts(time string, of []chart.Spent, all [][]float64, titles []string,
	says findings.Finding) *drawing {
	d := &drawing{finding: says, test: "compared", head: []string{time}}
	for i := range all {
		d.head = append(d.head, "#"+titles[i])
		d.pictures = append(d.pictures, picture{names: draw.NameSVG(c.named(i), c.gutter(), draw.PartsHeight),
			svg: draw.PartsSVG(words.Now(), of, all[i], titles[i]+". "+says.Claim, float64(c.PlotW))})
	}
	var key []string
	for k := range of {
		if slices.ContainsFunc(all, func(of []float64) bool { return of[k] > 0 }) {
			one := make([]float64, len(of))
			one[k] = 1
			title := of[k].Title().In(words.Now())
			key = append(key, `<span class="swatch">`+draw.PartsSVG(words.Now(), of, one, title, 0)+`</span>`, title)
		}
	}
	d.key = swatches("parts-legend", key...)
	d.table = func(t *textTable) {
		for k := range of {
			cells := []string{of[k].Title().In(words.Now())}
			for i := range all {
				cells = append(cells, "#"+words.Fixed(all[i][k]*100, 1)+" %")
			}
			t.row(` data-cause="`+of[k].ID+`" data-share="`+exact(all[0][k])+`"`, cells...)
		}
	}
	return d
}

func init() { sketched("cdf", sketch{draw: (*Charts).cdf}) }

// cdf is how many jobs are complete within what time. Its table lists the jobs by their completion time in the first
// lane, with the other lanes' beside it, and how the two lanes of the headline differ.
func (c *Charts) cdf(r *run.Result) *drawing {
	of, styles := ran(r)
	d, curves := &drawing{test: "cdf"}, []chart.CDF{}
	for i, l := range of {
		curves = append(curves, chart.NewCDF(l.Trace, l.Title, styles[i]))
		d.curves = append(d.curves, chart.Curve{Name: words.Own(l.Title), Style: styles[i]})
	}
	axis, jobs := chart.CDFAxis(curves), of[0].Trace.Jobs
	d.finding = findings.CDF(words.Now(), curves, axis.Unit)
	d.pictures = []picture{{names: draw.CDFScaleSVG(words.Now(), c.gutter()), svg: draw.CDFSVG(words.Now(), &axis,
		curves, of[0].Trace, float64(c.PlotW), d.finding.Claim+" "+d.finding.Because)}}
	d.mark = func(job int32) string {
		name := ""
		if job >= 0 {
			name = jobs[job].Name
		}
		return draw.CDFMarkSVG(words.Now(), &axis, curves, job, name)
	}
	d.nearest = func(x, y float64) int32 { return draw.Nearest(&axis, curves, x, y, float64(c.PlotW)) }
	pair := sides(r)
	d.head = completionHead(of, pair, axis.Unit)
	d.table = func(t *textTable) {
		for _, s := range curves[0].Steps[:min(len(curves[0].Steps), tableRows)] {
			t.completion(of, pair, s.Job, axis.Unit)
		}
		for j := range jobs[:min(len(jobs), tableRows)] {
			if jobs[j].Finish < 0 {
				t.completion(of, pair, int32(j), axis.Unit)
			}
		}
	}
	return d
}

// completionHead is the head of a table of completion times, and completion is a job's row in it: a column a lane, and
// one for what the headline compares, if there are two.
func completionHead(of, pair []*run.Lane, u figure.Unit) []string {
	head := []string{"Job"}
	for _, l := range of {
		head = append(head, "#"+l.Title+", "+u.Short)
	}
	if len(pair) > 1 {
		head = append(head, "#"+words.F("{0} against {1}", pair[0].Title, pair[1].Title))
	}
	return head
}

func (t *textTable) completion(of, pair []*run.Lane, job int32, u figure.Unit) {
	cells := []string{of[0].Trace.Jobs[job].Name}
	for _, l := range of {
		cells = append(cells, "#"+tookWords(took(l.Trace, job), u))
	}
	if len(pair) > 1 {
		cells = append(cells, "#"+sooner(took(pair[0].Trace, job), took(pair[1].Trace, job), u))
	}
	t.row(` data-job="`+draw.Escape(cells[0])+`"`, cells...)
}

func took(t *trace.Trace, j int32) unit.Tick {
	if f := t.Jobs[j].Finish; f >= 0 {
		return f - t.Jobs[j].Arrive
	}
	return unit.Never
}

func tookWords(t unit.Tick, u figure.Unit) string {
	if t == unit.Never {
		return words.T("unfinished")
	}
	return u.Number(words.Now(), t)
}

func sooner(a, b unit.Tick, u figure.Unit) string {
	switch {
	case a == unit.Never || b == unit.Never:
		return "–"
	case u.Number(nil, a) == u.Number(nil, b):
		return words.T("alike")
	case a < b:
		return words.F("▼ {0} sooner", u.Number(words.Now(), b-a))
	}
	return words.F("▲ {0} later", u.Number(words.Now(), a-b))
}

func init() { sketched("types", sketch{draw: (*Charts).types}) }

// types is how the GPUs of each type spend their time, lane by lane: a strip a GPU type.
func (c *Charts) types(r *run.Result) *drawing {
	of := r.Ran()
	var sides []findings.Side
	var use [][]chart.Usage
	for _, l := range of {
		use, sides = append(use, l.Chart.UsageByType(l.Trace)), append(sides, l.Side())
	}
	d := &drawing{finding: findings.Usage(words.Now(), sides, use), test: "usage", key: usageLegend(),
		head: []string{"Policy", "GPU type", "#GPUs", "#Busy", "#Held", "#Idle, a job waits", "#Free"}}
	for i, l := range of {
		d.pictures = append(d.pictures, picture{draw.UsageGutterSVG(words.Now(), l.Trace, use[i], l.Title,
			c.gutter()),
			draw.UsageSVG(c.time(), l.Trace, use[i], l.Title+". "+d.finding.Claim), draw.UsageHeight(len(use[i]))})
	}
	d.table = func(t *textTable) {
		for i, l := range of {
			for k := range use[i] {
				u := &use[i][k]
				name := l.Trace.Types[u.Type]
				cells := []string{l.Title, figure.TypeTitle(name), "#" + itoa(int(u.GPUs))}
				for _, s := range u.Share {
					cells = append(cells, "#"+words.Fixed(s*100, 1)+" %")
				}
				t.row(` data-policy="`+draw.Escape(l.Policy.ID)+`" data-type="`+draw.Escape(name)+`" data-busy="`+
					exact(u.Share[chart.ShareBusy])+`"`, cells...)
			}
		}
	}
	return d
}

// usageLegend names the parts of a strip; the number beside each is the share that works.
func usageLegend() string {
	return swatches("usage-legend",
		`<svg width="16" height="12" aria-hidden="true"><rect data-use="busy" width="16" height="12"></rect></svg>`,
		words.T("busy"),
		`<svg width="16" height="12" aria-hidden="true"><rect data-use="held" width="16" height="12"></rect></svg>`,
		words.T("held, no progress"),
		`<svg width="16" height="12" aria-hidden="true"><rect data-use="waste" width="16" height="12"></rect></svg>`,
		words.T("idle while a job waits"),
		`<svg width="16" height="12" aria-hidden="true"><rect data-role="node-bg" width="16" height="12"></rect><rect data-role="usage-frame" width="16" height="12"></rect></svg>`, words.T("free"))
}
