package lp

import "math"

// Jobs is what the policies of Gavel (OSDI 2020, section 4) divide: n jobs, which are the blocks of the
// programs, on k types of GPUs. Each policy reads the first three fields and those that its comment names by
// their letters; the others may be nil. A Solver that is nil stands for one with memory of its own. Every
// policy returns ErrShape or ErrValue for input that is not as described here.
type Jobs struct {
	Rates    []float64 // t, n*k: steps per second of the whole job on s_i GPUs of type j; 0 = cannot run
	GPUs     []float64 // s, n: GPUs that the job needs at once
	Capacity []float64 // N, k: GPUs of the type
	Weights  []float64 // w, n: priority weights; nil means 1
	Price    []float64 // c, k: price of one GPU for an hour, > 0
	Left     []float64 // r, n: steps left to do
	Elapsed  []float64 // e, n: seconds since the job arrived
	Used     []float64 // n: seconds of its time on an isolated slice that the job has used up
	Until    []float64 // slo, n: seconds left until the job's deadline; +Inf or at most 0 = it has none
	Of       []int32   // n: the job's entity
	Entities []Entity
	Count    []float64 // n: jobs alike that the row stands for; nil means 1
	Pairs    []Pair    // that may share GPUs
}

// Proportional is the throughput of a time mix in proportion to the cluster, prop_i = sum_j t_ij
// N_j / sum_q N_q, in steps per second; it is 0 for an empty cluster. Levels are measured in it,
// because steps of different models cannot be compared. It reuses dst.
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

// Isolated is the throughput of IsolatedShares in steps per second, iso_i = sum_j t_ij y_ij: what a
// job would have if the cluster were divided evenly (Gavel, section 4). It reuses dst.
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

// MaxMin is max-min fairness, heterogeneity-aware LAS (Gavel, section 4): it maximises z subject
// to (s_i / (w_i prop_i)) sum_j t_ij x_ij >= z. Level is z. A job of weight 0, or one that can run
// on no type the cluster has (prop_i = 0), is left out of the minimum and gets no time: keeping it
// would hold everybody at 0.
func MaxMin(sv *Solver, in *Jobs) (Result, error) {
	s, w := in.GPUs, in.Weights
	sv, err := sv.begin(in)
	if err == nil && w != nil && len(w) != len(s) {
		err = ErrShape
	}
	if err != nil {
		return refuse(err)
	}
	sv.buildLevel = Proportional(sv.buildLevel, in.Rates, in.Capacity)
	for i, si := range s {
		if w != nil {
			sv.buildLevel[i] = float64(sv.buildLevel[i] * w[i])
		}
		sv.buildLevel[i] /= si
	}
	return sv.ratio(in)
}

// Makespan maximises q = 1/T subject to sum_j t_ij x_ij >= q r_i, with r_i the remaining steps:
// Level is q per second. With floors for r it is the question whether they can all be met: yes if
// Level >= 1, no if Bound < 1 (finish-time fairness at a fixed rho: r_i = R_i / (rho D_i - e_i)). A
// job with nothing left, or that can run on no type the cluster has, is left out and gets no time.
func Makespan(sv *Solver, in *Jobs) (Result, error) {
	sv, err := sv.begin(in)
	if err == nil && len(in.Left) != len(in.GPUs) {
		err = ErrShape
	}
	if err != nil {
		return refuse(err)
	}
	sv.buildLevel = Proportional(sv.buildLevel, in.Rates, in.Capacity)
	for i, f := range in.Left {
		if sv.buildLevel[i] > 0 {
			sv.buildLevel[i] = f
		}
	}
	return sv.ratio(in)
}

// ratio maximises the level z with sum_j t_ij x_ij >= z b_i for the b in buildLevel, where 0 leaves
// a job out. MaxMin and Makespan are this program with different b.
func (sv *Solver) ratio(in *Jobs) (Result, error) {
	sv.buildFloor = grow(sv.buildFloor, len(in.GPUs))
	gain := 0.0
	for i, b := range sv.buildLevel {
		sv.buildFloor[i] = math.Inf(-1)
		if b != 0 {
			sv.buildFloor[i], gain = 0, 1
		}
	}
	return sv.Solve(&Problem{Scale: in.GPUs, Capacity: in.Capacity, LevelGain: gain, Row: in.Rates,
		Level: sv.buildLevel, Floor: sv.buildFloor})
}

