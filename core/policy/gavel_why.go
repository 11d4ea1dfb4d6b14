package policy

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/share"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
)

// record states a reason for every job. One that runs is told by where it stands on its type; one that
// waits by the highest priority that it has anywhere, alone or in a pair, since that is where it was
// nearest to a turn.
func (g *gavel) record(v sim.View, w *sim.Why) {
	jobs := len(v.Active()) // the first candidates; pairs come after them
	for i := range g.cands[:jobs] {
		c := &g.cands[i]
		on := g.picked(c.Job)
		if w.Detail != nil {
			w.Detail.Choices = append(w.Detail.Choices, g.detail(v, c))
		}
		switch {
		case on != nil && on.Mate >= 0:
			s := g.mech.Standing(&on.Candidate, on.Type)
			mate := on.Mate
			if mate == c.Job {
				mate = on.Job
			}
			w.WaitFor(c.Job, trace.Placed, mate, s.Priority, s.Target, s.Received) // as Chose, with the other job
		case on != nil:
			s := g.mech.Standing(c, on.Type)
			w.Chose(c.Job, s.Priority, s.Target, s.Received)
		case !runs(c):
			total, most := int32(0), int32(0)
			for t := range g.cluster.Types {
				n := v.CapacityOf(model.TypeID(t))
				total, most = total+n, max(most, n)
			}
			w.Wait(c.Job, trace.WaitShape, float64(c.GPUs), float64(total), float64(most))
		case !g.mech.Allocated(c):
			w.Wait(c.Job, trace.WaitReset, max(0, g.mech.NextReset()-v.Now()).Seconds(), 0, 0)
		case g.strict && c.Job == g.blocked:
			w.Wait(c.Job, trace.WaitFull, float64(c.GPUs), float64(slices.Max(g.free)), 0)
		case g.strict && g.blocked >= 0 && c.Job > g.blocked:
			w.WaitFor(c.Job, trace.WaitOrder, g.blocked, float64(c.GPUs), float64(slices.Max(g.free)), 0)
		default:
			best := g.best(share.Standing{}, c)
			for k := jobs; k < len(g.cands); k++ {
				if q := &g.cands[k]; q.Job == c.Job || q.Mate == c.Job {
					best = g.best(best, q)
				}
			}
			w.Wait(c.Job, trace.WaitShare, best.Target, best.Received, best.Priority)
		}
	}
	if w.Detail != nil {
		w.Detail.Terms = g.summary
		for _, q := range g.picks {
			w.Detail.Order = append(w.Detail.Order, q.Job)
		}
	}
}

// detail collects what the allocation says of a job and where it stands on each type.
func (g *gavel) detail(v sim.View, c *share.Candidate) sim.Choice {
	ch := sim.Choice{Job: c.Job, Shares: g.shares(c)}
	if g.mech.Allocated(c) {
		ch.Terms = g.sharer.terms(v, c.Job, g.figures[int(c.Job)*maxFigures:][:maxFigures])
	}
	return ch
}
