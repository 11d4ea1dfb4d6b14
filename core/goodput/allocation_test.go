package goodput

import (
	"slices"
	"testing"

	"hadarlab/core/unit"
)

// plainColumns are the same as byColumn, one column after the other.
type plainColumns []int32

func (r plainColumns) Sum() (gpus, columns int32) {
	for _, v := range r {
		if gpus += v; v > 0 {
			columns++
		}
	}
	return gpus, columns
}

func (r plainColumns) Columns(yield func(n int) bool) {
	for n, v := range r {
		if v > 0 && !yield(n) {
			return
		}
	}
}

func (r plainColumns) Take(left plainColumns) (gpus int32) {
	for n := range r {
		r[n] = min(r[n], left[n])
		left[n] -= r[n]
		gpus += r[n]
	}
	return gpus
}

func (r plainColumns) Return(gpus int32, left plainColumns) {
	for n := len(r) - 1; n >= 0; n-- {
		v := min(r[n], gpus)
		r[n], left[n], gpus = r[n]-v, left[n]+v, gpus-v
	}
}

// TestEightColumnsAtATime compares what rows say and do with the same column by column, on random rows.
func TestEightColumnsAtATime(t *testing.T) {
	r := unit.Stream(1, "columns")
	for round := range 20000 {
		columns := 1 + r.IntN(30)
		most := []int{2, 9, MaxColumn + 1}[r.IntN(3)]
		draw := func() (byColumn, plainColumns) {
			fast, plain := make(byColumn, words(columns)), make(plainColumns, columns)
			for n := range plain {
				if r.IntN(3) == 0 {
					plain[n] = int32(r.IntN(most))
					fast.Set(n, plain[n])
				}
			}
			return fast, plain
		}
		same := func(what string, fast byColumn, plain plainColumns) {
			t.Helper()
			var got plainColumns
			for n := range plain {
				got = append(got, fast.Get(n))
			}
			gpus, used := fast.Sum()
			if g, u := plain.Sum(); !slices.Equal(got, plain) || gpus != g || used != u ||
				!slices.Equal(slices.Collect(fast.Columns), slices.Collect(plain.Columns)) {
				t.Fatalf("round %d, %s: %v, plainly %v", round, what, got, plain)
			}
		}
		row, plain := draw()
		left, plainLeft := draw()
		same("drawn", row, plain)
		n, v := r.IntN(columns), int32(r.IntN(MaxColumn+1))
		row.Add(n, v-row.Get(n))
		plain[n] = v
		same("one added to", row, plain)
		gpus, want := row.Take(left), plain.Take(plainLeft)
		if gpus != want {
			t.Fatalf("round %d: it takes %d GPUs, plainly %d", round, gpus, want)
		}
		same("taken", row, plain)
		same("left", left, plainLeft)
		back := int32(r.IntN(int(gpus) + 1))
		row.Return(back, left)
		plain.Return(back, plainLeft)
		same("returned", row, plain)
		same("left at last", left, plainLeft)
		row.Mark(left)
		for n, v := range plain {
			if (left.Get(n) > 0) != (v > 0 || plainLeft[n] > 0) {
				t.Fatalf("round %d: column %d is marked wrongly", round, n)
			}
		}
	}
}
