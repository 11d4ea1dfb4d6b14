package chart

import (
	"math"

	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/words"
)

// Whisker is a mean with its interval, NaN where one seed gives none.
type Whisker struct {
	Letter, Style   string
	Mean, Low, High float64
}

// Whisk is an estimate in a unit of so many of its own.
func Whisk(e *message.Estimate, size float64, letter, style string) Whisker {
	w := Whisker{letter, style, e.Mean / size, math.NaN(), math.NaN()}
	if e.Low != nil && e.High != nil {
		w.Low, w.High = *e.Low/size, *e.High/size
	}
	return w
}

// WhiskerScale covers the intervals, and 0 where that is asked for. It need not begin at 0: places are compared, not
// lengths.
func WhiskerScale(ws []Whisker, zero bool) Scale {
	lo, hi := math.Inf(1), math.Inf(-1)
	if zero {
		lo, hi = 0, 0
	}
	for _, w := range ws {
		for _, v := range []float64{w.Mean, w.Low, w.High} {
			if math.Abs(v) <= huge { // and so a number
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	if lo > hi {
		lo, hi = 0, 0 // there is no estimate
	}
	if hi-lo <= max(1e-9*math.Abs(hi), tiny) {
		wide := max(math.Abs(hi)/10, 1e-9)
		lo, hi = lo-wide, hi+wide
	}
	step := nice((hi - lo) / 4)
	s := Scale{Min: math.Floor(lo/step+1e-9) * step, Max: math.Ceil(hi/step-1e-9) * step}
	for i := 0.0; s.Min+float64(i*step) <= s.Max+float64(step*1e-9); i++ {
		v := s.Min + float64(i*step)
		if math.Abs(v) < float64(step*1e-9) {
			v = 0
		}
		s.Ticks = append(s.Ticks, v)
	}
	return s
}

// Spread is Spread of a whisker.
func (w *Whisker) Spread(in words.Catalogue) string { return figure.Spread(in, w.Mean, w.Half()) }

// Half is half the width of the interval, NaN without one. It is not taken from the mean, which has more digits than
// the ends: seeds that all give the same have exactly 0.
func (w *Whisker) Half() float64 { return (w.High - w.Low) / 2 }
