package unit

import "slices"

// Order is the indices 0 to n-1, sorted by a comparison that leaves equal ones as they are.
func Order(n int, cmp func(a, b int32) int) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, cmp)
	return order
}
