package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// RatiosSVG is the share of jobs with at most a ratio. What is worse than an equal share is shaded and hatched.
func RatiosSVG(in words.Catalogue, curves []chart.Ratios, job func(int32) string, width float64, title string) string {
	w := &svg{in: in}
	x, y := chart.RatioScale(curves), chart.CDFScale()
	w.put(`<svg data-role="curves" width="100%" height="$" role="img" aria-label="$">`, itoa(CurveHeight+26), title)
	one := x.Y(1)
	w.put(`<rect data-role="unfair" x="$" width="$" height="$"/>`, pct(one), pct(1-one), itoa(CurveHeight))
	w.put(`<rect data-role="unfair-hatch" fill="url(#hatch-idle)" x="$" width="$" height="$"/>`, pct(one), pct(1-one),
		itoa(CurveHeight))
	w.grid(&y)
	w.put(`<line data-role="fair" x1="$" x2="$" y1="0" y2="$"/>`, pct(one), pct(one), itoa(CurveHeight))
	worse := in.T("worse than a fair share")
	if room := (1 - one) * width; room > textWidth(worse)+8 {
		w.put(`<text data-need="$" data-part="strong" x="$" dx="6" y="$">$</text>`, need(1-one, textWidth(worse)+8),
			pct(one), itoa(CurveHeight-7), worse)
	}
	w.plot(CurveHeight)
	for i := range curves {
		c := &curves[i]
		d := []byte("M0 " + itoa(CurveHeight))
		for k, v := range c.V {
			d = append(append(d, 'H'), px(x.Y(v)*1000)...)
			d = append(append(d, 'V'), px(y.Down(100*float64(k+1)/float64(len(c.V)), CurveHeight))...)
		}
		w.put(`<path data-series="$" d="$"/>`, c.Style, string(append(d, "H1000"...)))
	}
	w.close("svg")
	for i := range curves {
		c := &curves[i]
		if !chart.Dotted(len(c.V)) {
			continue
		}
		for k, v := range c.V {
			w.put(`<circle data-role="step" data-series-of="$" data-job="$" cx="$" cy="$" r="3.5">`, c.Style,
				job(c.Job[k]), pct(x.Y(v)), px(y.Down(100*float64(k+1)/float64(len(c.V)), CurveHeight)))
			w.put(`<title>`)
			w.text(in.F("{0}: {1} times a fair share's time under {2}", job(c.Job[k]), figure.Fixed(in, v, 2), c.Name))
			w.close("title")
			w.close("circle")
		}
	}
	for _, t := range x.Ticks {
		if at := x.Y(t); t <= x.Max && at < 0.99 {
			anchor := "middle"
			if at < 0.01 {
				anchor = "start"
			}
			w.put(`<text data-role="tick-text" x="$" y="$" text-anchor="$">$</text>`, pct(at), itoa(CurveHeight+18),
				anchor, figure.Sig(in, t, 4))
		}
	}
	return w.end()
}
