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
	return slices.ContainsFunc(timers, func(of timed) bool { return len(t.Points(of.quantity)) > 0 })
}

// timed is what a run tells of the timers for a tier.
type timed struct {
	quantity *trace.Quantity
	tier     model.Tier
}

var timers = []timed{{&trace.WaitsNode, model.OneNode}, {&trace.WaitsRack, model.OneRack}}

// mostTimers is how many timers have a curve.
const mostTimers = 8

// Timers are those of runs of one scenario, the ones that change most, by GPUs and tier. Where there are no racks,
// nobody waits for one.
func Timers(runs []*trace.Trace, racks bool) []Timer {
	var all []Timer
	for i, t := range runs {
		for _, told := range timers {
			if !racks && told.tier > model.OneNode {
				continue
			}
			for _, p := range t.Points(told.quantity) {
				t.Pace.Did(1)
				timerOf(&all, p.Of, told.tier, runs).set(i, t.Rounds[p.Round].At, p.Value)
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

// set has the timer of a run be so many seconds from an instant on.
func (z *Timer) set(run int, at unit.Tick, seconds float64) {
	s, endless := &z.Runs[run], seconds >= Endless
	switch first := len(s.V) == 0 && !z.Endless[run]; {
	case first:
		z.Began[run] = endless
	case endless != z.Endless[run] || !endless && seconds != s.V[len(s.V)-1]:
		z.Turns[run]++
	}
	if z.Endless[run] = endless; !endless {
		s.add(at, seconds)
	}
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
