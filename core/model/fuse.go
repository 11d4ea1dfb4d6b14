package model

import (
	"cmp"
	"slices"

	"hadarlab/core/unit"
)

// Fusion is which jobs train as one wide model on one GPU (horizontal fusion, HFTA, MLSys 2021), and what that costs.
type Fusion struct {
	Arrays []Array   // by when they come, then by their oldest member; no job is in two
	Refuse unit.Tick // stall of those that go on where a member ends
}

// Array is jobs that train side by side, step by step, in one gang of one GPU. To policies it is one job in the place
// of its oldest member. One of a single member is a job that was held for others, and none came.
type Array struct {
	Members []JobID   // by their ids: the oldest first
	At      unit.Tick // when it comes to the policies: its members are held until then
	Tables  []int32   // throughput table by number of members − 1; that of one is the job's own
	Curve   Gain
}

// Gain is how a GPU's speed grows with the models that are fused on it. The paper measured one point, a curve through
// it is ours.
type Gain struct {
	Use  float64 // u, the part of a GPU that one model keeps busy, above 0
	Beta float64 // β, the part of a step that each further model adds
}

// Stretch is how much longer a step of k fused models takes than of one: T_k / T_1 = max(1 + β·(k − 1), k·u), and never
// less than 1.
func (g Gain) Stretch(k int) float64 {
	return max(1+float64(g.Beta*float64(k-1)), float64(g.Use*float64(k)), 1)
}

// Of is how much more k fused models do than one after another: k·T_1 / T_k.
func (g Gain) Of(k int) float64 { return float64(k) / g.Stretch(k) }

// Fits is how many models that take memory GiB each, of which framework GiB are there once, a GPU of so many GiB holds:
// at least one.
func Fits(gpu, memory, framework float64) int {
	return max(1, int((gpu-framework)/(memory-framework)))
}

// Held groups jobs, given by when they arrive, ascending: the first is held until there are most of them, or for so
// long, and with it all that come until then. It gives the positions of each group's first, and when the group is
// released.
func Held(arrive []unit.Tick, most int, hold unit.Tick) (first []int, at []unit.Tick) {
	for i := 0; i < len(arrive); {
		n := 1
		for n < most && i+n < len(arrive) && arrive[i+n] <= arrive[i]+hold {
			n++
		}
		first = append(first, i)
		switch {
		case most < 2:
			at = append(at, arrive[i])
		case n == most:
			at = append(at, arrive[i+n-1])
		default:
			at = append(at, arrive[i]+hold)
		}
		i += n
	}
	return first, at
}

// Fused is the problem as policies and kernel have it: the oldest member of each array stands for the array. Its phases
// are those in which the array has so many members, and its work is that of the longest of them. It has no copies.
func (p *Problem) Fused() *Problem {
	if p.Fusion == nil {
		return p
	}
	q := *p
	q.Jobs = slices.Clone(p.Jobs)
	for i := range p.Fusion.Arrays {
		a := &p.Fusion.Arrays[i]
		byWork := slices.Clone(a.Members)
		unit.Sort(byWork, func(x, y JobID) int {
			return cmp.Or(cmp.Compare(p.Jobs[x].Work, p.Jobs[y].Work), int(x-y))
		})
		j, from := &q.Jobs[a.Members[0]], unit.Work(0)
		j.Phases = nil
		for done, m := range byWork {
			if done == 0 || p.Jobs[m].Work > from {
				j.Phases = append(j.Phases, Phase{From: from, Tables: []int32{a.Tables[len(byWork)-1-done]}})
			}
			from = p.Jobs[m].Work
			if wish := p.Jobs[m].SLO; wish > 0 { // the array's is the earliest of its members
				if wish += p.Jobs[m].Arrive - j.Arrive; j.SLO == 0 || wish < j.SLO {
					j.SLO = wish
				}
			}
		}
		j.Work, j.Shape.Gangs = from, 1
	}
	return &q
}
