package state

import (
	"strings"

	"hadarlab/app/words"
)

// Moved says that the browser came to an address by itself: at the start, by Back, Forward or a link. Open opens what
// the address says, nil = it says nothing.
type Moved struct {
	Address string
	Opening int // that the browser remembers, 0 = none
	Open    Action
}

func (a Moved) on(s *Lab) []Effect {
	s.at = visit{Opening: a.Opening}
	s.coming = comingLink{} // what the browser has left is not waited for any more
	if a.Open != nil {
		s.at.Address = a.Address
	}
	e, to := s.History.Stands(), s.History.Of(a.Opening)
	here := a.Opening == e.Opening || a.Open != nil && (a.Address == e.Address ||
		strings.HasPrefix(e.Address, a.Address+"#"))
	switch {
	case !here && to >= 0:
		return s.stand(to, words.F("Opened again: {0}", s.History.Entries[to].Sentence))
	case !here && a.Open != nil:
		effects, _ := s.Reduce(a.Open)
		return effects
	}
	return s.atAddress(false)
}

func (DropOffer) on(s *Lab) []Effect { s.Offer = nil; return nil }
