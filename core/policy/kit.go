package policy

import (
	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Plain has policies that are made from then on use only the plain forms of their algorithms, as the literature writes
// them. The faster forms decide the same (TestPlainAndFastAgree). It is set before anything runs.
var Plain bool

// ByJob is what a policy keeps of each job from decision to decision. It grows as jobs come.
type ByJob[T any] []T

// Of is what is kept of j. Of jobs that nothing was kept of yet, older ones too, that is fresh.
func (b *ByJob[T]) Of(j model.JobID, fresh T) *T {
	for int(j) >= len(*b) {
		*b = append(*b, fresh)
	}
	return &(*b)[j]
}

// WaitForRoom records that j's gang does not fit on what is free: too few GPUs are, or there would be
// enough but not where the gang could use them. A job whose reason is recorded is passed,
// unless this decision is being explained.
func WaitForRoom(c *model.Cluster, v sim.View, p *sim.Plan, w *sim.Why, j model.JobID) {
	if w.Detail == nil && v.Explained(j) {
		return
	}
	size := v.Shape(j).Size
	free, one := place.Free(c, p)
	code := trace.WaitShape
	if free < size {
		code = trace.WaitFull
	}
	w.Wait(j, code, float64(size), float64(free), float64(one))
}

// BestRate is the job's speed on its best type, at its size.
func BestRate(c *model.Cluster, v sim.View, j model.JobID) float64 {
	best := unit.Rate(0)
	for t := range c.Types {
		best = max(best, v.Speed(j, 0).Rate(model.TypeID(t), v.Shape(j).Size, model.OneNode))
	}
	return float64(best)
}

// Speeds are a job's speeds by type, at its size.
func Speeds(v sim.View, j model.JobID) func(model.TypeID) float64 {
	size, speed := v.Shape(j).Size, v.Speed(j, 0)
	return func(t model.TypeID) float64 { return float64(speed.Rate(t, size, model.OneNode)) }
}
