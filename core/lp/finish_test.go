package lp

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestFinishTimeByHand: one type, two jobs of one GPU each. Alone each would get half of the GPU, so that
// D = 200 s and 400 s; nothing has passed, and equal rho gives each half: rho = 1. Twenty seconds later
// without progress rho is (20+100/x)/200 = (20+200/(1-x))/400.
func TestFinishTimeByHand(t *testing.T) {
	one := []float64{1}
	r, err := FinishTime(nil, &Jobs{Rates: []float64{1, 1}, GPUs: []float64{1, 1}, Left: []float64{100, 200},
		Elapsed: []float64{0, 0}, Used: []float64{0, 0}, Capacity: one})
	if err != nil || math.Abs(r.Objective-1) > 1e-9 || r.Bound > r.Objective+1e-12 {
		t.Errorf("%+v %v", r, err)
	}
	r, err = FinishTime(nil, &Jobs{Rates: []float64{1, 1}, GPUs: []float64{1, 1}, Left: []float64{100, 200},
		Elapsed: []float64{20, 20}, Used: []float64{0, 0}, Capacity: one})
	x := r.X[0]
	if err != nil || math.Abs((20+100/x)/200-r.Objective) > 1e-9 || math.Abs((20+200/(1-x))/400-r.Objective) > 1e-8 {
		t.Errorf("%+v %v", r, err)
	}
	// The first has nothing left: its rho is what it is, and the other gets what it can use.
	r, err = FinishTime(nil, &Jobs{Rates: []float64{1, 1}, GPUs: []float64{1, 1}, Left: []float64{0, 200},
		Elapsed: []float64{50, 20}, Used: []float64{25, 0}, Capacity: one})
	if err != nil || math.Abs(r.Objective-2) > 1e-9 || r.X[0] != 0 || math.Abs(r.X[1]-1) > 1e-6 {
		t.Errorf("%+v %v", r, err)
	}
	if r, err = FinishTime(nil, &Jobs{Capacity: one}); err != nil || r.Objective != 0 || r.Status != Optimal {
		t.Errorf("no jobs: %+v %v", r, err)
	}
	if r, err = FinishTime(nil, &Jobs{Rates: []float64{0, 1}, GPUs: []float64{1, 1}, Left: []float64{5, 5},
		Elapsed: []float64{0, 0}, Used: []float64{0, 0}, Capacity: one}); err != nil || r.X[0] != 0 ||
		math.Abs(r.Objective-0.5) > 1e-9 {
		t.Errorf("a job without a speed is left out: %+v %v", r, err)
	}
	if _, err = FinishTime(nil, &Jobs{Rates: []float64{1}, GPUs: []float64{1}, Left: []float64{1},
		Elapsed: []float64{math.NaN()}, Used: []float64{0}, Capacity: one}); err != ErrValue {
		t.Errorf("%v", err)
	}
}

