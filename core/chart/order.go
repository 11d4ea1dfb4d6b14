package chart

// order is the indices 0 to n-1, sorted by a comparison that leaves equal ones as they are. One merge sort
// for everything: the library's generic sorts would be copied into the page for each type.
func order(n int, cmp func(a, b int32) int) []int32 {
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

// sorted is s in the order of a comparison of its indices.
func sorted[T any](s []T, cmp func(a, b int32) int) []T {
	out := make([]T, len(s))
	for i, at := range order(len(s), cmp) {
		out[i] = s[at]
	}
	return out
}
