package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/model"
	"hadarlab/core/words"
)

// SpendingHeight is the height in px of SpendingSVG.
const SpendingHeight = 34

// SpendingSVG is a bar of all of a run's GPU time, by cause.
func SpendingSVG(in words.Catalogue, s [len(chart.Causes)]float64, title string, width float64) string {
	return partsSVG(in, chart.Causes[:], s[:], []int{0, 1, 2, 3, 0, 4, 5, 0, 6}, title, width)
}

// LocalitySVG is a bar of the GPU time of gangs of several GPUs, by how far apart these lie.
func LocalitySVG(in words.Catalogue, s [model.Tiers]float64, title string, width float64) string {
	return partsSVG(in, chart.Tiers[:], s[:], []int{0, 1, 4}, title, width)
}

// partsSVG is a bar of parts that sum to 1; hatches has the pattern over each, 0 = plain.
func partsSVG(in words.Catalogue, of []chart.Spent, shares []float64, hatches []int, title string,
	width float64) string {
	w := &svg{in: in}
	w.put(`<svg data-role="spending" width="100%" height="$" role="img" aria-label="$">`, itoa(SpendingHeight), title)
	x := 0.0
	for i, v := range shares {
		if v <= 0 {
			continue
		}
		w.put(`<svg data-spent="$" x="$" y="4" width="$" height="26"><title>$</title>`, of[i].ID, pct(x), pct(v),
			of[i].Title().In(in)+": "+figure.Percent1(in, v))
		w.put(`<rect data-part="box" width="100%" height="100%"/>`)
		if hatches[i] > 0 {
			w.put(`<rect fill="url(#hatch-$)" width="100%" height="100%"/>`, itoa(hatches[i]))
		}
		if text := figure.Percent(in, v); textWidth(text)+14 <= v*width {
			w.plated(v, width, 26, text, "")
		}
		w.close("svg")
		x += v
	}
	w.close("svg")
	return string(w.b)
}
