package state

import (
	"hadarlab/app/compare"
	"hadarlab/app/words"
)

// Reworded says that the language has changed, or with Lost, that a catalogue could not be had and the one before
// stays. What can be said anew is, in place: nothing but the language has changed.
type Reworded struct{ Lost bool }

func (a Reworded) on(s *Lab) []Effect {
	if a.Lost {
		return s.Tell(words.T(
			"The language could not be loaded. The page stays as it is; choose it again when the server can be reached."), false)
	}
	s.Diags = s.Boot.Findings(s.Doc)
	s.History.Reword()
	s.Drafts, s.Typing, s.Toast = map[string]Draft{}, Typing{}, nil
	if s.Lineage != nil {
		s.Lineage = s.lineageOf(s.Doc)
	}
	effects := s.Flip.stop()
	compare.Say(s.Result, s.Boot.WholeTitle)
	s.Comparisons.reword()
	s.Asks.drop()
	return append(effects, s.ask()...)
}
