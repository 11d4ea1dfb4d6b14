package policy

import (
	"hadarlab/core/lp"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

func init() {
	register(&Spec{
		ID: "gavel-las", Alias: "gavel", Title: "Gavel, max-min fairness", Rev: 1,
		Summary: "Splits each job's time over GPU types so that the least normalised progress is as large as possible; a gang keeps to one type.",
		Source:  "Gavel (OSDI 2020), heterogeneity-aware LAS, with its round mechanism",
		Cadence: fixed(gavelCadence),
		Params: []Param{minReset, {Name: "use_weights", Title: "Use priority weights", Kind: Bool, Default: true,
			Help: "Off: every job counts alike."}},
		New: func(m model.Public, v Values) (sim.Policy, error) {
			return newGavel(m, v, &las{weights: v.Bool("use_weights")}, false), nil
		},
	})
}

func init() {
	shuffle := Param{Name: "shuffle_types", Title: "Types choose in random order", Kind: Bool, Default: true,
		Help: "As the original does for policies that cannot tell types apart. Off: fastest first."}
	register(&Spec{
		ID: "gavel-las-agnostic", Title: "Gavel, blind to types", Rev: 1,
		Summary: "Max-min fairness that takes every GPU type for equal: what heterogeneity awareness is measured against.",
		Source:  "Gavel (OSDI 2020), the agnostic LAS baseline",
		Cadence: fixed(gavelCadence),
		Params:  []Param{minReset, shuffle},
		Random:  func(v Values) bool { return v.Bool(shuffle.Name) },
		New: func(m model.Public, v Values) (sim.Policy, error) {
			g := newGavel(m, v, &agnostic{}, false)
			if v.Bool(shuffle.Name) {
				g.shuffle = unit.Source(m.Seed, "gavel-las-agnostic types")
			}
			return g, nil
		},
	})
}

// agnostic is las with every rate taken for 1.
type agnostic struct{ solver lp.Solver }

func (a *agnostic) clone() sharer { return &agnostic{} }

func (a *agnostic) fractions(in *shareInput, x []float64) {
	if r, err := lp.MaxMinAgnostic(&a.solver, in.gpus, in.weights, in.capacity); err == nil {
		copy(x, r.X)
	}
}

// las is heterogeneity-aware least attained service: maximise the least s_i/(w_i·prop_i)·Σ_j t_ij·x_ij.
type las struct {
	weights bool
	solver  lp.Solver
}

func (l *las) clone() sharer { return &las{weights: l.weights} }

func (l *las) fractions(in *shareInput, x []float64) {
	w := in.weights
	if !l.weights {
		w = nil
	}
	// The jobs of in have a speed somewhere and positive sizes and weights, which is all that the
	// programme can object to; a stalled solve still leaves a feasible point.
	r, err := lp.MaxMin(&l.solver, in.rates, in.gpus, w, in.capacity)
	if err == nil {
		copy(x, r.X)
	}
}
