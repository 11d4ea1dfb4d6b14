package state

import "hadarlab/core/words"

// Reworded says that the language has changed, or with Lost, that a catalogue could not be had and the one before stays.
// What can be said anew is, in place: nothing but the language has changed.
type Reworded struct{ Lost bool }

func (a Reworded) on(s *State) []Effect {
	if a.Lost {
		return s.toast(words.T("The language could not be loaded. The page stays as it is; choose it again when the server can be reached."), false)
	}
	s.FormRev++
	s.Learn.Rev++
	s.judge()
	s.History.reword()
	s.Drafts, s.Typing, s.Toast = map[string]Draft{}, Typing{}, nil
	if s.Lineage != nil {
		s.Lineage = s.lineageOf(s.Doc)
	}
	effects := s.stopFlip()
	if s.Result != nil {
		s.Result.say(s)
	}
	s.Asks.drop()
	s.Asks.forget()
	s.Asks.Rev++
	return append(effects, s.ask()...)
}
