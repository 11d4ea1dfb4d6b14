package state

import (
	"maps"
	"math"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/words"
	course "hadarlab/core/class"
	"hadarlab/core/link"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
)

// Fields are what is being typed.
type Fields struct {
	Drafts map[string]Draft // texts of fields that could not be read, by field
	Typing Typing           // the field that is being typed in
}

// Typing is a field that is being typed in: its text stays as typed until the reader leaves it.
type Typing struct{ Field, Text string }

// Draft is what stands in a field that could not be read, and why.
type Draft struct {
	Text    string
	Message string
	Shown   bool               // the reader has left the field
	from    *scenario.Document // from which the text began to differ
}

// Form is the scenario as fields show it: the document, what is wrong with it, what is being typed, and what may be
// changed.
type Form struct {
	Edition   int64 // of the document
	Doc       *scenario.Document
	Boot      *room.Boot
	Diags     text.Diagnostics
	Notes     text.Diagnostics // what was remarked when the document was read
	Typing    Typing
	Drafts    map[string]Draft
	Locks     *course.Assignment // whose locks hold, nil = none
	Embed     bool               // nothing can be changed, only looked at
	Deadlines bool
	Ranges    bool
	JobPage   int
	Edits     []string // sentences of the latest edits, latest first
	Undone    int      // how many of these are undone
	InForce   int      // how many edits are
}

// Form is the scenario as fields show it now.
func (s *Lab) Form() Form {
	h := &s.History
	f := Form{Edition: s.edition, Doc: s.Doc, Boot: s.Boot, Embed: s.Embed, Diags: s.Diags, Notes: h.Stands().Notes,
		Typing: s.Typing, Drafts: s.Drafts, Deadlines: s.View.Deadlines, Ranges: s.View.Ranges, JobPage: s.View.JobPage,
		InForce: h.Pos, Undone: len(h.Entries) - 1 - h.Pos}
	f.Locks = s.class.Locks()
	for i := len(h.Entries) - 1; i >= max(0, len(h.Entries)-edit.ShownEntries); i-- {
		f.Edits = append(f.Edits, h.Entries[i].Sentence)
	}
	return f
}

// Typed is a keystroke in a number field. A text that cannot be read stays in the field as a draft and
// changes nothing.
type Typed struct {
	Field string // the field's own name, for its draft and message
	Name  string // what the message calls it, as GPUs of j4
	Text  string
	Range edit.Range
	Empty bool // an empty text means 0
	Edit  edit.Numbered
}

func (a Typed) on(s *Lab) []Effect {
	if s.Typing.Field != a.Field {
		s.History.Seal()
	}
	s.Typing = Typing{a.Field, a.Text}
	v, problem := a.number()
	if problem != "" {
		d := Draft{Text: a.Text, Message: a.Name + " " + problem + ".", Shown: s.Drafts[a.Field].Shown}
		s.draft(a.Field, &d)
		return s.takeBack(edit.Key(a.Edit.Of(a.Range.Min)))
	}
	s.draft(a.Field, nil)
	return Do{a.Edit.Of(v)}.on(s)
}