// MaxSum maximises the total throughput sum_ij t_ij x_ij in steps per second. Jobs of slow models
// starve under it, since their steps count no more than others'.
func MaxSum(sv *Solver, in *Jobs) (Result, error) {
	sv, err := sv.begin(in)
	if err != nil {
		return refuse(err)
	}
	return sv.Solve(&Problem{Scale: in.GPUs, Capacity: in.Capacity, Gain: in.Rates})
}

// FIFO is the paper's first-in-first-out, as others quote it: it maximises sum_i (n - i) sum_j (t_ij / max_q t_iq)
// x_ij with the jobs in order of arrival, so that a job's speed counts more the earlier it came.
func FIFO(sv *Solver, in *Jobs) (Result, error) {
	t, s, k := in.Rates, in.GPUs, len(in.Capacity)
	sv, err := sv.begin(in)
	if err != nil {
		return refuse(err)
	}
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
	return sv.Solve(&Problem{Scale: in.GPUs, Capacity: in.Capacity, Gain: sv.buildGain})
}

// MinCost maximises sum_ij (t_ij / c_j) x_ij, which is steps per second for the price of a
// GPU-hour, as the authors' code has it. The paper's formula, as others quote it, is a ratio of sums, see
// MinCostRatio.
func MinCost(sv *Solver, in *Jobs) (Result, error) {
	sv, err := sv.begin(in)
	if err == nil {
		err = sv.perPrice(in)
	}
	if err != nil {
		return refuse(err)
	}
	return sv.Solve(&Problem{Scale: in.GPUs, Capacity: in.Capacity, Gain: sv.buildGain})
}

// MinCostSLO is MinCost with sum_j t_ij x_ij >= r_i / slo_i for jobs with slo_i > 0 seconds left for
// r_i steps; +Inf or at most 0 means no floor. If the floors cannot be met all of them are dropped, as
// in the authors' code; kept is then false, and Cause and Index of the result say why.
func MinCostSLO(sv *Solver, in *Jobs) (res Result, kept bool, err error) {
	n := len(in.GPUs)
	sv, err = sv.begin(in)
	if err == nil && (len(in.Left) != n || len(in.Until) != n) {
		err = ErrShape
	}
	if err == nil {
		err = sv.perPrice(in)
	}
	if err != nil {
		res, err = refuse(err)
		return res, false, err
	}
	sv.buildFloor = grow(sv.buildFloor, n)
	for i, left := range in.Until {
		sv.buildFloor[i] = math.Inf(-1)
		if !(left <= 0) && !math.IsInf(left, 1) {
			sv.buildFloor[i] = in.Left[i] / left
		}
	}
	p := Problem{Scale: in.GPUs, Capacity: in.Capacity, Gain: sv.buildGain, Row: in.Rates, Floor: sv.buildFloor}
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

// perPrice fills buildGain with t_ij / c_j, steps per second for the money of an hour.
func (sv *Solver) perPrice(in *Jobs) error {
	c, k := in.Price, len(in.Capacity)
	if len(c) != k {
		return ErrShape
	}
	sv.buildGain = grow(sv.buildGain, len(in.Rates))
	for i, f := range in.Rates {
		if !(c[i%k] > 0) {
			return ErrValue
		}
		sv.buildGain[i] = f / c[i%k]
	}
	return nil
}

// begin checks what the builders divide by or take the best of; Solve checks the rest. It gives a
// solver if there is none.
func (sv *Solver) begin(in *Jobs) (*Solver, error) {
	if sv == nil {
		sv = new(Solver)
	}
	if len(in.Rates) != len(in.GPUs)*len(in.Capacity) {
		return sv, ErrShape
	}
	for _, f := range in.Rates {
		if !(f >= 0) || math.IsInf(f, 1) {
			return sv, ErrValue
		}
	}
	return sv, nil
}

// refuse is the result of a problem that is malformed.
func refuse(err error) (Result, error) {
	return Result{Status: Stalled, Index: -1}, err
}
