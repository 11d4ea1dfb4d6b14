package class

import (
	"hadarlab/core/text"
	"hadarlab/core/words"
)

// Names of the fragments of links that hold an assignment and a hand-in (core/link.Pack). An assignment is opened by
// its students at /join#a=…, and in the lab at /#assign=….
const (
	LinkAssignment = "assign"
	LinkJoin       = "a"
	LinkHandIn     = "handin"
)

// MaxHandIn is how many bytes a hand-in may have.
const MaxHandIn = 64 << 10

var startHandIn = words.Say(`A hand-in is a JSON document that begins {"kind":"hand-in","version":1,…}.`)

// ParseHandIn reads what a student handed in as a file or a link; it is nil exactly when there are errors. That its
// entries fit an assignment is still to be checked.
func ParseHandIn(data []byte) (*HandIn, text.Diagnostics) {
	h := &HandIn{}
	diags := text.Unmarshal(data, text.Limits{Bytes: MaxHandIn, Depth: 24}, startHandIn, h)
	if diags.HasErrors() {
		return nil, diags
	}
	var f findings
	wrong, bad := text.Version(h.Version, Version)
	switch {
	case h.Kind != HandInKind:
		f.fail("/kind", "wrong-kind", words.Say("this is no hand-in"), startHandIn)
	case bad:
		f = append(f, wrong)
	case len(h.Name) > maxText || len(h.Tag) > MaxTag || len(h.Entries) > 1000:
		f.fail("", "too-long", words.Say("it has more in it than a student hands in"), words.Say("shorten it"))
	}
	if diags = append(diags, text.Diagnostics(f)...); diags.HasErrors() {
		return nil, diags
	}
	h.Name, h.Tag = text.Visible(h.Name), text.Visible(h.Tag)
	return h, diags
}
