package main

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// A job that asks for few GPUs leaves most to others, and fits soonest.
func init() {
	policy.Register(&policy.Spec{
		ID: "smallest", Title: "Smallest first", Rev: 1,
		Summary: "Waiting jobs start in order of the GPUs they ask for, fewest first; what runs is left alone.",
		Source:  "an example",
		Formula: "GPUs asked for, fewest first; what does not fit is passed",
		Cadence: policy.Fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		New: func(m model.Public, _ policy.Values) (sim.Policy, error) {
			return &smallest{cluster: m.Cluster}, nil
		},
	})
}

// smallest keeps nothing between decisions.
type smallest struct {
	cluster *model.Cluster
	placer  place.Placer
}

// Clone implements sim.Policy.
func (s *smallest) Clone() sim.Policy { return &smallest{cluster: s.cluster} }

// Decide implements sim.Policy: the plan begins as what everybody holds, and waiting jobs are added to it.
func (s *smallest) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	queue := slices.Clone(v.Waiting()) // by age, which a stable sort keeps among equals
	size := func(j model.JobID) int32 { return v.Shape(j).Size }
	slices.SortStableFunc(queue, func(a, b model.JobID) int { return cmp.Compare(size(a), size(b)) })
	for at, j := range queue {
		if s.placer.Fastest(s.cluster, v, p, j) {
			w.Chose(j, 0, 0, 0)
		} else {
			free, one := place.Free(s.cluster, p)
			code := trace.WaitShape // GPUs are free, but not of a kind or in a place that it can take
			if free < size(j) {
				code = trace.WaitFull
			}
			w.Wait(j, code, float64(size(j)), float64(free), float64(one))
		}
		if w.Detail != nil { // somebody asks why
			w.Detail.Of(j).Says = words.Say("it asks for {0}, which puts it at place {1} of those who wait",
				words.Count(int(size(j)), "{0} GPU", "{0} GPUs"), at+1)
		}
	}
	if w.Detail != nil {
		w.Detail.Order = append(w.Detail.Order, queue...)
	}
}
