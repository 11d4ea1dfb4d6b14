package lp

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*math.Max(1, math.Abs(want))) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

func must(t *testing.T) func(Result, error) Result {
	return func(r Result, err error) Result {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != Optimal {
			t.Fatalf("status %d, cause %d, gap %v", r.Status, r.Cause, r.RelGap)
		}
		return r
	}
}

// Three equal jobs of 2 GPUs on 3 V + 3 P, 3 steps per second on V, 1 on P: prop = 2, and all GPUs
// busy give each job half its time on V and half on P, so z = (2/2)(1.5 + 0.5) = 2.
func TestWorkedExample(t *testing.T) {
	rates := []float64{3, 1, 3, 1, 3, 1}
	r := must(t)(MaxMin(nil, &Jobs{Rates: rates, GPUs: []float64{2, 2, 2}, Capacity: []float64{3, 3}}))
	near(t, "level", r.Level, 2)
	for _, x := range r.X {
		near(t, "x", x, 0.5)
	}
	r = must(t)(MaxSum(nil, &Jobs{Rates: rates, GPUs: []float64{2, 2, 2}, Capacity: []float64{3, 3}}))
	near(t, "total", r.Objective, 6)
	// 12, 24 and 36 steps left. All GPUs together do 6 per second, so T >= 12; and it is reached: job 2
	// always on V, job 1 half on V and half on P, job 0 always on P, as many steps as they need.
	r = must(t)(Makespan(nil, &Jobs{Rates: rates, GPUs: []float64{2, 2, 2}, Left: []float64{12, 24, 36},
		Capacity: []float64{3, 3}}))
	near(t, "makespan", 1/r.Level, 12)
}

func TestNormalisers(t *testing.T) {
	near(t, "prop", Proportional(nil, []float64{3, 1}, []float64{1, 3})[0], 1.5)
	near(t, "prop of no cluster", Proportional(nil, []float64{3, 1}, []float64{0, 0})[0], 0)
	// n = 2: job 0 (2 GPUs) has y = (1/4, 3/4); job 1 has (1/2, 3/2), scaled down by 2 to the same.
	for i, want := range []float64{1.5, 1.5} {
		near(t, "iso", Isolated(nil, []float64{3, 1, 3, 1}, []float64{2, 1}, []float64{1, 3})[i], want)
	}
	y := IsolatedShares(nil, []float64{2, 1}, []float64{1, 3})
	for i, want := range []float64{0.25, 0.75, 0.25, 0.75} {
		near(t, "share", y[i], want)
	}
}

// Free choices must not end at a vertex: the mechanism spreads jobs by these fractions.
func TestInsideTheOptimalFace(t *testing.T) {
	r := must(t)(MaxMin(nil, &Jobs{Rates: []float64{1, 1, 2, 2, 3, 3}, GPUs: []float64{1, 1, 2},
		Capacity: []float64{8, 3}}))
	for i, x := range r.X {
		if x < 0.1 || x > 0.9 {
			t.Errorf("x[%d] = %v is near a vertex of a face that leaves it free", i, x)
		}
	}
	// Equal jobs that must share: the face has vertices 0 and 1, its inside is 1/2 by symmetry.
	r = must(t)(MaxSum(nil, &Jobs{Rates: []float64{1, 1}, GPUs: []float64{1, 1}, Capacity: []float64{1}}))
	near(t, "x", r.X[0], 0.5)
}

