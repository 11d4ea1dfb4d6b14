package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// maxCells is how many moments may get a number in the header, and minCell the least width in px of one that does.
const (
	maxCells = 32
	minCell  = 18
)

// AxisHeight is the height in px of AxisSVG.
const AxisHeight = 40

// AxisSVG is the header over the lanes: rounds, where few enough, with how many GPUs the compared runs use differently
// in each, and times. The title says where they part, "" = nothing is compared.
func AxisSVG(in words.Catalogue, a *chart.Axis, d *chart.Diff, width float64, title string) string {
	w := &svg{in: in}
	if title == "" {
		w.put(`<svg data-role="axis-head" width="100%" height="$" aria-hidden="true">`, itoa(AxisHeight))
	} else {
		w.put(`<svg data-role="axis-head" width="100%" height="$" role="img" aria-label="$">`, itoa(AxisHeight), title)
	}
	w.parted(a, d, AxisHeight)
	w.measured(a)
	if cellsFit(a, d, width) {
		for i, m := range d.Moments {
			x0, x1 := a.X(m.At), a.X(m.End)
			text, room := itoa(i+1), float64((x1-x0)*width)
			share, least := x1-x0, float64(minCell)
			// its number may reach over its cell, up to those beside it
			if room < minCell && i > 1 && i+1 < len(d.Moments) {
				share, least = between(a, d, i), wide(itoa(i+2), large)+numberGap
			}
			if !a.Sees(m.At, m.End) || float64(share*width) < least {
				continue
			}
			w.put(`<svg x="$" width="$" height="20" overflow="visible">`, pct(x0), pct(x1-x0))
			if m.Differ > 0 {
				w.put(`<title>`)
				w.text(figure.Count(in, int(m.Differ), "{0} of {1} is used differently",
					"{0} of {1} are used differently", figure.Count(in, int(d.GPUs), "{0} GPU", "{0} GPUs")))
				w.close("title")
				w.put(`<rect data-role="diff" data-moment="$" width="100%" height="100%"/>`, itoa(i))
			}
			w.put(`<text data-role="tick-text" data-large="1" data-need="$" x="50%" y="14" text-anchor="middle">`,
				need(share, least))
			if long := wide(in.T("round")+" "+text, large); i == 0 && long < room {
				w.put(`<tspan data-need="$">`, need(x1-x0, long))
				w.text(in.T("round") + " ")
				w.close("tspan")
			}
			w.text(text)
			w.close("text")
			w.close("svg")
		}
	}
	w.ticks(a, width, 20, 37)
	return w.end()
}

// measured draws a bracket over the time of the jobs that are measured; an end that is not seen is open. Its colour is
// that of files, which the page has its own for.
func (w *svg) measured(a *chart.Axis) {
	from, to := a.Measured[0], a.Measured[1]
	if from >= to || !a.Sees(from, to) {
		return
	}
	w.put(`<g data-role="measured" stroke="#14181d"><line x1="$" x2="$" y1="1" y2="1"/>`, pct(a.X(from)), pct(a.X(to)))
	for _, at := range a.Measured {
		if a.Has(at) {
			x := pct(a.X(at))
			w.put(`<line x1="$" x2="$" y1="0.5" y2="6"/>`, x, x)
		}
	}
	w.close("g")
}

// numberGap is the least distance in px between two numbers of the header.
const numberGap = 4

// between is how far the middle of moment i is from the nearer one of its neighbours, as a share of the axis.
func between(a *chart.Axis, d *chart.Diff, i int) float64 {
	mid := func(k int) float64 { return float64((a.X(d.Moments[k].At) + a.X(d.Moments[k].End)) / 2) }
	return min(mid(i)-mid(i-1), mid(i+1)-mid(i))
}

// cellsFit says whether most moments are wide enough to be numbered.
func cellsFit(a *chart.Axis, d *chart.Diff, width float64) bool {
	narrow, seen := 0, 0
	for _, m := range d.Moments {
		if !a.Sees(m.At, m.End) {
			continue
		}
		seen++
		if (a.X(m.End)-a.X(m.At))*width < minCell {
			narrow++
		}
	}
	return seen <= maxCells && narrow <= seen/3
}

// parted shades the time in which the compared runs part: some GPU has another owner. Moments nearer to each other than
// can be told apart are shaded as one.
func (w *svg) parted(a *chart.Axis, d *chart.Diff, height float64) {
	if d == nil {
		return
	}
	const apart = 1.0 / 1000 // of the axis
	var from, to float64
	put := func() {
		if to > from {
			w.put(`<rect data-role="parted" x="$" width="$" y="0" height="$"/>`, pct(from), pct(to-from), px(height))
		}
	}
	for i := range d.Moments {
		m := &d.Moments[i]
		if m.Differ == 0 || !a.Sees(m.At, m.End) {
			continue
		}
		x0, x1 := a.X(m.At), max(a.X(m.End), a.X(m.At)+apart)
		if to == 0 || x0 > to+apart {
			put()
			from = x0
		}
		to = x1
	}
	put()
}
