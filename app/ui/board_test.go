package ui

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"hadarlab/app/board"
	teach "hadarlab/app/class"
	"hadarlab/app/elm"
	"hadarlab/app/room"
	"hadarlab/app/state"
	boardview "hadarlab/app/ui/board"
	"hadarlab/app/words"
	"hadarlab/core/class"
	"hadarlab/core/simtest/classroom"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// boardDesk is a page that shows a made class in a phase.
func boardDesk(t *testing.T, phase class.Phase) *desk {
	t.Helper()
	d := newDesk(t)
	a, u := classroom.Made(30)
	u.State.Phase, u.State.Hours = phase, hoursOf(phase)
	d.do(room.Enter{Room: room.Board, Arg: u.State.Code + ".key"})
	d.h.S.Board.Class = d.h.S.Board.Class.Hand(a).Take(u).Ran(classroom.Run(a.Document()))
	return d
}

// board is the board's markup.
func (d *desk) board() string { return app.HTMLString(boardview.Screen(d.h.S)) }

// TestTheBoardIsDrawn in every phase, with every dialog and table, and holds every spec to HTML.
func TestTheBoardIsDrawn(t *testing.T) {
	for _, phase := range class.Phases {
		d := boardDesk(t, phase)
		d.what = string(phase)
		for _, sheet := range []string{"", "students", "since", "sentences", "out", "delete", "pair"} {
			for _, on := range []bool{false, true} {
				d.do(board.OpenSheet{Name: sheet})
				if v := &d.h.S.Board.View; v.Tries != on {
					for _, a := range []state.Action{board.ToggleTries{}, board.PutUp{Wall: class.Wall{Larger: 1}},
						board.ToggleTwin{},
						board.ToggleTwin{Which: 1}} {
						d.do(a)
					}
				}
				d.draw("the board with "+sheet, &elm.Root{})
				d.strict()
			}
		}
	}
}

// TestTheRankingSaysWhoWon: beside every count of who changed a value stands how many of them won, the round effect is
// named and explained, and what the smallest change is, too.
func TestTheRankingSaysWhoWon(t *testing.T) {
	d := boardDesk(t, class.Change)
	if !d.h.S.Board.View.Tries {
		d.do(board.ToggleTries{})
	}
	shown := d.board()
	rows := d.h.S.Board.Class.Tally.Changes
	for _, s := range []string{strconv.Itoa(rows[0].People) + ", " + strconv.Itoa(rows[0].Works) + " won", "0 won",
		`data-test="by-rounds"`, " × ", "a change from 0 is no share of anything", "wins by less than one round", "(round effect)"} {
		if !strings.Contains(shown, s) {
			t.Errorf("the wall does not say %q", s)
		}
	}
	d.do(board.ToggleTwin{Which: 1})
	if shown := d.board(); !strings.Contains(shown, "✓ round effect") {
		t.Error("the table of submissions does not say what kind of win it is")
	}
}

// TestTheWallIsDrawn with every picture, and holds every spec to HTML.
func TestTheWallIsDrawn(t *testing.T) {
	d := boardDesk(t, class.Closed)
	b := d.h.S.Board.Class
	b.State.Revealed = []string{"sooner", "by"}
	for _, of := range append([]class.Picture{""}, class.Pictures...) {
		st := b.State
		st.Wall = class.Wall{Shows: of, Sentence: "because", Question: "by"}
		scene := b.Record(d.h.S.Boot.Engine, d.h.S.Defaults, true).Scene(st)
		d.h.S.Board.Class = b.Watch(&scene)
		d.h.S.Room = room.Wall
		d.what = "the wall with " + string(of)
		said := d.board()
		d.draw(d.what, &elm.Root{})
		d.strict()
		if want := `data-picture="` + string(st.Wall.Picture(st.Phase)) + `"`; !strings.Contains(said, want) {
			t.Errorf("%s: not %s", d.what, want)
		}
		for _, heading := range []string{"Value", "Change × people", "✓ = wins", "Tried"} {
			if of == class.ChangesPicture && !strings.Contains(said, heading) {
				t.Errorf("%s: its columns are not called %q", d.what, heading)
			}
		}
		if !strings.Contains(said, `data-test="remote"`) {
			t.Errorf("%s: who has the key has no remote", d.what)
		}
	}
}

