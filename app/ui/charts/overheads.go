package charts

import (
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/insights"
)

func init() { register("overheads", kind{draw: (*Chart).overheads}) }

// overheads is where all GPU time went.
func (c *Chart) overheads(r *run.Result) *Drawing {
	var all [][]float64
	var titles []string
	for _, l := range r.Ran() {
		all, titles = append(all, chart.Spending(&l.Meta.Metrics)), append(titles, l.Title)
	}
	return c.parts(words.T("GPU time"), chart.Causes[:], all, titles, insights.Spending(words.Now(), titles, all))
}
