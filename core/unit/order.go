package unit

import "slices"

// InOrder is a sorted copy of the list; ties keep their order. Sorting indices needs no sort of its own in
// machine code for each type of entry, which are some 10 KB each in the browser's module.
func InOrder[T any](list []T, compare func(a, b *T) int) []T {
	at := make([]int, len(list))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return compare(&list[a], &list[b]) })
	out := make([]T, len(list))
	for i, k := range at {
		out[i] = list[k]
	}
	return out
}
