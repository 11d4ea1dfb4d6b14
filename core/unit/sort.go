package unit

import (
	"slices"
	"sort"
)

// Sort sorts a list and leaves equal entries as they are. slices.SortStableFunc does the same twice as fast, by code of
// its own for every kind of entry: 2 kB of gzip each, so that it is left to what is sorted in every round.
func Sort[T any](list []T, cmp func(a, b T) int) {
	sort.SliceStable(list, func(i, j int) bool { return cmp(list[i], list[j]) < 0 })
}

// Order is the indices 0 to n-1, sorted by a comparison that leaves equal ones as they are.
func Order(n int, cmp func(a, b int32) int) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, cmp)
	return order
}
