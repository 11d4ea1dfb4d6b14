package lp

import "math"

// MinCostRatio maximises the throughput for the money, (sum_ij t_ij x_ij) / (sum_ij c_j s_i x_ij),
// in steps per second per price of an hour, with the floors of MinCostSLO; kept is false if they
// could not be met and were dropped. Without a floor it comes down to the best job on its best
// type. Objective and Bound are 0 if no job can run.
//
// It is Dinkelbach's method: at a ratio q the program with gains t_ij - q c_j s_i tells by the sign
// of its optimum whether q can be beaten, and its prices prove a ratio that cannot be.
func MinCostRatio(sv *Solver, in *Jobs) (res Result, kept bool, err error) {
	t, s, c, gpus := in.Rates, in.GPUs, in.Price, in.Capacity
	if sv == nil {
		sv = new(Solver)
	}
	first, kept, err := MinCostSLO(sv, in)
	if err != nil {
		return first, false, err
	}
	k := len(gpus)
	res = Result{Status: Optimal, Cause: first.Cause, Index: first.Index, Iterations: first.Iterations,
		Violation: first.Violation}
	// A first bound: no job on any type brings more than its own speed for the money.
	for i, f := range t {
		if gpus[i%k] > 0 {
			res.Bound = math.Max(res.Bound, f/float64(c[i%k]*s[i/k]))
		}
	}
	p := Problem{Scale: s, Capacity: gpus, Gain: sv.buildGain}
	if kept {
		p.Row, p.Floor = t, sv.buildFloor
	}
	sv.keep = append(sv.keep[:0], first.X...)
	res.Objective = ratioOf(first.X, t, s, c)
	at, beyond := res.Objective, 1e-10
	for try := 0; try < cuts && res.Bound-res.Objective > float64(tight*res.Bound); try++ {
		sv.gainsAt(at, t, s, c)
		step, err := sv.Solve(&p)
		if err != nil {
			res, err = refuse(err)
			return res, false, err
		}
		res.Iterations += step.Iterations
		if step.Bound <= 0 {
			res.Bound = math.Min(res.Bound, at)
			break
		}
		was := res.Objective
		if q := ratioOf(step.X, t, s, c); q > was && step.Violation <= 1e-9 {
			res.Objective, res.Violation = q, step.Violation
			copy(sv.keep, step.X)
		}
		if at = res.Objective; !(at > float64(was*(1+1e-10))) { // it stands still: ask for the proof, a little above
			at = float64(at * (1 + beyond))
			beyond *= 10
		}
	}
	res.X = sv.keep
	if res.Bound > 0 {
		res.RelGap = math.Max(0, 1-res.Objective/res.Bound)
	}
	if res.RelGap > 1e-9 {
		res.Status = Stalled
	}
	return res, kept, nil
}

// gainsAt fills buildGain with t_ij - q c_j s_i: what an hour of time brings beyond its price at
// the ratio q.
func (sv *Solver) gainsAt(q float64, t, s, c []float64) {
	k := len(c)
	for i, f := range t {
		sv.buildGain[i] = f - float64(q*float64(c[i%k]*s[i/k]))
	}
}

// ratioOf is the throughput of x over its cost, and 0 for no time at all.
func ratioOf(x, t, s, c []float64) float64 {
	k, rate, cost := len(c), 0.0, 0.0
	for i, f := range x {
		rate += float64(t[i] * f)
		cost += float64(float64(c[i%k]*s[i/k]) * f)
	}
	if !(cost > 0) {
		return 0
	}
	return rate / cost
}
