package lab

import (
	"cmp"

	"hadarlab/core/message"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// flipEnds is how many kernel events the runs to the end may take, beside those of the search.
const flipEnds = 200_000

// finish orders what was found, and runs the scenario as it is and with each change to its end, for the mean
// completions; more is false when that is done or its limit is reached.
func (f *Flip) finish(events int) (more bool) {
	if f.whole != nil {
		f.res.Found = unit.InOrder(f.res.Found, func(a, b *message.FlipChange) int { return cmp.Compare(a.Size, b.Size) })
		f.res.Found = f.res.Found[:min(flipFound, len(f.res.Found))]
		f.run, f.whole, f.left = f.whole, nil, flipEnds
	}
	for len(f.res.Found) > 0 && f.ended <= len(f.res.Found) {
		if f.run == nil {
			c := &f.res.Found[f.ended-1]
			f.run = f.open(&flipTry{pointer: c.Pointer, to: c.To}) // it was allowed before
			events, f.left = events-16, f.left-16
		}
		going := true
		for ; events > 0 && f.left > 0 && going; events, f.left = events-1, f.left-1 {
			going = f.run.Step()
		}
		if f.left <= 0 && going {
			return false
		}
		if going {
			return true
		}
		if f.ended == 0 {
			f.res.AvgJCTS = meanCompletion(f.run)
		} else {
			f.res.Found[f.ended-1].AvgJCTS = meanCompletion(f.run)
		}
		f.run, f.ended = nil, f.ended+1
	}
	return false
}

// meanCompletion is the mean completion time of a finished run in seconds, nil unless every job is done.
func meanCompletion(r *sim.Run) *float64 {
	t, outcome := r.Result()
	if outcome != trace.Done || len(t.Jobs) == 0 {
		return nil
	}
	sum := unit.Tick(0)
	for i := range t.Jobs {
		sum += t.Jobs[i].Finish - t.Jobs[i].Arrive
	}
	mean := sum.Seconds() / float64(len(t.Jobs))
	return &mean
}
