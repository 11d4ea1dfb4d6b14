package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// CurveHeight is the height in px of the drawing area of CurvesSVG; labels take the rest.
const CurveHeight = 112

// stepPath is a step curve as path data over 1000 units of width. An area closes at the bottom.
func stepPath(s *chart.Series, a *chart.Axis, y *chart.Scale, height float64, area bool) string {
	if len(s.T) == 0 {
		return ""
	}
	s = s.Within(a)
	if len(s.T) == 0 || s.T[0] > a.To {
		return ""
	}
	d := make([]byte, 0, 16*len(s.T))
	to := func(command string, v float64) { d = append(append(d, command...), px(v)...) }
	at := func(t unit.Tick) float64 { return a.X(t) * 1000 }
	to("M", at(s.T[0]))
	if area {
		to(" ", height)
		to("V", y.Down(s.V[0], height))
	} else {
		to(" ", y.Down(s.V[0], height))
	}
	for i := 1; i < len(s.T); i++ {
		to("H", at(s.T[i]))
		to("V", y.Down(s.V[i], height))
	}
	to("H", at(max(s.End, s.T[len(s.T)-1])))
	if area {
		to("V", height)
		d = append(d, 'Z')
	}
	return string(d)
}

// CurvesSVG is a step chart on the shared time axis, for a plot of about width px.
func CurvesSVG(in words.Catalogue, a *chart.Axis, y *chart.Scale, curves []chart.Curve, width float64,
	title string) string {
	w := &svg{in: in}
	w.put(`<svg data-role="curves" width="100%" height="$" role="img" aria-label="$">`, itoa(CurveHeight+26), title)
	w.grid(y)
	w.plot(CurveHeight)
	for i := range curves {
		s := curves[i].Series.Thin(a, 300)
		if curves[i].Spiky {
			s = curves[i].Series.Mean(a, 250)
		}
		w.put(`<path data-series="$" d="$"/>`, curves[i].Style, stepPath(&s, a, y, CurveHeight, false))
	}
	w.close("svg")
	for i := range curves {
		markCurve(w, &curves[i], a, y)
	}
	w.ticks(a, width, CurveHeight, CurveHeight+18)
	return w.end()
}

// grid draws a line at each tick of a scale, the first as the axis.
func (w *svg) grid(y *chart.Scale) {
	for i, t := range y.Ticks {
		role, v := "grid", px(y.Down(t, CurveHeight))
		if i == 0 {
			role = "axis"
		}
		w.put(`<line data-role="$" x1="0" x2="100%" y1="$" y2="$"/>`, role, v, v)
	}
}

// plot opens the area of lines, 1000 units wide whatever the width in px.
func (w *svg) plot(height int) {
	w.put(`<svg width="100%" height="$" viewBox="$" preserveAspectRatio="none" overflow="visible">`, itoa(height),
		"0 0 1000 "+itoa(height))
}

// markCurve puts a curve's mark at its steps, no closer than a fiftieth of the width.
func markCurve(w *svg, c *chart.Curve, a *chart.Axis, y *chart.Scale) {
	if c.Mark == "" {
		return
	}
	last := -1.0
	for i, t := range c.Series.T {
		x := a.X(t)
		if !a.Has(t) || x-last < 0.02 {
			continue
		}
		last = x
		w.put(`<svg data-role="curve-mark" x="$" y="$" width="1" height="1" overflow="visible">`, pct(x),
			px(y.Down(c.Series.V[i], CurveHeight)))
		w.put(`<path d="$" transform="translate(-4 -4) scale(.67)"/>`, c.Mark)
		w.close("svg")
	}
}

// ScaleSVG is the labels beside a step chart, for a column of the given width.
func ScaleSVG(in words.Catalogue, y *chart.Scale, unit string, width float64) string {
	w := &svg{in: in}
	w.gutter(width, CurveHeight+26)
	for i, t := range y.Ticks {
		text := figure.Sig(in, t, 4)
		if i == len(y.Ticks)-1 && unit != "" {
			text += " " + unit
		}
		w.put(`<text x="100%" dx="-8" y="$" text-anchor="end">$</text>`, px(y.Down(t, CurveHeight)+4), text)
	}
	return w.end()
}
