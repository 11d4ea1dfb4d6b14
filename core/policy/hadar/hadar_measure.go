package hadar

import (
	"hadarlab/core/model"
	"hadarlab/core/primaldual"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Measure sets the run beside the bound that is proved for Hadar's family: total utility at least 1/(2α) of the best
// schedule's. Its premises (a demand small against each node, constants known beforehand) do not hold here, so that it
// is named as a bound of theory.
// The best is not known; the sum of every job's utility at its greatest speed from its arrival on is a bound on it
// (hadar.md, The bound) as long as a job has one gang of the size and batch that it asks for, and no GPU is shared, so
// that the ratio shown is at least the true one. α is the largest of the run's rounds, since the price constants are
// computed anew each round (ours).
func (h *hadar) Measure(p *model.Problem, t *trace.Trace) []sim.Term {
	if h.set.Utility > primaldual.Effective || h.alpha == 0 {
		return nil // the others are weighted by the state of the moment and have no sum over the run
	}
	got, most, normalised := 0.0, 0.0, h.set.Utility == primaldual.Normalised
	for i := range t.Jobs {
		job, row := &p.Jobs[i], &t.Jobs[i]
		if row.Arrive > t.End {
			continue
		}
		least := p.Duration(job, func(tab *model.Throughput) (best unit.Rate) { // seconds of lifetime
			for typ := range p.Cluster.Types {
				for tier := range model.Tier(model.Tiers) {
					best = max(best, tab.Rate(model.TypeID(typ), job.Shape.Size, tier))
				}
			}
			return best
		})
		worth, floor := float64(job.Work), 0.0
		if normalised {
			floor = h.round.Seconds()
			worth = max(least, floor)
		}
		most += worth / max(least, floor)
		if row.Finish > row.Arrive {
			got += worth / max((row.Finish-row.Arrive).Seconds(), floor)
		}
	}
	u := utilityUnit(h.set.Utility)
	terms := []sim.Term{
		{Name: "primal value measured on this run", Unit: u, Value: got},
		{Name: "bound on the value of schedules of only the gangs asked for", Unit: u, Value: most},
		{Name: "theoretical bound of Hadar’s family on the competitive ratio, 2α", Value: 2 * h.alpha},
	}
	if got > 0 {
		terms = append(terms, sim.Term{
			Name: "competitive ratio measured on this run, against such schedules, at most", Value: most / got})
	}
	return terms
}

// utilityUnit is the unit of a utility, and with it that of costs, payoffs and prices; "" means plain
// numbers.
func utilityUnit(u primaldual.Utility) string {
	switch u {
	case primaldual.Effective:
		return "steps/s"
	case primaldual.AvgJCT:
		return "s"
	}
	return ""
}
