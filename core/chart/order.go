package chart

import "hadarlab/core/unit"

// sorted is s in the order of a comparison of its indices.
func sorted[T any](s []T, cmp func(a, b int32) int) []T {
	out := make([]T, len(s))
	for i, at := range unit.Order(len(s), cmp) {
		out[i] = s[at]
	}
	return out
}
