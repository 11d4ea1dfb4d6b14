package unit

import "cmp"

// Order is the indices 0 to n-1, sorted by a comparison that leaves equal ones as they are. One merge sort for
// everything: what the slices package makes for each type of its own is 11 kB of WebAssembly.
func Order(n int, cmp func(a, b int32) int) []int32 {
	from, to := make([]int32, n), make([]int32, n)
	for i := range from {
		from[i] = int32(i)
	}
	for width := 1; width < n; width *= 2 {
		for lo := 0; lo < n; lo += 2 * width {
			mid, hi := min(lo+width, n), min(lo+2*width, n)
			i, j := lo, mid
			for k := lo; k < hi; k++ {
				if i < mid && (j == hi || cmp(from[i], from[j]) <= 0) {
					to[k] = from[i]
					i++
				} else {
					to[k] = from[j]
					j++
				}
			}
		}
		from, to = to, from
	}
	return from
}

// InOrder is a sorted copy of the list, by Order.
func InOrder[T any](list []T, cmp func(a, b *T) int) []T {
	out := make([]T, len(list))
	for i, at := range Order(len(list), func(a, b int32) int { return cmp(&list[a], &list[b]) }) {
		out[i] = list[at]
	}
	return out
}

// Ascending is a sorted copy of the list.
func Ascending[T cmp.Ordered](list []T) []T {
	return InOrder(list, func(a, b *T) int { return cmp.Compare(*a, *b) })
}
