// Package edit is the changes of a scenario document that a person makes, as values: each works on a copy, names what
// it changes in a sentence, and says with which of its like it is one change. What is typed into a field becomes a
// number here, or a sentence that names the limit. The history keeps the documents that edits have made, for undo. It
// knows no page and no run.
package edit

import (
	"hadarlab/core/scenario"
)

// Edit is one change of the document. It works on a copy and answers with its sentence, "" = nothing
// changed. Edits with the same key that follow one another are one entry of the history.
type Edit interface {
	Key() string
	Change(d *scenario.Document) string
}
