package chart

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Endless is what a run notes of a timer without an end, in s.
const Endless = 1e9

// Timer is how long jobs that ask for so many GPUs wait for a tier before they take the next one, over time: a step
// curve a run, in s, from the first decision on at which such a job asks and the timer has an end.
type Timer struct {
	GPUs    int32
	Tier    model.Tier
	Runs    []Series
	Turns   []int  // a run: how often it changes
	Began   []bool // a run: without an end
	Endless []bool // a run: so it is in the end
}

// Timed says whether jobs of a run wait by timers.
func Timed(t *trace.Trace) bool {
	return slices.ContainsFunc(t.Reasons, func(r trace.Reason) bool { return r.Code == trace.Timer })
}

// mostTimers is how many timers have a curve.
const mostTimers = 8

// Timers are those of runs of one scenario, the ones that change most, by GPUs and tier. Where there are no racks,
// nobody waits for one.
func Timers(runs []*trace.Trace, racks bool) []Timer {
	var all []Timer
	for i, t := range runs {
		round := 0
		for k := range t.Reasons {
			t.Pace.Did(1)
			r := &t.Reasons[k]
			for round+1 < len(t.Rounds) && int(t.Rounds[round+1].Reason) <= k {
				round++
			}
			if r.Code != trace.Timer || !racks && model.Tier(r.Num[1]) > model.OneNode {
				continue
			}
			of := timerOf(&all, int32(r.Num[0]), model.Tier(r.Num[1]), runs)
			v, s := r.Num[2], &of.Runs[i]
			endless := v >= Endless
			switch first := len(s.V) == 0 && !of.Endless[i]; {
			case first:
				of.Began[i] = endless
			case endless != of.Endless[i] || !endless && v != s.V[len(s.V)-1]:
				of.Turns[i]++
			}
			if of.Endless[i] = endless; !endless {
				s.add(t.Rounds[round].At, v)
			}
		}
	}
	turns := func(z *Timer) (n int) {
		for _, k := range z.Turns {
			n += k
		}
		return n
	}
	by := unit.Order(len(all), func(x, y int32) int { return cmp.Compare(turns(&all[y]), turns(&all[x])) })
	by = first(by, mostTimers, len(runs), func(i int32, run int) int { // one that a run has counts as a turn
		if all[i].Has(run) {
			return 2*all[i].Turns[run] + 1
		}
		return 0
	})
	out := make([]Timer, len(by))
	for k, i := range by {
		out[k] = all[i]
	}
	unit.Sort(out, func(a, b Timer) int { return cmp.Or(cmp.Compare(a.GPUs, b.GPUs), cmp.Compare(a.Tier, b.Tier)) })
	return out
}

// Has says whether a run has the timer.
func (z *Timer) Has(run int) bool { return len(z.Runs[run].V) > 0 || z.Endless[run] }

// timerOf is the timer of a demand, which is added if it is new.
func timerOf(all *[]Timer, gpus int32, tier model.Tier, runs []*trace.Trace) *Timer {
	for i := range *all {
		if z := &(*all)[i]; z.GPUs == gpus && z.Tier == tier {
			return z
		}
	}
	z := Timer{GPUs: gpus, Tier: tier, Runs: make([]Series, len(runs)), Turns: make([]int, len(runs)),
		Began: make([]bool, len(runs)), Endless: make([]bool, len(runs))}
	for i, t := range runs {
		z.Runs[i].End = t.End
	}
	*all = append(*all, z)
	return &(*all)[len(*all)-1]
}
