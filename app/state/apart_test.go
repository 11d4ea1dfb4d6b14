package state

import (
	"strings"
	"testing"

	"hadarlab/app/board"
	"hadarlab/app/edit"
)

// TestHeadlineNamesTwoGavelsApart: of two lanes whose short titles are alike every sentence says which it means.
func TestHeadlineNamesTwoGavelsApart(t *testing.T) {
	d := newDesk(t)
	d.do(Do{edit.SetPolicy{Lane: 0, ID: "gavel-makespan", Title: "Gavel, makespan"}})
	d.do(Do{edit.SetPolicy{Lane: 1, ID: "gavel-fifo", Title: "Gavel, first in first out"}})
	d.pass(1000)
	f := d.s.Result.Finding
	both := []string{"Gavel (makespan)", "Gavel (first in first out)"}
	rest := f.Claim + " " + f.Because
	for _, name := range both {
		if !strings.Contains(f.Claim, name) || !strings.Contains(f.Because, name) {
			t.Errorf("%q is not named in %q %q", name, f.Claim, f.Because)
		}
		rest = strings.ReplaceAll(rest, name, "")
	}
	if strings.Contains(rest, "Gavel") {
		t.Errorf("one of two is named Gavel: %q %q", f.Claim, f.Because)
	}
	d.do(board.WriteAssignment{})
	if a := d.s.Board.Draft.A; a.Questions[0].Options[0].Text != both[0] || a.Questions[0].Options[1].Text != both[1] {
		t.Errorf("the options are %+v", a.Questions[0].Options)
	}
}
