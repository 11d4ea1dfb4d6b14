package ui

import (
	"strings"
	"testing"

	"hadarlab/app/elm"
	"hadarlab/app/state"
	"hadarlab/core/class"
)

// TestAnAssignmentIsWritten from every start; what is wrong stands beside its field, and right answers are found by a
// run.
func TestAnAssignmentIsWritten(t *testing.T) {
	d := newDesk(t)
	d.do(state.EnterRoom{Room: state.TeachRoom})
	d.draw("the page that begins a class", &elm.Root{})
	d.strict()
	for _, id := range []string{"", "hadar-vs-gavel", "hadar-vs-gavel-45", "hadare-copies", "known-lengths"} {
		d.what = id
		d.do(state.WriteAssignment{ID: id})
		own := d.h.S.Teach.Draft
		if own.Parsed == nil || id != "" && own.Parsed.ContentID() != state.ShippedAssignments()[0].ContentID() &&
			id == "hadar-vs-gavel" {
			t.Fatalf("%q: %v", id, own.Diags)
		}
		d.do(state.FindRight{})
		if n := len(d.h.S.Teach.Draft.Truth); n != len(own.A.Questions) {
			t.Errorf("%q: %d right answers are found of %d", id, n, len(own.A.Questions))
		}
		d.draw("the editor", &elm.Root{})
		d.strict()
	}
	d.do(state.ChangeAssignment{Change: func(a *class.Assignment) {
		a.Title, a.Questions[0].Options[0].ID = "", "nobody"
		a.Open = append(a.Open, class.Open{Path: "/scenario/jobs/0/gpus", From: 3, To: 1})
		a.Plan[1].Minutes = -1
	}})
	shown := d.board()
	if d.h.S.Teach.Draft.Parsed != nil || strings.Count(shown, "it is empty: write what") != 1 ||
		strings.Count(shown, ` aria-invalid`) < 3 || strings.Contains(shown, `<li class="error">`) {
		t.Errorf("%d fields are marked", strings.Count(shown, ` aria-invalid`))
	}
	d.strict()
}
