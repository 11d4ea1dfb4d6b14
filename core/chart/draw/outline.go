package draw

import (
	"slices"

	"hadarlab/core/chart"
	"hadarlab/core/unit"
)

// ringRoom is the least width in px of a bar that is ringed; narrower ones are underlined.
const ringRoom = 7

// OutlineSVG rings a job's bars, and one stop of the keyboard more strongly; -1 = none. It lies over the plot.
func (p *Picture) OutlineSVG(job int32, bar int) string {
	w := &svg{}
	w.put(`<svg data-role="outline" width="100%" height="$" aria-hidden="true">`, px(p.Frame.Height))
	seen := newPainted(finest, len(p.Lane.Rows))
	for _, i := range p.ringed(job, bar) {
		b := &p.Lane.Bars[i]
		h := &p.Lane.Holdings[b.Holding]
		if !p.Axis.Sees(h.From, h.To) || seen.has(b.Row, p.Axis.X(h.From), p.Axis.X(h.To)) && i != bar {
			continue
		}
		part := "ring"
		if i == bar {
			part = "focus"
		}
		top, high := p.Frame.Span(b.Row, b.N)
		if p.box(w, h.From, h.To, top, high) < ringRoom && part == "ring" { // a ring would leave nothing of it to see
			w.put(`<line data-part="under" x2="100%" y1="$" y2="$"/></svg>`, px(high-1), px(high-1))
			continue
		}
		thin := ""
		if high < 10 {
			thin = "1"
		}
		w.put(`<rect data-part="$" data-thin="$" width="100%" height="100%" rx="2"/>`, part, thin)
		w.close("svg")
	}
	if i := bar - len(p.Lane.Bars); i >= 0 && i < len(p.Lane.Waits) && p.Frame.WaitRows > 0 {
		wait := &p.Lane.Waits[i]
		p.box(w, wait.From, wait.To, p.Frame.WaitY+float64(chart.WaitH*wait.Row), chart.WaitH)
		w.put(`<rect data-part="focus" y="1" width="100%" height="$" rx="9"/>`, itoa(chart.WaitH-2))
		w.close("svg")
	}
	said := map[int][]saying{}
	for i := range p.Lane.Forks {
		if f := &p.Lane.Forks[i]; f.Job == job && p.Frame.Wide(p.Axis.X(f.From), p.Axis.X(f.To)) >= tieRoom {
			p.tie(w, f, said, "fork-ring")
		}
	}
	return w.end()
}

// ringed are the bars of a job, and another, in order.
func (p *Picture) ringed(job int32, bar int) (bars []int) {
	for _, i := range p.Lane.BarsOf(job) {
		bars = append(bars, int(i))
	}
	if bar >= 0 && bar < len(p.Lane.Bars) {
		if at, ok := slices.BinarySearch(bars, bar); !ok {
			bars = slices.Insert(bars, at, bar)
		}
	}
	return bars
}

// CursorSVG is the cursor over one part of the screen: the round's band and a line at its start.
func CursorSVG(a *chart.Axis, from, to unit.Tick, height float64, knob bool) string {
	w := &svg{}
	w.put(`<svg data-role="cursor-layer" width="100%" height="$" aria-hidden="true">`, px(height))
	x0, x1 := a.X(from), a.X(to)
	if a.Sees(from, to) || a.Has(from) {
		w.put(`<rect data-role="cursor-band" x="$" width="$" y="0" height="100%"/>`, pct(x0), pct(x1-x0))
	}
	if a.Has(from) {
		w.put(`<line data-role="cursor" x1="$" x2="$" y1="0" y2="100%"/>`, pct(x0), pct(x0))
		if knob {
			w.put(`<circle data-role="cursor-knob" cx="$" cy="20" r="4.5"/>`, pct(x0))
		}
	}
	return w.end()
}

// SliderHeight is the height in px of SliderSVG.
const SliderHeight = 28

// SliderSVG is the way of the slider under the axis, and its thumb under a round's start where that is seen.
func SliderSVG(a *chart.Axis, at unit.Tick) string {
	w := &svg{}
	w.put(`<svg data-role="slider" width="100%" height="$" aria-hidden="true">`, itoa(SliderHeight))
	w.put(`<line data-part="way" x1="0" x2="100%" y1="14" y2="14"/>`)
	if a.Has(at) {
		w.put(`<circle data-part="thumb" cx="$" cy="14" r="10.5"/>`, pct(a.X(at)))
	}
	return w.end()
}
