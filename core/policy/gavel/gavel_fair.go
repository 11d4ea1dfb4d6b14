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

// These policies go beyond one max-min step: water filling raises those above the least as well, the
// hierarchical policy does so among tenants first, and finish-time fairness looks at the whole life of
// a job. The paper finds the jobs that can rise no further with an integer program; here the prices of
// the linear program tell, which is exact.
func init() {
	policy.Register(&policy.Spec{
		ID: "gavel-waterfill", Title: "Gavel, water filling", Rev: 1,
		Summary: "Max-min fairness that goes on: once the least normalised progress cannot be raised, the second least is, and so on.",
		Source:  "Gavel (OSDI 2020), LAS with water filling; levels exact by dual prices instead of an integer program",
		Formula: "Target: max min of progress = throughput(Target) ÷ throughput(time spread as the cluster’s GPUs) × GPUs ÷ weight, then the next least, and so on; Priority = Target ÷ Received, each round the largest goes first",
		Cadence: policy.Fixed(roundsCadence),
		Params:  []policy.Param{minReset, useWeights},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return newGavel(m, v, waterFill(v.Bool(useWeights.Name)), false), nil
		},
	})
	policy.Register(&policy.Spec{
		ID: "gavel-hierarchical", Title: "Gavel, fairness among tenants", Rev: 1,
		Summary: "Water filling among tenants by their weights; inside a tenant jobs share by weight, or the earliest goes first.",
		Source:  "Gavel (OSDI 2020), hierarchical policy; levels exact by dual prices instead of an integer program",
		Formula: "Target: max min of progress ÷ tenant’s weight, level by level; inside a tenant by weight, or the earliest first; Priority = Target ÷ Received, each round the largest goes first",
		Cadence: policy.Fixed(roundsCadence),
		Params:  []policy.Param{minReset},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return newGavel(m, v, &program{names: []sim.Term{{Name: "level"}}, more: tenant, solve: hierarchical},
				false), nil
		},
	})
	policy.Register(&policy.Spec{
		ID: "gavel-ftf", Title: "Gavel, finish-time fairness", Rev: 1,
		Summary: "Splits each job's time so that the largest ratio of its finish time to the one on a slice of its own is as small as possible.",
		Source:  "Gavel (OSDI 2020), heterogeneity-aware finish-time fairness (Themis); exact by Newton's method on its program",
		Formula: "Target: min max ρ, ρ = (time so far + steps left ÷ throughput(Target)) ÷ time on an isolated slice; Priority = Target ÷ Received, each round the largest goes first",
		Cadence: policy.Fixed(roundsCadence), Needs: policy.Needs{Lengths: true},
		Params: []policy.Param{minReset, blind},
		Random: func(v policy.Values) bool { return v.Bool(blind.Name) },
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			g := newGavel(m, v, &finishTime{blind: v.Bool(blind.Name)}, false)
			if v.Bool(blind.Name) {
				g.shuffle = unit.Source(m.Seed, "gavel-ftf types")
			}
			return g, nil
		},
	})
}

// blind is what heterogeneity awareness is measured against, as gavel-las-agnostic is for max-min fairness.
var blind = policy.Param{Name: "blind", Title: "Blind to types", Kind: policy.Bool, Default: false,
	Help: "On: takes every type to be as fast for a job as its fastest, and types choose in random order, as in the original’s counterpart."}

// waterFill is the sharer of weighted water filling (Gavel, section 4).
func waterFill(weights bool) sharer {
	return &program{names: []sim.Term{{Name: "level"}}, solve: func(sv *lp.Solver, in *shareInput, x []float64) {
		jobs := in.Jobs
		if !weights {
			jobs.Weights = nil
		}
		f, err := lp.WaterFill(sv, &jobs)
		in.filled(f, err, x)
	}}
}

// hierarchical is the sharer of water filling among tenants (Gavel, section 4): the tenants are the
// entities.
func hierarchical(sv *lp.Solver, in *shareInput, x []float64) {
	in.Of, in.Entities = in.Of[:0], in.Entities[:0]
	for _, j := range in.ids {
		in.Of = append(in.Of, in.view.Tenant(j))
	}
	for _, t := range in.view.Tenants() {
		in.Entities = append(in.Entities, lp.Entity{Weight: t.Weight, FIFO: t.FIFO})
	}
	f, err := lp.Hierarchical(sv, &in.Jobs)
	in.filled(f, err, x)
}

