package allocate

import (
	"cmp"
	"math"
	"slices"

	"hadarlab/core/lp"
	"hadarlab/core/policy"
)

func solveLAS(in *arrays, v policy.Values, a *Allocation) (lp.Result, error) {
	return maxMin(in, in.t, v, a)
}

func solveAgnostic(in *arrays, v policy.Values, a *Allocation) (lp.Result, error) {
	ones := make([]float64, len(in.t))
	for i := range ones {
		ones[i] = 1
	}
	return maxMin(in, ones, v, a)
}

func maxMin(in *arrays, t []float64, v policy.Values, a *Allocation) (lp.Result, error) {
	w := in.w
	if !v.Bool(useWeights.Name) {
		w = slices.Repeat([]float64{1}, len(in.s))
	}
	r, err := lp.MaxMin(nil, &lp.Jobs{Rates: t, GPUs: in.s, Weights: w, Capacity: in.gpus})
	if err != nil {
		return r, err
	}
	scale := lp.Proportional(nil, t, in.gpus)
	for i := range scale {
		scale[i] = float64(scale[i]*w[i]) / in.s[i]
	}
	a.rows(in, t, r.X)
	a.least(scale)
	a.Bound = r.Bound
	return r, nil
}

func solveMakespan(in *arrays, _ policy.Values, a *Allocation) (lp.Result, error) {
	r, err := lp.Makespan(nil, &lp.Jobs{Rates: in.t, GPUs: in.s, Left: in.r, Capacity: in.gpus})
	if err != nil {
		return r, err
	}
	scale := lp.Proportional(nil, in.t, in.gpus)
	for i := range scale {
		if scale[i] > 0 {
			scale[i] = in.r[i]
		}
	}
	a.rows(in, in.t, r.X)
	a.least(scale)
	if !math.IsInf(a.Objective, 1) { // else there is nothing to do
		a.Objective, a.Bound = 1/a.Objective, 1/r.Bound
	}
	return r, nil
}

// sum fills in what the programs that maximise a weighted sum of x have in common.
func (a *Allocation) sum(in *arrays, gain func(i, j int) float64, r lp.Result) {
	a.rows(in, in.t, r.X)
	for i, x := range a.X {
		for j, f := range x {
			a.Objective += float64(gain(i, j) * f)
		}
	}
	a.Bound = r.Bound
}

func solveMaxSum(in *arrays, _ policy.Values, a *Allocation) (lp.Result, error) {
	r, err := lp.MaxSum(nil, &lp.Jobs{Rates: in.t, GPUs: in.s, Capacity: in.gpus})
	if err == nil {
		a.sum(in, func(i, j int) float64 { return in.t[i*in.k+j] }, r)
	}
	return r, err
}

func (in *arrays) perPrice(i, j int) float64 { return in.t[i*in.k+j] / in.cost[j] }

func solveMinCost(in *arrays, _ policy.Values, a *Allocation) (lp.Result, error) {
	r, err := lp.MinCost(nil, &lp.Jobs{Rates: in.t, GPUs: in.s, Price: in.cost, Capacity: in.gpus})
	if err == nil {
		a.sum(in, in.perPrice, r)
	}
	return r, err
}

func (in *arrays) floors() *lp.Jobs {
	return &lp.Jobs{Rates: in.t, GPUs: in.s, Price: in.cost, Left: in.r, Until: in.slo, Capacity: in.gpus}
}

func solveMinCostSLO(in *arrays, v policy.Values, a *Allocation) (lp.Result, error) {
	if v.Choice(sloObjective) == 1 {
		r, kept, err := lp.MinCostRatio(nil, in.floors())
		if err == nil {
			a.SLOFeasible = &kept
			a.rows(in, in.t, r.X)
			a.Objective, a.Bound = r.Objective, r.Bound
		}
		return r, err
	}
	r, kept, err := lp.MinCostSLO(nil, in.floors())
	if err == nil {
		a.SLOFeasible = &kept
		a.sum(in, in.perPrice, r)
	}
	return r, err
}

func solveFinishTime(in *arrays, _ policy.Values, a *Allocation) (lp.Result, error) {
	r, err := lp.FinishTime(nil, &lp.Jobs{Rates: in.t, GPUs: in.s, Left: in.r, Elapsed: in.elapsed,
		Used: in.isolated, Capacity: in.gpus})
	if err != nil {
		return r, err
	}
	iso := lp.Isolated(nil, in.t, in.s, in.gpus)
	a.rows(in, in.t, r.X)
	for i, rate := range a.Levels {
		a.Levels[i] = rho(in.elapsed[i], in.r[i], rate, in.isolated[i], iso[i])
	}
	a.Objective, a.Bound = r.Objective, r.Bound
	return r, nil
}

// rho is finish-time fairness of one job; 0 for one that has nothing to do or cannot run.
func rho(elapsed, left, rate, used, iso float64) float64 {
	if !(iso > 0) || left == 0 && used == 0 {
		return 0
	}
	tail := 0.0
	if left > 0 {
		tail = left / rate
	}
	return (elapsed + tail) / (used + left/iso)
}

