package edit

import "hadarlab/core/scenario"

// Alter makes a change that a search has found.
type Alter struct {
	Pointer string
	Value   any
	What    string
}

// Change sets the value.
func (e Alter) Change(d *scenario.Document) string {
	if !d.Alter(e.Pointer, e.Value) {
		return ""
	}
	return e.What
}
