package trace

import (
	"slices"

	"hadarlab/core/unit"
)

// Placement is a gang on numbered GPUs, from the moment it takes them until it gives them up. GPUs are
// numbered through the cluster, slot by slot. The trace itself only counts GPUs, since those of a slot
// are alike; whoever draws or exports single GPUs assigns them (package chart) and hands them in here.
type Placement struct {
	Job, With int32   // With is the next other member of the gang, -1 = alone
	Others    []int32 // further members of an array
	From, To  unit.Tick
	GPUs      []int32 // ascending
	Pauses    []Pause // in order
}

// Pause is a stretch of a placement without progress.
type Pause struct {
	Kind     Kind // Stall or Hold
	From, To unit.Tick
}

// firstGPU is the number of each slot's first GPU.
func (t *Trace) firstGPU() []int32 {
	first, n := make([]int32, len(t.Slots)), int32(0)
	for i, s := range t.Slots {
		first[i] = n
		n += s.Cap
	}
	return first
}

// slotOfGPU is the slot of each GPU.
func (t *Trace) slotOfGPU() []int32 {
	var of []int32
	for i, s := range t.Slots {
		of = append(of, slices.Repeat([]int32{int32(i)}, int(s.Cap))...)
	}
	return of
}

// cut says whether what ends at an instant only ends there because the run does.
func (t *Trace) cut(job int32, at unit.Tick) bool {
	return t.Jobs[job].Finish < 0 && at >= t.End
}

// byJob lists the placements that a job takes part in, by start.
func byJob(t *Trace, all []Placement) [][]*Placement {
	of := make([][]*Placement, len(t.Jobs))
	for i := range all {
		t.Pace.Did(1)
		p := &all[i]
		of[p.Job] = append(of[p.Job], p)
		if p.With >= 0 {
			of[p.With] = append(of[p.With], p)
		}
		for _, j := range p.Others {
			of[j] = append(of[j], p)
		}
	}
	for i := range of {
		unit.SortByTickPaced(of[i], func(p **Placement) unit.Tick { return (*p).From }, t.Pace)
	}
	return of
}
