package lp

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestWaterFillOfFixtures(t *testing.T) {
	var sv Solver
	for _, in := range instances(t) {
		f, err := WaterFill(&sv, &Jobs{Rates: in.t, GPUs: in.s, Weights: in.w, Capacity: in.Capacity})
		if err != nil {
			t.Fatal(err)
		}
		feasible(t, f.X, in.s, in.Capacity)
		want := in.Expected["las_water_filling"]
		t.Logf("%s: %.12g want %.12g, gap %.1e, %d stages, %d programs", in.Name, f.Objective, want.Objective, f.RelGap,
			f.Stages, f.Solves)
		if math.Abs(f.Objective/want.Objective-1) > 1e-7 || f.RelGap > 1e-8 {
			t.Errorf("%s: first level %v, want %v; gap %v", in.Name, f.Objective, want.Objective, f.RelGap)
		}
		for i, y := range f.Levels {
			if math.Abs(y/want.Levels[i]-1) > 1e-7 {
				t.Errorf("%s job %d: level %v, want %v", in.Name, i, y, want.Levels[i])
			}
		}
	}
}

// slowly is hierarchical filling at its plainest: raise the common level of the open jobs, find by
// a program for each job whether it can rise above, freeze those that cannot, and set the weights anew.
func slowly(t *testing.T, sv *Solver, rates, s, w []float64, of []int32, entities []Entity, gpus []float64) []float64 {
	n, k := len(s), len(gpus)
	unit := Proportional(nil, rates, gpus)
	low, isOpen := make([]float64, n), make([]bool, n)
	for i := range unit {
		unit[i] /= s[i]
		e := entities[of[i]]
		isOpen[i] = unit[i] > 0 && e.Weight > 0 && (e.FIFO || w[i] > 0)
	}
	solve := func(p *Problem) Result {
		r, err := sv.Solve(p)
		if err != nil || r.Status == Infeasible || math.Abs(r.Bound-r.Objective) > 1e-7*math.Max(r.Bound, 1) ||
			r.Violation > 1e-7 {
			t.Fatalf("%v %+v", err, r)
		}
		return r
	}
	for {
		sum, head := make([]float64, len(entities)), make([]int, len(entities))
		for i := range n {
			if isOpen[i] {
				if sum[of[i]] == 0 {
					head[of[i]] = i
				}
				sum[of[i]] += w[i] + 1e-300
			}
		}
		level, floor, any := make([]float64, n), make([]float64, n), false
		for i := range n {
			floor[i] = low[i] * unit[i] * (1 - 1e-9)
			if unit[i] == 0 {
				floor[i] = math.Inf(-1)
			}
			if !isOpen[i] {
				continue
			}
			any = true
			switch e := entities[of[i]]; {
			case !e.FIFO:
				level[i] = unit[i] * e.Weight * w[i] / sum[of[i]]
			case head[of[i]] == i:
				level[i] = unit[i] * e.Weight
			}
		}
		if !any {
			return low
		}
		z := solve(&Problem{Scale: s, Capacity: gpus, Row: rates, Level: level, Floor: floor, LevelGain: 1}).Level
		for i := range n {
			if level[i] > 0 {
				low[i] += max(0, z) * level[i] / unit[i]
				floor[i] = low[i] * unit[i] * (1 - 1e-9)
			}
		}
		for i := range n {
			if !isOpen[i] {
				continue
			}
			gain := make([]float64, n*k)
			copy(gain[i*k:i*k+k], rates[i*k:i*k+k])
			top := solve(&Problem{Scale: s, Capacity: gpus, Row: rates, Floor: floor, Gain: gain}).Objective / unit[i]
			isOpen[i] = top > low[i]+1e-5*max(low[i], 0.01)
		}
	}
}

// TestFillingAgainstSlowReference compares level by level on random jobs with rates of zero, ties,
// weights of zero, gangs larger than a type, and entities of both kinds.
func TestFillingAgainstSlowReference(t *testing.T) {
	var sv, slow Solver
	r := rand.New(rand.NewPCG(5, 3))
	stages := 0
	for c := range 300 {
		n, k := 1+r.IntN(9), 1+r.IntN(3)
		rates, s, w, gpus := make([]float64, n*k), make([]float64, n), make([]float64, n), make([]float64, k)
		for i := range rates {
			rates[i] = []float64{decade(r, -1, 1), float64(r.IntN(4))}[r.IntN(2)]
		}
		for j := range k {
			gpus[j] = float64(r.IntN(6))
		}
		of, entities := make([]int32, n), make([]Entity, 1+r.IntN(3))
		for e := range entities {
			entities[e] = Entity{Weight: float64(1 + r.IntN(3)), FIFO: r.IntN(2) == 0}
		}
		for i := range n {
			s[i] = []float64{1, 1, 2, 4}[r.IntN(4)]
			w[i] = float64(r.IntN(4))
			of[i] = int32(r.IntN(len(entities)))
		}
		var f Filling
		var err error
		if c%2 == 0 {
			f, err = WaterFill(&sv, &Jobs{Rates: rates, GPUs: s, Weights: w, Capacity: gpus})
			of, entities = make([]int32, n), make([]Entity, n)
			for i := range n {
				of[i], entities[i] = int32(i), Entity{Weight: w[i]}
			}
		} else {
			f, err = Hierarchical(&sv, &Jobs{Rates: rates, GPUs: s, Weights: w, Of: of, Entities: entities,
				Capacity: gpus})
		}
		if err != nil {
			t.Fatal(err)
		}
		stages = max(stages, f.Stages)
		feasible(t, f.X, s, gpus)
		want := slowly(t, &slow, rates, s, w, of, entities, gpus)
		for i := range want {
			got := f.Levels[i]
			if c%2 == 0 {
				got *= w[i]
			}
			if math.Abs(got-want[i]) > 1e-6*math.Max(1, want[i]) {
				t.Errorf("case %d job %d: level %.9g, want %.9g (gap %.1e, %d stages, %d programs)\n%v %v %v %v\n%v %v",
					c, i, got, want[i], f.RelGap, f.Stages, f.Solves, rates, s, w, gpus, of, entities)
			}
		}
		if f.RelGap > 1e-7 {
			t.Errorf("case %d: gap %v", c, f.RelGap)
		}
	}
	t.Logf("at most %d stages", stages)
}
