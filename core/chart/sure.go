package chart

import (
	"math"
	"strconv"

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

const whiskerRow = 24.0 // height in px

// whiskerScale covers the intervals, and 0 where that is asked for. It need not begin at 0: places are compared, not lengths.
func whiskerScale(ws []Whisker, zero bool) Scale {
	lo, hi := math.Inf(1), math.Inf(-1)
	if zero {
		lo, hi = 0, 0
	}
	for _, w := range ws {
		for _, v := range []float64{w.Mean, w.Low, w.High} {
			if !math.IsNaN(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	if hi-lo <= 1e-9*math.Abs(hi) {
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
		s.Ticks = append(s.Ticks, ScaleTick{v, Sig(v, 4)})
	}
	return s
}

// WhiskersSVG is a row a policy: its mean and its interval. With zero they are differences, and 0 is marked.
func WhiskersSVG(ws []Whisker, zero bool, title string) string {
	w := &svg{}
	s := whiskerScale(ws, zero)
	bottom := float64(float64(len(ws)) * whiskerRow)
	at := func(v float64) string { return pct(0.12 + float64(0.82*s.Y(v))) }
	w.put(`<svg data-role="whiskers" width="100%" height="$" role="img" aria-label="$">`, px(bottom+20), title)
	for i, t := range s.Ticks {
		role := "grid"
		if zero && t.Value == 0 {
			role = "fair"
		}
		w.put(`<line data-role="$" x1="$" x2="$" y1="0" y2="$"/>`, role, at(t.Value), at(t.Value), px(bottom))
		if len(s.Ticks) <= 4 || i%2 == 0 {
			w.put(`<text data-role="tick-text" x="$" y="$" text-anchor="middle">$</text>`, at(t.Value), px(bottom+15), t.Label)
		}
	}
	for i := range ws {
		row := &ws[i]
		middle := float64((float64(i) + 0.5) * whiskerRow)
		mid := px(middle)
		w.put(`<text data-part="strong" x="0" y="$">$</text>`, px(middle+4), row.Letter)
		if !math.IsNaN(row.Low) {
			w.put(`<line data-series="$" x1="$" x2="$" y1="$" y2="$"/>`, row.Style, at(row.Low), at(row.High), mid, mid)
			for _, end := range []float64{row.Low, row.High} {
				w.put(`<line data-role="cap" x1="$" x2="$" y1="$" y2="$"/>`, at(end), at(end), px(middle-6), px(middle+6))
			}
		}
		w.put(`<circle data-role="mean" cx="$" cy="$" r="4"/>`, at(row.Mean), mid)
	}
	w.close("svg")
	return string(w.b)
}

// Spread writes a mean and half the width of its interval to two digits of that, and to no more than two decimals:
// further digits are noise. Without an interval it is the mean alone.
func Spread(mean, half float64) string {
	if !(half > 0) {
		return Fixed(mean, 2)
	}
	digits := 0
	for h := half; h < 10 && digits < 2; h *= 10 {
		digits++
	}
	if math.Round(half*100) == 0 {
		return words.F("{0} ± less than 0.01", Fixed(mean, 2))
	}
	return Fixed(mean, digits) + " ± " + Fixed(half, digits)
}

// Spread is Spread of a whisker.
func (w *Whisker) Spread() string { return Spread(w.Mean, w.High-w.Mean) }

// SureSentence says how one policy differs from another in the completion time of the same jobs, and whether the
// seeds settle it. The difference is in s.
func SureSentence(name, base string, d *message.Estimate) Finding {
	u := SecondsUnit(max(math.Abs(d.Mean), 1))
	w := Whisk(d, float64(u.Length)/1000, "", "")
	seeds := strconv.Itoa(d.N)
	f := Finding{}
	switch {
	case d.N < 2:
		f.Claim = words.T("One seed is done: there is no interval yet.")
		return f
	case d.Mean == 0 && w.High == w.Low:
		f.Claim = words.F("{0} and {1} complete the same jobs alike with each of {2} seeds.", name, base, seeds)
		return f
	}
	half := w.High - w.Mean
	apart, agree := Spread(math.Abs(w.Mean), half)+" "+words.T(u.Many), strconv.Itoa(d.SameSign)
	if d.Mean < 0 {
		f.Claim = words.F("Under {0} a job completes {2} sooner than the same job under {1}; the sign agrees in {3} of {4} seeds.", name, base, apart, agree, seeds)
	} else {
		f.Claim = words.F("Under {0} a job completes {2} later than the same job under {1}; the sign agrees in {3} of {4} seeds.", name, base, apart, agree, seeds)
	}
	switch {
	case half == 0:
		f.Because = words.T("Every seed gives the same difference.")
	case *d.Low > 0 || *d.High < 0:
		f.Because = words.T("The 95 % interval leaves 0 out: with other seeds the order would hardly turn.")
	default:
		f.Because = words.T("The 95 % interval holds 0: these seeds do not settle who is better.")
	}
	return f
}
