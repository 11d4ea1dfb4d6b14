package gavel

import (
	"math/rand/v2"

	"hadarlab/core/lp"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

// Two policies without a program: a queue, and even slices. Even slices are the yardstick of
// finish-time fairness. The queue follows the published code and not the paper's formula, which lp.FIFO has.
func init() {
	policy.Register(&policy.Spec{
		ID: "gavel-fifo", Title: "Gavel, first in first out", Rev: 1,
		Summary: "Gives each job in order of arrival all the time of its fastest type that has room, until one finds no type with enough free GPUs, whatever its speed there; one that cannot use those is passed over.",
		Source:  "Gavel (OSDI 2020), heterogeneity-aware FIFO as its published code has it: greedy, anew at each allocation",
		Formula: "Target: in order of arrival, 1 on the fastest type that has room; Priority = Target ÷ Received, each round the largest goes first",
		Cadence: policy.Fixed(roundsCadence),
		Params:  []policy.Param{minReset, drawTypes},
		Random:  func(v policy.Values) bool { return v.Bool(drawTypes.Name) },
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			queue := &program{names: []sim.Term{{Name: "place in the queue"}}, solve: greedy}
			if v.Bool(drawTypes.Name) {
				random := unit.Source(m.Seed, "gavel-fifo types")
				return newGavel(m, v, &drawn{queue, random}, true), nil
			}
			return newGavel(m, v, queue, true), nil
		},
	})
	policy.Register(&policy.Spec{
		ID: "gavel-isolated", Title: "Gavel, isolated slices", Rev: 1,
		Summary: "Gives each of n jobs one n-th of every GPU type, as if the cluster were divided; what finish-time fairness is measured against.",
		Source:  "Gavel (OSDI 2020), the isolated baseline, with a fixed order of types",
		Formula: "Target = GPUs of the type ÷ (number of jobs × GPUs asked for), 1 in all at most; Priority = Target ÷ Received, each round the largest goes first",
		Cadence: policy.Fixed(roundsCadence),
		Params:  []policy.Param{minReset},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return newGavel(m, v, &program{names: []sim.Term{{Name: "isolated throughput", Unit: "steps/s"}},
				solve: isolated}, false), nil
		},
	})
}

// drawTypes is what the queue's knowledge of speeds is measured against.
var drawTypes = policy.Param{Name: blind.Name, Title: blind.Title, Kind: policy.Bool, Default: false,
	Help: "On: at each allocation each job takes a type drawn among those that have room and that it can use."}

// drawn is the queue that cannot tell types apart (ours: the authors' code may send a job to a type that is full).
type drawn struct {
	*program
	random *rand.PCG
}

// clone goes on with the same draws.
func (d *drawn) clone() sharer {
	random := *d.random
	return &drawn{d.program, &random}
}

// fractions is greedy with draws in place of speeds.
func (d *drawn) fractions(in *shareInput, x []float64) {
	known := in.Rates
	defer func() { in.Rates = known }()
	random := rand.New(d.random)
	in.Rates = make([]float64, len(known))
	for i, rate := range known {
		if draw := float64(random.Float64()); rate > 0 {
			in.Rates[i] = 1 + draw
		}
	}
	greedy(nil, in, x)
}

// greedy gives each job in order of arrival all the time of its fastest type that has room, until no type has room
// for one, whatever its speed there: that one blocks the queue, as in the authors' code. The paper's program for FIFO
// is lp.FIFO.
func greedy(_ *lp.Solver, in *shareInput, x []float64) {
	k := len(in.Capacity)
	left := append([]float64(nil), in.Capacity...)
	for i := range in.ids {
		in.set(i, float64(i+1))
	}
	for i, need := range in.GPUs {
		best := -1
		for t := range k { // types are in the order of their names
			if left[t] >= need && (best < 0 || in.Rates[i*k+t] > in.Rates[i*k+best]) {
				best = t
			}
		}
		if best < 0 {
			in.blocked = in.ids[i]
			return
		}
		if in.Rates[i*k+best] > 0 {
			x[i*k+best] = 1
			left[best] -= need
		}
	}
}

// isolated gives each job the same part of every type, whatever it is good for.
func isolated(_ *lp.Solver, in *shareInput, x []float64) {
	copy(x, lp.IsolatedShares(nil, in.GPUs, in.Capacity))
	for i := range in.ids {
		in.set(i, in.throughput(i, x))
	}
}
