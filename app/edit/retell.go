package edit

import (
	"strings"

	"hadarlab/core/scenario"
)

// changedTitle ends the title of a scenario that was changed since it was opened. Documents have it in English, as
// presets have their titles.
const changedTitle = ", changed"

// Opened is a document as it was opened, and the identity of its scenario.
type Opened struct {
	Doc *scenario.Document
	id  string
}

// Open is a document that is opened.
func Open(d *scenario.Document, defaults scenario.Defaults) Opened { return Opened{d, d.ID(defaults)} }

// Retell keeps what a changed document says of itself true, given the one that was opened. Question and title were
// given to that one: the question goes, unless the reader has written another, and the title says that it is changed.
// A scenario that is again what was opened has both back.
func (o *Opened) Retell(d *scenario.Document, defaults scenario.Defaults) {
	said, was := &d.Meta, &o.Doc.Meta
	same := d.ID(defaults) == o.id
	if plain, changed := SplitTitle(said.Title); plain != "" {
		switch {
		case same && changed && plain == was.Title:
			said.Title = was.Title
		case !same && said.Title == was.Title && !changed && len(plain+changedTitle) <= scenario.FileLimits.Name:
			said.Title += changedTitle
		}
	}
	switch {
	case same && said.Question == "":
		said.Question = was.Question
	case !same && said.Question == was.Question:
		said.Question = ""
	}
}

// SplitTitle is a title without the word that the scenario is changed, and whether it has it.
func SplitTitle(title string) (plain string, changed bool) {
	return strings.CutSuffix(title, changedTitle)
}
