package edit

import (
	"slices"

	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
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
	ID       int64               `json:"id"` // of no other entry that this tab has had
	Sentence string              `json:"says"`
	Preset   string              `json:"preset,omitempty"`
	Address  string              `json:"address,omitempty"` // that says this document, "" = none
	Opening  int                 `json:"opening"`           // which scenario it belongs to; whatever is opened is one
	Left     bool                `json:"left,omitempty"`    // of those of its opening it stood last
	Covered  bool                `json:"covered,omitempty"` // a reader who predicts has not seen its result
	Edited   bool                `json:"edited,omitempty"`
	Notes    jsondoc.Diagnostics `json:"-"` // what was remarked when it was read, as members that have no effect
	Edit     Edit                `json:"-"` // that made it of the entry before, nil = something else
	Doc      *scenario.Document  `json:"-"` // nil = of an earlier page of this tab, and not read yet
	Text     []byte              `json:"-"` // Doc as it is kept, which never changes; nil = not made yet
}

// Document is the entry's document, nil where what was kept of it cannot be read.
func (e *Entry) Document() *scenario.Document {
	if e.Doc == nil {
		e.Read()
	}
	return e.Doc
}

// Read reads the entry's document from what was kept of it.
func (e *Entry) Read() (*scenario.Document, jsondoc.Diagnostics) {
	doc, diags := scenario.Parse(e.Text, scenario.FileLimits)
	e.Doc, e.Notes = doc, Remarks(diags)
	return doc, diags
}

// Kept is the entry's document as it is kept. It is made once.
func (e *Entry) Kept() []byte {
	if e.Text == nil {
		e.Text = e.Doc.Marshal(false)
	}
	return e.Text
}

// ShownEntries is how many entries are listed, the latest.
const ShownEntries = 40

// Reword says the listed edits anew, in the reader's language. What else was done keeps its words.
func (h *History) Reword() {
	for i := max(1, len(h.Entries)-ShownEntries); i < len(h.Entries); i++ {
		if e := &h.Entries[i]; e.Edit != nil {
			if says := e.Edit.Change(h.Entries[i-1].Document().Clone()); says != "" {
				e.Sentence = says
			}
		}
	}
}

// Reset begins with a document.
func (h *History) Reset(d *scenario.Document, preset, sentence string) {
	*h = History{Entries: []Entry{{ID: 1, Opening: 1, Doc: d, Sentence: sentence, Preset: preset}}, lastID: 1,
		openings: 1}
}

// Stands is the entry that stands.
func (h *History) Stands() *Entry { return &h.Entries[h.Pos] }

