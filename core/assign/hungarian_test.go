package assign

import (
	"math"
	"testing"

	"hadarlab/core/unit"
)

// TestHungarianIsExact compares it with all assignments of up to five rows to up to five columns. Values are whole, so
// that sums are, too.
func TestHungarianIsExact(t *testing.T) {
	rng := unit.Stream(1, "assignments")
	for range 3000 {
		rows, columns := 1+rng.IntN(5), 1+rng.IntN(5)
		value := make([]float64, rows*columns)
		for i := range value {
			value[i] = float64(rng.IntN(10))
		}
		taken, sum, matched := make([]bool, columns), 0.0, 0
		for i, j := range Hungarian(value, rows, columns) {
			if j < 0 {
				continue
			}
			if taken[j] {
				t.Fatalf("column %d is given twice: %d × %d, %v", j, rows, columns, value)
			}
			taken[j] = true
			sum += value[i*columns+j]
			matched++
		}
		if want := bestSum(value, rows, columns, 0, 0); sum != want || matched != min(rows, columns) {
			t.Fatalf("%d pairs of value %v, the best is %v: %d × %d, %v", matched, sum, want, rows, columns, value)
		}
	}
}

// bestSum is the most that rows from i on can have, of the columns whose bit is not set.
func bestSum(value []float64, rows, columns, i int, taken uint) float64 {
	if i == rows {
		return 0
	}
	best := bestSum(value, rows, columns, i+1, taken) // without a column
	for j := range columns {
		if taken&(1<<j) == 0 {
			best = math.Max(best, value[i*columns+j]+bestSum(value, rows, columns, i+1, taken|1<<j))
		}
	}
	return best
}
