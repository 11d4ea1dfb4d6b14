package run

import (
	"hadarlab/core/chart"
	"hadarlab/core/unit"
)

// Window is the part of the time axis that is seen; the zero value is all of it. It belongs to the view: no link,
// file or identity knows it.
type Window struct{ From, To unit.Tick }

// Whole says whether nothing is cut off.
func (w Window) Whole() bool { return w == Window{} }

// parts is how often the whole axis may be divided by zooming.
const parts = 2000

// Narrowest is the least window in ticks: a second, or the axis in its parts.
func (r *Result) Narrowest() unit.Tick {
	whole := r.Axis.To - r.Axis.From
	return min(whole, max(unit.Second, whole/parts))
}

// View is the axis as far as it is seen.
func (r *Result) View(w Window) chart.Axis {
	if w.Whole() {
		return r.Axis
	}
	return r.Axis.Window(w.From, w.To)
}

// Shares is a window in shares of the whole axis, with the narrowest that may be seen.
func (r *Result) Shares(w Window) (from, to, narrowest float64) {
	a := r.View(w)
	whole := float64(r.Axis.To - r.Axis.From)
	return float64(a.From-r.Axis.From) / whole, float64(a.To-r.Axis.From) / whole, float64(r.Narrowest()) / whole
}

// Window is one of a width, moved so that it lies on the axis.
func (r *Result) Window(from, wide unit.Tick) Window {
	a := &r.Axis
	if wide = max(wide, r.Narrowest()); wide >= a.To-a.From {
		return Window{}
	}
	from = min(max(from, a.From), a.To-wide)
	return Window{from, from + wide}
}
