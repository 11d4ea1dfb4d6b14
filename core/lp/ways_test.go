package lp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The loops written out for three types must give the bits of those for any number, and kinds of blocks the bits of
// each block for itself: whatever the problem, every figure of the answer is the same, and so is the way there.
func TestEveryWayGivesTheSameBits(t *testing.T) {
	ended := map[Status]int{}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 17))
		k := []int{3, 3, 3, 1, 2, 4, 5, 8}[r.IntN(8)]
		p := anyProblem(r, k)
		var first []float64
		for way := range 4 {
			three, apart := way&1 == 0, way&2 == 0
			var sv Solver
			sv.scaled.apart = apart
			sv.blank(p)
			if sv.load(p); three && !sv.scaled.three {
				continue
			}
			sv.scaled.three = three
			res := sv.blank(p)
			sv.run(p, &res)
			all := slices.Concat(res.X, res.Price, res.RowPrice, []float64{res.Level, res.Objective, res.Bound,
				res.RelGap, res.Violation, float64(res.Iterations), float64(res.Status), sv.path.tau, sv.path.kappa})
			if first == nil {
				first = all
				ended[res.Status]++
			}
			if !slices.EqualFunc(all, first, func(x, y float64) bool {
				return math.Float64bits(x) == math.Float64bits(y)
			}) {
				t.Fatalf("seed %d: %d blocks of %d kinds on %d types, three %v, apart %v: %v after %d steps at %v",
					seed, len(sv.scaled.kind), sv.scaled.n, k, three, apart, res.Status, res.Iterations, res.Objective)
			}
		}
	}
	if ended[Optimal] < 1500 || ended[Infeasible] < 20 {
		t.Errorf("the problems end too much alike: %v", ended)
	}
}

// anyProblem draws a problem on k types: some blocks without a row or with rates of 0, blocks alike, rates decades
// apart, and sometimes gains, floors, no level and a type that everybody has enough of.
func anyProblem(r *rand.Rand, k int) *Problem {
	n := 1 + r.IntN(40)
	gains, floors := r.IntN(3) == 0, r.IntN(3) == 0
	p := &Problem{}
	for j := range k {
		p.Capacity = append(p.Capacity, 1+float64(r.IntN(n*(1+j))))
	}
	if !gains || r.IntN(2) == 0 {
		p.LevelGain = 1
	}
	for i := range n {
		if l := r.IntN(i + 1); l < i && r.IntN(3) == 0 { // alike
			p.Scale, p.Level = append(p.Scale, p.Scale[l]), append(p.Level, p.Level[l])
			p.Floor = append(p.Floor, p.Floor[l])
			p.Row, p.Gain = append(p.Row, p.Row[k*l:k*l+k]...), append(p.Gain, p.Gain[k*l:k*l+k]...)
			continue
		}
		p.Scale = append(p.Scale, []float64{1, 1, 1, 2, 4, 8}[r.IntN(6)])
		by, best := decade(r, -2, 3), 0.0
		for range k {
			f := by * (0.1 + r.Float64())
			if r.IntN(12) == 0 {
				f = 0
			}
			best = max(best, f)
			p.Row, p.Gain = append(p.Row, f), append(p.Gain, f*r.Float64())
		}
		level, floor := best*(0.2+r.Float64()), 0.0
		if r.IntN(15) == 0 {
			level = 0
		}
		if floors && r.IntN(3) == 0 {
			level, floor = 0, best*0.9*r.Float64()
		}
		if r.IntN(20) == 0 {
			floor = math.Inf(-1)
		}
		p.Level, p.Floor = append(p.Level, level), append(p.Floor, floor)
	}
	if !gains {
		p.Gain = nil
	} else if r.IntN(4) == 0 {
		p.Row, p.Level, p.Floor, p.LevelGain = nil, nil, nil, 0
	}
	return p
}
