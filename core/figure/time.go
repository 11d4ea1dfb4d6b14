package figure

import (
	"strconv"

	"hadarlab/core/unit"
	"hadarlab/core/words"
)

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
func (u Unit) Number(in words.Catalogue, t unit.Tick) string {
	return Fixed(in, float64(t)/float64(u.Length), u.Decimals)
}

// Seconds writes a figure given in seconds in the unit, without it. Figures are compared: of hours and days they have
// two digits, so that a difference in per cent can be recomputed from them.
func (u Unit) Seconds(in words.Catalogue, s float64) string {
	if u.Length >= hour {
		u.Decimals = 2
	}
	return Fixed(in, s*1000/float64(u.Length), u.Decimals)
}

// Brief is Number without needless zeros.
func (u Unit) Brief(in words.Catalogue, t unit.Tick) string { return TrimZeros(in, u.Number(in, t)) }

// Say writes a time in the unit with its short name, as 24.4 min.
func (u Unit) Say(in words.Catalogue, t unit.Tick) string { return u.Number(in, t) + " " + u.Short }

// At names an instant, as minute 24.4, without a needless .0.
func (u Unit) At(in words.Catalogue, t unit.Tick) string { return in.T(u.One) + " " + u.Brief(in, t) }

// Long writes a time in the unit in words, as 4.8 minutes.
func (u Unit) Long(in words.Catalogue, t unit.Tick) string {
	n := u.Brief(in, t)
	if n == "1" {
		return n + " " + in.T(u.One)
	}
	return n + " " + in.T(u.Many)
}

// Clock writes a time in the unit and its part, 1:20 for hours or minutes and 1 d 6 h for days.
func (u *Unit) Clock(t unit.Tick) string {
	whole, rest := strconv.Itoa(int(t/u.Length)), int(t%u.Length/u.Part())
	if u.Length == 24*hour {
		return whole + " d " + strconv.Itoa(rest) + " h"
	}
	return whole + ":" + strconv.Itoa(100 + rest)[1:]
}

// Part is what people divide the unit into.
func (u *Unit) Part() unit.Tick {
	if u.Length == 24*hour {
		return hour
	}
	return u.Length / 60
}

// Apart writes a short time, as the difference of two or a stall, in words, in a smaller unit where it is less than
// half of one.
func (u Unit) Apart(in words.Catalogue, t unit.Tick) string {
	for i := len(units) - 1; i > 0; i-- {
		if u.Length == units[i].Length && 2*t < u.Length {
			u = units[i-1]
		}
	}
	return u.Long(in, t)
}

// SecondsUnit is the unit for times up to so many seconds.
func SecondsUnit(s float64) Unit { return UnitFor(unit.Tick(s * 1000)) }