// TestFinishTimeAgainstBisection asks at rho just above and just below the answer whether all floors can
// be met, which is the definition.
func TestFinishTimeAgainstBisection(t *testing.T) {
	var sv Solver
	rng := rand.New(rand.NewPCG(2, 8))
	bound, most := 0, 0
	for c := range 400 {
		n, k := 1+rng.IntN(12), 1+rng.IntN(3)
		rates, s, gpus := make([]float64, n*k), make([]float64, n), make([]float64, k)
		r, e, used := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range rates {
			rates[i] = decade(rng, -2, 2) * float64(min(1, rng.IntN(6)))
		}
		for j := range gpus {
			gpus[j] = float64(rng.IntN(5))
		}
		for i := range n {
			s[i] = []float64{1, 1, 2, 8}[rng.IntN(4)]
			r[i] = decade(rng, 1, 6) * float64(min(1, rng.IntN(9)))
			e[i], used[i] = decade(rng, 1, 5), decade(rng, 1, 5)
		}
		res, err := FinishTime(&sv, &Jobs{Rates: rates, GPUs: s, Left: r, Elapsed: e, Used: used, Capacity: gpus})
		if err != nil || res.Status != Optimal {
			t.Fatalf("case %d: %v status %d gap %v", c, err, res.Status, res.RelGap)
		}
		feasible(t, res.X, s, gpus)
		most = max(most, res.Iterations)
		iso := Isolated(nil, rates, s, gpus)
		worst, least := 0.0, 0.0
		for i := range n {
			if iso[i] == 0 {
				continue
			}
			tail := 0.0
			if r[i] > 0 {
				tail = r[i] / dot(rates[i*k:i*k+k], res.X[i*k:i*k+k])
				least = math.Max(least, (e[i]+r[i]/best(rates[i*k:i*k+k], gpus))/(used[i]+r[i]/iso[i]))
			} else {
				least = math.Max(least, e[i]/used[i])
			}
			worst = math.Max(worst, (e[i]+tail)/(used[i]+r[i]/iso[i]))
		}
		if math.Abs(worst-res.Objective) > 1e-9*worst {
			t.Fatalf("case %d: rho %v, %v from x", c, res.Objective, worst)
		}
		if !(res.Objective*(1-1e-7) > least) {
			continue // one job alone decides
		}
		bound++
		for _, side := range []float64{-1, 1} {
			rho := res.Objective * (1 + side*1e-7)
			p := Problem{Scale: s, Capacity: gpus, Row: rates, Floor: make([]float64, n)}
			for i := range n {
				p.Floor[i] = math.Inf(-1)
				if iso[i] > 0 && r[i] > 0 {
					p.Floor[i] = r[i] / (rho*(used[i]+r[i]/iso[i]) - e[i])
				}
			}
			if ans, err := new(Solver).Solve(&p); err != nil || (ans.Status == Infeasible) != (side < 0) {
				t.Errorf("case %d: at %v of the answer: %v %+v", c, 1+side*1e-7, err, ans.Status)
			}
		}
	}
	t.Logf("capacity decides in %d cases, at most %d iterations", bound, most)
	if bound < 50 {
		t.Error("too few cases in which capacity decides")
	}
}

// TestRatioAgainstItsSign: at a price a little below the best ratio there is something to gain, a little
// above there is not.
func TestRatioAgainstItsSign(t *testing.T) {
	var sv Solver
	rng := rand.New(rand.NewPCG(4, 4))
	floors := 0
	for c := range 300 {
		n, k := 1+rng.IntN(8), 1+rng.IntN(3)
		rates, s, gpus, price := make([]float64, n*k), make([]float64, n), make([]float64, k), make([]float64, k)
		r, slo := make([]float64, n), make([]float64, n)
		for i := range rates {
			rates[i] = decade(rng, -1, 1) * float64(min(1, rng.IntN(6)))
		}
		for j := range gpus {
			gpus[j], price[j] = float64(rng.IntN(5)), decade(rng, -1, 1)
		}
		for i := range n {
			s[i] = []float64{1, 2, 4}[rng.IntN(3)]
			r[i], slo[i] = decade(rng, 1, 3), []float64{math.Inf(1), -5, 300, 2000}[rng.IntN(4)]
		}
		res, kept, err := MinCostRatio(&sv, &Jobs{Rates: rates, GPUs: s, Price: price, Left: r, Until: slo,
			Capacity: gpus})
		if err != nil || res.Status != Optimal {
			t.Fatalf("case %d: %v %+v", c, err, res)
		}
		feasible(t, res.X, s, gpus)
		if got := ratioOf(res.X, rates, s, price); math.Abs(got-res.Objective) > 1e-12*got {
			t.Fatalf("case %d: %v, %v from x", c, res.Objective, got)
		}
		p := Problem{Scale: s, Capacity: gpus, Gain: make([]float64, n*k), Row: rates, Floor: make([]float64, n)}
		bind := false
		for i := range n {
			p.Floor[i] = math.Inf(-1)
			if kept && slo[i] > 0 && !math.IsInf(slo[i], 1) {
				p.Floor[i], bind = r[i]/slo[i], true
			}
		}
		if bind {
			floors++
		}
		for _, side := range []float64{-1, 1} {
			for i := range rates {
				p.Gain[i] = rates[i] - res.Objective*(1+side*1e-6)*price[i%k]*s[i/k]
			}
			ans, err := new(Solver).Solve(&p)
			if err != nil || side < 0 && ans.Objective < 0 || side > 0 && ans.Objective > 0 {
				t.Errorf("case %d: at %v of the ratio the gain is %v", c, 1+side*1e-6, ans.Objective)
			}
		}
	}
	if floors < 50 {
		t.Error("too few cases with deadlines kept")
	}
}