// tenant says whom the job belongs to.
func tenant(v sim.View, j model.JobID) []sim.Term {
	t := v.Tenants()[v.Tenant(j)]
	if t.Name == "" {
		return []sim.Term{{Name: "weight of the jobs without a tenant, shared by weight", Value: t.Weight}}
	}
	name := "weight of tenant {0}, shared by weight"
	if t.FIFO {
		name = "weight of tenant {0}, first in first out"
	}
	return []sim.Term{{Name: name, Of: t.Name, Value: t.Weight}}
}

// filled takes over the fractions and levels of a water filling.
func (in *shareInput) filled(f lp.Filling, err error, x []float64) {
	if err != nil {
		return
	}
	copy(x, f.X)
	in.solved("first level", "", f.Objective, f.RelGap)
	solver := in.summary[0]
	solver.Terms = append(solver.Terms, sim.Named("times that jobs were frozen", float64(f.Stages), ""))
	for i, y := range f.Levels {
		in.set(i, y)
	}
}

// finishTime is the sharer of finish-time fairness. It keeps how much of its isolated time each job has
// used up, which advances with real progress, measured by the isolated throughput at the previous
// allocation.
type finishTime struct {
	blind  bool // every type counts as a job's fastest (the published code has the speed on V100)
	solver lp.Solver
	past   policy.ByJob[progress]
}

// progress is a job as the last allocation saw it.
type progress struct {
	seen      bool
	left, iso float64 // at the previous allocation: steps, steps/s
	used      float64 // s of isolated time
}

// clone copies what is booked; the solver's memory is the copy's own.
func (f *finishTime) clone() sharer { return &finishTime{blind: f.blind, past: slices.Clone(f.past)} }

// fractions books the progress since the last allocation and solves for the least largest ρ. The state
// must advance even where the program fails, so it is booked first.
func (f *finishTime) fractions(in *shareInput, x []float64) {
	if f.blind {
		known, k := in.Rates, len(in.Capacity)
		defer func() { in.Rates = known }()
		in.Rates = nil
		for i := range in.ids {
			in.Rates = append(in.Rates, slices.Repeat([]float64{slices.Max(known[i*k : i*k+k])}, k)...)
		}
	}
	n, now := len(in.ids), in.view.Now()
	left, elapsed, used := in.remaining(), make([]float64, n), make([]float64, n)
	iso := lp.Isolated(nil, in.Rates, in.GPUs, in.Capacity)
	for i, j := range in.ids {
		p := f.past.Of(j, progress{})
		if p.seen {
			p.used += math.Max(0, p.left-left[i]) / p.iso
		}
		p.seen, p.left, p.iso = true, left[i], iso[i]
		elapsed[i], used[i] = (now - in.view.Arrive(j)).Seconds(), p.used
	}
	in.Left, in.Elapsed, in.Used = left, elapsed, used
	r, err := lp.FinishTime(&f.solver, &in.Jobs)
	if err != nil {
		return
	}
	copy(x, r.X)
	in.solved("largest rho", "", r.Objective, r.RelGap)
	for i := range in.ids {
		alone, here := used[i]+left[i]/iso[i], elapsed[i]+left[i]/in.throughput(i, x)
		in.set(i, here/alone, here, alone)
	}
}

// terms names the figures that fractions sets, in their order.
func (f *finishTime) terms(_ sim.View, _ model.JobID, figures []float64) []sim.Term {
	return named([]sim.Term{{Name: "fairness ρ"}, {Name: "finish estimate after arrival", Unit: "s"},
		{Name: "finish after arrival on a slice of its own", Unit: "s"}}, figures)
}

// sums are how the fairness is reckoned.
func (f *finishTime) sums(figures []float64) words.Text {
	if f.blind {
		return policy.Line("fairness ρ, as if every type were its fastest = finish ÷ finish on a slice of its own = {0} ÷ {1} = {2}",
			figures[1], figures[2], figures[0])
	}
	return policy.Line("fairness ρ = finish ÷ finish on a slice of its own = {0} ÷ {1} = {2}",
		figures[1], figures[2], figures[0])
}
