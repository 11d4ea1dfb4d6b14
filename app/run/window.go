package run

import "hadarlab/core/unit"

// Window is the part of the time axis that is seen; the zero value is all of it. It belongs to the view: no link,
// file or identity knows it.
type Window struct{ From, To unit.Tick }

// Whole says whether nothing is cut off.
func (w Window) Whole() bool { return w == Window{} }

// parts is how often the whole axis may be divided by zooming.
const parts = 2000
