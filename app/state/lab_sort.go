package state

import (
	"cmp"

	"hadarlab/app/words"
	"hadarlab/core/unit"
)

// Sort is how the tables of the Why panel stand: by the number of that name, a message key, where they have it;
// otherwise, and with none, in the policy's own order.
type Sort struct {
	By        string
	Ascending bool
}

// Order gives the rows of a table as they are to stand, of the number of each row. What is alike keeps the policy's own
// order, whichever way the table is sorted.
func (o Sort) Order(numbers []float64) []int32 {
	return unit.Order(len(numbers), func(a, b int32) int {
		if o.Ascending {
			a, b = b, a
		}
		return cmp.Compare(numbers[b], numbers[a])
	})
}

// Describe says how a table stands.
func (o Sort) Describe() string {
	switch {
	case o.By == "":
		return words.T("In the policy’s order.")
	case o.Ascending:
		return words.F("By {0}, ascending; ties in the policy’s order.", words.T(o.By))
	}
	return words.F("By {0}, descending; ties in the policy’s order.", words.T(o.By))
}
