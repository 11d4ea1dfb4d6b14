package unit

import "math"

// ln2Hi + ln2Lo is ln 2 to 86 bits. ln2Hi has 21 trailing zero bits, so k*ln2Hi is exact for every
// exponent k of a float64.
const (
	ln2Hi = 0x1.62e42feep-1
	ln2Lo = 0x1.a39ef35793c76p-33
)

// Exp is e**x within one unit in the last place, with the same bits on every target. math.Exp is
// not: its amd64 assembly differs from the portable code in the last bit of many results.
//
// x = k·ln 2 + r with |r| ≤ ½ ln 2, then the Taylor series of e**r, whose first dropped term is
// below 2⁻⁵⁷.
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.782712893384:
		return math.Inf(1)
	case x < -745.2:
		return 0
	}
	k := math.Floor(float64(x*(1/math.Ln2)) + 0.5)
	hi := x - float64(k*ln2Hi)
	lo := float64(k * ln2Lo)
	r := hi - lo
	rest := (hi - r) - lo // what r lost to rounding
	p := 0.0
	for n := len(invFactorial) - 1; n >= 2; n-- {
		p = float64(p*r) + invFactorial[n]
	}
	p = float64(float64(r*r) * p)
	y := 1 + (r + (p + rest))
	if k > -1022 && k < 1023 { // a power of two that is a number: the same product, without taking y apart
		return y * math.Float64frombits(uint64(1023+int(k))<<52)
	}
	return math.Ldexp(y, int(k))
}

var invFactorial = [...]float64{1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320,
	1. / 362880, 1. / 3628800, 1. / 39916800, 1. / 479001600, 1. / 6227020800, 1. / 87178291200}

// Log is the natural logarithm within one unit in the last place, with the same bits on every
// target. Log(0) is -Inf; of a negative number it is NaN.
//
// x = 2ᵏ(1+f) with 1+f in [√½, √2]; with s = f/(2+f), ln(1+f) = 2·artanh s, arranged so that f
// itself enters unrounded.
func Log(x float64) float64 {
	switch {
	case x != x || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	var m float64
	var e int
	if b := math.Float64bits(x); b>>52 > 0 { // x is at least 0: what Frexp does, but for subnormal numbers
		m, e = math.Float64frombits(b&(1<<52-1)|1022<<52), int(b>>52)-1022
	} else {
		m, e = math.Frexp(x)
	}
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	f, k := m-1, float64(e)
	s := f / (2 + f)
	s2 := float64(s * s)
	series := 0.0 // 2s²/3 + 2s⁴/5 + …
	for n := len(twoOver) - 1; n >= 0; n-- {
		series = float64((series + twoOver[n]) * s2)
	}
	half := float64(float64(f*f) * 0.5)
	tail := float64(s*(half+series)) + float64(k*ln2Lo)
	return float64(k*ln2Hi) - ((half - tail) - f)
}

// twoOver is 2 by each odd number from 3.
var twoOver = [...]float64{2. / 3, 2. / 5, 2. / 7, 2. / 9, 2. / 11, 2. / 13, 2. / 15, 2. / 17, 2. / 19, 2. / 21,
	2. / 23}
