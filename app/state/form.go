package state

import (
	"math"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/words"
	course "hadarlab/core/class"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// Form is the scenario as fields show it: the document, what is wrong with it, what is being typed, and what may be
// changed.
type Form struct {
	Edition   int64 // of the document
	Doc       *scenario.Document
	Boot      *room.Boot
	Diags     jsondoc.Diagnostics
	Offered   *scenario.Load
	Notes     jsondoc.Diagnostics // what was remarked when the document was read
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
	f := Form{Edition: s.edition, Doc: s.Doc, Boot: s.Boot, Embed: s.Embed, Diags: s.Diags, Offered: s.Offered,
		Notes:  h.Stands().Notes,
		Typing: s.Typing, Drafts: s.Drafts, Deadlines: s.View.Deadlines, Ranges: s.View.Ranges, JobPage: s.View.JobPage,
		InForce: h.Pos, Undone: len(h.Entries) - 1 - h.Pos}
	f.Locks = s.class.Locks()
	for i := len(h.Entries) - 1; i >= max(0, len(h.Entries)-edit.ShownEntries); i-- {
		f.Edits = append(f.Edits, h.Entries[i].Sentence)
	}
	return f
}

// FieldHeld is FieldText for a field that keeps what is typed by itself: what stood there when the typing began.
func (f *Form) FieldHeld(field, value string) string {
	if f.Typing.Field == field {
		return f.Typing.From
	}
	return f.FieldText(field, value)
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

// ShownDrafts are the messages of fields that were left with a text that cannot be read, by field.
func (f *Form) ShownDrafts() (fields []string, drafts []Draft) { return shownDrafts(f.Drafts) }

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

// Problems are the findings of the document: errors, warnings, notes, and what was remarked when it was read.
func (f *Form) Problems() jsondoc.Diagnostics {
	var out jsondoc.Diagnostics
	for _, level := range []jsondoc.Level{jsondoc.LevelError, jsondoc.LevelWarning, jsondoc.LevelNote} {
		for i := range f.Diags {
			if f.Diags[i].Level == string(level) {
				out = append(out, f.Diags[i])
			}
		}
	}
	return append(out, f.Notes...)
}

// ProblemAt is the first error at a pointer or below it, "" = none.
func (f *Form) ProblemAt(path string) string {
	for i := range f.Diags {
		d := &f.Diags[i]
		if d.Level == string(jsondoc.LevelError) && (d.Path == path || strings.HasPrefix(d.Path, path+"/")) {
			return d.Message.In(words.Now())
		}
	}
	return ""
}
