package draw

import (
	"math"

	"hadarlab/core/chart"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// CDFSVG draws the curves, each step marked with its job while there are few.
func CDFSVG(in words.Catalogue, a *chart.Axis, curves []chart.CDF, t *trace.Trace, width float64, title string) string {
	w := &svg{in: in}
	y := chart.CDFScale()
	w.put(`<svg data-role="curves" width="100%" height="$" role="img" aria-label="$">`, itoa(CurveHeight+26), title)
	w.grid(&y)
	w.plot(CurveHeight)
	for i := range curves {
		c := &curves[i]
		s := c.Series(a.To)
		w.put(`<path data-series="$" d="$"/>`, c.Style, stepPath(&s, a, &y, CurveHeight, false))
	}
	w.close("svg")
	for i := range curves {
		markCDF(w, &curves[i], a, &y, t)
	}
	w.ticks(a, width, CurveHeight, CurveHeight+18)
	return w.end()
}

// CDFScaleSVG is the labels beside CDFSVG.
func CDFScaleSVG(in words.Catalogue, width float64) string {
	y := chart.CDFScale()
	return ScaleSVG(in, &y, "%", width)
}

// markCDF puts a dot at each step of a curve, while there are few.
func markCDF(w *svg, c *chart.CDF, a *chart.Axis, y *chart.Scale, t *trace.Trace) {
	if !chart.Dotted(len(c.Steps)) {
		return
	}
	for _, s := range c.Steps {
		name := t.Jobs[s.Job].Name
		w.put(`<circle data-role="step" data-series-of="$" data-job="$" cx="$" cy="$" r="3.5">`, c.Style, name,
			pct(a.X(s.CompletionTime)), px(y.Down(c.Share(s.N)*100, CurveHeight)))
		w.put(`<title>`)
		w.text(w.in.F("{0} completes in {1} under {2}, as number {3} of {4}", name,
			a.Unit.Long(w.in, s.CompletionTime), c.Name,
			itoa(s.N), itoa(c.Jobs)))
		w.close("title")
		w.close("circle")
	}
}

// CDFMarkSVG rings a job's step on every curve and names it once; it lies over the picture.
func CDFMarkSVG(in words.Catalogue, a *chart.Axis, curves []chart.CDF, job int32, name string) string {
	w := &svg{in: in}
	y := chart.CDFScale()
	w.put(`<svg data-role="cdf-here" width="100%" height="$" aria-hidden="true">`, itoa(CurveHeight+26))
	for i := range curves {
		for _, s := range curves[i].Steps {
			if s.Job != job {
				continue
			}
			x := a.X(s.CompletionTime)
			v := y.Down(curves[i].Share(s.N)*100, CurveHeight)
			w.put(`<circle data-role="here" cx="$" cy="$" r="5.5"/>`, pct(x), px(v))
			dx, anchor := "9", "start"
			if x > 0.8 {
				dx, anchor = "-9", "end"
			}
			w.put(`<text data-part="strong" x="$" dx="$" y="$" text-anchor="$">$</text>`, pct(x), dx,
				px(min(v+13, CurveHeight-3)), anchor, name+" "+a.Unit.Brief(in, s.CompletionTime))
		}
	}
	return w.end()
}

// Nearest is the job whose step is nearest to a place in the picture, x as a share of the width and y in px
// of a picture width px wide; -1 = there is none.
func Nearest(a *chart.Axis, curves []chart.CDF, x, y, width float64) int32 {
	scale := chart.CDFScale()
	best, least := int32(-1), math.Inf(1)
	for i := range curves {
		for _, s := range curves[i].Steps {
			dx, dy := float64((a.X(s.CompletionTime)-x)*width), scale.Down(curves[i].Share(s.N)*100, CurveHeight)-y
			if d := float64(dx*dx) + float64(dy*dy); d < least {
				best, least = s.Job, d
			}
		}
	}
	return best
}
