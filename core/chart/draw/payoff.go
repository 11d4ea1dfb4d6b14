package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// curveRoom is the least width in px that a price curve is drawn in.
const curveRoom = 280

// PriceCurveSVG is the price of a GPU against how many of its slot are taken, log scale, with the gang's
// position.
func PriceCurveSVG(lo, hi float64, p chart.PricePosition, label string) string {
	const height, left, right = 72.0, 0.16, 0.97
	y := chart.LogScale(lo, hi, 3)
	at := func(used int) float64 {
		return left + 0.05 + float64((right-left-0.1)*float64(used)/float64(max(p.Capacity, 1)))
	}
	w := &svg{}
	w.put(`<svg data-role="price-curve" width="100%" height="96" role="img" aria-label="$">`,
		words.F("Price of a {0} on {1} as it fills, from {2} to {3}. {4} with {5} of {6} taken.",
			figure.TypeTitle(p.Type), p.Node, figure.Sig(lo, 3), figure.Sig(hi,
				3), label, itoa(p.Used), itoa(p.Capacity)))
	w.put(`<svg y="8" width="100%" height="88" overflow="visible">`)
	for _, t := range y.Ticks {
		v := px(y.Down(t.Value, height))
		w.put(`<line data-role="grid" x1="$" x2="$" y1="$" y2="$"/>`, pct(left), pct(right), v, v)
		w.put(`<text x="$" y="$" text-anchor="end">$</text>`, pct(left-0.015), px(y.Down(t.Value, height)+4), t.Label)
	}
	for k := 0; k <= p.Capacity; k++ {
		x, v := at(k), chart.PriceAt(lo, hi, k, p.Capacity)
		if k > 0 {
			w.put(`<line data-role="curve" x1="$" y1="$" x2="$" y2="$"/>`, pct(at(k-1)),
				px(y.Down(chart.PriceAt(lo, hi, k-1, p.Capacity), height)), pct(x), px(y.Down(v, height)))
		}
	}
	x, v := pct(at(p.Used)), px(y.Down(p.Price, height))
	w.put(`<line data-role="drop" x1="$" x2="$" y1="$" y2="$"/>`, x, x, v, px(height))
	for k := 0; k <= p.Capacity; k++ {
		if p.Capacity <= 8 || k == 0 || k == p.Capacity {
			cy := px(y.Down(chart.PriceAt(lo, hi, k, p.Capacity), height))
			w.put(`<circle data-role="point" cx="$" cy="$" r="3.5"/>`, pct(at(k)), cy)
			text := itoa(k)
			if none := words.T("none taken"); k == 0 && (p.Capacity > 8 ||
				float64(textWidth(none)/2)+10 <= (right-left-0.1)*curveRoom/float64(p.Capacity)) {
				text = none
			}
			w.put(`<text x="$" y="$" text-anchor="middle">$</text>`, pct(at(k)), px(height+15), text)
		}
	}
	w.put(`<circle data-role="here" cx="$" cy="$" r="5.5"/>`, x, v)
	// The curve leaves the upper left and the lower right free.
	if y.Y(p.Price) < 0.5 {
		w.put(`<text data-part="strong" x="$" dx="8" y="9">$</text>`, pct(left), label)
	} else {
		w.put(`<text data-part="strong" x="$" dx="-4" y="$" text-anchor="end">$</text>`, pct(right), px(height-8),
			label)
	}
	w.close("svg")
	w.close("svg")
	return string(w.b)
}

// PayoffSVG splits what a placement is worth into its cost and the difference.
func PayoffSVG(utility, cost float64) string {
	whole := max(utility, cost)
	if !(whole > 0) {
		return ""
	}
	paid := min(max(cost/whole, 0.006), 1)
	gain := utility - cost
	w := &svg{}
	w.put(`<svg data-role="payoff" width="100%" height="22" role="img" aria-label="$">`,
		words.F("Worth {0}, cost {1}, difference {2}", figure.Sig(utility, 4), figure.Sig(cost, 4),
			figure.Sig(gain, 4)))
	w.put(`<rect data-part="pay" width="100%" height="22" rx="3"/>`)
	w.put(`<rect data-part="cost" width="$" height="22" rx="3"/>`, pct(paid))
	if gain < 0 {
		w.put(`<line data-part="worth" x1="$" x2="$" y1="0" y2="22"/>`, pct(utility/whole), pct(utility/whole))
	}
	costText, payText := words.F("cost {0}", figure.Sig(cost, 3)), words.F("difference {0}", figure.Signed(gain))
	if paid*300 > textWidth(costText)+12 {
		w.put(`<text data-part="on-cost" x="6" y="15.300">$</text>`, costText)
	}
	if (1-paid)*300 > textWidth(payText)+12 {
		w.put(`<text data-part="on-pay" x="100%" dx="-6" y="15.300" text-anchor="end">$</text>`, payText)
	}
	w.close("svg")
	return string(w.b)
}
