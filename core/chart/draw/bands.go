package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Band is a figure that is known at some instants, with half an interval around each.
type Band struct {
	Style string // a, b, c: the line's look
	T     []unit.Tick
	Mean  []float64
	Half  []float64
}

// BandsSVG draws bands on a time axis, each a line between its instants over the area of its intervals, for a plot of
// about width px.
func BandsSVG(in words.Catalogue, a *chart.Axis, y *chart.Scale, bands []Band, width float64, title string) string {
	w := &svg{in: in}
	w.put(`<svg data-role="bands" width="100%" height="$" role="img" aria-label="$">`, itoa(CurveHeight+26), title)
	w.grid(y)
	w.plot(CurveHeight)
	for i := range bands {
		b := &bands[i]
		var line, low []byte
		point := func(d []byte, command string, i int, v float64) []byte {
			d = append(append(d, command...), px(a.X(b.T[i])*1000)...)
			return append(append(d, ' '), px(y.Down(v, CurveHeight))...)
		}
		area := []byte{}
		for k := range b.T {
			command := "L"
			if k == 0 {
				command = "M"
			}
			line = point(line, command, k, b.Mean[k])
			area = point(area, command, k, b.Mean[k]+b.Half[k])
		}
		for k := len(b.T) - 1; k >= 0; k-- {
			low = point(low, "L", k, b.Mean[k]-b.Half[k])
		}
		w.put(`<path data-band="$" d="$"/>`, b.Style, string(area)+string(low)+"Z")
		w.put(`<path data-series="$" d="$"/>`, b.Style, string(line))
	}
	w.close("svg")
	w.ticks(a, width, CurveHeight, CurveHeight+18)
	return w.end()
}
