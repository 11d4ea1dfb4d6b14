package lp

import "math"

const (
	cuts  = 40    // programs of one search before it is given up
	tight = 1e-11 // relative gap at which a search stops
)

// FinishTime is finish-time fairness (Themis, in the form of Gavel): it minimises the largest
//
//	rho_i = (e_i + r_i / sum_j t_ij x_ij) / (used_i + r_i / iso_i)
//
// over the jobs, with e the seconds since arrival, r the remaining steps, used the seconds of
// isolated time already used up and iso the throughput of Isolated. Objective is rho, Bound a value
// that no x undercuts. A job that can run on no type the cluster has is left out; one with nothing
// left counts with e_i / used_i and gets no time.
//
// At a fixed rho it is the program of Makespan. Its prices prove sum_i y_i r_i / (rho D_i - e_i) <=
// V for every rho that can be reached. The next program is solved at the rho at which that holds
// with equality. This is Newton's method from below, with a proof at each step.
func FinishTime(sv *Solver, in *Jobs) (Result, error) {
	t, s, r, e, used, gpus := in.Rates, in.GPUs, in.Left, in.Elapsed, in.Used, in.Capacity
	sv, err := sv.begin(in)
	if err == nil && (len(r) != len(s) || len(e) != len(s) || len(used) != len(s)) {
		err = ErrShape
	}
	if err == nil && !(finite(r) && finite(e) && finite(used)) {
		err = ErrValue
	}
	if err != nil {
		return refuse(err)
	}
	n, k := len(s), len(gpus)
	done, rho := sv.dueTimes(in)
	res := Result{Status: Optimal, Index: -1, Objective: math.Inf(1), Bound: math.Max(rho, done)}
	sv.keep = grow(sv.keep, n*k)
	clear(sv.keep)
	if rho == 0 {
		res.X, res.Objective, res.Bound = sv.keep, done, done
		return res, nil
	}
	for range cuts {
		for i, d := range sv.due {
			if d > 0 {
				sv.need[i] = r[i] / (float64(rho*d) - e[i])
			}
		}
		step, err := Makespan(sv, &Jobs{Rates: t, GPUs: s, Capacity: gpus, Left: sv.need})
		if err != nil {
			return refuse(err)
		}
		res.Iterations += step.Iterations
		worst := done
		for i, d := range sv.due {
			if d > 0 {
				worst = math.Max(worst, (e[i]+r[i]/dot(t[i*k:i*k+k], step.X[i*k:i*k+k]))/d)
			}
		}
		if worst < res.Objective {
			res.Objective = worst
			copy(sv.keep, step.X)
		}
		// The prices of this step prove a bound on rho, and the next program is solved there.
		low := sv.cut(rho, step.Bound, r, e)
		res.Bound = math.Max(res.Bound, low)
		if !(res.Objective-res.Bound > float64(tight*res.Objective)) || !(low > rho) {
			break
		}
		rho = low
	}
	res.X = sv.keep
	res.RelGap = math.Max(0, 1-res.Bound/res.Objective)
	if res.RelGap > 1e-9 {
		res.Status = Stalled
	}
	return res, nil
}

// dueTimes fills sv.due with D_i = used_i + r_i / iso_i, 0 for a job with nothing left or nothing to run on. done is
// the largest rho of the jobs with nothing left, rho what the neediest job alone cannot undercut.
func (sv *Solver) dueTimes(in *Jobs) (done, rho float64) {
	r, e, used, k := in.Left, in.Elapsed, in.Used, len(in.Capacity)
	sv.due = Isolated(sv.due, in.Rates, in.GPUs, in.Capacity)
	sv.need = grow(sv.need, len(in.GPUs))
	for i, iso := range sv.due {
		sv.need[i] = 0
		if !(iso > 0) || !(r[i] > 0) {
			sv.due[i] = 0
			if iso > 0 && used[i] > 0 {
				done = math.Max(done, e[i]/used[i])
			}
			continue
		}
		sv.due[i] = used[i] + r[i]/iso
		sv.need[i] = 1
		rho = math.Max(rho, (e[i]+r[i]/best(in.Rates[i*k:i*k+k], in.Capacity))/sv.due[i])
	}
	return done, rho
}

// cut is the root of sum_i y_i r_i / (rho D_i - e_i) = v at or above rho, at the prices of the last
// solve. The left side is convex and falls, so that Newton's steps from the left never pass the
// root: each is a bound by itself.
func (sv *Solver) cut(rho, v float64, r, e []float64) float64 {
	for range 200 {
		over, slope := -v, 0.0
		for i, d := range sv.due {
			if y := sv.best.row[i]; d > 0 && y > 0 {
				left := float64(rho*d) - e[i]
				part := float64(y*r[i]) / left
				over += part
				slope += float64(part*d) / left
			}
		}
		next := rho + over/slope
		if !(next > rho) || math.IsInf(next, 1) {
			break
		}
		rho = next
	}
	return rho
}

// best is the largest rate of a row of t over the types that the cluster has.
func best(t, gpus []float64) float64 {
	b := 0.0
	for j, f := range t {
		if gpus[j] > 0 {
			b = math.Max(b, f)
		}
	}
	return b
}
