package state

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"hadarlab/app/board"
	"hadarlab/app/room"
	course "hadarlab/core/class"
)

// TestAHomeworkBegins with the hours that its dialog says, the same dialog begins a class that is led without any, and
// what it asks is the same of a shipped assignment and of that of the class on the board.
func TestAHomeworkBegins(t *testing.T) {
	const at, hour = int64(1_800_000_030_000), int64(3_600_000)
	for _, homework := range []bool{false, true} {
		c := newClassServer(t)
		c.d.do(OpenGallery{}) // the assignments come with what it shows
		for _, ask := range []board.AskStart{{With: board.Shipped, ID: "known-lengths", At: at},
			{With: board.Same, At: at}} {
			c.d.do(ask)
			s := c.d.s.Board.Start
			if s == nil || s.Title == "" || s.Homework || s.OpensMS > at || s.ClosesMS <= at || s.OpensMS%60_000 != 0 {
				t.Fatalf("asked %+v", s)
			}
			c.d.do(board.StartAs{Homework: homework})
			c.d.do(board.StartHours{Opens: true, Ms: at + hour})
			c.d.do(board.StartHours{Ms: at + 2*hour})
			var begin Action = board.StartClass{ID: ask.ID}
			if ask.With == board.Same {
				begin = board.StartAgain{}
			}
			effects := c.d.s.Reduce(begin)
			var sent struct {
				Assignment json.RawMessage
				course.Hours
			}
			want := course.Hours{}
			if homework {
				want = course.Hours{OpensMS: at + hour, ClosesMS: at + 2*hour}
			}
			call, ok := effects[0].(room.Call)
			if !ok || json.Unmarshal(call.Body, &sent) != nil || len(sent.Assignment) == 0 || sent.Hours != want {
				t.Errorf("homework %v: sent %.200s", homework, call.Body)
			}
			if c.d.s.Board.Start != nil {
				t.Error("the dialog stays open")
			}
			c.d.s.Board.Starting = ""
		}
	}
}

// TestTheBoardOfAHomework: it suggests a closing time that is still to come, sets it, and releases the feedback by the
// phase closed.
func TestTheBoardOfAHomework(t *testing.T) {
	c := newClassServer(t)
	const day = int64(24 * 3_600_000)
	c.u.State.Phase, c.u.State.Hours = course.Homework, course.Hours{OpensMS: 1, ClosesMS: 500_000}
	c.u.State.NowMS, c.u.State.Seq = 1_000_000, c.u.State.Seq+1
	c.news()
	c.do(board.OpenSheet{Name: "longer"})
	if got := c.d.s.Board.Closes; got < 1_000_000-60_000+day || got > 1_060_000+day {
		t.Errorf("closed at 500 s, at 1000 s it suggests %d", got)
	}
	c.do(board.ChooseCloses{Ms: 9_000_000})
	c.do(board.SetCloses{})
	c.do(board.OpenSheet{Name: "release"})
	c.do(board.ReleaseFeedback{})
	for _, want := range []string{`PATCH  {"closes_ms":9000000}`, `PATCH  {"phase":"closed"}`} {
		if !slices.Contains(c.calls, want) {
			t.Errorf("it was not asked %s: %.300q", want, c.calls)
		}
	}
	if c.d.s.Board.Sheet != "" {
		t.Errorf("the dialog %s stays open", c.d.s.Board.Sheet)
	}
}

// TestTheLabInAHomework: who has answered runs, changes and writes in any order, hears nothing of what is right, and
// the lab notices by itself when it closes.
func TestTheLabInAHomework(t *testing.T) {
	c := newClassroom(t, course.Lobby)
	const now = int64(1_800_000_000_000)
	set := func(at int64) {
		c.me.State.Hours = course.Hours{OpensMS: now - 5_000, ClosesMS: now + 5_000}
		c.me.State.NowMS, c.me.State.LabLocked = at, true
	}
	set(now)
	c.phase(course.Homework)
	st := c.s.Student.Student
	if !st.Changes() || !st.Explains() || st.Told() || st.Votes() || c.s.Student.Says() == "" ||
		st.Assignment.Pace(st.Entries) != course.OwnRun {
		t.Fatalf("%+v: %s", st.State, c.s.Student.Says())
	}
	if !c.s.Student.Changing() || !c.s.Student.Spoils() {
		t.Error("the task's locks do not hold, or a search does the task")
	}
	e := course.Entry{Kind: course.Submission, Seq: 9}
	if says := st.Outcome(&e); !strings.Contains(says, "feedback") {
		t.Errorf("of a change it says %q", says)
	}
	if st.Truth != nil {
		t.Error("what is right has been looked for")
	}
	c.pass(5_500) // it has closed, and the lab asks
	set(now + 5_100)
	c.answers("GET", "/me", 200, c.me)
	if st.Changes() || st.Explains() || !strings.Contains(c.s.Student.Says(), "has closed") {
		t.Errorf("when it has closed: %s", c.s.Student.Says())
	}
	c.me.State.ToldMS, c.me.State.Revealed = now+6_000, []string{"sooner", "by"}
	c.phase(course.Closed)
	if !st.Told() || !strings.Contains(c.s.Student.Says(), "feedback is here") {
		t.Errorf("with the feedback: %s", c.s.Student.Says())
	}
}
