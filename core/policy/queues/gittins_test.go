package queues

import (
	"math"
	"slices"
	"testing"

	"hadarlab/core/unit"
)

// TestGittinsPrices: lengths 100, 100 and 1000 GPU-seconds.
func TestGittinsPrices(t *testing.T) {
	lengths := []float64{100, 100, 1000}
	for _, c := range []struct{ step, served, want float64 }{
		{3250, 0, 400},                  // all end within the step: the mean of what is left
		{3250, 50, 350},                 // (50 + 50 + 950) / 3
		{3250, 100, 900},                // it must be the long one
		{3250, 1000, beyond},            // longer than all that is known
		{50, 0, beyond},                 // none ends within 50
		{50, 60, (40 + 40 + 50) / 2.},   // two of three end, the third takes the whole step
		{100, 0, (100 + 100 + 100) / 2}, // just within the step
	} {
		if got := newGittinsIndex(lengths, c.step).price(c.served); got != c.want {
			t.Errorf("step %v, served %v: %v, want %v", c.step, c.served, got, c.want)
		}
	}
}

// TestGittinsPricesStayBelowTheMost walks along random lengths, of which many are equal and some far apart.
func TestGittinsPricesStayBelowTheMost(t *testing.T) {
	rng := unit.Stream(1, "gittins")
	long := 0 // walks on which something was left behind
	for n := range 2000 {
		lengths := make([]float64, 1+rng.IntN(60))
		for i := range lengths {
			lengths[i] = math.Floor(math.Exp(9 * rng.Float64()))
		}
		slices.Sort(lengths)
		x := newGittinsIndex(lengths, 1+5000*rng.Float64())
		a := 9000 * rng.Float64() * rng.Float64()
		price, most, until := x.most(a)
		if price != x.price(a) || !(until > a) {
			t.Fatalf("case %d: %v at %v, want %v; until %v", n, price, a, x.price(a), until)
		}
		end := min(until, 10000)
		if x.above(math.Nextafter(end, 0)) > x.above(a) {
			long++
		}
		for k := range 20 {
			if at := a + float64(k)/20*(end-a); x.price(at) > most*(1+1e-12) {
				t.Fatalf("case %d: %v at %v, but at most %v from %v until %v", n, x.price(at), at, most, a, until)
			}
		}
	}
	if long < 200 {
		t.Errorf("only %d walks pass a length", long)
	}
}
