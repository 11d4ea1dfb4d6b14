package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// Strip is one of several small charts, one under the other, with its name above it.
type Strip struct {
	Name  string
	Hue   int // of a job, 0 = it is of none
	High  int // px
	Y     chart.Scale
	Areas []StripArea // from behind
	Lines []chart.Curve
}

// StripArea is an area below a curve, in the look of a use of GPU time.
type StripArea struct {
	Use string
	Of  *chart.Series
}

// stripTop is the room for a strip's name above it, in px.
const stripTop = 22

// StripsHeight is the height in px of StripsSVG without the labels of its axis.
func StripsHeight(all []Strip) (high float64) {
	for i := range all {
		high += float64(stripTop + all[i].High)
	}
	return high
}

// StripsSVG draws the strips on the shared time axis; role is what they are of.
func StripsSVG(in words.Catalogue, a *chart.Axis, role string, all []Strip, width float64, title string) string {
	w, high, top := &svg{in: in}, StripsHeight(all), 0
	w.put(`<svg data-role="$" width="100%" height="$" role="img" aria-label="$">`, role, px(high+26), title)
	for i := range all {
		s, x := &all[i], 0
		if s.Hue > 0 {
			w.put(`<g data-hue="$"><rect data-part="box" y="$" width="10" height="10" rx="2"/></g>`, itoa(s.Hue),
				itoa(top+5))
			x = 15
		}
		w.put(`<text data-part="node" x="$" y="$">$</text>`, itoa(x), itoa(top+14), fit(s.Name, width-float64(x)))
		top += stripTop
		w.put(`<svg data-role="a-strip" y="$" width="100%" height="$" overflow="visible">`, itoa(top), itoa(s.High))
		for k, t := range s.Y.Ticks {
			y := px(s.Y.Down(t, float64(s.High)))
			w.put(`<line data-role="$" x2="100%" y1="$" y2="$"/>`, [...]string{"axis", "grid"}[min(k, 1)], y, y)
		}
		w.plot(s.High)
		for _, of := range s.Areas {
			mean := of.Of.Mean(a, 250)
			w.put(`<path data-use="$" d="$"/>`, of.Use, stepPath(&mean, a, &s.Y, float64(s.High), true))
		}
		for k := range s.Lines {
			thin := s.Lines[k].Series.Thin(a, 300)
			w.put(`<path data-series="$" d="$"/>`, s.Lines[k].Style, stepPath(&thin, a, &s.Y, float64(s.High), false))
		}
		w.close("svg")
		w.close("svg")
		top += s.High
	}
	w.ticks(a, width, high, high+18)
	return w.end()
}

// StripsGutterSVG is the strips' scales beside StripsSVG.
func StripsGutterSVG(in words.Catalogue, all []Strip, width float64) string {
	w, top := &svg{in: in}, 0
	w.gutter(width, StripsHeight(all)+26)
	for i := range all {
		s := &all[i]
		top += stripTop
		for _, t := range s.Y.Ticks {
			w.put(`<text x="100%" dx="-8" y="$" text-anchor="end">$</text>`,
				px(float64(top)+s.Y.Down(t, float64(s.High))+4), figure.Sig(in, t, 4))
		}
		top += s.High
	}
	return w.end()
}
