package state

import (
	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/run"
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

// reword names lanes and numbers of what has been run many times anew.
func (s *Comparisons) reword() {
	v := &s.Vary
	for _, w := range []*compare.Sweep{&s.Replicates.Sweep, &v.Sweep, &s.WinnerSearch.Sweep} {
		if w.Request != nil {
			w.Titles, w.Letters = run.Titles(w.Doc(), s.Boot.WholeTitle)
		}
	}
	if v.Request != nil {
		names := edit.Variables(v.Doc(), s.Boot.Params)
		for i := range v.Request.Vary {
			v.Variables[i] = edit.VariableAt(names, v.Request.Vary[i].Path)
		}
	}
	if h := &s.WinnerSearch; len(h.Tries) > 0 {
		names := edit.Variables(h.Doc(), s.Boot.Params)
		for i := range h.Tries {
			h.Tries[i].Variable = edit.VariableAt(names, h.Tries[i].Path)
		}
	}
}