// TestTheWayToTheRunAsksOnce, on the board and beside a wall, while second votes are out.
func TestTheWayToTheRunAsksOnce(t *testing.T) {
	for _, at := range []room.Room{room.Board, room.Wall} {
		d := boardDesk(t, class.VoteAgain)
		d.h.S.Room = at
		d.h.S.Board.Class.State.Counts = class.Counts{Joined: 5, Committed: 5, Voted: 4}
		if s := d.board(); !strings.Contains(s, "Next: Run") || strings.Contains(s, "next-asks") {
			t.Errorf("%v: it asks before it is pressed", at)
		}
		d.do(board.GoTo{Phase: class.Run})
		if s := d.board(); !strings.Contains(s, "Run anyway") || !strings.Contains(s, "1 has not answered yet") {
			t.Errorf("%v: it does not ask", at)
		}
		d.draw("the way to the run", &elm.Root{})
		d.strict()
	}
}

// TestAJumpToTheRunAsksOnce: the phase's own button asks as the way to the next phase does, and the other does not
// answer for it.
func TestAJumpToTheRunAsksOnce(t *testing.T) {
	for _, to := range []class.Phase{class.Run, class.Change} {
		d := boardDesk(t, class.Predict)
		d.h.S.Board.Class.State.Counts = class.Counts{Joined: 5, Committed: 3}
		says := teach.PhaseTitle(to) + " anyway"
		if s := d.board(); strings.Contains(s, says) || strings.Contains(s, "next-asks") {
			t.Errorf("%s: it asks before it is pressed", to)
		}
		d.do(board.GoTo{Phase: to})
		if s := d.board(); strings.Count(s, says) != 1 || !strings.Contains(s, `data-test="next-asks"`) ||
			!strings.Contains(s, "Next: Discuss") {
			t.Errorf("%s: it does not ask", to)
		}
		d.draw("a jump to "+string(to), &elm.Root{})
		d.strict()
		d.h.S.Board.Class.State.Phase = class.VoteAgain
		if s := d.board(); strings.Contains(s, says) || strings.Contains(s, "next-asks") {
			t.Errorf("%s: what was asked in another phase still stands", to)
		}
	}
}

// TestABoardFromFilesSaysWhatNoFileHolds: the hours of a homework and the list of tags, which a board of a server
// shows.
func TestABoardFromFilesSaysWhatNoFileHolds(t *testing.T) {
	const says = "When a homework opens and closes, and which tags alone may join, is kept by the server"
	d := boardDesk(t, class.Homework)
	d.h.S.Board.Class.Tags = []string{"A1"}
	if s := d.board(); strings.Contains(s, says) || !strings.Contains(s, `data-test="homework-says"`) ||
		!strings.Contains(s, "0 of 1 on the list have joined.") {
		t.Error("the board of a server does not show hours and list")
	}
	saved, err := json.Marshal(d.h.S.Board.Class.Record("", nil, true))
	if err != nil {
		t.Fatal(err)
	}
	for _, held := range []string{"closes_ms", `"tags"`} {
		if strings.Contains(string(saved), held) {
			t.Errorf("a file holds %s: show it", held)
		}
	}
	for _, open := range []bool{false, true} {
		b := teach.NewLocal(nil)
		if open {
			bad := false
			if b, _, bad = b.Open(saved, nil, "", nil); bad {
				t.Fatal("the saved class does not open")
			}
		}
		d.h.S.Board.Class = b
		if strings.Contains(d.board(), says) != open {
			t.Errorf("with a class opened, %v: it is not so that this is said", open)
		}
		d.draw("a board from files", &elm.Root{})
		d.strict()
	}
}

// TestAnOldClassIsToldAsOne, with whose it is and, where there is a server, a fresh start.
func TestAnOldClassIsToldAsOne(t *testing.T) {
	d := boardDesk(t, class.Change)
	const told = `data-test="class-old"`
	if strings.Contains(d.board(), told) {
		t.Error("a class of today is called old")
	}
	d.h.S.Board.Class.State.Old, d.h.S.Board.Class.State.Engine = true, "0.1.0"
	shown := d.board()
	for _, s := range []string{told, "This class began with version 0.1.0", `data-test="class-afresh"`} {
		if !strings.Contains(shown, s) {
			t.Errorf("the board of an old class lacks %s", s)
		}
	}
}

