package lp

import "math"

// point is a feasible primal and dual pair in the caller's units, with what it is worth and what it
// proves.
type point struct {
	x          []float64 // n*k
	price, row []float64 // p_j, y_i
	load       []float64 // scratch, k

	level, objective, bound, diff, gap, breach float64
	merit                                      float64 // max(gap, breach): what the run makes small
}

// reset makes the point x = 0 of a problem of n blocks and k types, as bad as can be.
func (pt *point) reset(n, k int) {
	pt.x, pt.price, pt.row, pt.load = grow(pt.x, n*k), grow(pt.price, k), grow(pt.row, n), grow(pt.load, k)
	clear(pt.x)
	clear(pt.price)
	clear(pt.row)
	pt.merit = math.Inf(1)
}

// propose takes the present iterate as a point and keeps it if it is better than the best one so
// far. Of two equally good ones the smaller absolute gap wins.
func (sv *Solver) propose(p *Problem) bool {
	sc, t, pt := &sv.scaled, &sv.path, &sv.cand
	k := len(p.Capacity)
	for i, bl := range sc.blocks {
		for j, ty := range sc.types {
			pt.x[int(bl)*k+int(ty)] = float64(sc.share[i]*t.v[i*sc.k+j]) / t.tau
		}
		if sc.rows {
			pt.row[bl] = 0
			if sc.rowBy[i] > 0 {
				pt.row[bl] = float64(sc.objBy*t.z[sc.o4+i]) / float64(sc.rowBy[i]*t.tau)
			}
		}
	}
	for at, bl := range sc.live {
		if first := sc.blocks[sc.kind[at]]; first != bl {
			copy(pt.x[int(bl)*k:int(bl)*k+k], pt.x[int(first)*k:])
			pt.row[bl] = pt.row[first]
		}
	}
	for j, ty := range sc.types {
		pt.price[ty] = float64(float64(sc.objBy*t.z[sc.o3+j])*sc.inv[j]) / t.tau
	}
	sv.measure(p, pt)
	if pt.merit < sv.best.merit || pt.merit == sv.best.merit && pt.diff < sv.best.diff {
		sv.best, sv.cand = sv.cand, sv.best
		return true
	}
	return false
}

// measure makes pt feasible and computes its objective, its bound and its gap. These are taken at
// the repaired point, so they hold whatever the rounding before was.
func (sv *Solver) measure(p *Problem, pt *point) {
	pt.repair(p)
	pt.levels(p, &sv.scaled)
	pt.dual(p, &sv.scaled)
	unit := math.Max(math.Max(math.Abs(pt.objective), math.Abs(pt.bound)), float64(1e-6*sv.scaled.objBy))
	pt.diff = math.Abs(pt.bound - pt.objective)
	pt.gap = pt.diff / unit
	if math.IsNaN(pt.gap) { // both infinite
		pt.gap = math.Inf(1)
	}
	pt.merit = math.Max(pt.gap, pt.breach)
}

// repair clips x to its bounds and then scales blocks, and after them types, that are over their
// limit. The iterates are over it by rounding only, so this loses next to nothing.
func (pt *point) repair(p *Problem) {
	k := len(p.Capacity)
	clear(pt.load)
	for i, s := range p.Scale {
		x := pt.x[i*k : i*k+k]
		sum := 0.0
		for j, f := range x {
			if !(f > 0) || p.Capacity[j] == 0 {
				f = 0
			}
			x[j] = min(f, 1)
			sum += x[j]
		}
		for j := range x {
			if sum > 1 {
				x[j] /= sum
			}
			pt.load[j] += float64(s * x[j])
		}
	}
	for j, n := range p.Capacity {
		if pt.load[j] > n {
			cut := n / pt.load[j]
			for i := range p.Scale {
				pt.x[i*k+j] = float64(pt.x[i*k+j] * cut)
			}
		}
	}
}

// levels computes the largest level that x allows, the objective there, and the worst breach of a
// floor. A breach is measured against the largest number of its row, so that it does not depend on
// the row's units.
func (pt *point) levels(p *Problem, sc *scaled) {
	k := len(p.Capacity)
	low, gain := math.Inf(1), 0.0
	pt.breach = 0
	for i, f := range sc.floor {
		x := pt.x[i*k : i*k+k]
		if p.Gain != nil {
			gain += dot(p.Gain[i*k:i*k+k], x)
		}
		if f < -math.MaxFloat64 { // no row
			continue
		}
		a := p.Row[i*k : i*k+k]
		spare := dot(a, x) - f
		if b := sc.needs[i]; b > 0 {
			low = min(low, spare/b)
		} else if spare < 0 {
			pt.breach = math.Max(pt.breach, -spare/math.Max(math.Abs(f), norm(a)))
		}
	}
	if math.IsInf(low, 1) {
		low = 0
	}
	pt.level = low
	pt.objective = gain + float64(p.LevelGain*low)
}