func TestDegenerate(t *testing.T) {
	var sv Solver
	check := must(t)
	one := []float64{1}
	near(t, "n = k = 1", check(MaxMin(&sv, &Jobs{Rates: []float64{7}, GPUs: one, Capacity: one})).Level, 1)
	near(t, "a gang larger than the type", check(MaxMin(&sv, &Jobs{Rates: []float64{7}, GPUs: []float64{4},
		Capacity: one})).Level, 1)
	near(t, "no jobs", check(MaxMin(&sv, &Jobs{Capacity: one})).Objective, 0)
	near(t, "no GPUs", check(MaxMin(&sv, &Jobs{Rates: []float64{7}, GPUs: one, Capacity: []float64{0}})).Objective, 0)

	r := check(MaxMin(&sv, &Jobs{Rates: []float64{5, 2, 5, 2}, GPUs: []float64{1, 1}, Capacity: []float64{2, 0}}))
	near(t, "a type without GPUs", r.Level, 1)
	if r.X[1] != 0 || r.X[3] != 0 {
		t.Error("time on a type without GPUs")
	}
	// Left out: a job that cannot run, one that runs only where there is no GPU, one of weight 0.
	r = check(MaxMin(&sv, &Jobs{Rates: []float64{5, 0, 0, 0, 0, 3, 4, 4}, GPUs: []float64{1, 1, 1, 1},
		Weights: []float64{1, 1, 1, 0}, Capacity: []float64{1, 0}}))
	near(t, "level of the others", r.Level, 1)
	for i := 2; i < len(r.X); i++ {
		if r.X[i] != 0 {
			t.Errorf("x[%d] = %v for a job that is left out", i, r.X[i])
		}
	}
	// As a plain problem, a row without rates holds the level at 0, and that is proven.
	r = check(sv.Solve(&Problem{Scale: []float64{1, 1}, Capacity: one, LevelGain: 1, Row: []float64{1, 0},
		Level: []float64{1, 1}}))
	if r.Level > 0 || r.Bound > 1e-12 {
		t.Errorf("level %v, bound %v, want 0", r.Level, r.Bound)
	}
	r = check(MaxMin(&sv, &Jobs{Rates: []float64{5, 5, 5}, GPUs: []float64{1, 1, 1},
		Weights: []float64{1e-6, 1, 1e6}, Capacity: one}))
	near(t, "weights far apart", r.Level/(1/1000001.000001), 1)
}

func TestNoOptimum(t *testing.T) {
	rates := []float64{2, 1, 2, 1}
	s, gpus, inf := []float64{1, 1}, []float64{1, 1}, math.Inf(-1)
	for _, c := range []struct {
		name   string
		p      Problem
		status Status
		cause  Cause
		index  int
	}{
		{"floor above the best rate", Problem{Row: rates, Floor: []float64{inf, 2.5}}, Infeasible, CauseBlock, 1},
		{"floors together too high", Problem{Row: rates, Floor: []float64{1.8, 1.8}}, Infeasible, CauseFloors, -1},
		{"barely too high", Problem{Row: rates, Floor: []float64{1.5, 1.500001}}, Infeasible, CauseFloors, -1},
		{"just met", Problem{Row: rates, Floor: []float64{1.5, 1.5}, Gain: rates}, Optimal, CauseNone, -1},
		{"negative capacity", Problem{Gain: rates, Capacity: []float64{1, -1}}, Infeasible, CauseCapacity, 1},
		{"free level", Problem{Row: rates, Floor: []float64{1, 1}, LevelGain: 1}, Unbounded, CauseLevel, -1},
		{"free level, floors too high", Problem{Row: rates, Floor: []float64{1.8, 1.8}, LevelGain: 1}, Infeasible,
			CauseFloors, -1},
		{"no gain at all", Problem{}, Optimal, CauseNone, -1},
		{"only floors", Problem{Row: rates, Floor: []float64{1.2, 1.2}}, Optimal, CauseNone, -1},
	} {
		c.p.Scale = s
		if c.p.Capacity == nil {
			c.p.Capacity = gpus
		}
		r, err := new(Solver).Solve(&c.p)
		if err != nil || r.Status != c.status || r.Cause != c.cause || r.Index != c.index {
			t.Errorf("%s: status %d cause %d index %d gap %v violation %v, %v", c.name, r.Status, r.Cause, r.Index,
				r.RelGap, r.Violation, err)
		} else if r.Status == Optimal {
			checkOptimal(t, &c.p, r)
		} else if r.Cause == CauseFloors || r.Cause == CauseBlock {
			checkRefutation(t, &c.p, r)
		}
	}
}

