package gavel

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/timeshare"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// record states a reason for every job. One that runs is told by where it stands on its type; one that
// waits by the highest priority that it has anywhere, alone or in a pair, since that is where it was
// nearest to a turn.
func (g *gavel) record(v sim.View, w *sim.Why) {
	jobs := len(v.Active()) // the first candidates; pairs come after them
	for i := range g.cands[:jobs] {
		c := &g.cands[i]
		on := g.picked(c.Job)
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
		case v.Explained(c.Job) && w.Detail == nil: // nobody would hear it
		default:
			best := g.best(timeshare.Standing{}, c)
			for k := jobs; k < len(g.cands); k++ {
				if q := &g.cands[k]; q.Job == c.Job || q.Mate == c.Job {
					best = g.best(best, q)
				}
			}
			w.Wait(c.Job, trace.WaitShare, best.Target, best.Received, best.Priority)
		}
	}
	if sim.Explains && w.Detail != nil {
		g.explain(v, w)
	}
}

// mostFree is the most free GPUs of a type on which the candidate can run.
func (g *gavel) mostFree(c *timeshare.Candidate) (most int32) {
	for t, n := range g.free {
		if c.Rates[t] > 0 {
			most = max(most, n)
		}
	}
	return most
}

// explain adds to what the rounds say what the queue of a strict policy does, and the figures of the allocation.
func (g *gavel) explain(v sim.View, w *sim.Why) {
	w.Detail.Sections = append(w.Detail.Sections, g.summary...)
	g.explainShares(v, w)
	for i := range v.Active() {
		c := &g.cands[i]
		d := w.Detail.Of(c.Job)
		switch code, _ := w.Given(c.Job); {
		case code == trace.WaitFull && g.mostFree(c) >= c.GPUs:
			d.Says = words.Say("it did not fit when the shares were computed; {0}", g.whenAnew(v))
		case code == trace.WaitFull:
			d.Says = words.Say(
				"it was the first that did not fit when the shares were computed; it needs {0} of one type at once, and no type that it can use has more than {1} free",
				policy.GPUCount(c.GPUs), g.mostFree(c))
		case code == trace.WaitOrder:
			d.Says = words.Say(
				"{0} comes first and did not fit when the shares were computed, and nobody may overtake it",
				g.blocked)
		}
		if g.mech.Allocated(c) {
			figures := g.figures[int(c.Job)*maxFigures:][:maxFigures]
			s := &sim.Section{Terms: g.sharer.terms(v, c.Job, figures)}
			if x, has := g.sharer.(interface{ sums([]float64) words.Text }); has {
				if sum := x.sums(figures); !sum.IsZero() {
					s.Formula = []words.Text{sum}
				}
			}
			if len(s.Terms) > 0 {
				d.Sections = append(d.Sections, s)
			}
		}
	}
}
