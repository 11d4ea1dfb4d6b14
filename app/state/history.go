package state

import (
	"hadarlab/core/chart"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// keep is how many edits can be undone.
const keep = 200

// History is the stack of documents. Undo and redo move in it; an edit cuts what was undone.
type History struct {
	Entries []Entry // oldest first; never empty
	Pos     int     // entry that stands
	open    string  // key of the edit that the next one may join, "" = none
}

// Entry is a document and the sentence of the edit that made it.
type Entry struct {
	Doc      *scenario.Document
	Sentence string
	Preset   string
	Edited   bool
	Notes    scenario.Diagnostics // what was remarked when it was read, as members that have no effect
	edit     Edit                 // that made it of the entry before, nil = something else
}

// Shown is how many entries are listed, the latest.
const Shown = 40

// reword says the listed edits anew, in the reader's language. What else was done keeps its words.
func (h *History) reword() {
	for i := max(1, len(h.Entries)-Shown); i < len(h.Entries); i++ {
		if e := &h.Entries[i]; e.edit != nil {
			if says := e.edit.Change(h.Entries[i-1].Doc.Clone()); says != "" {
				e.Sentence = says
			}
		}
	}
}

func (h *History) reset(d *scenario.Document, preset, sentence string) {
	*h = History{Entries: []Entry{{Doc: d, Sentence: sentence, Preset: preset}}}
}

// push adds an entry, or replaces the last one where both are keystrokes in one field.
func (h *History) push(e Entry, key string) {
	if h.joins(key) {
		h.Entries = append(h.Entries[:h.Pos:h.Pos], e)
		return
	}
	h.Entries = append(h.Entries[:h.Pos+1:h.Pos+1], e)
	if cut := len(h.Entries) - keep; cut > 0 {
		h.Entries = h.Entries[cut:]
	}
	h.Pos, h.open = len(h.Entries)-1, key
}

// joins says whether an edit with the key joins the entry that stands.
func (h *History) joins(key string) bool { return key != "" && key == h.open && h.Pos > 0 }

// seal ends a series of keystrokes: the next edit is an entry of its own.
func (h *History) seal() { h.open = "" }

// CanUndo and CanRedo say whether there is an entry to go to.
func (h *History) CanUndo() bool { return h.Pos > 0 }
func (h *History) CanRedo() bool { return h.Pos+1 < len(h.Entries) }

// Edits is the number of edits that stand.
func (h *History) Edits() int { return h.Pos }

// Undo goes back one edit.
type Undo struct{}

// Redo goes forward one edit.
type Redo struct{}

func (Undo) on(s *State) []Effect { return s.move(-1) }
func (Redo) on(s *State) []Effect { return s.move(1) }

func (s *State) move(step int) []Effect {
	h := &s.History
	if to := h.Pos + step; to < 0 || to >= len(h.Entries) {
		return nil
	}
	undone := h.Entries[h.Pos].Sentence
	h.Pos += step
	h.seal()
	e := h.Entries[h.Pos]
	s.setDoc(e.Doc)
	if s.Predict.uncover(); step > 0 {
		s.cover()
	}
	s.Preset, s.Edited = e.Preset, e.Edited
	s.Drafts, s.Typing, s.Toast = map[string]Draft{}, Typing{}, nil
	s.Spoken = words.F("Undone: {0}", undone)
	if step > 0 {
		s.Spoken = words.F("Redone: {0}", e.Sentence)
	}
	return s.changed()
}

// Edit is one change of the document. It works on a copy and answers with its sentence, "" = nothing
// changed. Edits with the same key that follow one another are one entry of the history.
type Edit interface {
	Key() string
	Change(d *scenario.Document) string
}

// Do carries out an edit.
type Do struct{ Edit Edit }

func (a Do) on(s *State) []Effect {
	d := s.Doc.Clone()
	sentence := a.Edit.Change(d)
	if sentence == "" {
		return nil
	}
	if s.History.joins(a.Edit.Key()) { // the sentence tells of the whole series of keystrokes
		if whole := a.Edit.Change(s.History.Entries[s.History.Pos-1].Doc.Clone()); whole != "" {
			sentence = whole
		}
	}
	s.setDoc(d)
	s.cover()
	s.Edited, s.edited = true, s.Rev
	s.History.push(Entry{Doc: d, Sentence: sentence, Preset: s.Preset, Edited: true, Notes: s.History.Entries[s.History.Pos].Notes, edit: a.Edit}, a.Edit.Key())
	s.Toast = nil
	return s.changed()
}

// Try carries out an edit that was offered where its form may be out of sight: a short report says what it was, with
// the way back.
type Try struct{ Edit Edit }

func (a Try) on(s *State) []Effect {
	effects := Do{a.Edit}.on(s)
	if effects == nil {
		return nil
	}
	return append(effects, s.toast(s.History.Entries[s.History.Pos].Sentence, true)...)
}

// Load replaces the whole document: a preset, a file, a link, a text.
type Load struct {
	Doc      *scenario.Document
	Sentence string
	Preset   string
	Toast    string               // said with an undo, "" = nothing
	Origin   string               // address it was opened from, "" = none
	Edited   bool                 // it differs from the preset
	Notes    scenario.Diagnostics // of reading it; only what is no fault is shown
}

func (a Load) on(s *State) []Effect {
	s.setDoc(a.Doc)
	s.cover()
	s.Preset, s.Edited = a.Preset, a.Edited
	s.Drafts, s.Typing, s.Notice = map[string]Draft{}, Typing{}, nil
	s.History.push(Entry{Doc: a.Doc, Sentence: a.Sentence, Preset: a.Preset, Edited: a.Edited, Notes: notes(a.Notes)}, "")
	s.View.Pinned, s.View.anew, s.View.JobPage, s.View.Peek = false, true, 0, false
	s.View.Rows, s.View.RowsRev = chart.Arrangement{}, s.View.RowsRev+1
	effects := s.changed()
	if a.Origin != "" {
		s.Origin = a.Origin
		effects = []Effect{s.save()}
		effects = append(effects, s.plan()...)
	}
	if a.Toast != "" {
		effects = append(effects, s.toast(a.Toast, true)...)
	}
	return effects
}

// changed is what follows every change of the document: save it, and run it unless it has errors.
func (s *State) changed() []Effect {
	s.away = false
	effects := []Effect{s.save()}
	s.Lineage = nil
	if s.Origin != "" {
		s.Origin = "" // what stands now is no longer what the address says
		effects = append(effects, SetAddress{"/"})
	}
	return append(effects, s.plan()...)
}

func (s *State) save() Effect {
	return Save{Text: s.Doc.Marshal(false), Address: s.Origin, Preset: s.Preset, Edited: s.Edited, Lesson: s.savedLesson(), Away: s.away, Predict: s.Predict.kept()}
}

// toast shows a short report for some seconds.
func (s *State) toast(text string, undo bool) []Effect {
	s.Toast = &Toast{Text: text, Undo: undo, seq: s.seq()}
	s.Spoken = text
	return []Effect{After{8000, dropToast{s.Toast.seq}}}
}

type dropToast struct{ seq int64 }

func (a dropToast) on(s *State) []Effect {
	if s.Toast != nil && s.Toast.seq == a.seq {
		s.Toast = nil
	}
	return nil
}

// CloseToast takes the report away.
type CloseToast struct{}

func (CloseToast) on(s *State) []Effect { s.Toast = nil; return nil }

// SealField says that a field was left.
type SealField struct{}

func (SealField) on(s *State) []Effect { s.History.seal(); return nil }
