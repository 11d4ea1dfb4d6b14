package chart

import (
	"math"
	"strconv"
	"strings"

	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Fixed writes v with the given number of decimals and thousands separated by commas, in German with a decimal comma and spaces.
//
//go:noinline
func Fixed(v float64, decimals int) string {
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
		whole = whole[:i] + words.T(",") + whole[i:]
	}
	if frac != "" {
		frac = words.T(".") + frac
	}
	return sign + whole + frac
}

// Sig writes v with n significant digits, no trailing zeros, and powers of ten where they are shorter.
//
//go:noinline
func Sig(v float64, n int) string {
	a := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case a >= 1e9 || a < 1e-4:
		m, _, _ := strings.Cut(strconv.FormatFloat(v, 'e', n-1, 64), "e")
		return trimZeros(Point(strings.Replace(m, "-", "−", 1))) + "e" + strings.Replace(strconv.Itoa(exponent(a)), "-", "−", 1)
	}
	decimals := n - 1 - exponent(a)
	return trimZeros(Fixed(v, min(max(decimals, 0), 12)))
}

//go:noinline
func trimZeros(s string) string {
	point := words.T(".")
	if !strings.Contains(s, point) {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), point)
}

// Point writes the decimal point of a number as the reader's language has it.
//
//go:noinline
func Point(s string) string { return strings.Replace(s, ".", words.T("."), 1) }

// Percent writes a ratio, as 81 %.
//
//go:noinline
func Percent(v float64) string {
	if v > 0 && v < 0.01 {
		return Fixed(v*100, 1) + " %"
	}
	return Fixed(v*100, 0) + " %"
}

// Count is a sentence about n, with its thousands separated, as 1 GPU or 2 GPUs: one and many are message keys, {0} is
// the count and {1} the first of args.
//
//go:noinline
func Count(n int, one, many string, args ...string) string {
	if n == 1 {
		many = one
	}
	return words.F(many, append([]string{Fixed(float64(n), 0)}, args...)...)
}

// Unit is the unit in which a picture gives time.
type Unit struct {
	Short, One, Many string
	Length           unit.Tick
	Decimals         int
}

const hour = 3600 * unit.Second

var units = [...]Unit{
	{"s", "second", "seconds", unit.Second, 0},
	{"min", "minute", "minutes", 60 * unit.Second, 1},
	{"h", "hour", "hours", hour, 1},
	{"d", "day", "days", 24 * hour, 1},
}

// UnitFor picks the unit for times up to a span.
func UnitFor(span unit.Tick) Unit {
	switch {
	case span <= 180*unit.Second:
		return units[0]
	case span <= 4*3600*unit.Second:
		return units[1]
	case span <= 10*86400*unit.Second:
		u := units[2]
		if span <= 12*3600*unit.Second {
			u.Decimals = 2
		}
		return u
	}
	return units[3]
}

// Number writes a time in the unit, without it.
//
//go:noinline
func (u Unit) Number(t unit.Tick) string {
	return Fixed(float64(t)/float64(u.Length), u.Decimals)
}

// Seconds writes a time given in seconds in the unit, without it.
//
//go:noinline
func (u Unit) Seconds(s float64) string {
	return Fixed(s*1000/float64(u.Length), u.Decimals)
}

// Say writes a time in the unit with its short name, as 24.4 min.
//
//go:noinline
func (u Unit) Say(t unit.Tick) string { return u.Number(t) + " " + u.Short }

// At names an instant, as minute 24.4, without a needless .0.
//
//go:noinline
func (u Unit) At(t unit.Tick) string { return words.T(u.One) + " " + trimZeros(u.Number(t)) }

// Long writes a time in the unit in words, as 4.8 minutes.
//
//go:noinline
func (u Unit) Long(t unit.Tick) string {
	n := trimZeros(u.Number(t))
	if n == "1" {
		return n + " " + words.T(u.One)
	}
	return n + " " + words.T(u.Many)
}

// clock writes a time in the unit and its part, 1:20 for hours or minutes and 1 d 6 h for days.
//
//go:noinline
func (u *Unit) clock(t unit.Tick) string {
	whole, rest := itoa(int(t/u.Length)), int(t%u.Length/u.part())
	if u.Length == 24*hour {
		return whole + " d " + itoa(rest) + " h"
	}
	return whole + ":" + itoa(100 + rest)[1:]
}

// part is what people divide the unit into.
func (u *Unit) part() unit.Tick {
	if u.Length == 24*hour {
		return hour
	}
	return u.Length / 60
}

// apart writes the difference of two times in words, in a smaller unit where it is less than half of one: hours in minutes, days in hours.
func (u Unit) apart(t unit.Tick) string {
	for i := len(units) - 1; i > 1; i-- {
		if u.Length == units[i].Length && 2*t < u.Length {
			u = units[i-1]
		}
	}
	return u.Long(t)
}

// TypeTitle is how people write a GPU type: v100 becomes V100.
//
//go:noinline
func TypeTitle(name string) string {
	if len(name) <= 5 || strings.ContainsAny(name, "0123456789") {
		return strings.ToUpper(name)
	}
	return name
}
