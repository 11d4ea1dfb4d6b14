package goodput

import (
	"math"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

func TestFitFixture(t *testing.T) {
	var doc struct {
		Cases []struct {
			ID, Kind     string
			Fitted       perfDoc
			Objective    float64
			Measurements []struct {
				Nodes, Replicas int32
				Batch           int32   `json:"atomic_batch"`
				Grad            float64 `json:"grad_time"`
				Iter            float64 `json:"iteration_time"`
			}
			Predicted []float64 `json:"predicted_iteration_time"`
		}
	}
	fixture(t, "fit.json", &doc)
	for _, c := range doc.Cases {
		var o Observed
		for _, m := range c.Measurements {
			o.Add(m.Replicas, m.Batch, m.Nodes > 1, m.Grad, m.Iter)
		}
		if f := o.Objective(c.Fitted.perf()); !near(f, c.Objective) {
			t.Errorf("%s: the reference's objective is %v, want %v", c.ID, f, c.Objective)
		}
		o.Fit()
		f := o.Objective(&o.Perf)
		if f > c.Objective*1.02+1e-3 {
			t.Errorf("%s: objective %v, the reference reaches %v", c.ID, f, c.Objective)
		}
		none := Alike(0)
		for i, m := range c.Measurements {
			got := At(&o.Perf, &none, m.Replicas, m.Batch, 0, m.Nodes > 1).Iter
			// Where the reference's search ended early and ours lower, it need not predict the same.
			if math.Abs(got/c.Predicted[i]-1) > 0.03 && f > c.Objective*0.999 {
				t.Errorf("%s: predicts %v for %+v, the reference %v", c.ID, got, m, c.Predicted[i])
			}
		}
	}
}

// TestGradient compares the exact gradient with differences.
func TestGradient(t *testing.T) {
	o := measured(3, 40, 0.2)
	x := vector{0.02, 0.07, -2.3, 0.025, -4, 0.03, 1.7}
	var g, none vector
	var b matrix
	o.value(&x, 1, 0.01, smoothness, &g, &b)
	for i := range x {
		h := x[i] * 1e-6
		up, down := x, x
		up[i] += h
		down[i] -= h
		want := o.value(&up, 1, 0.01, smoothness, &none, &b) - o.value(&down, 1, 0.01, smoothness, &none, &b)
		want /= 2 * h
		if math.Abs(g[i]-want) > 1e-5*(math.Abs(want)+1e-3) {
			t.Errorf("parameter %d: gradient %v, by differences %v", i, g[i], want)
		}
	}
}

// measured draws n measurements of a random model, with errors of that relative size.
func measured(seed uint64, n int, noise float64) *Observed {
	r := unit.Stream(seed, "fit")
	between := func(lo, hi float64) float64 { return unit.Exp(unit.Log(lo) + r.Float64()*unit.Log(hi/lo)) }
	p := model.Perf{AlphaC: between(0.005, 0.5), BetaC: between(1e-5, 0.05), AlphaN: between(0.02, 1),
		BetaN: between(1e-4, 0.03), AlphaR: between(0.005, 0.3), BetaR: between(1e-6, 0.02), Gamma: 1 + between(0.1, 5)}
	var o Observed
	none := Alike(0)
	for range n {
		k := int32(1 + r.IntN(16))
		several := k > 4 || k > 1 && r.IntN(3) == 0
		m := int32(between(8, 512))
		pt := At(&p, &none, k, m, 0, several)
		err := func() float64 { return unit.Exp(noise * unit.Normal(r)) }
		o.Add(k, m, several, pt.Grad*err(), pt.Iter*err())
	}
	return &o
}

// TestFitAgainstManyStarts: no other start of the search ends much lower.
func TestFitAgainstManyStarts(t *testing.T) {
	for seed := range uint64(60) {
		for _, noise := range []float64{0, 0.05, 0.3} {
			o := measured(seed, 2+int(seed), noise)
			o.Fit()
			p := &o.Perf
			// What is pinned counts for nothing here, and its ratio of 1 in the objective.
			ratio := func(a, b float64) float64 {
				if b == least {
					return 0
				}
				return b / a
			}
			var none vector
			var b matrix
			mine := vector{p.AlphaC, p.BetaC, unit.Log(p.AlphaN), ratio(p.AlphaN, p.BetaN), unit.Log(p.AlphaR),
				ratio(p.AlphaR, p.BetaR), p.Gamma}
			got := o.value(&mine, 1, 1, 0, &none, &b)
			r := unit.Stream(seed, "starts")
			best := got
			var at vector
			for range 20 {
				x := vector{unit.Exp(-9 * r.Float64()), unit.Exp(-9 * r.Float64()), -9 * r.Float64(), r.Float64(),
					-9 * r.Float64(), r.Float64(), 1 + 5*r.Float64()}
				low := vector{least, least, unit.Log(least), 0, unit.Log(least), 0, 1}
				high := vector{9, 9, 9, 9, 9, 9, 10}
				for range 4 {
					o.minimise(&x, &low, &high, 1, 0.01)
				}
				if f := o.value(&x, 1, 0.01, 0, &none, &b); f < best {
					best, at = f, x
				}
			}
			if got > best*1.02+1e-3 {
				t.Errorf("seed %d, noise %v: objective %v at %+v, another start reaches %v at %v", seed, noise, got,
					o.Perf, best, at)
			}
		}
	}
}

func TestFitIsOptimisticAboutTheUnseen(t *testing.T) {
	var o Observed
	if !o.Add(1, 64, false, 0.2, 0.2) || o.Add(1, 64, false, 0.3, 0.3) {
		t.Error("a gang and batch is measured once")
	}
	o.Fit()
	if o.Perf.AlphaC != 0.1 {
		t.Errorf("from one batch, half the time is its own: α %v, want 0.1", o.Perf.AlphaC)
	}
	if o.Perf.AlphaR != least || math.Abs(o.Perf.AlphaN-1.1*least) > 1e-20 {
		t.Errorf("what was never seen costs nothing: %+v", o.Perf)
	}
	o.Add(2, 64, false, 0.2, 0.3)
	o.Fit()
	if o.Perf.AlphaN != 1.1*o.Perf.AlphaR || o.Perf.AlphaR < 0.05 || o.Perf.BetaR != least {
		t.Errorf("several nodes cost 1.1 times what one does: %+v", o.Perf)
	}
}

func BenchmarkFit(b *testing.B) {
	o := measured(5, 30, 0.1)
	b.ReportAllocs()
	for range b.N {
		o.Fit()
	}
}
