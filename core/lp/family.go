package lp

import "math"

// The policies of Gavel (OSDI 2020), section 4 of the paper, as problems. Common arguments:
//
//	t     n*k, steps per second of job i as a whole on s_i GPUs of type j; 0 = cannot run
//	s     n, GPUs the job needs at once
//	w     n, weights; nil means 1
//	gpus  k, N_j
//
// sv may be nil: then the solve has memory of its own. Job means block. Errors: ErrShape, ErrValue.

// Proportional is the throughput of a time mix in proportion to the cluster,
// prop_i = sum_j t_ij N_j / sum_q N_q, in steps per second; 0 for an empty cluster. It reuses dst.
func Proportional(dst, t, gpus []float64) []float64 {
	k := len(gpus)
	if k == 0 {
		return dst[:0]
	}
	dst = grow(dst, len(t)/k)
	total := 0.0
	for _, n := range gpus {
		total += n
	}
	for i := range dst {
		dst[i] = 0
		if total > 0 {
			dst[i] = dot(t[i*k:i*k+k], gpus) / total
		}
	}
	return dst
}

// IsolatedShares is the policy "isolated", n*k fractions of time: a 1/n slice of the cluster,
// y_ij = N_j / (n s_i), scaled down to full time at most. It reuses dst.
func IsolatedShares(dst, s, gpus []float64) []float64 {
	k := len(gpus)
	dst = grow(dst, len(s)*k)
	for i, si := range s {
		slice, sum := float64(float64(len(s))*si), 0.0
		y := dst[i*k : i*k+k]
		for j, n := range gpus {
			y[j] = n / slice
			sum += y[j]
		}
		for j := range y {
			y[j] /= math.Max(1, sum)
		}
	}
	return dst
}

// Isolated is the throughput of IsolatedShares, iso_i = sum_j t_ij y_ij, in steps per second. It
// reuses dst.
func Isolated(dst, t, s, gpus []float64) []float64 {
	k := len(gpus)
	dst = grow(dst, len(s))
	for i, si := range s {
		slice, sum, rate := float64(float64(len(s))*si), 0.0, 0.0
		for j, n := range gpus {
			sum += n / slice
			rate += float64(t[i*k+j] * (n / slice))
		}
		dst[i] = rate / math.Max(1, sum)
	}
	return dst
}

// MaxMin is max-min fairness, heterogeneity-aware LAS: maximise z subject to
// (s_i / (w_i prop_i)) sum_j t_ij x_ij >= z. Level is z. A job of weight 0, or that can run on no
// type the cluster has (prop_i = 0), is left out of the minimum and gets no time: keeping it would
// hold everybody at 0.
func MaxMin(sv *Solver, t, s, w, gpus []float64) (Result, error) {
	sv, err := sv.begin(t, s, gpus)
	if err == nil && w != nil && len(w) != len(s) {
		err = ErrShape
	}
	if err != nil {
		return refuse(err)
	}
	sv.buildLevel = Proportional(sv.buildLevel, t, gpus)
	for i, si := range s {
		if w != nil {
			sv.buildLevel[i] = float64(sv.buildLevel[i] * w[i])
		}
		sv.buildLevel[i] /= si
	}
	return sv.ratio(t, s, gpus)
}

// Makespan maximises q = 1/T subject to sum_j t_ij x_ij >= q r_i, with r_i the remaining steps:
// Level is q per second. With floors for r it is the question whether they can all be met: yes if
// Level >= 1, no if Bound < 1 (finish-time fairness at a fixed rho: r_i = R_i / (rho D_i - e_i)). A
// job with nothing left, or that can run on no type the cluster has, is left out and gets no time.
func Makespan(sv *Solver, t, s, r, gpus []float64) (Result, error) {
	sv, err := sv.begin(t, s, gpus)
	if err == nil && len(r) != len(s) {
		err = ErrShape
	}
	if err != nil {
		return refuse(err)
	}
	sv.buildLevel = Proportional(sv.buildLevel, t, gpus)
	for i, f := range r {
		if sv.buildLevel[i] > 0 {
			sv.buildLevel[i] = f
		}
	}
	return sv.ratio(t, s, gpus)
}

// ratio maximises the level with Row = t and Level = buildLevel, where 0 leaves a job out.
func (sv *Solver) ratio(t, s, gpus []float64) (Result, error) {
	sv.buildFloor = grow(sv.buildFloor, len(s))
	gain := 0.0
	for i, b := range sv.buildLevel {
		sv.buildFloor[i] = math.Inf(-1)
		if b != 0 {
			sv.buildFloor[i], gain = 0, 1
		}
	}
	return sv.Solve(&Problem{Scale: s, Capacity: gpus, LevelGain: gain, Row: t, Level: sv.buildLevel,
		Floor: sv.buildFloor})
}

