package figure

import (
	"math"
	"strings"

	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Scale writes numbers that are read together, in a unit in which the largest has a few digits before or after the
// point. Nobody reads exponents: what is too small beside the largest is said to be so, and exports have the exact one.
type Scale struct {
	Unit words.Text // after the number, if any
	One  words.Text // after exactly 1, where that is another word
	Per  float64
}

// ScaleFor is the scale for numbers up to largest: of seconds ("s") and GPU-seconds ("GPU-s") in minutes, hours or
// days, of parts of 1 (unit.Share) in percent, and of all others in the unit itself, its thousandths, millionths or
// billionths.
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
	case unit.Share:
		return Scale{Unit: words.Own("%"), Per: 0.01}
	}
	s := Scale{Unit: words.Say(of), Per: 1}
	for _, part := range [...]Scale{{Unit: words.Say("thousandths"), One: words.Say("thousandth")},
		{Unit: words.Say("millionths"), One: words.Say("millionth")},
		{Unit: words.Say("billionths"), One: words.Say("billionth")}} {
		if largest == 0 || largest >= 0.01*s.Per {
			break
		}
		part.Per = s.Per / 1000
		s = part
	}
	if of != "" && s.Per < 1 {
		s.Unit, s.One = words.Say("{0} of {1}", s.Unit, words.Say(of)), words.Say("{0} of {1}", s.One, words.Say(of))
	}
	return s
}

// Number writes v without its unit, as short as a table needs it.
func (s Scale) Number(in words.Catalogue, v float64) string {
	switch v /= s.Per; {
	case math.IsInf(v, 0) || math.IsNaN(v) || math.Abs(v) >= 1e15:
		return "–"
	case v != 0 && math.Abs(v) < 0.001:
		return "<" + Point(in, "0.001")
	case math.Abs(v) >= 100:
		return Fixed(in, v, 0)
	}
	return Sig(in, v, 3)
}

// Signed is Number with a sign before what is above 0.
func (s Scale) Signed(in words.Catalogue, v float64) string {
	n := s.Number(in, v)
	if v/s.Per >= 0.001 {
		return "+" + n
	}
	return n
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
