package unit

// Pace is told of long work while it is done, in entries of what is gone through, so that a page can let the browser
// have its turn. It gives the work up by a panic (Slices.GiveUp). Nil = all is done at once.
type Pace = *Pacer

// Pacer counts entries down to the end of a slice.
type Pacer struct {
	left int               // entries of the present slice
	over func(entries int) // told of the last ones of a slice
}

// Told is a pace that hands on each telling.
func Told(f func(entries int)) Pace { return &Pacer{over: f} }

// Did tells of entries, or of nothing where nobody wants to know. A run tells of millions, one by one.
func (p *Pacer) Did(entries int) {
	if p == nil {
		return
	}
	if p.left -= entries; p.left <= 0 {
		p.over(entries)
	}
}
