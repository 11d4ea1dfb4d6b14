package gavel

import (
	"errors"
	"math"

	"hadarlab/core/lp"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/words"
)

// These policies maximise one number for the whole cluster: the end of the last job, all steps per
// second, or those for the money. None of them is fair, and a job may starve under the last two; that
// is what they are here to show.
func init() {
	policy.Register(&policy.Spec{
		ID: "gavel-makespan", Title: "Gavel, makespan", Rev: 1,
		Summary: "Splits each job's time over GPU types so that the last of the present jobs ends as early as possible.",
		Source:  "Gavel (OSDI 2020), makespan policy; its program solved exactly",
		Formula: "Target: min max of steps left ÷ throughput(Target); Priority = Target ÷ Received, each round the largest goes first",
		Cadence: policy.Fixed(roundsCadence), Needs: policy.Needs{Lengths: true},
		Params: []policy.Param{minReset},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return newGavel(m, v, &program{
				names: []sim.Term{{Name: "time to its end when the shares were computed", Unit: "s"}}, solve: makespan},
				false), nil
		},
	})
	policy.Register(&policy.Spec{
		ID: "gavel-maxsum", Title: "Gavel, total throughput", Rev: 1,
		Summary: "Splits each job's time over GPU types so that the sum of all steps per second is largest; slow models may starve.",
		Source:  "Gavel (OSDI 2020), total throughput; raw steps of different models are added",
		Formula: "Target: max Σ throughput(Target); Priority = Target ÷ Received, each round the largest goes first",
		Cadence: policy.Fixed(roundsCadence),
		Params:  []policy.Param{minReset},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return newGavel(m, v, &program{names: []sim.Term{{Name: "throughput", Unit: "steps/s"}}, solve: maxSum},
				false), nil
		},
	})
	policy.Register(&policy.Spec{
		ID: "gavel-mincost", Title: "Gavel, cost", Rev: 1,
		Summary: "Splits each job's time over GPU types so that the steps per second, each divided by its type's price, sum up to the most.",
		Source:  "Gavel (OSDI 2020), minimum cost as its published code has it",
		Formula: "Target: max Σ Target × speed ÷ price of the type; Priority = Target ÷ Received, each round the largest goes first",
		Cadence: policy.Fixed(roundsCadence),
		Params:  []policy.Param{minReset},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			c, err := prices(m.Cluster)
			return newGavel(m, v, &program{names: costNames[:2],
				solve: func(sv *lp.Solver, in *shareInput, x []float64) {
					in.Price = c
					r, err := lp.MinCost(sv, &in.Jobs)
					if err == nil {
						copy(x, r.X)
						in.solved("steps/s per USD/h", "", r.Objective, r.RelGap)
						in.costs(x)
					}
				}}, false), err
		},
	})
}

func init() {
	objective := policy.Param{Name: "objective", Title: "Objective", Kind: policy.Choice, Default: "sum",
		Choices: []string{"sum", "ratio"},
		Help:    "sum: steps per second, each divided by its type's price. ratio: the sum of all steps per second over what the GPUs cost for the time that is shared out."}
	policy.Register(&policy.Spec{
		ID: "gavel-mincost-slo", Title: "Gavel, cost with deadlines", Rev: 1,
		Summary: "The cost policy with a floor under each job that has a deadline; if the floors cannot all be met, all of them are dropped.",
		Source:  "Gavel (OSDI 2020), minimum cost with SLOs as its published code has it; the ratio as others quote its formula, with GPUs counted (ours)",
		Formula: "Target: max Σ Target × speed ÷ price of the type, with throughput(Target) ≥ steps left ÷ time to the deadline; Priority = Target ÷ Received, each round the largest goes first",
		Cadence: policy.Fixed(roundsCadence), Needs: policy.Needs{Lengths: true},
		Params: []policy.Param{minReset, objective},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			c, err := prices(m.Cluster)
			ratio := v.Choice(objective) == 1
			return newGavel(m, v, &program{names: costNames, solve: func(sv *lp.Solver, in *shareInput, x []float64) {
				in.Price = c
				deadlines(sv, in, x, ratio)
			}}, false), err
		},
	})
}

