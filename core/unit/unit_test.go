package unit

import (
	"math"
	"math/big"
	"testing"
)

func TestWholeStepsKeepsTheDecimalRate(t *testing.T) {
	for _, c := range []struct {
		rate Rate
		d    Tick
		want Work
	}{{0.3, 360 * Second, 108}, {0.1, 30 * Second, 3}, {1.1, 360 * Second, 396}, {0.7, Second, 0}, {5, 0, 0},
		{0, Second, 0}} {
		if got := c.rate.WholeSteps(c.d); got != c.want {
			t.Errorf("%v/s over %v ticks: %v whole steps, want %v", c.rate, c.d, got, c.want)
		}
	}
}

func TestUntilIsTheFirstTick(t *testing.T) {
	rng := Stream(1, "until")
	for range 20000 {
		r := Rate(math.Ldexp(rng.Float64(), rng.IntN(40)-20))
		w := Work(math.Ldexp(rng.Float64(), rng.IntN(40)-10))
		d := r.Until(w)
		if d == Never {
			continue
		}
		if r.Over(d) < w {
			t.Fatalf("rate %v: %v ticks give %v, less than %v", r, d, r.Over(d), w)
		}
		if d > 0 && r.Over(d-1) >= w {
			t.Fatalf("rate %v: work %v is done before tick %v", r, w, d)
		}
	}
	if Rate(0).Until(1) != Never || Rate(3).Until(0) != 0 || Rate(math.NaN()).Until(1) != Never {
		t.Error("a rate of 0 never ends, no work ends at once")
	}
}

func TestSecondsRoundsAndSaturates(t *testing.T) {
	if Seconds(1.0005) != 1001 || Seconds(0.0004) != 0 || Seconds(1e30) != Never {
		t.Errorf("got %d, %d, %d", Seconds(1.0005), Seconds(0.0004), Seconds(1e30))
	}
}

// ulps measures got against an exact value held with 200 bits.
func ulps(got float64, exact *big.Float) float64 {
	d := new(big.Float).SetPrec(200).Sub(new(big.Float).SetFloat64(got), exact)
	f, _ := d.Float64()
	return math.Abs(f) / (math.Nextafter(math.Abs(got), math.Inf(1)) - math.Abs(got))
}

// bigExp sums the Taylor series of e**(x/2**20) with 400 bits and squares it back 20 times.
func bigExp(x float64) *big.Float {
	b := func() *big.Float { return new(big.Float).SetPrec(400) }
	r := b().SetMantExp(b().SetFloat64(x), -20)
	sum, term := b().SetInt64(1), b().SetInt64(1)
	for n := int64(1); n < 60; n++ {
		term = b().Quo(b().Mul(term, r), b().SetInt64(n))
		sum = b().Add(sum, term)
	}
	for range 20 {
		sum = b().Mul(sum, sum)
	}
	return sum
}

func TestExpAndLogAreWithinOneUlp(t *testing.T) {
	rng := Stream(2, "explog")
	for range 2000 {
		x := (rng.Float64() - 0.5) * 200
		y := Exp(x)
		if u := ulps(y, bigExp(x)); u > 1 {
			t.Fatalf("Exp(%v) = %v is off by %.3f ulp", x, y, u)
		}
		// Log(v) = l is right within an ulp when e**l brackets v within an ulp of l.
		v := math.Ldexp(rng.Float64()+0.5, rng.IntN(200)-100)
		l := Log(v)
		if l == 0 {
			continue
		}
		step := math.Abs(math.Nextafter(l, math.Inf(1)) - l)
		lo, hi := bigExp(l-step), bigExp(l+step)
		bv := new(big.Float).SetFloat64(v)
		if lo.Cmp(bv) > 0 || hi.Cmp(bv) < 0 {
			t.Fatalf("Log(%v) = %v is off by more than an ulp", v, l)
		}
	}
	for _, c := range [][2]float64{{Exp(0), 1}, {Exp(710), math.Inf(1)}, {Exp(-800), 0}, {Log(1), 0},
		{Log(0), math.Inf(-1)}} {
		if c[0] != c[1] {
			t.Errorf("got %v, want %v", c[0], c[1])
		}
	}
	// Where exponents end: the largest and the smallest numbers, and those that have fewer digits.
	for _, x := range []float64{-745, -744, -710, -708.5, -708, 708, 709.5, 709.78} {
		if got, want := Exp(x), math.Exp(x); math.Abs(got-want) > 3e-16*want && math.Abs(got-want) > 5e-324 {
			t.Errorf("Exp(%v) = %v, want %v", x, got, want)
		}
	}
	for _, e := range []int{-1074, -1023, -1022, -1021, 1023} { // math.Log errs below 2⁻¹⁰²² on amd64
		if got, want := Log(math.Ldexp(1, e)), float64(e)*math.Ln2; math.Abs(got-want) > 3e-16*math.Abs(want) {
			t.Errorf("Log(2^%d) = %v, want %v", e, got, want)
		}
	}
	if Log(-1) == Log(-1) {
		t.Error("Log(-1) must be NaN")
	}
}

func TestStreamsAreIndependentByName(t *testing.T) {
	if Stream(7, "a").Uint64() == Stream(7, "b").Uint64() || Stream(7, "a").Uint64() != Stream(7, "a").Uint64() {
		t.Error("a stream depends on seed and name, and on nothing else")
	}
}
