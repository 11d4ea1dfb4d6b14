package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// gainsMiddle is where the base line of GainsSVG lies, in px from its top.
const gainsMiddle = CurveHeight / 2

// GainsSVG is a column a job: upwards what it gains in the first run, downwards what it loses. Hatched columns end
// in one of the runs only. says is a column in words; selected = -1 is no job.
func GainsSVG(gains []chart.Gain, t *trace.Trace, says func(chart.Gain) string, selected int32, width float64,
	title string) string {
	w := &svg{}
	w.put(`<svg data-role="curves" width="100%" height="$" role="img" aria-label="$">`, itoa(CurveHeight+26), title)
	most := chart.GainMost(gains)
	n := float64(max(len(gains), 1))
	wide := min(1/n, 0.12)
	for i, g := range gains {
		high, sign, hatch := float64(gainsMiddle), g.By >= 0, !g.Known
		if g.Known {
			high = float64(gainsMiddle) * float64(max(g.By, -g.By)) / float64(most)
		}
		y, what := gainsMiddle-high, "gain"
		if !sign {
			y, what = gainsMiddle, "loss"
		}
		name := t.Jobs[g.Job].Name
		w.put(`<svg data-role="gain" data-job="$" data-gain="$" data-here="$" x="$" width="$" height="$">`, name, what,
			yes(g.Job == selected), pct(float64(i)*wide), pct(wide), itoa(CurveHeight+26))
		w.put(`<title>`)
		w.text(says(g))
		w.close("title")
		w.put(`<rect data-part="hit" width="100%" height="100%"/>`)
		w.put(`<rect data-part="column" x="8%" width="84%" y="$" height="$"/>`, px(y), px(max(high, 1)))
		if hatch {
			w.put(`<rect fill="url(#hatch-1)" x="8%" width="84%" y="$" height="$"/>`, px(y), px(max(high, 1)))
		}
		if textWidth(name)+4 <= wide*width {
			w.put(`<text data-need="$" x="50%" y="$" text-anchor="middle">$</text>`, need(wide, textWidth(name)+4),
				itoa(CurveHeight+18), name)
		}
		w.close("svg")
	}
	w.put(`<line data-role="axis" x1="0" x2="100%" y1="$" y2="$"/>`, itoa(gainsMiddle), itoa(gainsMiddle))
	return w.end()
}

// GainScaleSVG is the labels beside GainsSVG.
func GainScaleSVG(in words.Catalogue, gains []chart.Gain, u figure.Unit, width float64) string {
	w := &svg{in: in}
	w.gutter(width, CurveHeight+26)
	most := u.Brief(in, chart.GainMost(gains)) + " " + u.Short
	for i, text := range []string{most, in.T("sooner"), in.T("later"), most} {
		w.put(`<text x="100%" dx="-8" y="$" text-anchor="end">$</text>`,
			itoa([...]int{10, gainsMiddle - 8, gainsMiddle + 15, CurveHeight}[i]), text)
	}
	return w.end()
}

// yes is an attribute that stands only when it is on.
func yes(on bool) string {
	if on {
		return "1"
	}
	return ""
}
