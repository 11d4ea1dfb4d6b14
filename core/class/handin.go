package class

import (
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
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
func ParseHandIn(data []byte) (*HandIn, jsondoc.Diagnostics) {
	h := &HandIn{}
	diags := jsondoc.Unmarshal(data, jsondoc.Limits{Bytes: MaxHandIn, Depth: 24}, startHandIn, h)
	if diags.HasErrors() {
		return nil, diags
	}
	var f findings
	wrong, bad := jsondoc.Version(h.Version, Version)
	switch {
	case h.Kind != HandInKind:
		f.fail("/kind", "wrong-kind", words.Say("this is no hand-in"), startHandIn)
	case bad:
		f = append(f, wrong)
	case len(h.Name) > maxText || len(h.Tag) > MaxTag || len(h.Entries) > 1000:
		f.fail("", "too-long", words.Say("it has more in it than a student hands in"), words.Say("shorten it"))
	}
	if diags = append(diags, jsondoc.Diagnostics(f)...); diags.HasErrors() {
		return nil, diags
	}
	h.Name, h.Tag = jsondoc.Visible(h.Name), jsondoc.Visible(h.Tag)
	return h, diags
}

// Add takes a hand-in as work of student n: a new one, or again the one who has handed in the same first work under the
// same name, whose later work and tag then count. Submissions have no verdict until they are run again. With errors
// nothing is taken.
func (r *Record) Add(h *HandIn, def scenario.Defaults) (n int, again bool, diags jsondoc.Diagnostics) {
	var f findings
	if r.Assignment.ContentID() != h.Assignment {
		f.fail("/assignment", "other-assignment", words.Say("it is of another assignment"), words.Text{})
		return 0, false, jsondoc.Diagnostics(f)
	}
	entries, diags := r.Assignment.sound(h.Entries, def)
	if diags.HasErrors() {
		return 0, false, diags
	}
	n, name := r.whose(h, &entries[0])
	again = n <= len(r.Students)
	if !again {
		r.Students = append(r.Students, Student{})
	}
	r.Students[n-1] = Student{N: n, Name: name, Tag: h.Tag, JoinedMS: entries[0].AtMS}
	seq := int64(0)
	for i := range r.Entries {
		seq = max(seq, r.Entries[i].Seq)
	}
	r.Entries = slices.DeleteFunc(r.Entries, func(e Entry) bool { return e.Student == n })
	for _, e := range entries {
		seq++
		e.Student, e.Seq = n, seq
		r.Entries = append(r.Entries, e)
	}
	return n, again, nil
}

// sound are the entries of a hand-in as they may count.
func (a *Assignment) sound(of []Entry, def scenario.Defaults) (out []Entry, diags jsondoc.Diagnostics) {
	var f findings
	for i := range of {
		e := of[i]
		if e.Verdict = ""; e.Kind == Submission {
			e.Verdict = Pending
			doc, ok := a.Made(&e.Body)
			if !ok {
				f.fail("/entries", "other-scenario", words.Say("its changed scenario does not belong to the assignment"),
					words.Text{})
				return nil, jsondoc.Diagnostics(f)
			}
			if _, diags := a.Judge(doc, def); diags.HasErrors() {
				return nil, diags
			}
		}
		if diags := a.Check(e.Kind, &e.Body); diags.HasErrors() {
			return nil, diags
		}
		switch e.Kind {
		case Answers, Vote, Sentence, Submission:
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		f.fail("/entries", "nothing-in-it", words.Say("there is nothing in it"), words.Text{})
	}
	return out, jsondoc.Diagnostics(f)
}

// whose is the number of a hand-in's student and the name. Names that pages give may be alike by chance.
func (r *Record) whose(h *HandIn, first *Entry) (n int, name string) {
	alike := 1
	for _, s := range r.Students {
		own := s.Name == h.Name || strings.HasPrefix(s.Name, h.Name+" ")
		if own && slices.ContainsFunc(r.Entries, func(e Entry) bool {
			return e.Student == s.N && e.Kind == first.Kind && e.AtMS == first.AtMS
		}) {
			return s.N, s.Name
		}
		if own {
			alike++
		}
	}
	if name = h.Name; alike > 1 {
		name += " " + strconv.Itoa(alike)
	}
	return len(r.Students) + 1, name
}
