package charts

import (
	"hadarlab/app/run"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/insights"
	"hadarlab/core/trace"
)

func init() { register("shares", kind{draw: (*Chart).shares}) }

// shares is who makes what part of the progress.
func (c *Chart) shares(r *run.Result) *Drawing {
	var runs []*trace.Trace
	var titles []string
	for _, l := range r.Ran() {
		runs, titles = append(runs, l.Trace), append(titles, l.Title)
	}
	best := chart.BestRates(runs)
	var all []chart.Shares
	for _, t := range runs {
		all = append(all, chart.NewShares(t, c.Time(), best, chart.ShareColumns))
	}
	d := &Drawing{Finding: insights.Shares(words.Now(), all, runs, titles), Test: "compared",
		Head: []string{"Policy", "Job", "#Part of the progress that is shown"}}
	for i := range all {
		d.Pictures = append(d.Pictures, Picture{draw.NameSVG(c.named(i), c.Gutter(), draw.SharesHeight),
			draw.SharesSVG(words.Now(), &all[i], runs[i], titles[i]+". "+d.Finding.Claim), draw.SharesHeight})
	}
	d.Table = func(t *markup.Table) {
		for i := range all {
			for k, j := range all[i].Jobs {
				name := runs[i].Jobs[j].Name
				t.Row(` data-job="`+draw.Escape(name)+`"`, titles[i], name,
					"#"+words.Fixed(all[i].Mean[k]*100, 1)+" %")
			}
			if others := all[i].Mean[len(all[i].Jobs)]; others > 0 {
				t.Row("", titles[i], words.T("others"), "#"+words.Fixed(others*100, 1)+" %")
			}
		}
	}
	return d
}
