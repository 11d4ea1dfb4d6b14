package own

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// What is alike for all who state gangs that somebody wrote: within the lab, or in a program outside.

// State states a gang, up to a quota of steps if there is one, as a forked copy if so asked. It is false, and nothing
// is stated, where the plan does not take it; WrongGang says why.
func State(p *sim.Plan, j model.JobID, gang []model.Shard, quota *float64, forked bool) bool {
	if len(gang) == 0 {
		return false
	}
	if forked {
		p.OpenCopy(j, 0)
	} else {
		p.Open(j, 0)
	}
	for _, sh := range gang {
		p.Take(sh.Slot, sh.N)
	}
	if quota != nil {
		p.Quota(unit.Work(*quota))
	}
	return p.Close()
}

// WrongGang says why a plan does not take a gang.
func WrongGang(c *model.Cluster, v sim.View, p *sim.Plan, j model.JobID, gang []model.Shard) words.Text {
	total := int32(0)
	for _, sh := range gang {
		total += sh.N
		if free := p.Free(sh.Slot); free < sh.N {
			slot := c.Slots[sh.Slot]
			return words.Say("free {0} of {1}: {2} of {3}", slot.Type, slot.Node, free, v.Capacity(sh.Slot))
		}
	}
	shape := v.Shape(j)
	switch {
	case p.Holds(j) && shape.Gangs < 2:
		return words.Say("it holds GPUs in the plan; drop it first")
	case total < shape.Min || total > shape.Max:
		return words.Say("these are {0}, and it asks for {1}", policy.GPUCount(total), shape.Size)
	case v.Rate(j, 0, gang) <= 0:
		return words.Say("it has no speed on them")
	}
	return words.Say("it cannot hold these")
}

// WithNames is what WrongGang says, with the names of types and nodes.
func WithNames(c *model.Cluster, says words.Text) words.Text {
	args := slices.Clone(says.Args())
	for i, a := range args {
		switch a := a.(type) {
		case model.TypeID:
			args[i] = c.Types[a].Name
		case model.NodeID:
			args[i] = c.Nodes[a].Name
		}
	}
	return words.Say(says.Pattern(), args...)
}

// Named is that in English.
func Named(c *model.Cluster, says words.Text) string { return WithNames(c, says).String() }

// Waits records why jobs wait to whom a plan gives nothing: there is no room for their gangs, or whoever planned chose
// so.
func Waits(c *model.Cluster, pl *place.Placer, v sim.View, p *sim.Plan, w *sim.Why) {
	free, _ := place.Free(c, p)
	for _, j := range v.Active() {
		if p.Holds(j) || w.Detail == nil && v.Explained(j) {
			continue
		}
		size, fits := v.Shape(j).Size, false
		for _, t := range pl.Types(c, v, j) {
			fits = fits || free >= size && pl.OnType(c, p, size, t.Type) != nil
		}
		if !fits {
			policy.WaitForRoom(c, v, p, w, j)
			continue
		}
		w.Wait(j, trace.WaitChoice, float64(size), float64(free), 0)
		if w.Detail != nil {
			w.Detail.Of(j).Says = words.Say("the program gives it nothing, though {0} would fit", policy.GPUCount(size))
		}
	}
}
