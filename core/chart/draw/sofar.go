package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// soFarHeight and soFarWidth are the size in px of SoFarSVG; the width decides only which labels fit.
const soFarHeight, soFarWidth = 84, 300

// SoFarSVG draws the curves, each as far as it has come.
func SoFarSVG(in words.Catalogue, c *chart.SoFar) string {
	const high = soFarHeight - 22
	end := unit.Tick(1)
	for i := range c.Lanes {
		end = max(end, c.Lanes[i].End)
	}
	a, y := chart.NewAxis(end, 0), chart.Scale{Max: float64(max(c.Jobs, 1))}
	w := &svg{in: in}
	w.put(`<svg data-role="curves" width="100%" height="$" aria-hidden="true">`, itoa(soFarHeight))
	for _, line := range [...][2]string{{"grid", "0.5"}, {"axis", itoa(high)}} {
		w.put(`<line data-role="$" x1="0" x2="100%" y1="$" y2="$"/>`, line[0], line[1], line[1])
	}
	w.plot(high)
	for i := range c.Lanes {
		w.put(`<path data-series="$" d="$"/>`, [...]string{"a", "b", "c"}[i%3],
			stepPath(&c.Lanes[i], &a, &y, high, false))
	}
	w.close("svg")
	w.ticks(&a, soFarWidth, high, high+16)
	return w.end()
}
