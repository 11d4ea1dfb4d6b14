package figure

import (
	"math"
	"strconv"
	"strings"

	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Scale writes numbers that are read together, in one unit. Times and shares that are too small beside the largest are
// said to be so; all others have three digits that count, however small they are (see Sig), and exports the exact one.
type Scale struct {
	Unit words.Text // after the number, if any
	One  words.Text // after exactly 1, where that is another word
	Per  float64
}

// ScaleFor is the scale for numbers up to largest: of seconds ("s") and GPU-seconds ("GPU-s") in minutes, hours or
// days, of parts of 1 (unit.Share) in percent, and of all others in the unit itself.
func ScaleFor(largest float64, of string) Scale {
	largest = math.Abs(largest)
	switch of {
	case "s":
		u := UnitFor(unit.Tick(min(largest, 1e12) * 1000))
		return Scale{Unit: words.Say(u.Short), Per: u.Length.Seconds()}
	case "GPU-s":
		if largest < 600 {
			return Scale{words.Say("GPU-seconds"), words.Say("GPU-second"), 1}
		}
		return Scale{words.Say("GPU-hours"), words.Say("GPU-hour"), 3600}
	case "steps/s":
		return Scale{words.Say("steps/s"), words.Say("step/s"), 1}
	case unit.Share:
		return Scale{Unit: words.Own("%"), Per: 0.01}
	}
	return Scale{Unit: words.Say(of), Per: 1}
}

// Number writes v without its unit, as short as a table needs it.
func (s Scale) Number(in words.Catalogue, v float64) string {
	switch v /= s.Per; {
	case math.IsInf(v, 0) || math.IsNaN(v) || math.Abs(v) >= 1e15:
		return "–"
	case v != 0 && math.Abs(v) < 0.001 && s.Per != 1:
		return "<" + Point(in, "0.001")
	case math.Abs(v) >= 100:
		return Fixed(in, v, 0)
	}
	return Sig(in, v, 3)
}

// Cell writes v of a column in a unit.
func (s Scale) Cell(in words.Catalogue, v float64, of string) string {
	switch of {
	case unit.Share:
		return Percent(in, v)
	case unit.Instant:
		return Say(in, v, of)
	}
	return s.Number(in, v)
}

// Difference writes a, b and a − b, with a sign before what is above 0: with as many decimals as the smaller number
// needs for three digits that count, so that the third follows from the first two as they are written.
func (s Scale) Difference(in words.Catalogue, a, b float64) (x, y, d string) {
	a, b = a/s.Per, b/s.Per
	if !(math.Abs(a) < 1e15 && math.Abs(b) < 1e15) {
		return s.Number(in, a*s.Per), s.Number(in, b*s.Per), s.Number(in, (a-b)*s.Per)
	}
	places := 0
	for _, v := range []float64{a, b} {
		if v != 0 {
			places = max(places, min(2-Exponent(math.Abs(v)), 12))
		}
	}
	rounded := func(v float64) float64 {
		r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'f', places, 64), 64) // a number that FormatFloat wrote
		return r
	}
	write := func(v float64) string {
		if v = rounded(v); v == 0 {
			return "0"
		}
		return Sig(in, v, places+1+Exponent(math.Abs(v)))
	}
	if d = write(rounded(a) - rounded(b)); a > b && d != "0" {
		d = "+" + d
	}
	return write(a), write(b), d
}

// Dividend writes v with three digits that count, or as many more as v ÷ by needs to come out as it is written:
// quotient is that in English.
func (s Scale) Dividend(in words.Catalogue, v, by float64, quotient string) string {
	mantissa, _, _ := strings.Cut(quotient, " ")
	counts := len(strings.TrimLeft(strings.Replace(mantissa, ".", "", 1), "0"))
	for digits := 3; digits < 15; digits++ {
		x, err := strconv.ParseFloat(Sig(nil, v/s.Per, digits), 64)
		if err == nil && Sig(nil, x/by, counts) == quotient {
			return Sig(in, v/s.Per, digits)
		}
	}
	return s.Number(in, v)
}

// Say writes v with its unit, in a sentence.
func (s Scale) Say(in words.Catalogue, v float64) string {
	n := s.Number(in, v)
	if small, ok := strings.CutPrefix(n, "<"); ok {
		n = in.F("less than {0}", small)
	}
	of := s.Unit
	if n == "1" && !s.One.IsZero() {
		of = s.One
	}
	if of := of.In(in); of != "" && n != "–" {
		n += " " + of
	}
	return n
}

// Say writes one figure by itself, with its unit.
func Say(in words.Catalogue, v float64, of string) string {
	if of == unit.Instant && v == 0 {
		return in.T("the start")
	}
	if of == unit.Instant {
		return UnitFor(unit.Tick(v*1000)).At(in, unit.Tick(v*1000))
	}
	return ScaleFor(v, of).Say(in, v)
}
