package charts

import (
	"hadarlab/app/run"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/insights"
)

func init() { register("fairness", kind{draw: (*Chart).fairness}) }

// fairness is finish-time fairness by job, from the engine's rows.
func (c *Chart) fairness(r *run.Result) *Drawing {
	d := &Drawing{Test: "compared", Head: []string{"Job"}}
	of, styles := ran(r)
	name := func(j int32) string { return of[0].Trace.Jobs[j].Name }
	var curves []chart.Ratios
	for i, l := range of {
		curves = append(curves, chart.Fairness(&l.Meta, l.Title, styles[i]))
		d.Curves = append(d.Curves, chart.Curve{Name: words.Own(l.Title), Style: styles[i]})
	}
	d.Finding = insights.Ratios(words.Now(), curves, name)
	d.Pictures = []Picture{{Names: draw.CDFScaleSVG(words.Now(), c.Gutter()), SVG: draw.RatiosSVG(words.Now(),
		curves, name, float64(c.PlotW), d.Finding.Claim)}}
	for _, l := range of {
		d.Head = append(d.Head, "#"+l.Title)
	}
	d.Table = func(t *markup.Table) {
		for j := range of[0].Meta.Jobs[:min(len(of[0].Meta.Jobs), tableRows)] {
			cells := []string{name(int32(j))}
			for _, l := range of {
				says := "–"
				if v := l.Meta.Jobs[j].FTF; v > 0 {
					says = words.Fixed(v, 2)
				}
				cells = append(cells, "#"+says)
			}
			t.Row(` data-job="`+draw.Escape(cells[0])+`"`, cells...)
		}
	}
	return d
}