func TestErrors(t *testing.T) {
	one, nan := []float64{1}, []float64{math.NaN()}
	for i, c := range []struct {
		p    Problem
		want error
	}{
		{Problem{Scale: one}, ErrShape},
		{Problem{Scale: one, Capacity: make([]float64, 9)}, ErrShape},
		{Problem{Scale: one, Capacity: one, Gain: []float64{1, 2}}, ErrShape},
		{Problem{Scale: one, Capacity: one, Floor: one}, ErrShape},
		{Problem{Scale: []float64{0}, Capacity: one}, ErrValue},
		{Problem{Scale: one, Capacity: nan}, ErrValue},
		{Problem{Scale: one, Capacity: one, Gain: []float64{math.Inf(1)}}, ErrValue},
		{Problem{Scale: one, Capacity: one, LevelGain: -1}, ErrValue},
		{Problem{Scale: one, Capacity: one, Row: one, Floor: []float64{math.Inf(1)}}, ErrValue},
		{Problem{Scale: one, Capacity: one, Row: one, Floor: nan}, ErrValue},
		{Problem{Scale: one, Capacity: one, Row: one, Level: []float64{-1}}, ErrValue},
	} {
		if _, err := new(Solver).Solve(&c.p); err != c.want {
			t.Errorf("case %d: %v, want %v", i, err, c.want)
		}
	}
	if _, err := MaxMin(nil, &Jobs{Rates: []float64{-1}, GPUs: one, Capacity: one}); err != ErrValue {
		t.Errorf("negative rate: %v", err)
	}
	if _, err := MinCost(nil, &Jobs{Rates: one, GPUs: one, Price: []float64{0}, Capacity: one}); err != ErrValue {
		t.Errorf("free GPUs: %v", err)
	}
}

func TestPermutation(t *testing.T) {
	rates, s, w, gpus := fleet(60, 3)
	base := must(t)(MaxMin(nil, &Jobs{Rates: rates, GPUs: s, Weights: w, Capacity: gpus})).Objective
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var pt, ps, pw []float64
		for _, i := range r.Perm(len(s)) {
			pt, ps, pw = append(pt, rates[3*i:3*i+3]...), append(ps, s[i]), append(pw, w[i])
		}
		near(t, "objective of a permutation", must(t)(MaxMin(nil, &Jobs{Rates: pt, GPUs: ps, Weights: pw,
			Capacity: gpus})).Objective/base, 1)
	}
}

func TestScaledRatesKeepTheLevel(t *testing.T) {
	rates, s, w, gpus := fleet(60, 3)
	base := must(t)(MaxMin(nil, &Jobs{Rates: rates, GPUs: s, Weights: w, Capacity: gpus})).Level
	for i := range s { // each job in units of its own: prop undoes it
		for j := range 3 {
			rates[3*i+j] *= []float64{1e-4, 0.01, 1, 3, 100, 1e4}[i%6]
		}
	}
	near(t, "level", must(t)(MaxMin(nil, &Jobs{Rates: rates, GPUs: s, Weights: w, Capacity: gpus})).Level/base, 1)
}

func TestIdenticalJobs(t *testing.T) {
	rates, s, w, gpus := fleet(40, 3)
	for i := 20; i < 40; i++ {
		copy(rates[3*i:3*i+3], rates[3*(i-20):])
		s[i], w[i] = s[i-20], w[i-20]
	}
	x := must(t)(MaxMin(nil, &Jobs{Rates: rates, GPUs: s, Weights: w, Capacity: gpus})).X
	for i := range 60 {
		near(t, "share of a twin", x[60+i], x[i])
	}
}

func TestSameBitsTwice(t *testing.T) {
	rates, s, w, gpus := fleet(100, 3)
	first := must(t)(MaxMin(nil, &Jobs{Rates: rates, GPUs: s, Weights: w, Capacity: gpus}))
	var sv Solver
	other, os, ow, og := fleet(333, 5)
	must(t)(MaxMin(&sv, &Jobs{Rates: other, GPUs: os, Weights: ow, Capacity: og})) // leave something in the workspace
	again := must(t)(MaxMin(&sv, &Jobs{Rates: rates, GPUs: s, Weights: w, Capacity: gpus}))
	if math.Float64bits(first.Level) != math.Float64bits(again.Level) || first.Bound != again.Bound ||
		first.Iterations != again.Iterations {
		t.Errorf("%v %v %d, then %v %v %d", first.Level, first.Bound, first.Iterations, again.Level, again.Bound,
			again.Iterations)
	}
	for i := range first.X {
		if math.Float64bits(first.X[i]) != math.Float64bits(again.X[i]) {
			t.Fatalf("x[%d] = %v, then %v", i, first.X[i], again.X[i])
		}
	}
}