// MaxSum maximises the total throughput sum_ij t_ij x_ij, in steps per second.
func MaxSum(sv *Solver, t, s, gpus []float64) (Result, error) {
	sv, err := sv.begin(t, s, gpus)
	if err != nil {
		return refuse(err)
	}
	return sv.Solve(&Problem{Scale: s, Capacity: gpus, Gain: t})
}

// FIFO is the paper's first-in-first-out: maximise sum_i (n - i) sum_j (t_ij / max_q t_iq) x_ij, with
// the jobs in order of arrival.
func FIFO(sv *Solver, t, s, gpus []float64) (Result, error) {
	sv, err := sv.begin(t, s, gpus)
	if err != nil {
		return refuse(err)
	}
	k := len(gpus)
	sv.buildGain = grow(sv.buildGain, len(t))
	for i := range s {
		best := 0.0
		for _, f := range t[i*k : i*k+k] {
			best = math.Max(best, f)
		}
		for j, f := range t[i*k : i*k+k] {
			sv.buildGain[i*k+j] = 0
			if best > 0 {
				sv.buildGain[i*k+j] = float64(f/best) * float64(len(s)-i)
			}
		}
	}
	return sv.Solve(&Problem{Scale: s, Capacity: gpus, Gain: sv.buildGain})
}

// MinCost maximises sum_ij (t_ij / c_j) x_ij, steps per second per price of a GPU-hour, c_j > 0.
func MinCost(sv *Solver, t, s, c, gpus []float64) (Result, error) {
	sv, err := sv.begin(t, s, gpus)
	if err == nil {
		err = sv.perPrice(t, c, len(gpus))
	}
	if err != nil {
		return refuse(err)
	}
	return sv.Solve(&Problem{Scale: s, Capacity: gpus, Gain: sv.buildGain})
}

// MinCostSLO is MinCost with sum_j t_ij x_ij >= r_i / slo_i for jobs with slo_i > 0 seconds left for
// r_i steps; +Inf or at most 0 means no floor. If the floors cannot be met all of them are dropped, as
// in the authors' code; kept is then false, and Cause and Index of the result say why.
func MinCostSLO(sv *Solver, t, s, c, r, slo, gpus []float64) (res Result, kept bool, err error) {
	sv, err = sv.begin(t, s, gpus)
	if err == nil && (len(r) != len(s) || len(slo) != len(s)) {
		err = ErrShape
	}
	if err == nil {
		err = sv.perPrice(t, c, len(gpus))
	}
	if err != nil {
		res, err = refuse(err)
		return res, false, err
	}
	sv.buildFloor = grow(sv.buildFloor, len(s))
	for i, left := range slo {
		sv.buildFloor[i] = math.Inf(-1)
		if !(left <= 0) && !math.IsInf(left, 1) {
			sv.buildFloor[i] = r[i] / left
		}
	}
	p := Problem{Scale: s, Capacity: gpus, Gain: sv.buildGain, Row: t, Floor: sv.buildFloor}
	res, err = sv.Solve(&p)
	if err == nil && res.Status == Infeasible {
		cause, index := res.Cause, res.Index
		p.Row, p.Floor = nil, nil
		res, err = sv.Solve(&p)
		res.Cause, res.Index = cause, index
		return res, false, err
	}
	return res, err == nil, err
}

// perPrice fills buildGain with t_ij / c_j.
func (sv *Solver) perPrice(t, c []float64, k int) error {
	if len(c) != k {
		return ErrShape
	}
	sv.buildGain = grow(sv.buildGain, len(t))
	for i, f := range t {
		if !(c[i%k] > 0) {
			return ErrValue
		}
		sv.buildGain[i] = f / c[i%k]
	}
	return nil
}

// begin checks what the builders divide by or take the best of; Solve checks the rest.
func (sv *Solver) begin(t, s, gpus []float64) (*Solver, error) {
	if sv == nil {
		sv = new(Solver)
	}
	if len(t) != len(s)*len(gpus) {
		return sv, ErrShape
	}
	for _, f := range t {
		if !(f >= 0) || math.IsInf(f, 1) {
			return sv, ErrValue
		}
	}
	return sv, nil
}

func refuse(err error) (Result, error) {
	return Result{Status: Stalled, Index: -1}, err
}
