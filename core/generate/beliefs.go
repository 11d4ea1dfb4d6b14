package generate

import (
	"math/rand/v2"

	"hadarlab/core/jsondoc"
	"hadarlab/core/unit"
)

// LengthFactors draws by what factor the length of each of n jobs is believed wrongly: exp(e·z), z standard normal.
func LengthFactors(seed uint64, e float64, n int) []float64 {
	return factors(unit.Stream(seed, "knowledge of lengths"), e, n)
}

// StepFactors draws by what factor each of n jobs is longer or shorter than it is listed.
func StepFactors(seed uint64, e float64, n int) []float64 {
	return factors(unit.Stream(seed, "noise of steps"), e, n)
}

// RateFactors draws the same of the speeds of each of n rows on each of k GPU types.
func RateFactors(seed uint64, e float64, n, k int) [][]float64 {
	rng := unit.Stream(seed, "knowledge of rates")
	out := make([][]float64, n)
	for i := range out {
		out[i] = factors(rng, e, k)
	}
	return out
}

func factors(rng *rand.Rand, e float64, n int) []float64 {
	e = jsondoc.Round9(e)
	out := make([]float64, n)
	for i := range out {
		out[i] = unit.Exp(e * unit.Normal(rng))
	}
	return out
}