// The bits of one answer, the same on every target.
func TestGoldenBits(t *testing.T) {
	rates, s, w, gpus := fleet(100, 3)
	r := must(t)(MaxMin(nil, &Jobs{Rates: rates, GPUs: s, Weights: w, Capacity: gpus}))
	h := fnv.New64a()
	for _, f := range append([]float64{r.Level, r.Bound}, r.X...) {
		binary.Write(h, binary.LittleEndian, math.Float64bits(f))
	}
	if got := h.Sum64(); got != golden {
		t.Errorf("hash %#x, want %#x: the answer's bits have changed", got, uint64(golden))
	}
}

const golden = 0xee10ab009b2f49fd

// One step of water filling: the jobs whose row has a price are the ones that cannot rise, and the
// next level is found with floors that leave no room at all. There a solve in a hundred ends Stalled at
// a gap near 1e-8: the prices of such floors have no bound.
func TestWaterFillingSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		p := random(r, 0, 2+r.IntN(20), 1+r.IntN(3))
		p.Floor = make([]float64, len(p.Scale))
		for i := range p.Scale {
			if p.Level[i] == 0 {
				p.Floor[i] = math.Inf(-1)
			}
		}
		last, open := 0.0, 0
		for round := 0; ; round++ {
			res, err := new(Solver).Solve(p)
			usable := res.Status == Stalled && res.RelGap < 1e-6 && res.Violation < 1e-9
			if err != nil || res.Status != Optimal && res.Status != Unbounded && !usable {
				t.Fatalf("round %d: status %d gap %v violation %v, %v", round, res.Status, res.RelGap, res.Violation,
					err)
			}
			if res.Status == Unbounded {
				break
			}
			if !usable {
				checkOptimal(t, p, res)
			}
			if res.Level < last*(1-1e-6) || round > len(p.Scale) {
				t.Fatalf("round %d: level %v after %v", round, res.Level, last)
			}
			last, open = res.Level, 0
			for i, y := range res.RowPrice {
				if b := p.Level[i]; b > 0 && y*b > 1e-5 {
					p.Level[i], p.Floor[i] = 0, b*res.Level
				} else if b > 0 {
					open++
				}
			}
		}
		if open > 0 {
			t.Fatalf("%d jobs still open", open)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	rates, s, w, gpus := fleet(64, 3)
	price, slo := []float64{1, 2, 3}, make([]float64, len(s))
	for i := range slo {
		slo[i] = 1e6
	}
	var sv Solver
	for name, solve := range map[string]func() (Result, error){
		"max-min": func() (Result, error) {
			return MaxMin(&sv, &Jobs{Rates: rates, GPUs: s, Weights: w,
				Capacity: gpus})
		},
		"makespan": func() (Result, error) {
			return Makespan(&sv, &Jobs{Rates: rates, GPUs: s, Left: slo,
				Capacity: gpus})
		},
		"fifo": func() (Result, error) { return FIFO(&sv, &Jobs{Rates: rates, GPUs: s, Capacity: gpus}) },
		"slo": func() (Result, error) {
			r, _, err := MinCostSLO(&sv, &Jobs{Rates: rates, GPUs: s, Price: price, Left: w, Until: slo,
				Capacity: gpus})
			return r, err
		},
	} {
		must(t)(solve())
		if n := testing.AllocsPerRun(3, func() { solve() }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// FuzzSolve throws numbers of any size at the solver: it must end, and without NaN.
func FuzzSolve(f *testing.F) {
	f.Add(uint64(1), 3.0, 1.0, 0.5, 2.0)
	f.Add(uint64(2), 1e-300, 1e300, 1e-9, 1e9)
	f.Fuzz(func(t *testing.T, seed uint64, a, b, c, d float64) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := random(r, int(seed%5), 1+r.IntN(6), 1+r.IntN(4))
		p.Scale[0] = math.Abs(a)
		p.Capacity[0] = b
		if p.Row != nil {
			p.Row[0] = c
		}
		if p.Floor != nil {
			p.Floor[0] = d
		}
		res, err := new(Solver).Solve(p)
		if err != nil {
			return
		}
		for _, v := range append([]float64{res.Level, res.Objective, res.Bound, res.RelGap, res.Violation}, res.X...) {
			if math.IsNaN(v) {
				t.Fatalf("NaN in %+v", res)
			}
		}
	})
}
