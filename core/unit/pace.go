package unit

// Pace is told of long work while it is done, in entries of what is gone through, so that a page can let the browser
// have its turn. It gives the work up by a panic (Slices.GiveUp). Nil = all is done at once.
type Pace func(entries int)

// Did tells of entries, or of nothing where nobody wants to know.
func (p Pace) Did(entries int) {
	if p != nil {
		p(entries)
	}
}
