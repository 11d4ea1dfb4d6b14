package state

import (
	"hadarlab/core/words"
)

// Kept is what is kept for this tab, so that a reload goes on where the page was: the history, what stands in it, and
// what else the reader is in the middle of.
type Kept struct {
	Steps    []KeptStep   `json:"steps"`
	Pos      int          `json:"pos"` // of the step that stands
	Lesson   *SavedLesson `json:"lesson,omitempty"`
	OnServer bool         `json:"away,omitempty"`    // the server runs it, which may still have its result
	Predict  int          `json:"predict,omitempty"` // PredictOn, PredictCovered, 0 = neither
}

// KeptStep is an entry of the history as it is kept. Its text never changes.
type KeptStep struct {
	ID       int64  `json:"id"`
	Sentence string `json:"says"`
	Preset   string `json:"preset,omitempty"`
	Address  string `json:"address,omitempty"`
	Opening  int    `json:"opening"`
	Left     bool   `json:"left,omitempty"`
	Covered  bool   `json:"covered,omitempty"`
	Edited   bool   `json:"edited,omitempty"`
	Text     []byte `json:"-"`
}

// MaxKept is how many bytes of documents are kept, but always the one that stands. Browsers give a tab 5 MB or more.
const MaxKept = 2 << 20

// Save keeps what Restore takes up again.
type Save struct{ Kept }

func (Save) effect() {}

func (s *State) save() Effect {
	k := Kept{Lesson: s.savedLesson(), OnServer: s.onServer, Predict: s.Predict.kept()}
	k.Steps, k.Pos = s.History.kept()
	return Save{k}
}

// kept is as much of the history around what stands as fits. The oldest steps are dropped first.
func (h *History) kept() (steps []KeptStep, pos int) {
	size := func(i int) int {
		e := &h.Entries[i]
		if e.text == nil {
			e.text = e.doc.Marshal(false)
		}
		return len(e.text)
	}
	room := MaxKept - size(h.Pos)
	from, to := h.Pos, h.Pos+1
	for ; to < len(h.Entries) && size(to) <= room; to++ {
		room -= size(to)
	}
	for ; from > 0 && size(from-1) <= room; from-- {
		room -= size(from - 1)
	}
	for _, e := range h.Entries[from:to] {
		steps = append(steps, KeptStep{e.ID, e.Sentence, e.Preset, e.Address, e.Opening, e.Left, e.Covered, e.Edited,
			e.text})
	}
	return steps, h.Pos - from
}

// restored is a history of what was kept of one; false where nothing is left of it.
func restored(steps []KeptStep, pos int) (h History, ok bool) {
	h.Pos = -1
	for i, k := range steps {
		if len(k.Text) == 0 {
			continue // the browser has lost it
		}
		if i <= pos {
			h.Pos++
		}
		h.Entries = append(h.Entries, Entry{ID: k.ID, Sentence: k.Sentence, Preset: k.Preset, Address: k.Address,
			Opening: k.Opening, Left: k.Left, Covered: k.Covered, Edited: k.Edited, text: k.Text})
		h.lastID, h.openings = max(h.lastID, k.ID), max(h.openings, k.Opening)
	}
	return h, h.Pos >= 0
}

// Restore takes up what this tab had.
type Restore struct{ Kept }

func (a Restore) on(s *State) []Effect {
	h, ok := restored(a.Steps, a.Pos)
	if !ok {
		return nil
	}
	e := h.stands()
	doc, diags := e.read()
	if doc == nil {
		s.Notice = &Notice{Title: words.T("What this tab had kept cannot be read."), Diags: diags, Raw: string(e.text)}
		return nil
	}
	same := string(doc.Marshal(false)) == string(s.Doc.Marshal(false)) // as it was made at build time, with its result
	if same {
		doc, e.doc = s.Doc, s.Doc
	}
	s.History, s.Preset, s.Edited, s.Origin, s.Resumed = h, e.Preset, e.Edited, e.Address, true
	s.Predict.resume(a.Predict)
	if !same {
		s.setDoc(doc)
	}
	s.Predict.Covered = s.Predict.Covered && s.predictable() // another release may have kept it, or a hand
	if s.Origin != "" {
		s.Lineage = s.lineageOf(doc)
	}
	s.resume(a.Lesson)
	switch {
	case same:
		s.FormRev++
		return s.pointOut()
	case a.OnServer && !s.Diags.HasErrors():
		return s.send()
	}
	return s.plan()
}
