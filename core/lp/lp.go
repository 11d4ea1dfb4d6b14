// Package lp solves the linear programs of the Gavel family (OSDI 2020): n blocks of k fractions of
// time, joined by k capacity rows and one level variable. It is a primal-dual interior point method
// that eliminates the blocks, so an iteration costs O(n k²) plus one dense system of order k+1, and
// it ends inside the optimal face, not at a vertex. Every answer carries a bound from weak duality.
//
// The searches (FinishTime, MinCostRatio, WaterFill, Hierarchical) solve a few such programs and end
// with the same proof. Space sharing joins blocks, and has a dense system of its own on the same path.
//
// It refuses everything else: general sparse programs, integers. It does not know jobs, rounds or the
// simulator; policies hand it rates and get fractions back. The same input gives the same bits on
// every target: no exp, log or fused products, sums in index order.
package lp

import (
	"errors"
	"math"
)

// Errors of a malformed Problem. An infeasible or unbounded one is a Status, not an error.
var (
	ErrShape = errors.New("lp: lengths of the slices disagree")
	ErrValue = errors.New("lp: a coefficient is out of range or not a number")
)

// Problem is
//
//	maximise   sum_ij Gain_ij x_ij + LevelGain z
//	s.t.       sum_j x_ij <= 1                          for each block i
//	           sum_i Scale_i x_ij <= Capacity_j         for each type j
//	           sum_j Row_ij x_ij - Level_i z >= Floor_i for each block with a row
//	           x_ij >= 0, z free
//
// with n = len(Scale) blocks and k = len(Capacity) types, 1 to 8. Flat matrices are row-major, n*k.
// Without LevelGain z may fall as far as it likes, so rows with Level_i > 0 never bind. A block that
// neither gains nor has a row that can bind gets no time.
type Problem struct {
	Scale     []float64 // s_i > 0, GPUs the block needs at once; required
	Capacity  []float64 // N_j, GPUs of the type; required
	Gain      []float64 // c_ij per unit of x; nil means zeros
	LevelGain float64   // c_z >= 0 per unit of z; 0
	Row       []float64 // a_ij; nil means no rows
	Level     []float64 // b_i >= 0; nil means zeros
	Floor     []float64 // f_i, -Inf for a block without a row; nil means zeros
}

// Settings of a Solver. The zero value means the defaults, which suit every policy; a search that
// builds on many solves asks for more.
type Settings struct {
	Tol           float64 // relative gap, and breach of a floor, at which to stop; 1e-10
	MaxIterations int     // interior point steps before giving up; 100
}

// Status says how a solve ended.
type Status uint8

const (
	Optimal    Status = iota // X is feasible, and its relative gap proven, within ten times the tolerance
	Infeasible               // no X meets the floors; Cause and the prices say why
	Unbounded                // nothing bounds the level; X is feasible
	Stalled                  // X is the best point found; RelGap and Violation say how good
)

// Cause says why a problem has no optimum.
type Cause uint8

const (
	CauseNone     Cause = iota
	CauseCapacity       // a type has negative capacity: Result.Index is the type
	// a block cannot reach its floor even with all its time on its best type: Result.Index is the block
	CauseBlock
	CauseFloors // the floors together need more than there is: the prices prove it
	CauseLevel  // LevelGain > 0 but no row has Level > 0
)

// Result of a solve. Its slices belong to the Solver and hold until its next solve.
type Result struct {
	X          []float64 // n*k, fractions of time, clipped and scaled into the constraints
	Level      float64   // z, the largest that X allows; +Inf if unbounded, 0 without a row that holds it
	Objective  float64   // at X and Level; -Inf if infeasible, +Inf if unbounded
	Bound      float64   // no feasible point has a larger objective: weak duality at Price and RowPrice
	RelGap     float64   // |Bound-Objective| over the larger of the two, or over 1e-6 of the objective's natural unit
	Violation  float64   // largest breach of a floor, relative to the row's largest number
	Iterations int
	Status     Status
	Cause      Cause
	Index      int       // block or type that Cause speaks of, else -1
	Price      []float64 // p_j >= 0, objective per GPU of type j
	RowPrice   []float64 // y_i >= 0, objective per unit of Floor_i
}

// Solver keeps the memory of its solves: warmed at a size, Solve allocates nothing. The zero value is
// ready. It must not be used by two goroutines at once.
type Solver struct {
	Settings Settings // zero fields mean defaults

	scaled scaled
	kkt    kkt
	path   path
	dense  packed
	best   point
	cand   point

	buildLevel, buildFloor, buildGain []float64 // of the builders
	keep, due, need                   []float64 // of the searches over several programs
}

