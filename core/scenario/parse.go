package scenario

import (
	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// Parse reads a document and reports everything that is wrong or unusual with it at once, in the
// order of the text. Absent members get their defaults and numbers are rounded to 9 significant
// digits. The document is nil only when the text is no JSON object within the limits of size and
// depth; with errors it holds what could be read, to show, edit and export.
//
// When there are errors, the findings include those that Compile would report; otherwise Compile
// adds its own, and the two lists hold nothing twice. Parse keeps data, which must not change.
func Parse(data []byte, lim Limits) (*Document, jsondoc.Diagnostics) {
	return parse(data, lim, false)
}

// ParseShort is Parse of the short form, within LinkLimits. Nobody sees such a text, so the findings carry no lines.
func ParseShort(data []byte) (*Document, jsondoc.Diagnostics) {
	d, diags := parse(data, LinkLimits, true)
	for i := range diags {
		diags[i].Line = 0
	}
	if d != nil {
		d.src = nil
	}
	return d, diags
}

// parse reads a document; a short one says neither kind nor version.
func parse(data []byte, lim Limits, short bool) (*Document, jsondoc.Diagnostics) {
	f := &jsondoc.Collector{}
	t := jsondoc.Open(data, lim.Limits, f, words.Say(`Start with {"kind":"scenario","version":1,"scenario":{…}}.`))
	if t == nil {
		return nil, f.Finish(func() *jsondoc.Tree { return nil })
	}
	d := &Document{src: t.Src}
	r := newReader(t, f)
	r.short = short
	r.document(d)
	c := &checker{Collector: f, d: d, lim: lim}
	c.values()
	if f.HasErrors() {
		c.whole()
	}
	return d, f.Finish(func() *jsondoc.Tree { return t })
}