// Push adds an entry, or replaces the last one where both are keystrokes in one field. One without an opening is one.
func (h *History) Push(e Entry, key string) {
	e.ID = h.id()
	if h.Joins(key) {
		h.Entries = append(h.Entries[:h.Pos:h.Pos], e)
		return
	}
	now := *h.Stands()
	if e.Opening == 0 {
		h.openings++
		e.Opening = h.openings
	}
	list := h.Entries[: h.Pos+1 : h.Pos+1]
	if undone := h.Entries[h.Pos+1:]; len(undone) > 0 && (e.Opening != now.Opening ||
		slices.ContainsFunc(undone, func(u Entry) bool { return u.Opening != now.Opening })) {
		back := now // to go on from here is one more step: the undone scenario stays behind it
		back.ID, back.Edit, back.Sentence = h.id(), nil, words.F("Opened again: {0}", now.Sentence)
		list = append(h.Entries[:len(h.Entries):len(h.Entries)], back)
	}
	h.Entries = append(list, e)
	h.Pos = len(list) - 1
	h.GoTo(len(list))
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

// GoTo makes another entry the one that stands.
func (h *History) GoTo(to int) {
	if was := h.Stands().Opening; was != h.Entries[to].Opening {
		for i := range h.Entries {
			if e := &h.Entries[i]; e.Opening == was {
				e.Left = i == h.Pos
			}
		}
	}
	h.Pos = to
	h.Seal()
}

// Of is the entry of an opening that stood last, else its latest; -1 = it has none.
func (h *History) Of(opening int) int {
	at := -1
	for i := range h.Entries {
		if e := &h.Entries[i]; e.Opening == opening && (at < 0 || e.Left || !h.Entries[at].Left) {
			at = i
		}
	}
	return at
}

// Fold makes one entry of all since an earlier one, unless something else was opened meanwhile.
func (h *History) Fold(since int64, sentence string) bool {
	k := slices.IndexFunc(h.Entries[:h.Pos], func(e Entry) bool { return e.ID == since })
	if k < 0 || slices.ContainsFunc(h.Entries[k:], func(e Entry) bool { return e.Opening != h.Stands().Opening }) {
		return false
	}
	last := h.Entries[h.Pos]
	last.ID, last.Sentence, last.Edit = h.id(), sentence, nil
	h.Entries, h.Pos = append(h.Entries[:k+1:k+1], last), k+1
	h.Seal()
	return true
}

// TakeBack leaves out the entry that a series of keystrokes has made, if the key is its.
func (h *History) TakeBack(key string) bool {
	if !h.Joins(key) {
		return false
	}
	h.Entries = h.Entries[:h.Pos:h.Pos]
	h.Pos--
	h.Seal()
	return true
}

// Joins says whether an edit with the key joins the entry that stands.
func (h *History) Joins(key string) bool { return key != "" && key == h.open && h.Pos > 0 }

// Seal ends a series of keystrokes: the next edit is an entry of its own.
func (h *History) Seal() { h.open = "" }

// Base is the entry that the one that stands was edited from: of its own opening, whatever else was opened meanwhile,
// or, where that is an edit itself, as jobs that were taken into a scenario, what stood before.
func (h *History) Base() *Entry {
	for at := h.Pos; at >= 0; at-- {
		if e := &h.Entries[at]; e.Opening == h.Stands().Opening && !e.Edited {
			return e
		}
	}
	at := h.Pos
	for at > 0 && h.Entries[at].Edited {
		at--
	}
	return &h.Entries[at]
}

// CanUndo and CanRedo say whether there is an entry to go to.
func (h *History) CanUndo() bool { return h.Pos > 0 }

func (h *History) CanRedo() bool { return h.Pos+1 < len(h.Entries) }

// EditsHere is the number of those of the scenario that stands.
func (h *History) EditsHere() (n int) {
	for i := h.Pos; i >= 0 && h.Entries[i].Edited && h.Entries[i].Opening == h.Stands().Opening; i-- {
		n++
	}
	return n
}

// Remarks are the findings that are no fault.
func Remarks(all jsondoc.Diagnostics) (out jsondoc.Diagnostics) {
	for i := range all {
		if all[i].Level == string(jsondoc.LevelNote) {
			out = append(out, all[i])
		}
	}
	return out
}

// MaxKept is how many bytes of documents are kept, but always the one that stands. Browsers give a tab 5 MB or more.
const MaxKept = 2 << 20

// Kept is as much of the history around what stands as fits. The oldest steps are dropped first.
func (h *History) Kept() (steps []Entry, pos int) {
	size := func(i int) int { return len(h.Entries[i].Kept()) }
	room := MaxKept - size(h.Pos)
	from, to := h.Pos, h.Pos+1
	for ; to < len(h.Entries) && size(to) <= room; to++ {
		room -= size(to)
	}
	for ; from > 0 && size(from-1) <= room; from-- {
		room -= size(from - 1)
	}
	for _, e := range h.Entries[from:to] {
		e.Doc, e.Edit, e.Notes = nil, nil, nil
		steps = append(steps, e)
	}
	return steps, h.Pos - from
}

// Restored is a history of what was kept of one; false where nothing is left of it.
func Restored(steps []Entry, pos int) (h History, ok bool) {
	h.Pos = -1
	for i, k := range steps {
		if len(k.Text) == 0 {
			continue // the browser has lost it
		}
		if i <= pos {
			h.Pos++
		}
		h.Entries = append(h.Entries, k)
		h.lastID, h.openings = max(h.lastID, k.ID), max(h.openings, k.Opening)
	}
	return h, h.Pos >= 0
}
