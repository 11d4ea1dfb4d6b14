package message

import "math"

// Tie is the share of its base up to which a figure ties with it: 2 % (our choice). Headlines, predictions and the
// questions of a class use it, so that one pair of figures is a tie everywhere or nowhere.
const Tie = 0.02

// Against is by what share of the base figure a differs from it: -0.25 is a quarter below it. All differences of
// times, costs and energy are said so: of two lanes the first against the second, of more the best against the next.
// It is NaN where a figure or the base is missing or the base is 0.
func Against(a, base float64) float64 {
	if base == 0 || math.IsInf(a, 0) || math.IsInf(base, 0) {
		return math.NaN()
	}
	return (a - base) / base
}

// Tied says whether figure a ties with its base.
func Tied(a, base float64) bool { return a == base || math.Abs(Against(a, base)) <= Tie }