// TestHiddenUntilRevealed: before the teacher says so, nothing on the board tells what the class answered, what is
// right, what was changed or what was said.
func TestHiddenUntilRevealed(t *testing.T) {
	d := boardDesk(t, class.Predict)
	d.h.S.Board.Class = d.h.S.Board.Class.Show(nil)
	shown := d.board()
	for _, s := range []string{"data-conf", "✓ right", "3 to 6", "and turns cost time", "Sharing in turns"} {
		if strings.Contains(shown, s) {
			t.Errorf("the board shows %q", s)
		}
	}
	if !strings.Contains(shown, "Reveal 28 of 30…") || strings.Contains(shown, "“") {
		t.Error("the board asks all to be shown before all have answered")
	}
	d.h.S.Board.Class = d.h.S.Board.Class.Show([]string{"sooner"})
	shown = d.board()
	for s, want := range map[string]bool{"data-conf": true, "✓ right": false, "Sharing in turns": false} {
		if strings.Contains(shown, s) != want {
			t.Errorf("while others may answer it is %v that the board shows %q", !want, s)
		}
	}
	d = boardDesk(t, class.Run)
	d.do(board.ToggleTries{})
	d.do(board.OpenSheet{Name: "sentences"})
	shown = d.board()
	for _, s := range []string{"data-conf", "✓ right", "3 to 6", "and turns cost time", "Sharing in turns",
		"&lt;b&gt;Mixed"} {
		if !strings.Contains(shown, s) {
			t.Errorf("the board does not show %q", s)
		}
	}
}

// TestBothVotesComeWithTheRun: before it the board shows first votes as bars, and what phones can find out;
// with it what is right, how many were before the discussion and after it, and who moved where.
func TestBothVotesComeWithTheRun(t *testing.T) {
	with := []string{"✓ right", "Right after the discussion, of ", "In the second vote", `data-test="moves"`}
	for _, phase := range []class.Phase{class.Discuss, class.VoteAgain, class.Run} {
		d := boardDesk(t, phase)
		shown := d.board()
		for _, s := range with {
			if strings.Contains(shown, s) != (phase == class.Run) {
				t.Errorf("in %s it is %v that the board shows %q", phase, phase != class.Run, s)
			}
		}
		if strings.Contains(shown, `data-test="lab-lock"`) == (phase == class.Run) ||
			!strings.Contains(shown, "data-conf") {
			t.Errorf("in %s the board has bars and the lab's lock otherwise", phase)
		}
		d.do(board.ToggleTwin{})
		if strings.Contains(d.board(), `data-test="moves-twin"`) != (phase == class.Run) {
			t.Errorf("in %s the table of moves", phase)
		}
	}
}

// TestTheBoardIsReworded: what was changed and the hints for the teacher are in the language that is spoken now.
func TestTheBoardIsReworded(t *testing.T) {
	d := boardDesk(t, class.Change)
	d.do(board.ToggleTries{})
	file, err := os.ReadFile("../web/words/de.json")
	if err != nil {
		t.Fatal(err)
	}
	defer words.Use(nil)
	english := d.board()
	if err := words.Load(file); err != nil {
		t.Fatal(err)
	}
	german := d.board()
	for en, de := range map[string]string{"One number, and Gavel shall win": "Eine Zahl, und Gavel soll gewinnen",
		"V100 on n1, 3 to 6": "V100 auf n1, von 3 auf 6", "✓ = wins": "✓ = gewinnt"} {
		if !strings.Contains(english, en) || !strings.Contains(german, de) || strings.Contains(german, en) {
			t.Errorf("%q does not become %q", en, de)
		}
	}
}

// TestTheTableOfSubmissionsNamesItsFigures: the columns are of the task's metric and of the other, whatever they are.
func TestTheTableOfSubmissionsNamesItsFigures(t *testing.T) {
	for metric, want := range map[string][2]string{"avg_jct_s": {"Mean completion", "Last finish"},
		"makespan_s": {"Last finish", "Mean completion"}, "ftf_max": {"Worst fairness", "Last finish"}} {
		d := boardDesk(t, class.Change)
		a := *d.h.S.Board.Class.Assignment
		task := *a.Task
		task.Metric, a.Task = metric, &task
		d.h.S.Board.Class = d.h.S.Board.Class.Hand(&a)
		d.do(board.ToggleTries{})
		d.do(board.ToggleTwin{Which: 1})
		shown := d.board()
		_, shown, _ = strings.Cut(shown, `data-test="tries-twin"`)
		head, _, _ := strings.Cut(shown, "</thead>")
		if first, last := strings.Index(head, want[0]), strings.Index(head, want[1]); first < 0 || last < first {
			t.Errorf("a task of %s: the table is headed %q", metric, head)
		}
	}
}
