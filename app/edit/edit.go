// Package edit is the changes of a scenario document that a person makes, as values: each works on a copy, names what
// it changes in a sentence, and says with which of its like it is one change. What is typed into a field becomes a
// number here, or a sentence that names the limit. The history keeps the documents that edits have made, for undo. It
// knows no page and no run.
package edit

import (
	"strconv"
	"strings"

	"hadarlab/core/scenario"
)

// Edit is one change of the document. It works on a copy and answers with its sentence, "" = nothing
// changed.
type Edit interface {
	Change(d *scenario.Document) string
}

// Numbered is an edit that gives something a number, as a field for it does. Of is the same edit with another number.
type Numbered interface {
	Edit
	Of(v float64) Edit
}

// Key is what edits have in common that are one entry of the history when they follow one another, as the keystrokes
// in a field; "" = each is one of its own. An edit that has one says it with a method Key.
func Key(e Edit) string {
	if k, ok := e.(interface{ Key() string }); ok {
		return k.Key()
	}
	return ""
}

// JobPath reads the index and the field of a pointer into the jobs, -1 where it points elsewhere.
func JobPath(path string) (job int, field string) {
	rest, ok := strings.CutPrefix(path, "/scenario/jobs/")
	if !ok {
		return -1, ""
	}
	index, field, _ := strings.Cut(rest, "/")
	return LeadingIndex(index), field
}

// LeadingIndex reads a leading index, -1 where there is none.
func LeadingIndex(s string) int {
	s, _, _ = strings.Cut(s, "/")
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// Alter makes a change that a search has found.
type Alter struct {
	Pointer string
	Value   any
	What    string
}

// Change sets the value.
func (e Alter) Change(d *scenario.Document) string {
	if !d.Alter(e.Pointer, e.Value) {
		return ""
	}
	return e.What
}
