package chart

import (
	"math"

	"hadarlab/core/message"
)

// Vary is one figure over the values of a number that was varied, a line a policy.
type Vary struct {
	X     []float64 // ascending
	Now   float64   // of the scenario as it stands; it is marked where the values reach it
	Name  string    // of the number with its unit, as Restart, s
	Noun  string    // after a value of X, as V100 on n2
	What  string    // the figure, as mean completion
	Good  int       // -1: less is better, 1: more is better
	Share bool      // the figure is in per cent: it differs by points
	Lines []VaryLine
}

// VaryLine is one policy's figure; NaN = no run. Where not every job has finished it is not comparable.
type VaryLine struct {
	Name, Style, Letter string
	Y                   []float64
	Cut                 []bool // not every job has finished
}

// Crossing is where the lead changes between two lines: between the values at I and K, line To overtakes From.
type Crossing struct{ I, K, From, To int }

// Lead is -1 where line a is better than b at a value, 1 where it is worse, 0 where they tie or are not comparable.
func (v *Vary) Lead(a, b *VaryLine, i int) int {
	if !Comparable(a, b, i) {
		return 0
	}
	return Lead(a.Y[i], b.Y[i], v.Good)
}

// Lead is -1 where figure a is better than b, 1 where it is worse, 0 where they tie; good is -1 where less is better,
// else 1.
func Lead(a, b float64, good int) int {
	switch {
	case message.Tied(a, b):
		return 0
	case (a > b) == (good > 0):
		return -1
	}
	return 1
}

// Comparable says whether both lines have a whole run at a value.
func Comparable(a, b *VaryLine, i int) bool {
	return !math.IsNaN(a.Y[i]) && !math.IsNaN(b.Y[i]) && !a.Cut[i] && !b.Cut[i]
}

// Crossings are the changes of the lead between any two lines, by pair and value. Values at which two tie belong
// to the change around them.
func (v *Vary) Crossings() []Crossing {
	var out []Crossing
	for a := range v.Lines {
		for b := a + 1; b < len(v.Lines); b++ {
			last := -1
			for i := range v.X {
				now := v.Lead(&v.Lines[a], &v.Lines[b], i)
				if now == 0 {
					continue
				}
				if last >= 0 && now != v.Lead(&v.Lines[a], &v.Lines[b], last) {
					c := Crossing{I: last, K: i, From: a, To: b}
					if now < 0 {
						c.From, c.To = b, a
					}
					out = append(out, c)
				}
				last = i
			}
		}
	}
	return out
}

// Axis is the scale of the values, logarithmic where they span more than a power of ten.
func (v *Vary) Axis() Scale {
	lo, hi := v.X[0], v.X[len(v.X)-1]
	return Scale{Min: lo, Max: hi, Log: lo > 0 && hi >= 12*lo}
}

// Place is where a value lies across the picture, 0 at its left and 1 at its right: there is room for marks at both
// ends.
func Place(s *Scale, x float64) float64 { return 0.05 + float64(0.86*s.Y(x)) }

// Scale is the vertical scale: from 0, since lengths are compared.
func (v *Vary) Scale() Scale {
	top := 0.0
	for _, l := range v.Lines {
		for _, y := range l.Y {
			if y > top {
				top = y
			}
		}
	}
	return LinearScale(top, 4)
}

// Meet is where the two lines of a crossing meet, across the picture and in the figure: at a value at which they are
// alike, else on the straight way between two.
func (v *Vary) Meet(c Crossing, x *Scale) (across, y float64) {
	a, b := &v.Lines[c.From], &v.Lines[c.To]
	for i := c.I + 1; i < c.K; i++ {
		if Comparable(a, b, i) {
			return Place(x, v.X[i]), a.Y[i]
		}
	}
	before, after := a.Y[c.I]-b.Y[c.I], a.Y[c.K]-b.Y[c.K]
	share := before / (before - after)
	from := Place(x, v.X[c.I])
	return from + float64(share*(Place(x, v.X[c.K])-from)), a.Y[c.I] + float64(share*(a.Y[c.K]-a.Y[c.I]))
}

// Unfinished is the figure of a run that is not there.
var Unfinished = math.NaN()
