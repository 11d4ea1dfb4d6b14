package policy

import (
	"hadarlab/core/model"
	"hadarlab/core/primaldual"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
)

// Measure compares the run with Hadar's promise that its total utility is at least 1/(2α) of the best schedule's.
// The best is not known; the sum of every job's utility at its greatest speed from its arrival on is a bound on it
// (Hadar 2.4), so that the ratio shown is at least the true one. α is the largest of the run's rounds, since the
// price constants are computed anew each round (ours); the proof is for one set of constants known beforehand.
func (h *hadar) Measure(p *model.Problem, t *trace.Trace) []sim.Term {
	if h.set.Utility > primaldual.Normalised || h.alpha == 0 {
		return nil // the others are weighted by the state of the moment and have no sum over the run
	}
	got, most := 0.0, 0.0
	for i := range t.Jobs {
		job, row := &p.Jobs[i], &t.Jobs[i]
		if row.Arrive > t.End {
			continue
		}
		best, tab := 0.0, &p.Tables[job.Phases[0].Tables[0]]
		for typ := range p.Cluster.Types {
			for _, spread := range [...]bool{false, true} {
				best = max(best, float64(tab.Rate(model.TypeID(typ), job.Shape.Min, spread)))
			}
		}
		worth := float64(job.Work) // Q/d; normalised (Q/best)/d
		if h.set.Utility == primaldual.Normalised {
			worth /= best
		}
		most += float64(worth*best) / float64(job.Work)
		if row.Finish > row.Arrive {
			got += worth / (row.Finish - row.Arrive).Seconds()
		}
	}
	terms := []sim.Term{
		{Name: "primal value measured on this run", Unit: "1/s", Value: got},
		{Name: "bound on every schedule's value", Unit: "1/s", Value: most},
		{Name: "proved competitive ratio 2α", Value: 2 * h.alpha},
	}
	if got > 0 {
		terms = append(terms, sim.Term{Name: "competitive ratio measured on this run, at most", Value: most / got})
	}
	return terms
}
