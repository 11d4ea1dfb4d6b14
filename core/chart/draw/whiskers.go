package draw

import (
	"math"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

const whiskerRow = 24.0 // height in px

// WhiskersSVG is a row a policy: its mean and its interval. With zero they are differences, and 0 is marked.
func WhiskersSVG(in words.Catalogue, ws []chart.Whisker, zero bool, title string) string {
	return whiskers(in, ws, zero, "", title)
}

// whiskers has a unit behind the last number of its axis, "" = it stands elsewhere.
func whiskers(in words.Catalogue, ws []chart.Whisker, zero bool, unit, title string) string {
	w := &svg{in: in}
	s := chart.WhiskerScale(ws, zero)
	bottom := float64(float64(len(ws)) * whiskerRow)
	each := 1 // so manieth tick has a number
	if len(s.Ticks) > 4 {
		each = 2
	}
	at := func(v float64) string { return pct(0.12 + float64(0.82*s.Y(v))) }
	w.put(`<svg data-role="whiskers" width="100%" height="$" role="img" aria-label="$">`, px(bottom+20), title)
	for i, t := range s.Ticks {
		role := "grid"
		if zero && t == 0 {
			role = "fair"
		}
		w.put(`<line data-role="$" x1="$" x2="$" y1="0" y2="$"/>`, role, at(t), at(t), px(bottom))
		if i%each == 0 {
			says := figure.Sig(in, t, 4)
			if unit != "" && i+each >= len(s.Ticks) {
				says += " " + unit
			}
			w.put(`<text data-role="tick-text" x="$" y="$" text-anchor="middle">$</text>`, at(t), px(bottom+15), says)
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
				w.put(`<line data-role="cap" x1="$" x2="$" y1="$" y2="$"/>`, at(end), at(end), px(middle-6),
					px(middle+6))
			}
		}
		w.put(`<circle data-role="mean" cx="$" cy="$" r="4"/>`, at(row.Mean), mid)
	}
	return w.end()
}
