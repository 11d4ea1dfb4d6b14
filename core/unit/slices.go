package unit

import "iter"

// Slices is long work that is done in slices: who asks for it says when it goes on, and may give it up between two of
// them. The work itself is written as if it were done at once; it tells its Pace as it goes.
type Slices struct {
	on   func() (struct{}, bool)
	stop func()
	pace Pacer
	gone bool
}

// InSlices is work of which nothing is done yet. It holds memory until it is done or given up.
func InSlices(work func(Pace)) *Slices {
	s := &Slices{}
	s.on, s.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if s.gone {
				recover() // of the panic below
			}
		}()
		s.pace.over = func(int) {
			if !yield(struct{}{}) {
				s.gone = true
				panic("given up")
			}
		}
		work(&s.pace)
	})
	return s
}

// Spend works on about so many entries; more is false when all is done.
func (s *Slices) Spend(entries int) (more bool) {
	s.pace.left = entries
	_, more = s.on()
	return more
}

// GiveUp ends the work where it is.
func (s *Slices) GiveUp() { s.stop() }
