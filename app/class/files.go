package class

import (
	"encoding/json"
	"slices"
	"strings"

	"hadarlab/app/words"
	course "hadarlab/core/class"
	"hadarlab/core/figure"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// NewLocal is a board that this browser makes from files. There is no order of time that anybody could vouch for.
func NewLocal(a *course.Assignment) *Board {
	b := &Board{Unproved: true, State: course.State{Phase: course.Closed}}
	if a != nil {
		return b.Hand(a)
	}
	return b
}

// Kind is what a file says that it is, "" when it is none of a class's.
func Kind(data []byte) string {
	var head struct {
		Kind string `json:"kind"`
	}
	if json.Unmarshal(data, &head) != nil {
		return ""
	}
	switch head.Kind {
	case course.Kind, course.HandInKind, course.RecordKind:
		return head.Kind
	}
	return ""
}

// Open takes a file: a hand-in, a saved class or an assignment. known are the assignments at hand, by ContentID; engine
// and def are the page's. The sentence says what came of it, and why nothing when bad.
func (b *Board) Open(data []byte, known func(id string) *course.Assignment, engine string,
	def scenario.Defaults) (n *Board, says string, bad bool) {
	switch Kind(data) {
	case course.HandInKind:
		return b.handIn(data, known, def)
	case course.RecordKind:
		return openRecord(b, data, engine, def)
	case course.Kind:
		a, diags := course.Parse(data)
		switch {
		case a == nil:
			return b, fault(diags.Errors()[0]), true
		case b.Assignment != nil && len(b.Students) > 0 && b.Assignment.ContentID() != a.ContentID():
			return b, words.T("The board has work on another assignment. Open a new board for this one."), true
		}
		return b.Hand(a), words.F("The assignment “{0}” is open.", a.Title), false
	}
	return b, words.T("It is no hand-in, no saved class and no assignment."), true
}

// fault says what is wrong with a file, and the way out.
func fault(d jsondoc.Diagnostic) string {
	said := d.Message.In(words.Now())
	if fix := d.Fix.In(words.Now()); fix != "" {
		said += " (" + fix + ")"
	}
	return said
}

func openRecord(b *Board, data []byte, engine string, def scenario.Defaults) (*Board, string, bool) {
	r, diags := course.ParseRecord(data)
	if r == nil {
		return b, fault(diags.Errors()[0]), true
	}
	n := &Board{Unproved: r.Unproved, Truth: r.Truth, Students: r.Students, Entries: r.Entries,
		State: course.State{Phase: course.Closed}}
	if len(r.Truth) > 0 { // otherwise this page finds it
		n.State.Engine, n.State.Revs = r.Engine, r.Revs
		n.State.Old = r.Assignment.Old(r.Engine, r.Revs, engine, def)
	}
	for i := range n.Students { // one without names
		if s := &n.Students[i]; s.Name == "" {
			s.Name = words.F("Student {0}", figure.Int(s.N))
		}
	}
	for i := range n.Entries {
		n.Entries[i].Seq = int64(i + 1)
	}
	return n.Hand(r.Assignment), words.F("The saved class has {0}.", words.Plural(len(n.Students), "student")), false
}

func (b *Board) handIn(data []byte, known func(id string) *course.Assignment, def scenario.Defaults) (*Board, string,
	bool) {
	h, diags := course.ParseHandIn(data)
	if h == nil {
		return b, fault(diags.Errors()[0]), true
	}
	a := b.Assignment
	if a == nil || len(b.Students) == 0 && a.ContentID() != h.Assignment {
		if a = known(h.Assignment); a == nil {
			return b, words.T("It is of an assignment that is not open here. Open its file first."), true
		}
	}
	r := course.Record{Assignment: a, Students: slices.Clone(b.Students), Entries: slices.Clone(b.Entries)}
	n, again, diags := r.Add(h, def)
	if diags.HasErrors() {
		return b, fault(diags.Errors()[0]), true
	}
	says := words.F("{0}: handed in.", r.Students[n-1].Name)
	if again {
		says = words.F("{0}: handed in again; the later work counts.", r.Students[n-1].Name)
	}
	return b.with(func(c *Board) {
		c.Assignment, c.Students, c.Entries = a, r.Students, r.Entries
		c.State.Seq++
	}), says, false
}

// Pasted are the pieces of a text that are files of a class, or links that hold one: each line, or the whole.
func Pasted(s string) []string {
	if s = strings.TrimSpace(s); strings.HasPrefix(s, "{") && json.Valid([]byte(s)) {
		return []string{s}
	}
	return strings.Fields(s)
}
