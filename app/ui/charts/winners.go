package charts

import (
	"hadarlab/app/run"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/insights"
)

func init() { register("winners", kind{draw: (*Chart).winners, ofJob: true}) }

// winners is who gains and who loses between the two lanes that are compared.
func (c *Chart) winners(r *run.Result) *Drawing {
	of := sides(r)
	if len(of) < 2 && len(r.Lanes) > 1 {
		return &Drawing{Finding: r.Finding}
	}
	if len(of) < 2 {
		return &Drawing{Finding: insights.Finding{Claim: words.T("There is one lane."),
			Because: words.T("Add a second policy to see who wins and who loses.")}}
	}
	a, b := of[0], of[1]
	names, u := [2]string{a.Title, b.Title}, r.Axis.Unit
	gains := chart.Gains(a.Trace, b.Trace)
	d := &Drawing{Finding: insights.Gains(words.Now(), gains, a.Trace, names, u), Test: "compared",
		Head: completionHead(of, of, u)}
	says := func(g chart.Gain) string {
		return insights.GainWords(words.Now(), g, a.Trace.Jobs[g.Job].Name, names, u)
	}
	d.Pictures = []Picture{{Names: draw.GainScaleSVG(words.Now(), gains, u, c.Gutter()), SVG: draw.GainsSVG(gains,
		a.Trace, says, r.JobNumber(c.Job), float64(c.PlotW), d.Finding.Claim)}}
	d.Table = func(t *markup.Table) {
		for _, g := range gains[:min(len(gains), tableRows)] {
			completion(t, of, of, g.Job, u)
		}
	}
	return d
}