// dual makes the prices feasible and computes the bound that they prove: for y, p >= 0 with sum_i
// b_i y_i = c_z,
//
//	objective <= sum_j N_j p_j - sum_i f_i y_i + sum_i max(0, max_j (c_ij + a_ij y_i - s_i p_j)).
//
// The last sum is what the blocks' time is worth; its prices need no own variable, because the best
// ones are known. So any y and p prove a bound, however the solver has found them.
func (pt *point) dual(p *Problem, sc *scaled) {
	for j, f := range pt.price {
		if !(f > 0) {
			pt.price[j] = 0
		}
	}
	by := 0.0
	for i, f := range pt.row {
		if !(f > 0) {
			pt.row[i] = 0
		}
		by += float64(sc.needs[i] * pt.row[i])
	}
	if by > 0 {
		for i, f := range pt.row {
			if sc.needs[i] > 0 {
				pt.row[i] = float64(f*p.LevelGain) / by
			}
		}
	} else if p.LevelGain > 0 {
		pt.bound = math.Inf(1)
		return
	}
	if p.Gain == nil && p.LevelGain == 0 { // only feasibility is asked
		clear(pt.price)
		clear(pt.row)
	}
	pt.bound = pt.most(p, sc, 1)
}

// most is the bound of dual with the gains scaled by gain. With 0 it asks how far the floors can be
// met, whatever is gained.
func (pt *point) most(p *Problem, sc *scaled, gain float64) float64 {
	k := len(p.Capacity)
	total := dot(p.Capacity, pt.price)
	for i, s := range p.Scale {
		y := pt.row[i]
		if y > 0 {
			total -= float64(sc.floor[i] * y)
		}
		top := 0.0
		for j, price := range pt.price {
			if p.Capacity[j] == 0 { // its price costs nothing, so let it be as high as is needed
				continue
			}
			v := -float64(s * price)
			if p.Gain != nil {
				v += float64(gain * p.Gain[i*k+j])
			}
			if y > 0 {
				v += float64(p.Row[i*k+j] * y)
			}
			top = max(top, v)
		}
		total += top
	}
	return total
}

// refute reads the iterate as a proof that the floors cannot all be met (Farkas): prices at which
// what the floors are worth exceeds all that the capacity and the blocks' time can pay. The margin
// keeps rounding from passing for a proof.
func (sv *Solver) refute(p *Problem, pt *point) bool {
	sc, t := &sv.scaled, &sv.path
	worth := 0.0
	for at, bl := range sc.live {
		i := int(sc.kind[at])
		pt.row[bl] = 0
		if sc.needs[bl] == 0 && sc.rowBy[i] > 0 {
			pt.row[bl] = t.z[sc.o4+i] / sc.rowBy[i]
			worth += float64(pt.row[bl] * math.Abs(sc.floor[bl]))
		}
	}
	for j, ty := range sc.types {
		pt.price[ty] = float64(t.z[sc.o3+j] * sc.inv[j])
	}
	return pt.most(p, sc, 0) < -float64(1e-9*worth)
}

// settle is the solve where nothing can move: x = 0, and the block that holds the level lowest is
// the proof.
func (sv *Solver) settle(p *Problem, r *Result) {
	low := math.Inf(1)
	for i := range p.Scale {
		b := sv.scaled.needs[i]
		if z := -sv.scaled.floor[i] / b; b > 0 && z < low {
			low = z
			clear(sv.best.row)
			sv.best.row[i] = 1
		}
	}
	sv.measure(p, &sv.best)
	sv.report(r, 1e-10)
}

// report fills r from the best point. A run that stalls within ten times its tolerance has still
// done what a caller can use, so it counts as optimal; RelGap says how good it is.
func (sv *Solver) report(r *Result, tol float64) {
	b := &sv.best
	r.X, r.Price, r.RowPrice = b.x, b.price, b.row
	r.Level, r.Objective, r.Bound, r.RelGap, r.Violation = b.level, b.objective, b.bound, b.gap, b.breach
	r.Status = Optimal
	if b.merit > float64(10*tol) {
		r.Status = Stalled
	}
}
