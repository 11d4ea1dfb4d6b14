package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// PartsHeight is the height in px of PartsSVG.
const PartsHeight = 34

// PartsSVG is a bar of parts of some GPU time, in shares that sum to 1, for a plot of about width px.
func PartsSVG(in words.Catalogue, of []chart.Spent, shares []float64, title string, width float64) string {
	w := &svg{in: in}
	w.put(`<svg data-role="spending" width="100%" height="$" role="img" aria-label="$">`, itoa(PartsHeight), title)
	x := 0.0
	for i, v := range shares {
		if v <= 0 {
			continue
		}
		w.put(`<svg data-spent="$" x="$" y="4" width="$" height="26"><title>$</title>`, of[i].ID, pct(x), pct(v),
			of[i].Title().In(in)+": "+figure.Percent1(in, v))
		w.put(`<rect data-part="box" width="100%" height="100%"/>`)
		if hatch := of[i].Hatch; hatch > 0 {
			w.put(`<rect fill="url(#hatch-$)" width="100%" height="100%"/>`, itoa(hatch))
		}
		if text := figure.Percent(in, v); textWidth(text)+14 <= v*width {
			w.label(&label{share: v, width: width, high: 26, name: text, plate: true})
		}
		w.close("svg")
		x += v
	}
	return w.end()
}
