package unit

// HeapPush puts x into a heap, in which whoever goes before all others is at 0.
func HeapPush[T any](h []T, x T, before func(a, b T) bool) []T {
	h = append(h, x)
	for i := len(h) - 1; i > 0 && before(h[i], h[(i-1)/2]); i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
	return h
}

// HeapPop takes out the first of a heap that has one, and gives the rest.
func HeapPop[T any](h []T, before func(a, b T) bool) (first T, rest []T) {
	first, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		next := 2*i + 1
		if next+1 < last && before(h[next+1], h[next]) {
			next++
		}
		if next >= last || !before(h[next], h[i]) {
			return first, h
		}
		h[i], h[next] = h[next], h[i]
		i = next
	}
}
