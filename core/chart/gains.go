package chart

import (
	"cmp"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Gain is what a job's completion time is longer in the second run than in the first; positive = it does better in
// the first. Known is false for a job that does not end in both.
type Gain struct {
	Job   int32
	By    unit.Tick
	Known bool
}

// Gains are those of all jobs that are measured, greatest first; jobs that end in one run only come first or last. Left
// out are those that end in neither, and those of which it is not known whether they would have ended in as long, since
// a run was stopped.
func Gains(a, b *trace.Trace) []Gain {
	var out []Gain
	for i, w := int(a.Measured().From), a.Measured(); i < min(int(w.To), len(b.Jobs)); i++ {
		x, y := &a.Jobs[i], &b.Jobs[i]
		g := Gain{Job: int32(i)}
		switch {
		case x.Finish < 0 && y.Finish < 0, x.Finish < 0 && stopped(a, y.Finish), y.Finish < 0 && stopped(b, x.Finish):
			continue
		case y.Finish < 0:
			g.By = unit.Never
		case x.Finish < 0:
			g.By = -unit.Never
		default:
			g.Known, g.By = true, y.CompletionTime()-x.CompletionTime()
		}
		out = append(out, g)
	}
	unit.Sort(out, func(a, b Gain) int { return cmp.Compare(b.By, a.By) })
	return out
}

// stopped says whether a run was ended from outside before an instant.
func stopped(t *trace.Trace, at unit.Tick) bool {
	return (t.Outcome == trace.Stopped || t.Outcome == trace.Overloaded) && t.End < at
}

// GainMost is the greatest difference of a job that ends in both runs, at least a tick.
func GainMost(gains []Gain) unit.Tick {
	most := unit.Tick(1)
	for _, g := range gains {
		if g.Known {
			most = max(most, g.By, -g.By)
		}
	}
	return most
}
