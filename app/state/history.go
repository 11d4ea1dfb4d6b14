package state

import (
	"cmp"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/share"
	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// Load replaces the whole document: a preset, a file, a link, a text.
type Load struct {
	Doc      *scenario.Document
	Sentence string
	Preset   string
	Toast    string              // said with an undo, "" = nothing
	Origin   string              // address it was opened from, "" = none
	View     string              // that a link points at, "" = none
	Edited   bool                // it differs from the preset
	Opens    bool                // another scenario, not the present one in other words
	Came     bool                // the browser stands at its address already
	Alone    bool                // nothing was there before, so that there is nothing to go back to
	Notes    jsondoc.Diagnostics // of reading it; only what is no fault is shown
}

func (a Load) on(s *Lab) []Effect {
	if a.Edited && !a.Opens {
		s.retell(a.Doc)
	}
	s.setDoc(a.Doc)
	s.Predict.On = s.Predict.On || share.ParseView(a.View).Predict
	s.cover()
	s.Drafts, s.Typing, s.Notice = map[string]Draft{}, Typing{}, nil
	h := &s.History
	e := edit.Entry{Doc: a.Doc, Sentence: a.Sentence, Preset: a.Preset, Address: a.Origin, Edited: a.Edited,
		Covered: s.Predict.Covered, Notes: edit.Remarks(a.Notes)}
	if !a.Opens {
		e.Opening = h.Stands().Opening
	}
	h.Push(e, "")
	if a.Alone {
		h.Entries, h.Pos = h.Entries[h.Pos:], 0
	}
	s.View.forget()
	effects := s.changed(a.Opens && !a.Came)
	if a.Toast != "" {
		effects = append(effects, s.Tell(a.Toast, !a.Alone)...)
	}
	s.rememberView(a.View, a.Doc)
	return append(effects, getRuns(a.View, a.Doc)...)
}

// Do carries out an edit.
type Do struct{ Edit edit.Edit }

func (a Do) on(s *Lab) []Effect {
	d := s.Doc.Clone()
	sentence := a.Edit.Change(d)
	if sentence == "" {
		return nil
	}
	s.retell(d)
	if why := s.class.Refuses(s.Doc, d); why != "" {
		return s.Tell(why, false)
	}
	if s.History.Joins(edit.Key(a.Edit)) { // the sentence tells of the whole series of keystrokes
		if whole := a.Edit.Change(s.History.Entries[s.History.Pos-1].Document().Clone()); whole != "" {
			sentence = whole
		}
	}
	old := s.Predict.Old || s.Fresh() && !s.Predict.Covered
	s.setDoc(d)
	s.cover()
	s.Predict.Old = old && s.Predict.Covered
	s.edited = s.Doc
	now := s.History.Stands()
	s.History.Push(edit.Entry{Doc: d, Sentence: sentence, Preset: now.Preset, Edited: true, Notes: now.Notes,
		Opening: now.Opening, Covered: s.Predict.Covered, Edit: a.Edit}, edit.Key(a.Edit))
	s.Toast = nil
	if p, ok := a.Edit.(edit.SetPolicy); ok {
		s.View.explain(s.Result, p.Lane)
	}
	effects := s.changed(false)
	if p, ok := a.Edit.(edit.StartProgram); ok { // it is written on at once
		s.View.explain(s.Result, p.Lane)
		effects = append(effects, room.Focus{Part: room.PartProgram})
	}
	return effects
}

// Try carries out an edit that was offered where its form may be out of sight: a short report says what it was, with
// the way back.
type Try struct{ Edit edit.Edit }

func (a Try) on(s *Lab) []Effect {
	effects := Do{a.Edit}.on(s)
	if effects == nil {
		return nil
	}
	return append(effects, s.Tell(s.History.Stands().Sentence, true)...)
}

// Undo goes back one edit.
type Undo struct{}

func (Undo) on(s *Lab) []Effect { return s.move(-1) }

// Redo goes forward one edit.
type Redo struct{}

func (Redo) on(s *Lab) []Effect { return s.move(1) }

func (s *Lab) move(by int) []Effect {
	h := &s.History
	to := h.Pos + by
	if to < 0 || to >= len(h.Entries) {
		return nil
	}
	said := words.F("Undone: {0}", h.Stands().Sentence)
	if by > 0 {
		said = words.F("Redone: {0}", h.Entries[to].Sentence)
	}
	return s.stand(to, said)
}

// stand makes an entry of the history the one that stands.
func (s *Lab) stand(to int, said string) []Effect {
	e, was := &s.History.Entries[to], s.History.Stands().Opening
	if e.Document() == nil {
		s.Notice = &room.Notice{Title: words.T("What this tab had kept cannot be read."), Raw: string(e.Text)}
		return nil
	}
	s.History.GoTo(to)
	s.setDoc(e.Doc)
	if s.Predict.Uncover(); e.Covered {
		s.cover()
	}
	s.Drafts, s.Typing, s.Toast = map[string]Draft{}, Typing{}, nil
	if e.Opening != was {
		s.View.forget()
	}
	s.Announcement = said
	return s.changed(false)
}

// takeBack undoes a series of keystrokes that has become a text that cannot be used: of 999999999, where 4,096 is the
// most, the scenario does not keep the 999 on the way.
func (s *Lab) takeBack(key string) []Effect {
	h := &s.History
	if !h.TakeBack(key) {
		return nil
	}
	e := h.Stands()
	s.setDoc(e.Document())
	if s.Predict.Uncover(); e.Covered {
		s.cover()
	}
	return s.changed(false)
}

// changed is what follows every change of the document: save it, put it in the address, and run it unless it has
// errors. push makes the address a place of its own for Back and Forward.
func (s *Lab) changed(push bool) []Effect {
	s.onServer, s.Lineage = false, nil
	if s.History.Stands().Address != "" {
		s.Lineage = s.lineageOf(s.Doc)
	}
	effects := append([]Effect{s.save()}, s.atAddress(push)...)
	return append(effects, s.plan()...)
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

// SealField says that a field was left.
type SealField struct{}

func (SealField) on(s *Lab) []Effect { s.History.Seal(); return nil }
