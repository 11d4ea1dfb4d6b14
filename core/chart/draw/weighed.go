package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/words"
)

// WeighedSVG shows what a placement is worth above what it costs, as parts of the largest of those beside it. A cost
// too small to be drawn is still a line.
func WeighedSVG(in words.Catalogue, p message.Weighed, most float64, s figure.Scale) string {
	if !(most > 0) {
		return ""
	}
	w := &svg{in: in}
	w.put(`<svg data-role="weighed" width="100%" height="26" role="img" aria-label="$">`,
		in.F("{0}: worth {1}, cost {2}", p.Who, s.Say(in, p.Worth), s.Say(in, p.Cost)))
	bar := func(part, y string, v float64) {
		w.put(`<rect data-part="$" y="$" width="$" height="11" rx="2"/>`, part, y,
			pct(min(max(v/most, 0.006), 1)))
	}
	bar("worth", "1", p.Worth)
	bar("cost", "14", p.Cost)
	return w.end()
}

// curveRoom is the least width in px that a curve is drawn in.
const curveRoom = 280

// CurveSVG is a quantity by a count from 0, on a linear scale that begins at 0, with what the decision makes of the
// count.
func CurveSVG(in words.Catalogue, c *message.Curve, title string, s figure.Scale) string {
	const height, left, right = 84.0, 0.16, 0.97
	all, top := len(c.Values)-1, 0.0
	for _, v := range c.Values {
		top = max(top, v)
	}
	y := chart.LinearScale(top/s.Per, 3)
	at := func(k int) float64 { return left + 0.05 + float64((right-left-0.1)*float64(k)/float64(max(all, 1))) }
	down := func(k int) string { return px(y.Down(c.Values[k]/s.Per, height)) }
	w := &svg{in: in}
	w.put(`<svg data-role="price-curve" width="100%" height="116" role="img" aria-label="$">`,
		in.F("{0}: from {1} to {2}. {3}, at {4} of {5}.", title, s.Say(in, c.Values[0]), s.Say(in, c.Values[all]), c.Says,
			itoa(c.From), itoa(all)))
	w.put(`<svg y="8" width="100%" height="108" overflow="visible">`)
	for _, t := range y.Ticks {
		v := px(y.Down(t, height))
		w.put(`<line data-role="grid" x1="$" x2="$" y1="$" y2="$"/>`, pct(left), pct(right), v, v)
		w.put(`<text x="$" y="$" text-anchor="end">$</text>`, pct(left-0.015), px(y.Down(t, height)+4), figure.Sig(in, t, 4))
	}
	for k := 1; k <= all; k++ {
		role := "curve"
		if c.From < k && k <= c.To {
			role = "taken"
		}
		w.put(`<line data-role="$" x1="$" y1="$" x2="$" y2="$"/>`, role, pct(at(k-1)), down(k-1), pct(at(k)), down(k))
	}
	w.put(`<line data-role="drop" x1="$" x2="$" y1="$" y2="$"/>`, pct(at(c.From)), pct(at(c.From)), down(c.From),
		px(height))
	for k := 0; k <= all; k++ {
		if all <= 8 || k == 0 || k == all {
			w.put(`<circle data-role="point" cx="$" cy="$" r="3.5"/>`, pct(at(k)), down(k))
			text := itoa(k)
			if none := in.T("none taken"); k == 0 && (all > 8 ||
				float64(textWidth(none)/2)+10 <= (right-left-0.1)*curveRoom/float64(max(all, 1))) {
				text = none
			}
			w.put(`<text x="$" y="$" text-anchor="middle">$</text>`, pct(at(k)), px(height+15), text)
		}
	}
	w.put(`<circle data-role="here" cx="$" cy="$" r="5.5"/>`, pct(at(c.From)), down(c.From))
	w.put(`<text x="$" dx="8" y="9">$</text>`, pct(left), c.Along+" →")
	w.close("svg")
	return w.end()
}
