package gavel

import (
	"math"
	"slices"

	"hadarlab/core/lp"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Least attained service is Gavel's plain fairness: whoever has had the least, measured against an
// equal share of every type, is to have more. The variant blind to types shows what knowing the speeds
// is worth; it lets the types choose in random order, as the published code does for policies that
// cannot tell them apart.
func init() {
	policy.Register(&policy.Spec{
		ID: "gavel-las", Alias: "gavel", Title: "Gavel, max-min fairness", Rev: 1,
		Summary: "Splits each job's time over GPU types so that the least normalised progress is as large as possible; a gang keeps to one type.",
		Source:  "Gavel (OSDI 2020), heterogeneity-aware LAS, with its round mechanism",
		Formula: "Target: max min of normalised throughput = throughput(Target) ÷ throughput(time spread as the cluster’s GPUs) × GPUs ÷ weight; Priority = Target ÷ Received, each round the largest goes first",
		Cadence: policy.Fixed(roundsCadence),
		Params:  []policy.Param{minReset, useWeights},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return newGavel(m, v, leastAttained(v.Bool(useWeights.Name), false), false), nil
		},
	})
}

func init() {
	shuffle := policy.Param{Name: "shuffle_types", Title: "Types choose in random order", Kind: policy.Bool,
		Default: true,
		Help:    "As the original does for policies that cannot tell types apart. Off: by single-precision rate, the highest first."}
	policy.Register(&policy.Spec{
		ID: "gavel-las-agnostic", Title: "Gavel, blind to types", Rev: 1,
		Summary: "Max-min fairness that takes every GPU type for equal: what heterogeneity awareness is measured against.",
		Source:  "Gavel (OSDI 2020), the agnostic LAS baseline",
		Formula: "Target: max min of normalised throughput = Σ Target × GPUs ÷ weight, all types alike; Priority = Target ÷ Received, each round the largest goes first",
		Cadence: policy.Fixed(roundsCadence),
		Params:  []policy.Param{minReset, shuffle},
		Random:  func(v policy.Values) bool { return v.Bool(shuffle.Name) },
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			g := newGavel(m, v, leastAttained(true, true), false)
			if v.Bool(shuffle.Name) {
				g.shuffle = unit.Source(m.Seed, "gavel-las-agnostic types")
			}
			return g, nil
		},
	})
}

// useWeights is common to the fair policies.
var useWeights = policy.Param{Name: "use_weights", Title: "Use priority weights", Kind: policy.Bool, Default: true,
	Help: "Off: every job counts alike."}

// program is a sharer without memory between allocations. The jobs it is given have a speed somewhere
// and positive sizes and weights, which is all that a linear program can object to; a stalled solve
// still leaves a feasible point, which is then used.
type program struct {
	names  []sim.Term                         // of the figures, without values
	sum    func(figures []float64) words.Text // how the first is reckoned; nil = it comes from the program
	more   func(v sim.View, j model.JobID) []sim.Term
	solve  func(sv *lp.Solver, in *shareInput, x []float64)
	solver lp.Solver
}

// clone shares the functions and gives the copy a solver of its own.
func (p *program) clone() sharer {
	return &program{names: p.names, sum: p.sum, more: p.more, solve: p.solve}
}

// fractions solves the program, with the memory of the last time.
func (p *program) fractions(in *shareInput, x []float64) { p.solve(&p.solver, in, x) }

// sums are how the first figure is reckoned.
func (p *program) sums(figures []float64) words.Text {
	if p.sum == nil {
		return words.Text{}
	}
	return p.sum(figures)
}

// terms names the figures that solve sets, in their order, and adds what the policy has to say besides.
func (p *program) terms(v sim.View, j model.JobID, figures []float64) []sim.Term {
	t := named(p.names, figures)
	if p.more != nil {
		t = append(t, p.more(v, j)...)
	}
	return t
}

// named gives the figures their names; one that is NaN is left out.
func named(names []sim.Term, figures []float64) (out []sim.Term) {
	for i, t := range names {
		if t.Value = figures[i]; !math.IsNaN(t.Value) {
			out = append(out, t)
		}
	}
	return out
}

// leastAttained is least attained service as max-min fairness (Gavel, section 4): it maximises the
// least s_i/(w_i·prop_i)·Σ_j t_ij·x_ij over the jobs. agnostic takes every rate for 1, which is the
// baseline that cannot tell types apart.
func leastAttained(weights, agnostic bool) sharer {
	return &program{names: []sim.Term{{Name: "normalised throughput"}}, sum: func(f []float64) words.Text {
		if agnostic {
			return policy.Line("normalised throughput, as if all types were alike and of use to it = all its time, also on types it cannot use, × GPUs ÷ weight = {0} × {1} ÷ {2} = {3}",
				f[1], f[2], f[3], f[0])
		}
		return policy.Line("normalised throughput = throughput × GPUs ÷ weight ÷ throughput with its time spread as the cluster’s GPUs are = {0} × {1} ÷ {2} ÷ {3} = {4}",
			f[1], f[2], f[3], f[4], f[0])
	},
		solve: func(sv *lp.Solver, in *shareInput, x []float64) {
			jobs := in.Jobs
			if !weights {
				jobs.Weights = nil
			}
			if agnostic {
				jobs.Rates = slices.Repeat([]float64{1}, len(in.Rates))
			}
			r, err := lp.MaxMin(sv, &jobs)
			if err != nil {
				return
			}
			copy(x, r.X)
			in.solved("least normalised throughput", "", r.Objective, r.RelGap)
			rates, k := jobs.Rates, len(in.Capacity)
			for i, prop := range lp.Proportional(nil, rates, in.Capacity) {
				got := 0.0
				for t, rate := range rates[i*k : i*k+k] {
					got += float64(rate * x[i*k+t])
				}
				weight := 1.0
				if weights {
					weight = in.Weights[i]
				}
				in.set(i, float64(got*in.GPUs[i])/float64(prop*weight), got, in.GPUs[i], weight, prop)
			}
		}}
}
