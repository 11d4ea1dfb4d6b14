package state

import (
	"hadarlab/app/compare"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// Reworded says that the language has changed, or with Lost, that a catalogue could not be had and the one before
// stays. What can be said anew is, in place: nothing but the language has changed.
type Reworded struct{ Lost bool }

func (a Reworded) on(s *State) []Effect {
	if a.Lost {
		return s.toast(
			words.T(
				"The language could not be loaded. The page stays as it is; choose it again when the server can be reached."), false)
	}
	s.judge()
	s.History.Reword()
	s.Drafts, s.Typing, s.Toast = map[string]Draft{}, Typing{}, nil
	if s.Lineage != nil {
		s.Lineage = s.lineageOf(s.Doc)
	}
	effects := s.stopFlip()
	if s.Result != nil {
		compare.Say(s.Result, s.PolicyTitle)
	}
	s.rewordSweeps()
	s.Asks.drop()
	s.Asks.forget()
	s.Asks.Rev++
	return append(effects, s.ask()...)
}

// rewordSweeps names lanes and numbers of what has been run many times anew.
func (s *State) rewordSweeps() {
	v := &s.Vary
	for _, w := range []*compare.Sweep{&s.Replicates.Sweep, &v.Sweep, &v.WinnerSearch.Sweep} {
		if w.Rev++; w.Request != nil {
			w.Titles, w.Letters = s.with(w.Doc()).laneTitles()
		}
	}
	if v.Request != nil {
		for i := range v.Request.Vary {
			v.Variables[i] = s.with(v.Doc()).Variable(v.Request.Vary[i].Path)
		}
	}
	for i := range v.WinnerSearch.Tries {
		t := &v.WinnerSearch.Tries[i]
		t.Variable = s.with(v.WinnerSearch.Doc()).Variable(t.Path)
	}
}

// with is the state with another document, to ask what it says of that.
func (s *State) with(d *scenario.Document) *State {
	t := *s
	t.Doc = d
	return &t
}