// Solve returns the optimum of p or the reason that there is none; errors are ErrShape and
// ErrValue. What makes a problem plainly infeasible or empty is found before the path is followed,
// which needs an interior.
func (sv *Solver) Solve(p *Problem) (Result, error) {
	if err := check(p); err != nil {
		return Result{Status: Stalled, Index: -1}, err
	}
	r := sv.blank(p)
	for j, n := range p.Capacity {
		if n < 0 {
			return infeasible(r, CauseCapacity, j), nil
		}
	}
	if i := unreachableFloor(p); i >= 0 {
		r.RowPrice[i] = 1
		return infeasible(r, CauseBlock, i), nil
	}
	sv.load(p)
	endless := p.LevelGain > 0 && !sv.scaled.level
	if endless { // what is left to find is an x that meets the floors
		rest := *p
		rest.LevelGain = 0
		p = &rest
	}
	if sv.scaled.n == 0 || sv.scaled.k == 0 {
		// Nothing can move: zero is the only point, or as good as any.
		sv.settle(p, &r)
	} else {
		sv.run(p, &r)
	}
	if endless && r.Status == Optimal {
		r.Status, r.Cause = Unbounded, CauseLevel
		r.Level, r.Objective, r.Bound, r.RelGap = math.Inf(1), math.Inf(1), math.Inf(1), 0
	}
	return r, nil
}

// infeasible is the result of a problem without a feasible point; the prices in r say why.
func infeasible(r Result, c Cause, index int) Result {
	clear(r.X)
	r.Status, r.Cause, r.Index = Infeasible, c, index
	r.Level, r.Objective, r.Bound, r.RelGap = 0, math.Inf(-1), math.Inf(-1), 0
	return r
}

// blank makes the result at x = 0. It clears the points of the last solve, whose slices the caller
// may still hold.
func (sv *Solver) blank(p *Problem) Result {
	n, k := len(p.Scale), len(p.Capacity)
	sv.best.reset(n, k)
	sv.cand.reset(n, k)
	return Result{X: sv.best.x, Price: sv.best.price, RowPrice: sv.best.row, Index: -1}
}

// finite says whether all entries are numbers.
func finite(v []float64) bool {
	for _, f := range v {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return false
		}
	}
	return true
}

// check refuses a problem whose lengths or values are not as Problem describes them.
func check(p *Problem) error {
	n, k := len(p.Scale), len(p.Capacity)
	if k < 1 || k > maxTypes || p.Gain != nil && len(p.Gain) != n*k || p.Row != nil && len(p.Row) != n*k ||
		p.Level != nil && len(p.Level) != n || p.Floor != nil && len(p.Floor) != n {
		return ErrShape
	}
	if p.Row == nil && len(p.Level)+len(p.Floor) > 0 {
		return ErrShape
	}
	if !finite(p.Scale) || !finite(p.Capacity) || !finite(p.Gain) || !finite(p.Row) || !finite(p.Level) ||
		!(p.LevelGain >= 0) || math.IsInf(p.LevelGain, 1) {
		return ErrValue
	}
	for i, s := range p.Scale {
		if s <= 0 || p.Level != nil && p.Level[i] < 0 || p.Floor != nil && !(p.Floor[i] < math.Inf(1)) {
			return ErrValue
		}
	}
	return nil
}

// unreachableFloor finds a block whose floor is above what all its time on its best type gives, or -1. The
// path would find it too, but could only say that the floors together are too much.
func unreachableFloor(p *Problem) int {
	k := len(p.Capacity)
	for i := range p.Scale {
		if p.floor(i) <= 0 || p.level(i) > 0 {
			continue
		}
		best := 0.0
		for j := range p.Capacity {
			if p.Capacity[j] > 0 {
				best = math.Max(best, p.Row[i*k+j])
			}
		}
		if best < float64(p.floor(i)*(1-1e-12)) {
			return i
		}
	}
	return -1
}

// floor is f_i, and -Inf for a block without a row, which no x can breach.
func (p *Problem) floor(i int) float64 {
	if p.Row == nil {
		return math.Inf(-1)
	}
	if p.Floor == nil {
		return 0
	}
	return p.Floor[i]
}

// level is b_i, and 0 for a block without a row, which does not hold the level.
func (p *Problem) level(i int) float64 {
	if p.Level == nil || math.IsInf(p.floor(i), -1) {
		return 0
	}
	return p.Level[i]
}
