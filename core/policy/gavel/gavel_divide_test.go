package gavel

import (
	"math"
	"testing"
)

// TestDivideIsEven: every job of a kind gets the same part of the time that two kinds share, in few pairs.
func TestDivideIsEven(t *testing.T) {
	for n := 2; n < 9; n++ {
		as := make([]int, n)
		for i := range as {
			as[i] = i
		}
		got := make([]float64, n)
		for _, p := range divide(nil, as, as, true, 0, 3) {
			got[p.a] += p.f
			got[p.b] += p.f
		}
		for i, f := range got {
			if math.Abs(f-6/float64(n)) > 1e-12 {
				t.Errorf("%d of one kind: job %d shares for %v", n, i, f)
			}
		}
		for m := 1; m < 9; m++ {
			bs := make([]int, m)
			for i := range bs {
				bs[i] = n + i
			}
			got := make([]float64, n+m)
			parts := divide(nil, as, bs, false, 0, 3)
			for _, p := range parts {
				got[p.a] += p.f
				got[p.b] += p.f
			}
			for i, f := range got {
				want := 3 / float64(n)
				if i >= n {
					want = 3 / float64(m)
				}
				if math.Abs(f-want) > 1e-12 || len(parts) >= n+m {
					t.Errorf("%d and %d: job %d shares for %v, want %v, %d pairs", n, m, i, f, want, len(parts))
				}
			}
		}
	}
}
