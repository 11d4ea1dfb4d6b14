package ui

import (
	"strings"
	"testing"

	"hadarlab/app/board"
	"hadarlab/app/elm"
	"hadarlab/app/room"
	"hadarlab/core/class"
)

// TestAHomeworkIsDrawn: its board before it opens, while it is open, when it has closed and with the feedback, with its
// dialogs; the wall; and the dialog that begins one. Nothing of the class's answers is there before the feedback.
func TestAHomeworkIsDrawn(t *testing.T) {
	const hour = int64(3_600_000)
	for when, c := range map[string]struct {
		hours class.Hours
		phase class.Phase
		has   string
	}{
		"ahead":  {class.Hours{OpensMS: 5 * hour, ClosesMS: 9 * hour}, class.Homework, "homework-open"},
		"open":   {class.Hours{OpensMS: 1, ClosesMS: 9 * hour}, class.Homework, "homework-close"},
		"over":   {class.Hours{OpensMS: 1, ClosesMS: hour}, class.Homework, "homework-release"},
		"closed": {class.Hours{OpensMS: 1, ClosesMS: hour}, class.Closed, "The feedback is released"},
	} {
		d := boardDesk(t, c.phase)
		d.what = "a homework, " + when
		d.h.S.Board.ClockMS = 2 * hour
		d.h.S.Board.Class.State.Hours = c.hours
		shown := d.board()
		for _, s := range []string{"homework-open", "homework-close", "homework-release", "The feedback is released"} {
			if strings.Contains(shown, s) != (s == c.has) {
				t.Errorf("%s: it is %v that the board has %s", when, s != c.has, s)
			}
		}
		for _, s := range []string{`data-test="next-phase"`, `data-test="lab-lock"`, `data-test="timer"`} {
			if strings.Contains(shown, s) {
				t.Errorf("%s: the board has %s", when, s)
			}
		}
		for _, s := range []string{`id="h-answers"`, `id="h-tries"`, "data-conf"} {
			if strings.Contains(shown, s) == (c.phase == class.Homework) {
				t.Errorf("%s: it is %v that the board has %s", when, c.phase != class.Homework, s)
			}
		}
		for _, sheet := range []string{"", "longer", "release", "out", "students", "sentences"} {
			d.do(board.OpenSheet{Name: sheet})
			d.draw("its board with "+sheet, &elm.Root{})
			d.strict()
		}
		d.do(board.AskStart{With: board.Same, At: hour})
		if s := d.board(); !strings.Contains(s, `data-test="start-closes"`) { // next year's is one, too
			t.Errorf("%s: the dialog asks for no hours", when)
		}
		d.do(board.StartHours{Ms: 1})
		if s := d.board(); !strings.Contains(s, "It closes before it opens") {
			t.Errorf("%s: hours that cannot be are not told", when)
		}
		d.draw("the dialog that begins a class", &elm.Root{})
		d.strict()
		d.do(board.CloseStart{})
		d.h.S.Room = room.Wall
		if s := d.board(); c.phase == class.Homework && (!strings.Contains(s, `data-test="wall-hours"`) ||
			!strings.Contains(s, " predicted, ") || strings.Contains(s, `data-test="wall-next"`)) {
			t.Errorf("%s: the wall", when)
		}
		d.draw("its wall", &elm.Root{})
		d.strict()
	}
}
