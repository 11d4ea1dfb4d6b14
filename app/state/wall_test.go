package state

import (
	"encoding/json"
	"strings"
	"testing"

	"hadarlab/app/board"
	"hadarlab/app/room"
	"hadarlab/core/class"
)

// TestAWallFollows: a wall has what its class shows, grows its lanes a decision a second until they part, says why, and
// runs the change that was picked; with the class's key it is a remote as the board is.
func TestAWallFollows(t *testing.T) {
	c := newClassServer(t)
	c.do(board.LeaveBoard{})
	c.u.State.Phase, c.u.State.ToldMS = class.Run, 1
	c.do(room.Enter{Room: room.Wall, Arg: strings.ToUpper(c.u.State.Code), Kept: "key"})
	m := &c.d.s.Board
	c.do(board.ClockRead{Ms: 2_000_000})
	if b := m.Wall(); !m.Walls() || b.Assignment == nil || b.Scene == nil || len(b.Students) > 0 ||
		m.Stage.Base == nil || m.Stage.Base.Diff.First < 0 {
		t.Fatalf("the wall: %+v", m.Stage)
	}
	since := m.Stage.SinceMS
	first, parts := m.Stage.Upto(since)
	then, there := m.Stage.Upto(since + 60_000)
	if first <= 0 || first > then || then >= 1 || parts && m.Stage.Base.Diff.First > 0 || !there {
		t.Errorf("it grows from %v (%v) to %v (%v)", first, parts, then, there)
	}
	if !strings.HasPrefix(m.Stage.Why, m.Stage.Base.TellingJob()) {
		t.Errorf("why: %q", m.Stage.Why)
	}
	c.calls = nil
	c.do(board.PutUp{Wall: class.Wall{Shows: class.LanesPicture, Whole: true}})
	c.u.State.Wall = class.Wall{Shows: class.LanesPicture, Whole: true}
	c.u.State.Seq++
	c.news()
	if share, _ := m.Stage.Upto(m.Stage.SinceMS + 60_000); share != 1 {
		t.Errorf("the whole is seen up to %v", share)
	}
	c.do(board.WallBack{})
	if len(c.calls) != 2 || !strings.Contains(c.calls[0], `"wall":{"shows":"lanes","whole":true}`) ||
		!strings.Contains(c.calls[1], `"wall":{}`) {
		t.Errorf("%q", c.calls)
	}

	c.u.State.Phase, c.u.State.Wall = class.Change, class.Wall{Shows: class.ChangePicture}
	c.u.State.Seq++
	c.news()
	shown := m.Wall().Shown()
	if shown == nil || !class.SameChange(m.Stage.Change, shown) || m.Stage.Changed == nil ||
		string(m.Stage.Changed.Text) == string(m.Stage.Base.Text) {
		t.Fatalf("the smallest change is not run: %+v", shown)
	}
	for i := range m.Class.Tally.Tries {
		if try := &m.Class.Tally.Tries[i]; !try.Works {
			c.u.State.Wall.Change = try.Edits
		}
	}
	c.u.State.Seq++
	c.news()
	if !class.SameChange(m.Stage.Change, c.u.State.Wall.Change) {
		t.Errorf("%v is shown, %v was picked", m.Stage.Change, c.u.State.Wall.Change)
	}
}

// TestAWallOfFiles: a board that is made from files has its wall in the same page, by the rule that servers have.
func TestAWallOfFiles(t *testing.T) {
	c := newClassServer(t)
	record := c.d.s.Board.Class.Record(c.d.s.Boot.Engine, c.d.s.Defaults, true)
	c.do(board.LeaveBoard{})
	c.do(room.Enter{Room: room.Board, Arg: "board"})
	c.do(board.BoardFile{Name: "class.json", Text: string(encoded(t, record))})
	c.do(board.WallHere{})
	c.do(board.PutUp{Wall: class.Wall{Shows: class.ChangePicture}})
	m := &c.d.s.Board
	if b := m.Wall(); !m.Walls() || b.Scene == nil || len(b.Scene.Tries) == 0 || m.Stage.Changed == nil {
		t.Errorf("the wall: %+v", b.Scene)
	}
	c.do(board.WallBack{})
	if b := m.Wall(); len(b.Scene.Podium) == 0 || len(b.Scene.Tries) > 0 {
		t.Errorf("what was learned: %+v", b.Scene)
	}
	if c.do(board.WallHere{}); m.Walls() {
		t.Error("the board does not come back")
	}
}

func encoded(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
