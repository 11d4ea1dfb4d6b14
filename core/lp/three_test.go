package lp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The loops written out for three types must give the bits of those for any number: whatever the problem, every
// figure of the answer is the same, and so is the way there.
func TestThreeTypesAsAnyNumber(t *testing.T) {
	same := func(a, b []float64) bool {
		return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
	}
	statuses := map[Status]int{}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 17))
		p := threeTypes(r)
		var sv [2]Solver
		var res [2]Result
		if sv[0].load(p); !sv[0].scaled.three {
			continue // no row can bind
		}
		for k := range sv {
			sv[k].load(p)
			sv[k].scaled.three = k == 0
			res[k] = sv[k].blank(p)
			sv[k].run(p, &res[k])
			statuses[res[k].Status]++
		}
		a, b := &res[0], &res[1]
		if a.Status != b.Status || a.Iterations != b.Iterations || !same(a.X, b.X) || !same(a.Price, b.Price) ||
			!same(a.RowPrice, b.RowPrice) || !same([]float64{a.Level, a.Objective, a.Bound, a.RelGap, a.Violation},
			[]float64{b.Level, b.Objective, b.Bound, b.RelGap, b.Violation}) ||
			!same(sv[0].path.v, sv[1].path.v) || !same(sv[0].path.z, sv[1].path.z) ||
			!same(sv[0].path.s, sv[1].path.s) {
			t.Fatalf("seed %d: %d blocks end %v after %d steps at %v, in general %v after %d at %v", seed,
				len(p.Scale), a.Status, a.Iterations, a.Objective, b.Status, b.Iterations, b.Objective)
		}
	}
	if statuses[Optimal] < 2000 || statuses[Infeasible] < 20 {
		t.Errorf("the problems end too much alike: %v", statuses)
	}
}

// threeTypes draws a problem with rows on three types: some blocks without a row or with rates of 0, jobs alike, rates
// decades apart, and sometimes gains, floors and a type that everybody has enough of.
func threeTypes(r *rand.Rand) *Problem {
	n := 1 + r.IntN(40)
	gains, floors := r.IntN(3) == 0, r.IntN(3) == 0
	p := &Problem{Capacity: []float64{1 + float64(r.IntN(n)), 1 + float64(r.IntN(n)), 1 + float64(r.IntN(5*n))}}
	if !gains || r.IntN(2) == 0 {
		p.LevelGain = 1
	}
	for i := range n {
		if i > 0 && r.IntN(4) == 0 { // alike
			k := r.IntN(i)
			p.Scale, p.Level = append(p.Scale, p.Scale[k]), append(p.Level, p.Level[k])
			p.Floor = append(p.Floor, p.Floor[k])
			p.Row, p.Gain = append(p.Row, p.Row[3*k:3*k+3]...), append(p.Gain, p.Gain[3*k:3*k+3]...)
			continue
		}
		p.Scale = append(p.Scale, []float64{1, 1, 1, 2, 4, 8}[r.IntN(6)])
		by, best := decade(r, -2, 3), 0.0
		for range 3 {
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
	}
	return p
}
