package ui

import (
	"hadarlab/app/run"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/findings"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// cdf is how many jobs are complete within what time. Its table lists the jobs by their completion time in the first
// lane, with the other lanes' beside it.
func (c *Charts) cdf(r *run.Result) *drawing {
	of, styles := ran(r)
	d, curves := &drawing{test: "cdf"}, []chart.CDF{}
	for i, l := range of {
		curves = append(curves, chart.NewCDF(l.Trace, l.Title, styles[i]))
		d.curves = append(d.curves, chart.Curve{Name: l.Title, Style: styles[i]})
	}
	axis, jobs := chart.CDFAxis(curves), of[0].Trace.Jobs
	d.finding = findings.CDF(curves, axis.Unit)
	d.pictures = []picture{{names: draw.CDFScaleSVG(c.H.gutter()), svg: draw.CDFSVG(&axis, curves, of[0].Trace,
		float64(c.PlotW), d.finding.Claim+" "+d.finding.Because)}}
	d.mark = func(job int32) string {
		name := ""
		if job >= 0 {
			name = jobs[job].Name
		}
		return draw.CDFMarkSVG(&axis, curves, job, name)
	}
	d.nearest = func(x, y float64) int32 { return draw.Nearest(&axis, curves, x, y, float64(c.PlotW)) }
	d.head = completionHead(of, axis.Unit)
	d.table = func(t *textTable) {
		for _, s := range curves[0].Steps[:min(len(curves[0].Steps), tableRows)] {
			t.completion(of, s.Job, axis.Unit)
		}
		for j := range jobs[:min(len(jobs), tableRows)] {
			if jobs[j].Finish < 0 {
				t.completion(of, int32(j), axis.Unit)
			}
		}
	}
	return d
}

// completionHead is the head of a table of completion times, and completion is a job's row in it.
func completionHead(of []*run.Lane, u figure.Unit) []string {
	head := []string{"Job"}
	for _, l := range of {
		head = append(head, "#"+l.Title+", "+u.Short)
	}
	if len(of) > 1 {
		head = append(head, "#"+words.F("{0} is", of[0].Title))
	}
	return head
}

func (t *textTable) completion(of []*run.Lane, job int32, u figure.Unit) {
	cells := []string{of[0].Trace.Jobs[job].Name}
	for _, l := range of {
		cells = append(cells, "#"+tookWords(took(l.Trace, job), u))
	}
	if len(of) > 1 {
		cells = append(cells, "#"+sooner(took(of[0].Trace, job), took(of[1].Trace, job), u))
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

// types is how the GPUs of each type spend their time, lane by lane: a strip a GPU type.
func (c *Charts) types(r *run.Result) *drawing {
	of := r.Ran()
	var sides []findings.Side
	var use [][]chart.Usage
	for _, l := range of {
		use, sides = append(use, l.Chart.UsageByType(l.Trace)), append(sides, l.Side())
	}
	d := &drawing{finding: findings.Usage(sides, use), test: "usage", key: usageLegend(),
		head: []string{"Policy", "GPU type", "#GPUs", "#Busy", "#Held", "#Idle, a job waits", "#Free"}}
	for i, l := range of {
		d.pictures = append(d.pictures, picture{draw.UsageGutterSVG(l.Trace, use[i], l.Title, c.H.gutter()),
			draw.UsageSVG(c.H.time(), l.Trace, use[i], l.Title+". "+d.finding.Claim), draw.UsageHeight(len(use[i]))})
	}
	d.table = func(t *textTable) {
		for i, l := range of {
			for k := range use[i] {
				u := &use[i][k]
				name := l.Trace.Types[u.Type]
				cells := []string{l.Title, figure.TypeTitle(name), "#" + itoa(int(u.GPUs))}
				for _, s := range u.Share {
					cells = append(cells, "#"+figure.Fixed(s*100, 1)+" %")
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
