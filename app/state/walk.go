package state

import (
	"cmp"
	"strings"

	"hadarlab/app/room"
	"hadarlab/app/words"
)

// The address and the scenario agree: an address that says a scenario stands only while that scenario does. Back and
// Forward walk the scenarios that were opened, each as it was left; undo and redo may cross from one to another.

// visit is where the browser stands.
type visit struct {
	Address string // that says a scenario, "" = it says none
	Opening int    // that the browser remembers with it, 0 = none
}

// atAddress brings the browser to the place of the entry that stands.
func (s *Lab) atAddress(push bool) []Effect {
	e := s.History.Stands()
	to := visit{e.Address, e.Opening}
	if to == s.at {
		return nil
	}
	path := ""
	if push || to.Address != s.at.Address {
		if path = to.Address; path == "" {
			path = cmp.Or(s.class.Home(), "/") // that says no scenario
		}
	}
	s.at = to
	return []Effect{room.SetAddress{Path: path, Opening: e.Opening, Push: push}}
}

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

// arrive opens what was asked for at an entry of the history, 0 = this one. A reader who has gone on since is offered
// it instead.
func (s *Lab) arrive(since int64, load Load) []Effect {
	if since == 0 || since == s.History.Stands().ID {
		return load.on(s)
	}
	load.Came, load.Alone = false, false
	s.Offer = &load
	s.Spoken = s.Offer.Says(s.Boot)
	return s.atAddress(false)
}

// Says is what is said of a scenario that is offered.
func (a *Load) Says(b *room.Boot) string {
	return words.F("“{0}” has arrived. You have changed something since, so it was not opened.", b.TitleOf(a.Doc))
}

// TakeOffer opens what came late, DropOffer does not.
type (
	TakeOffer struct{}
	DropOffer struct{}
)

func (TakeOffer) on(s *Lab) []Effect {
	if s.Offer == nil {
		return nil
	}
	load := *s.Offer
	s.Offer = nil
	return load.on(s)
}

func (DropOffer) on(s *Lab) []Effect { s.Offer = nil; return nil }
