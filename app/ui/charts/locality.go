package charts

import (
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/insights"
)

func init() { register("locality", kind{draw: (*Chart).locality, offered: spread}) }

// locality is how far apart the GPUs of gangs lie.
func (c *Chart) locality(r *run.Result) *Drawing {
	var all [][]float64
	var titles []string
	tiers := chart.Tiers[:2]
	for _, l := range r.Ran() {
		of := chart.NewRacks(l.Trace, r.Rack())
		if len(of.Names) > 1 {
			tiers = chart.Tiers[:]
		}
		all, titles = append(all, l.Chart.Locality(l.Trace, &of)), append(titles, l.Title)
	}
	return c.parts(words.T("GPU time of gangs"), tiers, all, titles,
		insights.Locality(words.Now(), titles, all, len(tiers) > 2))
}
