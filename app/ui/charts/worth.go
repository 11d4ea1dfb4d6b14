package charts

import (
	"slices"

	"hadarlab/app/run"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/insights"
	"hadarlab/core/scenario"
)

func init() { register("worth", kind{draw: (*Chart).worth, offered: profiled, ofJob: true}) }

// profiled says whether a job's model has a profile, by which alone it is known what its examples bring.
func profiled(r *run.Result) bool {
	s := &r.Doc.Scenario
	return slices.ContainsFunc(s.Jobs, func(j scenario.Job) bool {
		return slices.ContainsFunc(s.Throughputs.Profiles, func(p scenario.Profile) bool { return p.Model == j.Model })
	})
}

// worth is how many examples all jobs and the selected one train on a second, and what these bring.
func (c *Chart) worth(r *run.Result) *Drawing {
	d := &Drawing{Test: "worth", Head: []string{"Policy", "Job", "#Examples", "#Worth in examples of the initial batch",
		"#Bring nothing"}}
	p, _ := scenario.Compile(r.Doc, nil)
	if p == nil {
		return d
	}
	of, here := r.Ran(), r.JobNumber(c.Job)
	if here >= 0 && p.Jobs[here].Profile < 0 {
		here = -1
	}
	var sides []insights.Side
	var all, one []chart.Worth
	var top, own float64
	for i, l := range of {
		sides = append(sides, l.Side())
		all, one = append(all, chart.NewWorth(l.Trace, p, -1)), append(one, chart.NewWorth(l.Trace, p, here))
		top, own = max(top, all[i].Read.Max(), all[i].Worth.Max()), max(own, one[i].Read.Max(), one[i].Worth.Max())
	}
	d.Finding = insights.Worth(words.Now(), sides, all, here)
	strip := func(name string, hue, high, ticks int, top float64, w *chart.Worth) draw.Strip {
		return draw.Strip{Name: name, Hue: hue, High: high, Y: chart.LinearScale(top, ticks),
			Areas: []draw.StripArea{{Use: "waste", Of: &w.Read}, {Use: "busy", Of: &w.Worth}}}
	}
	for i := range of {
		strips := []draw.Strip{strip(sides[i].Title, 0, draw.CurveHeight, 4, top, &all[i])}
		if here >= 0 {
			strips = append(strips, strip(c.Job, r.Look(c.Job).Hue, 48, 2, own, &one[i]))
		}
		d.Pictures = append(d.Pictures, c.strips("worth", strips, sides[i].Title+". "+d.Finding.Claim))
	}
	area := func(use string) string {
		return `<svg width="16" height="12" aria-hidden="true"><path data-use="` + use + `" d="M0 0H16V12H0Z"></path></svg>`
	}
	d.Key = markup.Swatches("worth-legend", area("busy"), words.T("examples a second, counted as those of the initial batch"),
		area("waste"), words.T("examples a second that bring nothing"))
	d.Table = func(t *markup.Table) {
		row := func(i int, name string, a chart.Amount) {
			t.Row(` data-job="`+draw.Escape(name)+`"`, sides[i].Title, name, "#"+words.Sig(a.Read, 4),
				"#"+words.Sig(a.Worth, 4), "#"+words.Fixed(a.Lost()*100, 1)+" %")
		}
		for i := range all {
			row(i, words.T("all"), all[i].Sum)
			for j, a := range all[i].Jobs[:min(len(all[i].Jobs), tableRows)] {
				if a.Read > 0 {
					row(i, of[i].Trace.Jobs[j].Name, a)
				}
			}
		}
	}
	return d
}
