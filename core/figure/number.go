package figure

import (
	"math"
	"strconv"
	"strings"

	"hadarlab/core/words"
)

// Int writes a whole number without separators.
func Int[T int | int32 | int64](n T) string { return strconv.FormatInt(int64(n), 10) }

// Exponent is the whole part of the decimal logarithm of v > 0.
func Exponent(v float64) int {
	_, e, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(e) // a number that FormatFloat wrote
	return n
}

// Fixed writes v with the given number of decimals and thousands separated by commas, in German with a decimal comma
// and spaces.
func Fixed(in words.Catalogue, v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "−", s[1:]
		if strings.Trim(s, "0.") == "" {
			sign = ""
		}
	}
	whole, frac, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + in.T(",") + whole[i:]
	}
	if frac != "" {
		frac = in.T(".") + frac
	}
	return sign + whole + frac
}

// Sig writes v with n significant digits and no trailing zeros: 0.0359, and from a ten-thousandth down and a thousand
// million up by a power of ten, 5.7 × 10⁻⁶. This is the one way in which small numbers are written.
func Sig(in words.Catalogue, v float64, n int) string {
	a := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case a >= 1e9 || a < 1e-4:
		m, e, _ := strings.Cut(strconv.FormatFloat(v, 'e', n-1, 64), "e")
		power, _ := strconv.Atoi(e) // a number that FormatFloat wrote
		return TrimZeros(in, Point(in, strings.Replace(m, "-", "−", 1))) + " × 10" + raised.Replace(strconv.Itoa(power))
	}
	decimals := n - 1 - Exponent(a)
	return TrimZeros(in, Fixed(in, v, min(max(decimals, 0), 12)))
}

// raised writes a whole number as an exponent.
var raised = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶",
	"7", "⁷", "8", "⁸", "9", "⁹")

// TrimZeros drops the zeros at the end of a number's decimals, and a point that then ends it.
func TrimZeros(in words.Catalogue, s string) string {
	point := in.T(".")
	if !strings.Contains(s, point) {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), point)
}

// Point writes the decimal point of a number as the reader's language has it.
func Point(in words.Catalogue, s string) string { return strings.Replace(s, ".", in.T("."), 1) }

// Percent writes a ratio, as 81 %.
func Percent(in words.Catalogue, v float64) string {
	if v > 0 && v < 0.01 {
		return Fixed(in, v*100, 1) + " %"
	}
	return Fixed(in, v*100, 0) + " %"
}

// tie is message.Tie: what is more is not written as that.
const tie = 0.02

// Against says a difference of share v from its base, as 25 % below; see message.Against. What is just above the band
// of a tie has the digits that tell it from it.
func Against(in words.Catalogue, v float64) string {
	size, digits := math.Abs(v), 0
	for size > tie && digits < 6 && Fixed(nil, size*100, digits) == Fixed(nil, tie*100, digits) {
		digits++
	}
	if digits > 0 {
		return Apart(in, v, Fixed(in, size*100, digits)+" %")
	}
	return Apart(in, v, Percent(in, size))
}

// Apart says a difference d from its base by its size, as it is written.
func Apart(in words.Catalogue, d float64, size string) string {
	if d < 0 {
		return in.F("{0} below", size)
	}
	return in.F("{0} above", size)
}

// Points writes the size of a difference of two shares in percent: whole points, and tenths where it is below one.
func Points(in words.Catalogue, d float64) string {
	digits := 0
	if math.Abs(d) < 1 {
		digits = 1
	}
	if size := Fixed(in, math.Abs(d), digits); size != "1" {
		return in.F("{0} pts", size)
	}
	return in.T("1 pt")
}

// Count is a sentence about n, with its thousands separated, as 1 GPU or 2 GPUs: one and many are message keys, {0} is
// the count and {1} the first of args.
func Count(in words.Catalogue, n int, one, many string, args ...string) string {
	if n == 1 {
		many = one
	}
	return in.F(many, append([]string{Fixed(in, float64(n), 0)}, args...)...)
}

// Plural is a count of things: 1 job, 2 jobs. The noun gives two message keys, "{0} job" and "{0} jobs".
func Plural(in words.Catalogue, n int, noun string) string {
	return Count(in, n, "{0} "+noun, "{0} "+noun+"s")
}

// TypeTitle is how people write a GPU type: v100 becomes V100.
func TypeTitle(name string) string {
	if len(name) <= 5 || strings.ContainsAny(name, "0123456789") {
		return strings.ToUpper(name)
	}
	return name
}

// Percent1 writes a ratio with one decimal, as 81.3 %.
func Percent1(in words.Catalogue, v float64) string { return Fixed(in, v*100, 1) + " %" }

// Spread writes a mean and half the width of its interval to two digits of that, and to no more than two decimals:
// further digits are noise. Without an interval, a half that is not a number, it is the mean alone.
func Spread(in words.Catalogue, mean, half float64) string {
	switch {
	case half == 0:
		return Fixed(in, mean, 2) + " ± 0"
	case !(half > 0):
		return Fixed(in, mean, 2)
	}
	digits := 0
	for h := half; h < 10 && digits < 2; h *= 10 {
		digits++
	}
	if math.Round(half*100) == 0 {
		return in.F("{0} ± less than 0.01", Fixed(in, mean, 2))
	}
	return Fixed(in, mean, digits) + " ± " + Fixed(in, half, digits)
}
