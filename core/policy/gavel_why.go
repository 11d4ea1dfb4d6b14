package policy

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/share"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// record states the reasons: priority, target and received share on the type that matters.
func (g *gavel) record(v sim.View, w *sim.Why, picks []share.Pick) {
	pickOf := func(j model.JobID) *share.Pick {
		for i := range picks {
			if p := &picks[i]; p.Allocated && (p.Job == j || p.Mate == j) {
				return p
			}
		}
		return nil
	}
	for i := range g.cands {
		c := &g.cands[i]
		on := pickOf(c.Job)
		if w.Detail != nil {
			w.Detail.Choices = append(w.Detail.Choices, g.detail(v, c))
		}
		switch {
		case on != nil && on.Pair >= 0:
			target, got, priority, _ := g.mech.PairStanding(on.Pair, on.Type, 1)
			mate := on.Mate
			if mate == c.Job {
				mate = on.Job
			}
			w.WaitFor(c.Job, trace.Placed, mate, priority, target, got) // as Chose, with the other job
		case on != nil:
			target, got, priority, _ := g.mech.Standing(c.Job, on.Type, c.Rates[on.Type])
			w.Chose(c.Job, priority, target, got)
		case !runs(c):
			total, most := int32(0), int32(0)
			for t := range g.cluster.Types {
				n := g.count(v, model.TypeID(t))
				total, most = total+n, max(most, n)
			}
			w.Wait(c.Job, trace.WaitShape, float64(c.GPUs), float64(total), float64(most))
		case !g.mech.Allocated(c.Job):
			w.Wait(c.Job, trace.WaitReset, max(0, g.mech.NextReset()-v.Now()).Seconds(), 0, 0)
		case g.strict && c.Job == g.blocked:
			w.Wait(c.Job, trace.WaitFull, float64(c.GPUs), float64(slices.Max(g.free)), 0)
		case g.strict && g.blocked >= 0 && c.Job > g.blocked:
			w.WaitFor(c.Job, trace.WaitOrder, g.blocked, float64(c.GPUs), float64(slices.Max(g.free)), 0)
		default:
			best, bestTarget, bestGot := 0.0, 0.0, 0.0
			for t := range c.Rates {
				if target, got, priority, _ := g.mech.Standing(c.Job, model.TypeID(t), c.Rates[t]); priority > best {
					best, bestTarget, bestGot = priority, target, got
				}
			}
			for _, q := range g.pairs {
				for t := range q.Rates {
					if target, got, priority, _ := g.mech.PairStanding(q.Pair, model.TypeID(t),
						q.Rates[t]); (q.A == i || q.B == i) && priority > best {
						best, bestTarget, bestGot = priority, target, got
					}
				}
			}
			w.Wait(c.Job, trace.WaitShare, bestTarget, bestGot, best)
		}
	}
	if w.Detail != nil {
		w.Detail.Terms = g.summary
		for _, q := range picks {
			w.Detail.Order = append(w.Detail.Order, q.Job)
		}
	}
}

func (g *gavel) detail(v sim.View, c *share.Candidate) sim.Choice {
	ch := sim.Choice{Job: c.Job}
	if g.mech.Allocated(c.Job) {
		ch.Terms = g.sharer.terms(v, c.Job, g.figures[int(c.Job)*maxFigures:][:maxFigures])
	}
	for _, t := range g.cluster.BySpeed {
		target, got, priority, deficit := g.mech.Standing(c.Job, t, c.Rates[t])
		ch.Shares = append(ch.Shares, sim.Share{Type: t, Target: target, Received: got, Priority: priority,
			Deficit: unit.Seconds(deficit), Rate: c.Rates[t]})
	}
	return ch
}
