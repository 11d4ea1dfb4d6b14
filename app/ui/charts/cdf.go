package charts

import (
	"hadarlab/app/run"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/insights"
)

func init() { register("cdf", kind{draw: (*Chart).cdf}) }

// cdf is how many jobs are complete within what time. Its table lists the jobs by their completion time in the first
// lane, with the other lanes' beside it, and how the two lanes of the headline differ.
func (c *Chart) cdf(r *run.Result) *Drawing {
	of, styles := ran(r)
	d, curves := &Drawing{Test: "cdf"}, []chart.CDF{}
	for i, l := range of {
		curves = append(curves, chart.NewCDF(l.Trace, l.Title, styles[i]))
		d.Curves = append(d.Curves, chart.Curve{Name: words.Own(l.Title), Style: styles[i]})
	}
	axis, jobs := chart.CDFAxis(curves), of[0].Trace.Jobs
	d.Finding = insights.CDF(words.Now(), curves, axis.Unit)
	d.Pictures = []Picture{{Names: draw.CDFScaleSVG(words.Now(), c.Gutter()), SVG: draw.CDFSVG(words.Now(), &axis,
		curves, of[0].Trace, float64(c.PlotW), d.Finding.Claim+" "+d.Finding.Because)}}
	d.Mark = func(job int32) string {
		name := ""
		if job >= 0 {
			name = jobs[job].Name
		}
		return draw.CDFMarkSVG(words.Now(), &axis, curves, job, name)
	}
	d.Nearest = func(x, y float64) int32 { return draw.Nearest(&axis, curves, x, y, float64(c.PlotW)) }
	pair := sides(r)
	d.Head = completionHead(of, pair, axis.Unit)
	d.Table = func(t *markup.Table) {
		for _, s := range curves[0].Steps[:min(len(curves[0].Steps), tableRows)] {
			completion(t, of, pair, s.Job, axis.Unit)
		}
		for j := range jobs[:min(len(jobs), tableRows)] {
			if jobs[j].Finish < 0 {
				completion(t, of, pair, int32(j), axis.Unit)
			}
		}
	}
	return d
}
