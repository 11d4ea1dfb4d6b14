package learn

import (
	"hadarlab/app/edit"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/scenarios"
)

// ChangeOf is a lesson's change as an edit of its own.
func ChangeOf(c *scenarios.Change) edit.Edit { return lessonEdit{c} }

// lessonEdit makes a lesson's change.
type lessonEdit struct{ change *scenarios.Change }

func (e lessonEdit) Change(d *scenario.Document) string {
	was := string(d.Marshal(false))
	after := withChange(d, e.change)
	if string(after.Marshal(false)) == was {
		return ""
	}
	*d = *after
	return e.change.Say
}

// withChange is a document with a change made; the document itself where it cannot be made.
func withChange(d *scenario.Document, c *scenarios.Change) *scenario.Document {
	text, err := text.SetValue(d.Marshal(false), c.Path, c.Value)
	if err != nil {
		return d
	}
	after, diags := scenario.Parse(text, scenario.FileLimits)
	if after == nil || diags.HasErrors() {
		return d
	}
	return after
}