// makespan is the sharer that lets the last of the present jobs end as early as possible.
func makespan(sv *lp.Solver, in *shareInput, x []float64) {
	in.Left = in.remaining()
	r, err := lp.Makespan(sv, &in.Jobs)
	if err != nil {
		return
	}
	copy(x, r.X)
	in.solved("time to the end of the last job when the shares were computed", "s", 1/r.Objective, r.RelGap)
	for i := range in.ids {
		in.set(i, in.Left[i]/in.throughput(i, x))
	}
}

// maxSum is the sharer of the greatest total throughput, in steps per second of whatever model.
func maxSum(sv *lp.Solver, in *shareInput, x []float64) {
	r, err := lp.MaxSum(sv, &in.Jobs)
	if err != nil {
		return
	}
	copy(x, r.X)
	in.solved("total throughput", "steps/s", r.Objective, r.RelGap)
	for i := range in.ids {
		in.set(i, in.throughput(i, x))
	}
}

var costNames = []sim.Term{{Name: "throughput", Unit: "steps/s"}, {Name: "cost", Unit: "USD/h"},
	{Name: "throughput that its deadline asked for when the shares were computed", Unit: "steps/s"},
	{Name: "time to its deadline when the shares were computed", Unit: "s"}}

// deadlines is the sharer of the cost policy with floors; ratio takes the objective that others quote from the paper,
// with GPUs counted, in place of that of its published code. Deadlines that are past put no floor.
func deadlines(sv *lp.Solver, in *shareInput, x []float64, ratio bool) {
	in.Left, in.Until = in.remaining(), in.Until[:0]
	for _, j := range in.ids {
		until := math.Inf(1)
		if at, ok := in.view.Deadline(j); ok {
			until = (at - in.view.Now()).Seconds()
		}
		in.Until = append(in.Until, until)
	}
	solve := lp.MinCostSLO
	if ratio {
		solve = lp.MinCostRatio
	}
	r, kept, err := solve(sv, &in.Jobs)
	if err != nil {
		return
	}
	copy(x, r.X)
	in.solved("steps/s per USD/h", "", r.Objective, r.RelGap)
	if !kept {
		in.summary = append(in.summary, &sim.Section{
			Note: words.Say("Not all deadlines can be kept together, so the shares leave all of them out.")})
	}
	in.costs(x)
	for i, t := range in.Until {
		asked := math.NaN() // as what there is no such thing as, and of deadlines that are past
		if math.IsInf(t, 1) {
			t = math.NaN()
		} else if t > 0 {
			asked = in.Left[i] / t
		}
		in.figures[i*maxFigures+2], in.figures[i*maxFigures+3] = asked, t
	}
}

// remaining are the steps that the jobs are believed to have left, never less than 0.
func (in *shareInput) remaining() []float64 {
	left := make([]float64, len(in.ids))
	for i, j := range in.ids {
		w, _ := in.view.Remaining(j)
		left[i] = math.Max(0, float64(w))
	}
	return left
}

// costs gives throughput and cost as the first figures.
func (in *shareInput) costs(x []float64) {
	k := len(in.Price)
	for i := range in.ids {
		cost := 0.0
		for t, p := range in.Price {
			cost += float64(float64(p*in.GPUs[i]) * x[i*k+t])
		}
		in.set(i, in.throughput(i, x), cost)
	}
}

// prices are those of one GPU in USD per hour, by type.
func prices(c *model.Cluster) ([]float64, error) {
	out := make([]float64, len(c.Types))
	for t := range out {
		if out[t] = c.Types[t].USDPerHour; !(out[t] > 0) {
			return nil, errors.New("the cost policies need the price of every GPU type, and " + c.Types[t].Name +
				" has none (set cluster.gpu_types." + c.Types[t].Name + ".usd_per_h)")
		}
	}
	return out, nil
}
