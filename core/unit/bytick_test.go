package unit

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestByTick: the same as a stable sort, for columns of any length and reach.
func TestByTick(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, reach := range []Tick{1, 3, 1 << 10, 1 << 11, 1 << 40, Never} {
		for _, n := range []int{0, 1, 2, 1000} {
			column := make([]Tick, n)
			for i := range column {
				column[i] = Tick(r.Int64N(int64(reach)))
				if reach == 3 { // nearly in order
					column[i] += Tick(i)
				}
				if reach == Never && i%2 == 0 {
					column[i] = -column[i]
				}
			}
			want := Order(n, func(a, b int32) int { return cmp.Compare(column[a], column[b]) })
			if got := ByTick(column, nil); !slices.Equal(got, want) {
				t.Errorf("%d instants up to %d: %v, want %v", n, reach, got, want)
			}
			type entry struct {
				at    Tick
				place int32
			}
			list := make([]entry, n)
			for i := range list {
				list[i] = entry{column[i], int32(i)}
			}
			SortByTick(list, func(e *entry) Tick { return e.at })
			for i, e := range list {
				if e.place != want[i] {
					t.Errorf("%d instants up to %d: entry %d is %v, want that of place %d", n, reach, i, e, want[i])
				}
			}
		}
	}
}
