package state

import (
	"slices"

	"hadarlab/app/edit"
	"hadarlab/core/chart"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/words"
)

// keep is how many edits can be undone.
const keep = 200

// History is the stack of documents. Undo and redo move in it; an edit cuts what was undone of its own scenario.
// A scenario that was opened is never cut.
type History struct {
	Entries  []Entry // oldest first; never empty
	Pos      int     // entry that stands
	open     string  // key of the edit that the next one may join, "" = none
	lastID   int64
	openings int // given so far
}

// Entry is a document and the sentence of the edit that made it.
type Entry struct {
	ID       int64 // of no other entry that this tab has had
	Sentence string
	Preset   string
	Address  string // that says this document, "" = none
	Opening  int    // which scenario it belongs to: whatever is opened is another
	Left     bool   // of those of its opening it stood last
	Covered  bool   // a reader who predicts has not seen its result
	Edited   bool
	Notes    text.Diagnostics   // what was remarked when it was read, as members that have no effect
	edit     edit.Edit          // that made it of the entry before, nil = something else
	doc      *scenario.Document // nil = of an earlier page of this tab, and not read yet
	text     []byte             // doc as it is kept, nil = not made yet
}

// document is the entry's document, nil where what was kept of it cannot be read.
func (e *Entry) document() *scenario.Document {
	if e.doc == nil {
		e.read()
	}
	return e.doc
}

// read reads the entry's document from what was kept of it.
func (e *Entry) read() (*scenario.Document, text.Diagnostics) {
	doc, diags := scenario.Parse(e.text, scenario.FileLimits)
	e.doc, e.Notes = doc, notes(diags)
	return doc, diags
}

// Shown is how many entries are listed, the latest.
const Shown = 40

// reword says the listed edits anew, in the reader's language. What else was done keeps its words.
func (h *History) reword() {
	for i := max(1, len(h.Entries)-Shown); i < len(h.Entries); i++ {
		if e := &h.Entries[i]; e.edit != nil {
			if says := e.edit.Change(h.Entries[i-1].document().Clone()); says != "" {
				e.Sentence = says
			}
		}
	}
}

func (h *History) reset(d *scenario.Document, preset, sentence string) {
	*h = History{Entries: []Entry{{ID: 1, Opening: 1, doc: d, Sentence: sentence, Preset: preset}}, lastID: 1,
		openings: 1}
}

// stands is the entry that stands.
func (h *History) stands() *Entry { return &h.Entries[h.Pos] }

// push adds an entry, or replaces the last one where both are keystrokes in one field. One without an opening is one.
func (h *History) push(e Entry, key string) {
	e.ID = h.id()
	if h.joins(key) {
		h.Entries = append(h.Entries[:h.Pos:h.Pos], e)
		return
	}
	now := *h.stands()
	if e.Opening == 0 {
		h.openings++
		e.Opening = h.openings
	}
	list := h.Entries[: h.Pos+1 : h.Pos+1]
	if undone := h.Entries[h.Pos+1:]; len(undone) > 0 && (e.Opening != now.Opening ||
		slices.ContainsFunc(undone, func(u Entry) bool { return u.Opening != now.Opening })) {
		back := now // to go on from here is one more step: the undone scenario stays behind it
		back.ID, back.edit, back.Sentence = h.id(), nil, words.F("Opened again: {0}", now.Sentence)
		list = append(h.Entries[:len(h.Entries):len(h.Entries)], back)
	}
	h.Entries = append(list, e)
	h.Pos = len(list) - 1
	h.goTo(len(list))
	if cut := len(h.Entries) - keep; cut > 0 {
		h.Entries = h.Entries[cut:]
		h.Pos -= cut
	}
	h.open = key
}

func (h *History) id() int64 {
	h.lastID++
	return h.lastID
}

// goTo makes another entry the one that stands.
func (h *History) goTo(to int) {
	if was := h.stands().Opening; was != h.Entries[to].Opening {
		for i := range h.Entries {
			if e := &h.Entries[i]; e.Opening == was {
				e.Left = i == h.Pos
			}
		}
	}
	h.Pos = to
	h.seal()
}

// of is the entry of an opening that stood last, else its latest; -1 = it has none.
func (h *History) of(opening int) int {
	at := -1
	for i := range h.Entries {
		if e := &h.Entries[i]; e.Opening == opening && (at < 0 || e.Left || !h.Entries[at].Left) {
			at = i
		}
	}
	return at
}

// fold makes one entry of all since an earlier one, unless something else was opened meanwhile.
func (h *History) fold(since int64, sentence string) bool {
	k := slices.IndexFunc(h.Entries[:h.Pos], func(e Entry) bool { return e.ID == since })
	if k < 0 || slices.ContainsFunc(h.Entries[k:], func(e Entry) bool { return e.Opening != h.stands().Opening }) {
		return false
	}
	last := h.Entries[h.Pos]
	last.ID, last.Sentence, last.edit = h.id(), sentence, nil
	h.Entries, h.Pos = append(h.Entries[:k+1:k+1], last), k+1
	h.seal()
	return true
}

// takeBack leaves out the entry that a series of keystrokes has made, if the key is its.
func (h *History) takeBack(key string) bool {
	if !h.joins(key) {
		return false
	}
	h.Entries = h.Entries[:h.Pos:h.Pos]
	h.Pos--
	h.seal()
	return true
}

// joins says whether an edit with the key joins the entry that stands.
func (h *History) joins(key string) bool { return key != "" && key == h.open && h.Pos > 0 }

// seal ends a series of keystrokes: the next edit is an entry of its own.
func (h *History) seal() { h.open = "" }

