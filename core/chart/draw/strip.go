package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// maxCells is how many moments may get a number in the header and a box in the strip, and minCell the
// least width in px of one that does.
const (
	maxCells = 32
	minCell  = 15
)

// AxisHeight and StripHeight are the heights in px of AxisSVG and StripSVG.
const (
	AxisHeight  = 34
	StripHeight = 30
)

// AxisSVG is the header over the lanes: rounds, where few enough, and times.
func AxisSVG(in words.Catalogue, a *chart.Axis, d *chart.Diff, width float64) string {
	w := &svg{in: in}
	w.put(`<svg data-role="axis-head" width="100%" height="$" aria-hidden="true">`, itoa(AxisHeight))
	if cellsFit(a, d, width) {
		for i, m := range d.Moments {
			x0, x1 := a.X(m.At), a.X(m.End)
			text, room := itoa(i+1), float64((x1-x0)*width)
			share, wide := x1-x0, float64(minCell)
			// its number may reach over its cell, up to those beside it
			if room < minCell && i > 1 && i+1 < len(d.Moments) {
				share, wide = between(a, d, i), textWidth(itoa(i+2))+numberGap
			}
			if !a.Sees(m.At, m.End) || float64(share*width) < wide {
				continue
			}
			w.put(`<svg x="$" width="$" height="18" overflow="visible">`, pct(x0), pct(x1-x0))
			w.put(`<text data-role="tick-text" data-need="$" x="50%" y="12" text-anchor="middle">`, need(share, wide))
			if wide := textWidth(in.T("round") + " " + text); i == 0 && wide < room {
				w.put(`<tspan data-need="$">`, need(x1-x0, wide))
				w.text(in.T("round") + " ")
				w.close("tspan")
			}
			w.text(text)
			w.close("text")
			w.close("svg")
		}
	}
	w.ticks(a, width, 18, 32)
	w.close("svg")
	return string(w.b)
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

// StripSVG shows for each moment how many GPUs have another owner in the other run.
func StripSVG(in words.Catalogue, a *chart.Axis, d *chart.Diff, width float64, title string) string {
	w := &svg{in: in}
	w.put(`<svg data-role="strip" width="100%" height="$" role="img" aria-label="$">`, itoa(StripHeight), title)
	if cellsFit(a, d, width) {
		for i := range d.Moments {
			if m := &d.Moments[i]; a.Sees(m.At, m.End) {
				stripCell(w, a, d, i, width)
			}
		}
	} else {
		stripBars(w, a, d)
	}
	w.close("svg")
	return string(w.b)
}

// stripCell is one of few moments: how many GPUs have another owner, as a bar and in figures where there is room.
func stripCell(w *svg, a *chart.Axis, d *chart.Diff, i int, width float64) {
	const top, high = 5.5, 19.0
	m := &d.Moments[i]
	x0, x1 := a.X(m.At), a.X(m.End)
	share := high * float64(m.Differ) / float64(max(d.GPUs, 1))
	w.put(`<svg data-role="diff" data-moment="$" x="$" width="$" height="$">`, itoa(i), pct(x0), pct(x1-x0),
		itoa(StripHeight))
	w.put(`<rect data-role="diff-hit" width="100%" height="100%"/>`)
	room := float64((x1 - x0) * width)
	if room < minCell {
		if m.Differ > 0 && !a.Sliver(m.End-m.At) {
			w.put(`<rect data-role="diff-bar" width="100%" y="$" height="$"/>`, px(top+high-share), px(share))
		}
		w.close("svg")
		return
	}
	x := 6.0
	if room < 34 {
		x = max(1, float64(room/2)-5)
	}
	if m.Differ > 0 {
		w.put(`<rect data-role="diff-bar" x="$" y="$" width="10" height="$" rx="1"/>`, px(x), px(top+high-share),
			px(share))
	}
	w.put(`<rect data-role="diff-none" x="$" y="$" width="9" height="$" rx="1"/>`, px(x+0.5), px(top+0.5), px(high))
	if room >= 34 {
		rest := ""
		if room >= 66 {
			rest = " " + w.in.F("of {0}", itoa(d.GPUs))
		}
		w.words(need(x1-x0, 34), need(x1-x0, 66), itoa(m.Differ), rest, "x", "22", "y", "19")
	}
	w.close("svg")
}

// stripBars draws many moments as columns, the greatest difference of each of 400.
func stripBars(w *svg, a *chart.Axis, d *chart.Diff) {
	const columns, high = 400, 22.0
	w.put(`<line data-role="axis" x1="0" x2="100%" y1="27" y2="27"/>`)
	put := func(from, to unit.Tick, differ int32) {
		if differ == 0 || !a.Sees(from, to) {
			return
		}
		h := max(1.5, high*float64(differ)/float64(max(d.GPUs, 1)))
		w.put(`<rect data-role="diff-bar" x="$" width="$" y="$" height="$"/>`, pct(a.X(from)),
			pct(max(a.X(to)-a.X(from), 0.8/columns)), px(27-h), px(h))
	}
	for i := 0; i < len(d.Moments); {
		m := d.Moments[i]
		most, j := m.Differ, i+1
		for ; j < len(d.Moments) && int(a.X(d.Moments[j].At)*columns) == int(a.X(m.At)*columns); j++ {
			most = max(most, d.Moments[j].Differ)
		}
		put(m.At, d.Moments[j-1].End, most)
		i = j
	}
}
