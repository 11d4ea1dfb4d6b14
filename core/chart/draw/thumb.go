package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Measures of a thumbnail in px.
const (
	thumbW = 320
	thumbH = 96
)

// ThumbSVG is a run's bars alone, small, without text, on no ground of its own: it stands on light and dark.
func ThumbSVG(t *trace.Trace, l *chart.Lane) string {
	w := &svg{}
	w.put(`<svg xmlns="http://www.w3.org/2000/svg" width="$" height="$" viewBox="$" preserveAspectRatio="none">`,
		itoa(thumbW), itoa(thumbH), "0 0 "+itoa(thumbW)+" "+itoa(thumbH))
	row := float64(thumbH) / float64(max(1, len(l.Rows)))
	gap := min(1, row/6)
	box := func(from, to unit.Tick, at, n int32, fill, opacity string) {
		x := thumbW * float64(from) / float64(max(1, l.End)) // a quotient cannot be fused with the difference
		wide := max(thumbW*float64(to)/float64(max(1, l.End))-x, 0.5)
		w.put(`<rect x="$" y="$" width="$" height="$" rx="1" fill="$" opacity="$"/>`, px(x),
			px(float64(float64(at)*row)+gap), px(wide), px(float64(float64(n)*row)-gap-gap), fill, opacity)
	}
	for r := range l.Rows {
		box(0, l.End, int32(r), 1, "#7b848e", ".22")
	}
	for _, b := range l.Bars {
		h := &l.Holdings[b.Holding]
		box(h.From, h.To, b.Row, b.N, chart.Fills[l.Looks[h.Job].Hue-1], "1")
	}
	w.close("svg")
	return string(w.b) + "\n"
}