// base is the entry that the one that stands was edited from.
func (h *History) base() *Entry {
	at := h.Pos
	for at > 0 && h.Entries[at].Edited {
		at--
	}
	return &h.Entries[at]
}

// CanUndo and CanRedo say whether there is an entry to go to.
func (h *History) CanUndo() bool { return h.Pos > 0 }
func (h *History) CanRedo() bool { return h.Pos+1 < len(h.Entries) }

// Edits is the number of edits that stand.
func (h *History) Edits() int { return h.Pos }

// editsHere is the number of those of the scenario that stands.
func (h *History) editsHere() (n int) {
	for i := h.Pos; i >= 0 && h.Entries[i].Edited && h.Entries[i].Opening == h.stands().Opening; i-- {
		n++
	}
	return n
}

// Undo goes back one edit.
type Undo struct{}

// Redo goes forward one edit.
type Redo struct{}

func (Undo) on(s *State) []Effect { return s.move(-1) }
func (Redo) on(s *State) []Effect { return s.move(1) }

func (s *State) move(step int) []Effect {
	h := &s.History
	to := h.Pos + step
	if to < 0 || to >= len(h.Entries) {
		return nil
	}
	said := words.F("Undone: {0}", h.stands().Sentence)
	if step > 0 {
		said = words.F("Redone: {0}", h.Entries[to].Sentence)
	}
	return s.stand(to, said)
}

// stand makes an entry of the history the one that stands.
func (s *State) stand(to int, said string) []Effect {
	e, was := &s.History.Entries[to], s.History.stands().Opening
	if e.document() == nil {
		s.Notice = &Notice{Title: words.T("What this tab had kept cannot be read."), Raw: string(e.text)}
		return nil
	}
	s.History.goTo(to)
	s.setDoc(e.doc)
	if s.Predict.uncover(); e.Covered {
		s.cover()
	}
	s.Preset, s.Edited = e.Preset, e.Edited
	s.Drafts, s.Typing, s.Toast = map[string]Draft{}, Typing{}, nil
	if e.Opening != was {
		s.forgetView()
	}
	s.Spoken = said
	return s.changed(false)
}

// Do carries out an edit.
type Do struct{ Edit edit.Edit }

func (a Do) on(s *State) []Effect {
	d := s.Doc.Clone()
	sentence := a.Edit.Change(d)
	if sentence == "" {
		return nil
	}
	if s.History.joins(a.Edit.Key()) { // the sentence tells of the whole series of keystrokes
		if whole := a.Edit.Change(s.History.Entries[s.History.Pos-1].document().Clone()); whole != "" {
			sentence = whole
		}
	}
	s.setDoc(d)
	s.cover()
	s.Edited, s.edited = true, s.Rev
	now := s.History.stands()
	s.History.push(Entry{doc: d, Sentence: sentence, Preset: s.Preset, Edited: true, Notes: now.Notes,
		Opening: now.Opening, Covered: s.Predict.Covered, edit: a.Edit}, a.Edit.Key())
	s.Toast = nil
	return s.changed(false)
}

// Try carries out an edit that was offered where its form may be out of sight: a short report says what it was, with
// the way back.
type Try struct{ Edit edit.Edit }

func (a Try) on(s *State) []Effect {
	effects := Do{a.Edit}.on(s)
	if effects == nil {
		return nil
	}
	return append(effects, s.toast(s.History.stands().Sentence, true)...)
}

// Load replaces the whole document: a preset, a file, a link, a text.
type Load struct {
	Doc      *scenario.Document
	Sentence string
	Preset   string
	Toast    string           // said with an undo, "" = nothing
	Origin   string           // address it was opened from, "" = none
	View     string           // that a link points at, "" = none
	Edited   bool             // it differs from the preset
	Opens    bool             // another scenario, not the present one in other words
	Came     bool             // the browser stands at its address already
	Alone    bool             // nothing was there before, so that there is nothing to go back to
	Notes    text.Diagnostics // of reading it; only what is no fault is shown
}

func (a Load) on(s *State) []Effect {
	s.setDoc(a.Doc)
	s.cover()
	s.Preset, s.Edited = a.Preset, a.Edited
	s.Drafts, s.Typing, s.Notice = map[string]Draft{}, Typing{}, nil
	h := &s.History
	e := Entry{doc: a.Doc, Sentence: a.Sentence, Preset: a.Preset, Address: a.Origin, Edited: a.Edited,
		Covered: s.Predict.Covered, Notes: notes(a.Notes)}
	if !a.Opens {
		e.Opening = h.stands().Opening
	}
	h.push(e, "")
	if a.Alone {
		h.Entries, h.Pos = h.Entries[h.Pos:], 0
	}
	s.forgetView()
	effects := s.changed(a.Opens && !a.Came)
	if a.Toast != "" {
		effects = append(effects, s.toast(a.Toast, !a.Alone)...)
	}
	s.rememberView(a.View)
	return effects
}

// forgetView forgets what was looked at in another scenario.
func (s *State) forgetView() {
	s.View.Pinned, s.View.anew, s.View.JobPage, s.View.Peek = false, true, 0, false
	s.View.Rows, s.View.RowsRev = chart.Arrangement{}, s.View.RowsRev+1
}

// changed is what follows every change of the document: save it, put it in the address, and run it unless it has
// errors. push makes the address a place of its own for Back and Forward.
func (s *State) changed(push bool) []Effect {
	s.onServer, s.Lineage = false, nil
	if s.Origin = s.History.stands().Address; s.Origin != "" {
		s.Lineage = s.lineageOf(s.Doc)
	}
	effects := append([]Effect{s.save()}, s.atAddress(push)...)
	return append(effects, s.plan()...)
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
