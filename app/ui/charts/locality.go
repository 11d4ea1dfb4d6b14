package charts

import (
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/findings"
)

func init() { register("locality", kind{draw: (*Chart).locality, offered: spread}) }

// spread says whether there are several nodes.
func spread(r *run.Result) bool { return len(r.Doc.Scenario.Cluster.Nodes) > 1 }

// locality is how far apart the GPUs of gangs lie.
func (c *Chart) locality(r *run.Result) *Drawing {
	var all [][]float64
	var titles []string
	tiers := chart.Tiers[:2]
	for _, l := range r.Ran() {
		of := racks(r, l.Trace)
		if len(of.Names) > 1 {
			tiers = chart.Tiers[:]
		}
		all, titles = append(all, l.Chart.Locality(l.Trace, &of)), append(titles, l.Title)
	}
	return c.parts(words.T("GPU time of gangs"), tiers, all, titles,
		findings.Locality(words.Now(), titles, all, len(tiers) > 2))
}
