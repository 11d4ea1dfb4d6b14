package metric

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"hadarlab/core/unit"
)

// TestByTick: the same as a stable sort, for columns of any length and reach.
func TestByTick(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, reach := range []unit.Tick{1, 3, 1 << 10, 1 << 11, 1 << 40, unit.Never} {
		for _, n := range []int{0, 1, 2, 1000} {
			column := make([]unit.Tick, n)
			for i := range column {
				column[i] = unit.Tick(r.Int64N(int64(reach)))
				if reach == 3 { // nearly in order
					column[i] += unit.Tick(i)
				}
				if reach == unit.Never && i%2 == 0 {
					column[i] = -column[i]
				}
			}
			want := unit.Order(n, func(a, b int32) int { return cmp.Compare(column[a], column[b]) })
			if got := byTick(column); !slices.Equal(got, want) {
				t.Errorf("%d instants up to %d: %v, want %v", n, reach, got, want)
			}
		}
	}
}
