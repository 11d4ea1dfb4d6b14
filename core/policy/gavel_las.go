package policy

import (
	"hadarlab/core/lp"
	"hadarlab/core/model"
	"hadarlab/core/sim"
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