func solveIsolated(in *arrays, _ policy.Values, a *Allocation) (lp.Result, error) {
	a.rows(in, in.t, lp.IsolatedShares(nil, in.s, in.gpus))
	a.Objective, a.Bound = 1, 1
	return lp.Result{Index: -1}, nil
}

func solvePacked(in *arrays, v policy.Values, a *Allocation) (lp.Result, error) {
	w := in.w
	if !v.Bool(useWeights.Name) {
		w = nil
	}
	var pairs []lp.Pair
	for i := range in.pairs {
		p := &in.pairs[i]
		pairs = append(pairs, lp.Pair{A: p.A, B: p.B, RateA: p.RateA, RateB: p.RateB})
	}
	r, err := lp.MaxMinPacked(nil, &lp.Jobs{Rates: in.t, GPUs: in.s, Weights: w, Capacity: in.gpus, Pairs: pairs})
	if err != nil {
		return r, err
	}
	n, k := len(in.s), in.k
	a.rows(in, in.t, r.X[:n*k])
	for i, p := range pairs {
		x := r.X[(n+i)*k : (n+i)*k+k]
		for j, f := range x {
			a.Levels[p.A] += float64(p.RateA[j] * f)
			a.Levels[p.B] += float64(p.RateB[j] * f)
		}
		a.X = append(a.X, slices.Clone(x))
	}
	scale := lp.Proportional(nil, in.t, in.gpus)
	for i := range scale {
		if scale[i] /= in.s[i]; w != nil {
			scale[i] = float64(scale[i] * w[i])
		}
	}
	a.least(scale)
	a.Bound = r.Bound
	return r, nil
}

func solveWaterFill(in *arrays, v policy.Values, a *Allocation) (lp.Result, error) {
	w := in.w
	if !v.Bool(useWeights.Name) {
		w = nil
	}
	f, err := lp.WaterFill(nil, &lp.Jobs{Rates: in.t, GPUs: in.s, Weights: w, Capacity: in.gpus})
	return a.filled(in, f), err
}

// solveHierarchical hands the jobs over in order of arrival, which is the order in a FIFO tenant.
func solveHierarchical(in *arrays, _ policy.Values, a *Allocation) (lp.Result, error) {
	order, k := in.byArrival(), in.k
	var t, s, w []float64
	var of []int32
	for _, i := range order {
		t, s, w, of = append(t, in.t[i*k:i*k+k]...), append(s, in.s[i]), append(w, in.w[i]), append(of, in.tenant[i])
	}
	f, err := lp.Hierarchical(nil, &lp.Jobs{Rates: t, GPUs: s, Weights: w, Of: of, Entities: in.tenants,
		Capacity: in.gpus})
	if err != nil {
		return lp.Result{}, err
	}
	x, levels := make([]float64, len(f.X)), make([]float64, len(order))
	for at, i := range order {
		copy(x[i*k:i*k+k], f.X[at*k:at*k+k])
		levels[i] = f.Levels[at]
	}
	f.X, f.Levels = x, levels
	return a.filled(in, f), nil
}

func (a *Allocation) filled(in *arrays, f lp.Filling) lp.Result {
	if f.Levels == nil {
		return lp.Result{}
	}
	a.rows(in, in.t, f.X)
	a.Levels, a.Objective, a.Bound = f.Levels, f.Objective, f.Bound
	if f.Bound == 0 {
		return lp.Result{Status: lp.Unbounded, Index: -1}
	}
	return lp.Result{RelGap: f.RelGap, Index: -1}
}

// byArrival lists the jobs in order of arrival, ties by position.
func (in *arrays) byArrival() []int {
	order := make([]int, len(in.s))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(in.arrival[x], in.arrival[y]) })
	return order
}

// solveFIFO hands the jobs over in order of arrival, ties by position, and puts the answer back.
func solveFIFO(in *arrays, _ policy.Values, a *Allocation) (lp.Result, error) {
	n, k := len(in.s), in.k
	order := in.byArrival()
	var t, s []float64
	for _, i := range order {
		t, s = append(t, in.t[i*k:i*k+k]...), append(s, in.s[i])
	}
	r, err := lp.FIFO(nil, &lp.Jobs{Rates: t, GPUs: s, Capacity: in.gpus})
	if err != nil {
		return r, err
	}
	x, gain := make([]float64, n*k), make([]float64, n)
	for at, i := range order {
		copy(x[i*k:i*k+k], r.X[at*k:at*k+k])
		if best := slices.Max(in.t[i*k : i*k+k]); best > 0 {
			gain[i] = float64(n-at) / best
		}
	}
	r.X = x
	a.sum(in, func(i, j int) float64 { return float64(gain[i] * in.t[i*k+j]) }, r)
	return r, nil
}
