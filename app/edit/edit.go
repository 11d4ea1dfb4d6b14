// Package edit is the changes of a scenario document that a person makes, as values: each works on a copy, names what
// it changes in a sentence, and says with which of its like it is one change. What is typed into a field becomes a
// number here, or a sentence that names the limit. The history keeps the documents that edits have made, for undo. It
// knows no page and no run.
package edit

import "hadarlab/core/scenario"

// Edit is one change of the document. It works on a copy and answers with its sentence, "" = nothing
// changed.
type Edit interface {
	Change(d *scenario.Document) string
}

// Key is what edits have in common that are one entry of the history when they follow one another, as the keystrokes
// in a field; "" = each is one of its own. An edit that has one says it with a method Key.
func Key(e Edit) string {
	if k, ok := e.(interface{ Key() string }); ok {
		return k.Key()
	}
	return ""
}