// number is what was typed, or why it is none.
func (a *Typed) number() (v float64, problem string) {
	s := a.Text
	if a.Empty && strings.TrimSpace(s) == "" {
		s = "0"
	}
	return edit.ParseNumber(s, a.Range)
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

// TypedModel is a keystroke in a job's model: the name of a row of the throughputs.
type TypedModel struct {
	Field string
	Job   int
	Text  string
}

func (a TypedModel) on(s *Lab) []Effect {
	s.Typing = Typing{a.Field, a.Text}
	rows := s.Doc.Scenario.Throughputs.Rows
	for i := range rows {
		if edit.ModelName(rows[i].Model, rows[i].Batch) == strings.TrimSpace(a.Text) {
			s.draft(a.Field, nil)
			return Do{edit.SetModel{Job: a.Job, Row: i}}.on(s)
		}
	}
	s.draft(a.Field, &Draft{Text: a.Text, Message: words.F("There is no model “{0}”; choose one of the throughputs’ rows.",
		text.ClipTo(a.Text, 24))})
	return nil
}

// Left says that the reader left a field or pressed Enter in it: its fault is shown now.
type Left struct{ Field string }

func (a Left) on(s *Lab) []Effect {
	s.History.Seal()
	s.Typing = Typing{}
	if d, ok := s.Drafts[a.Field]; ok && !d.Shown {
		d.Shown = true
		s.draft(a.Field, &d)
		s.Spoken = d.Message
	}
	return nil
}

// PutBack gives up what is being typed into a field, if it cannot be read.
type PutBack struct{ Field string }

func (a PutBack) on(s *Lab) []Effect {
	if _, ok := s.Drafts[a.Field]; ok {
		s.Typing = Typing{}
		return Discard{a.Field}.on(s)
	}
	return nil
}

// Discard puts the value back into a field.
type Discard struct{ Field string }

func (a Discard) on(s *Lab) []Effect {
	s.draft(a.Field, nil)
	return nil
}

// FieldText is what a number field shows: what is being typed, what could not be read, or the value.
func (f *Form) FieldText(field, value string) string {
	if f.Typing.Field == field {
		return f.Typing.Text
	}
	if d, ok := f.Drafts[field]; ok {
		return d.Text
	}
	return value
}

// draft gives a field a draft, or with nil takes it away, in a copy: a component can tell that something changed.
func (s *Fields) draft(field string, d *Draft) {
	s.Drafts = maps.Clone(s.Drafts)
	if delete(s.Drafts, field); d != nil {
		s.Drafts[field] = *d
	}
}

// ShownDrafts are the messages of fields that were left with a text that cannot be read, by field.
func (f *Form) ShownDrafts() (fields []string, drafts []Draft) { return shownDrafts(f.Drafts) }

func shownDrafts(all map[string]Draft) (fields []string, drafts []Draft) {
	for _, k := range text.Keys(all) {
		if d := all[k]; d.Shown {
			fields, drafts = append(fields, k), append(drafts, d)
		}
	}
	return fields, drafts
}

// TypedJSON is a keystroke in the document's text.
type TypedJSON struct{ Text string }

// JSONField is the field of the text, for its draft.
const JSONField = "json"

func (a TypedJSON) on(s *Lab) []Effect {
	d := Draft{Text: a.Text, from: s.Doc}
	if old, ok := s.Drafts[JSONField]; ok {
		d.from = old.from
	}
	s.draft(JSONField, &d)
	return nil
}

// JSONText is the text that stands in the JSON tab, and whether it differs from the document.
func (s *Fields) JSONText(stands *scenario.Document) (text string, draft bool) {
	if d, ok := s.Drafts[JSONField]; ok {
		return d.Text, true
	}
	return string(stands.Marshal(true)), false
}

// JSONBehind says whether the document has changed since the text began to differ from it: to apply the text undoes
// that.
func (s *Fields) JSONBehind(stands *scenario.Document) bool {
	d, ok := s.Drafts[JSONField]
	return ok && d.from != stands
}

// ApplyJSON takes the text as the document. With errors the document stays, and the notice says why.
type ApplyJSON struct{}

func (ApplyJSON) on(s *Lab) []Effect {
	text, draft := s.JSONText(s.Doc)
	if !draft {
		return nil
	}
	if isTable(text) {
		s.draft(JSONField, nil)
		return s.openTrace(OpenFile{Name: words.T("Pasted text"), Data: []byte(text)}, s.Doc)
	}
	return s.open(0, []byte(text), Load{Sentence: words.T("JSON applied"), Edited: true,
		Preset: s.History.Stands().Preset, Toast: words.T("The text is now the scenario.")},
		words.T("This text cannot be used. The scenario stays as it was."), true)
}

// Paste takes a text that was pasted into the page, outside every field: a scenario, a trace or a link. Of any other
// text it says what could be done with it.
type Paste struct{ Text string }

func (a Paste) on(s *Lab) []Effect {
	if text := strings.TrimSpace(a.Text); strings.HasPrefix(text, "{") || isTable(text) ||
		isTrace(".json", []byte(text)) {
		return OpenFile{Name: words.T("Pasted text"), Data: []byte(a.Text)}.on(s)
	}
	if link.Looks(a.Text) {
		return OpenLink{Link: a.Text}.on(s)
	}
	return s.Tell(words.T("What was pasted is no scenario, trace or link to one. In a field it is typed."), false)
}

// OpenFile takes a file as the document. Since is the entry of the history at which it was chosen, 0 = it is here at
// once.
type OpenFile struct {
	Name  string
	Data  []byte
	Since int64
}

func (a OpenFile) on(s *Lab) []Effect {
	if isTrace(a.Name, a.Data) {
		return s.openTrace(a, s.Doc)
	}
	return s.open(a.Since, a.Data, Load{Sentence: words.F("Opened the file {0}", text.ClipTo(a.Name, 24)),
		Toast: words.F("Opened {0}.", text.ClipTo(a.Name, 24)), Opens: true},
		words.F("“{0}” cannot be opened. The scenario stays as it was.", text.ClipTo(a.Name, 24)), false)
}

// FileProblem says that a file could not be read.
type FileProblem struct{ Name, Message string }

func (a FileProblem) on(s *Lab) []Effect {
	return s.Notify(room.Notice{Title: words.F("“{0}” cannot be opened. {1}", text.ClipTo(a.Name, 24), a.Message)})
}

// maxOpen is the largest text the page takes, in bytes.
const maxOpen = 32 << 20

// open parses a text and loads it, or says why it cannot be used. strict refuses every error; otherwise a
// document with faults in its values is loaded to be mended. It was asked for at an entry of the history, 0 = this one.
func (s *Lab) open(since int64, data []byte, load Load, problem string, strict bool) []Effect {
	lim := scenario.FileLimits
	lim.Bytes = maxOpen
	doc, diags := scenario.Parse(data, lim)
	if doc == nil || strict && diags.HasErrors() || !strict && unreadable(diags) {
		return s.Notify(room.Notice{Title: problem, Diags: diags.Errors()})
	}
	load.Doc, load.Notes = doc, diags
	return s.arrive(since, load)
}

// unreadable says whether errors concern the text as a whole rather than values in it.
func unreadable(diags text.Diagnostics) bool {
	for _, d := range diags.Errors() {
		switch d.Code {
		case "too-new", "wrong-kind", "wrong-version", "feature-unknown", "missing-member":
			return true
		}
		if d.Path == "" {
			return true
		}
	}
	return false
}

// LoadPreset opens a preset.
type LoadPreset struct{ Name string }

func (a LoadPreset) on(s *Lab) []Effect {
	for i := range s.Boot.Presets {
		p := &s.Boot.Presets[i]
		if p.Name != a.Name {
			continue
		}
		doc, _ := scenario.Parse(s.Boot.Docs[i], scenario.FileLimits)
		if doc == nil {
			return nil // presets are checked when the page is built
		}
		said := words.F("Preset “{0}” opened.", words.T(p.Title))
		if n := s.History.EditsHere(); s.History.Stands().Edited && n > 0 {
			said = words.F("Preset “{0}” opened, {1} set aside.", words.T(p.Title), words.Plural(n, "edit"))
		}
		effects := Load{Doc: doc, Sentence: words.F("Opened preset “{0}”", words.T(p.Title)), Preset: p.Name,
			Toast: said, Opens: true}.on(s)
		return append(effects, Reveal{room.PartHeadline}) // the headline, wherever the window stood
	}
	return nil
}

// Lock says why the value at a pointer cannot be changed now, "" = it can.
func (f *Form) Lock(path string) string {
	if f.Locks == nil {
		return ""
	}
	if _, ok := f.Locks.OpenAt(path); !ok {
		return words.T("Locked in this assignment.")
	}
	return ""
}

// Bound is the range of a value under the locks.
func (f *Form) Bound(path string, r edit.Range) edit.Range {
	if f.Locks == nil {
		return r
	}
	if open, ok := f.Locks.OpenAt(path); ok && !math.IsInf(open.To, 1) {
		r.Open = r.Open && open.From <= r.Min
		r.Min, r.Max = max(r.Min, open.From), min(r.Max, open.To)
	}
	return r
}
