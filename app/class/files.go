package class

import (
	"encoding/json"
	"slices"
	"strings"

	"hadarlab/app/words"
	core "hadarlab/core/class"
	"hadarlab/core/figure"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
)

// NewLocal is a board that this browser makes from files. There is no order of time that anybody could vouch for.
func NewLocal(a *core.Assignment) *Board {
	b := &Board{Unproved: true, State: core.State{Phase: core.Closed}}
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
	case core.Kind, core.HandInKind, core.RecordKind:
		return head.Kind
	}
	return ""
}

// Open takes a file: a hand-in, a saved class or an assignment. known are the assignments at hand, by ContentID; engine
// and def are the page's. The sentence says what came of it, and why nothing when bad.
func (b *Board) Open(data []byte, known func(id string) *core.Assignment, engine string,
	def scenario.Defaults) (n *Board, says string, bad bool) {
	switch Kind(data) {
	case core.HandInKind:
		return b.handIn(data, known, def)
	case core.RecordKind:
		return openRecord(b, data, engine, def)
	case core.Kind:
		a, diags := core.Parse(data)
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
func fault(d text.Diagnostic) string {
	said := d.Message.In(words.Now())
	if fix := d.Fix.In(words.Now()); fix != "" {
		said += " (" + fix + ")"
	}
	return said
}

func openRecord(b *Board, data []byte, engine string, def scenario.Defaults) (*Board, string, bool) {
	r, diags := core.ParseRecord(data)
	if r == nil {
		return b, fault(diags.Errors()[0]), true
	}
	n := &Board{Unproved: r.Unproved, Truth: r.Truth, Students: r.Students, Entries: r.Entries,
		State: core.State{Phase: core.Closed}}
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

func (b *Board) handIn(data []byte, known func(id string) *core.Assignment, def scenario.Defaults) (*Board, string,
	bool) {
	h, diags := core.ParseHandIn(data)
	if h == nil {
		return b, fault(diags.Errors()[0]), true
	}
	a := b.Assignment
	if a == nil || len(b.Students) == 0 && a.ContentID() != h.Assignment {
		a = known(h.Assignment)
	}
	if a == nil || a.ContentID() != h.Assignment {
		return b, words.T("It is of another assignment."), true
	}
	entries, why := sound(a, h.Entries, def)
	if why != "" {
		return b, why, true
	}
	n, name := b.numberOf(h, entries)
	says := words.F("{0}: handed in.", name)
	if n <= len(b.Students) {
		says = words.F("{0}: handed in again; the later work counts.", name)
	}
	return b.with(func(c *Board) {
		c.Assignment = a
		c.Students = slices.Clone(c.Students)
		put(&c.Students, core.Student{N: n, Name: name, Tag: h.Tag, JoinedMS: entries[0].AtMS},
			func(s *core.Student) bool { return s.N == n })
		c.Entries = slices.DeleteFunc(slices.Clone(c.Entries), func(e core.Entry) bool { return e.Student == n })
		for _, e := range entries {
			c.State.Seq++
			e.Student, e.Seq = n, c.State.Seq
			c.Entries = append(c.Entries, e)
		}
	}), says, false
}

// sound are the entries of a hand-in as they may count, or why they may not.
func sound(a *core.Assignment, of []core.Entry, def scenario.Defaults) (out []core.Entry, why string) {
	for i := range of {
		e := of[i]
		if e.Verdict = ""; e.Kind == core.Submission {
			e.Verdict = core.Pending
			if doc, ok := a.Apply(e.Changes); !ok {
				return nil, words.T("Its changed scenario does not belong to the assignment.")
			} else if _, diags := a.Judge(doc, def); diags.HasErrors() {
				return nil, fault(diags.Errors()[0])
			}
		}
		if diags := a.Check(e.Kind, &e.Body); diags.HasErrors() {
			return nil, fault(diags.Errors()[0])
		}
		switch e.Kind {
		case core.Answers, core.Vote, core.Sentence, core.Submission:
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		return nil, words.T("There is nothing in it.")
	}
	return out, ""
}

// numberOf is the number of a hand-in's student and the name: that of before where the same answers have come from the
// same name, else a new one. Names that pages give may be alike by chance.
func (b *Board) numberOf(h *core.HandIn, entries []core.Entry) (n int, name string) {
	first := entries[0]
	alike := 1
	for _, s := range b.Students {
		own := s.Name == h.Name || strings.HasPrefix(s.Name, h.Name+" ")
		if own && s.Tag == h.Tag && slices.ContainsFunc(b.Entries, func(e core.Entry) bool {
			return e.Student == s.N && e.Kind == first.Kind && e.AtMS == first.AtMS
		}) {
			return s.N, s.Name
		}
		if own {
			alike++
		}
	}
	if name = h.Name; alike > 1 {
		name += " " + figure.Int(alike)
	}
	return len(b.Students) + 1, name
}

// Pasted are the pieces of a text that are files of a class, or links that hold one: each line, or the whole.
func Pasted(s string) []string {
	if s = strings.TrimSpace(s); strings.HasPrefix(s, "{") && json.Valid([]byte(s)) {
		return []string{s}
	}
	return strings.Fields(s)
}
