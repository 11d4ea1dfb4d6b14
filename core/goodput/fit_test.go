package goodput

import (
	"math"
	"math/rand/v2"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// TestGradient compares the exact gradient with differences.
func TestGradient(t *testing.T) {
	o := measured(3, 40, 0.2)
	x := vector{0.02, 0.0007, 0.1, 0.0025, 0.02, 0.0006, 1.7}
	var g, none vector
	o.value(&x, &g)
	for i := range x {
		h := x[i] * 1e-6
		up, down := x, x
		up[i] += h
		down[i] -= h
		want := (o.value(&up, &none) - o.value(&down, &none)) / (2 * h)
		if math.Abs(g[i]-want) > 1e-5*(math.Abs(want)+1e-3) {
			t.Errorf("parameter %d: gradient %v, by differences %v", i, g[i], want)
		}
	}
}

// drawn is a random model.
func drawn(r *rand.Rand) model.Perf {
	between := func(lo, hi float64) float64 { return unit.Exp(unit.Log(lo) + r.Float64()*unit.Log(hi/lo)) }
	return model.Perf{AlphaC: between(0.005, 0.5), BetaC: between(1e-5, 0.05), AlphaN: between(0.02, 1),
		BetaN: between(1e-4, 0.03), AlphaR: between(0.005, 0.3), BetaR: between(1e-6, 0.02), Gamma: 1 + between(0.1, 5)}
}

// measured draws n measurements of a random model, with errors of that relative size.
func measured(seed uint64, n int, noise float64) *Observed {
	r := unit.Stream(seed, "fit")
	p := drawn(r)
	between := func(lo, hi float64) float64 { return unit.Exp(unit.Log(lo) + r.Float64()*unit.Log(hi/lo)) }
	var o Observed
	none := model.Alike(0)
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

// TestFitExplains: the fit explains measurements with errors nearly as well as the truth that they were drawn from, but
// for few on which it stops early, as the reference's search does.
func TestFitExplains(t *testing.T) {
	for _, noise := range []float64{0.05, 0.2} {
		early := 0
		for seed := range uint64(200) {
			o := measured(seed, 4+int(seed%30), noise)
			o.Fit()
			truth := drawn(unit.Stream(seed, "fit"))
			if o.Objective(&o.Perf) > 1.1*o.Objective(&truth)+1e-2 {
				early++
			}
		}
		if early > 20 {
			t.Errorf("noise %v: %d of 200 fits explain less than the truth does", noise, early)
		}
	}
}

// TestLineSearch tries Moré and Thuente's search on functions with a minimum, a minimum at a limit and noise of their
// own: it ends where the objective has fallen enough and its slope has flattened, or at the limit.
func TestLineSearch(t *testing.T) {
	for name, f := range map[string]func(x float64) (float64, float64){
		"flat tail": func(x float64) (float64, float64) {
			q := x*x + 2
			return -x / q, (x*x - 2) / (q * q)
		},
		"steep wall": func(x float64) (float64, float64) {
			y := x + 0.004
			return math.Pow(y, 5) - 2*math.Pow(y, 4), 5*math.Pow(y, 4) - 8*math.Pow(y, 3)
		},
		"falls on": func(x float64) (float64, float64) { return -x, -1 },
		"waves": func(x float64) (float64, float64) {
			return (x-7)*(x-7) + 3*math.Sin(9*x), 2*(x-7) + 27*math.Cos(9*x)
		},
	} {
		f0, g0 := f(0)
		if g0 >= 0 {
			f0, g0 = f(0.05)
		}
		from := 0.0
		if name == "waves" {
			from = 0.2
			f0, g0 = f(from)
		}
		for _, first := range []float64{1e-3, 0.1, 1, 10, 1000} {
			s := lineSearch{most: 1e4, length: first}
			s.begin(f0, g0)
			done := false
			for n := 0; n < 60 && !done; n++ {
				y, g := f(from + s.length)
				done = s.next(y, g)
			}
			y, g := f(from + s.length)
			if !done || y > f0+1e-3*s.length*g0 || math.Abs(g) > -0.9*g0 && s.length < s.most && !s.bracketed {
				t.Errorf("%s from %v: done %v at %v, where it is %v with slope %v, at first %v with %v", name, first, done,
					s.length, y, g, f0, g0)
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
