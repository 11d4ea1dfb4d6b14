package jsondoc

import (
	"math"
	"strconv"
)

// MaxSafe is the largest integer that every JSON reader holds exactly.
const MaxSafe = 1<<53 - 1

// Crockford is Crockford's base 32 in lower case: no i, l, o, u.
const Crockford = "0123456789abcdefghjkmnpqrstvwxyz"

// Round9 rounds to 9 significant digits, the precision that a document's numbers have: enough for
// any measurement, and short enough that the same number typed, computed and read back is one number.
func Round9(v float64) float64 {
	if v == math.Trunc(v) && v > -1e9 && v < 1e9 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v + 0 // -0 becomes 0
	}
	var b [32]byte
	r, _ := strconv.ParseFloat(string(strconv.AppendFloat(b[:0], v, 'e', 8, 64)), 64)
	return r
}

// AppendNumber writes v as ECMAScript does, which RFC 8785 asks for: the shortest digits that read
// back as v, plain between 1e-6 and 1e21. What is no number becomes null.
func AppendNumber(b []byte, v float64) []byte {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return append(b, "null"...)
	case v == 0:
		return append(b, '0')
	case math.Abs(v) >= 1e-6 && math.Abs(v) < 1e21:
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	}
	start := len(b)
	b = strconv.AppendFloat(b, v, 'e', -1, 64)
	for i := start; i < len(b); i++ { // 1e-07 is 1e-7 there
		if b[i] == 'e' && b[i+2] == '0' {
			return append(b[:i+2], b[i+3:]...)
		}
	}
	return b
}

// Number is v for a message.
func Number(v float64) string {
	if math.IsNaN(v) {
		return "not a number"
	}
	if math.IsInf(v, 0) {
		return "infinite"
	}
	return string(AppendNumber(nil, v))
}
