package state

import (
	"encoding/json"
	"testing"

	"hadarlab/app/board"
	"hadarlab/app/room"
)

// keptDraft is what the browser keeps of an assignment that is being written.
func (d *desk) keptDraft() (text string) {
	for _, e := range d.log {
		if s, ok := e.(room.Store); ok && s.Name == board.DraftName {
			text = s.Text
		}
	}
	return text
}

// TestAWrittenAssignmentIsKept: after a reload it goes on as it stood, errors and all, until it is discarded, which can
// be undone, as can another assignment in its place.
func TestAWrittenAssignmentIsKept(t *testing.T) {
	titled := func(d *desk, where, want string) {
		t.Helper()
		got := "nothing"
		if d.s.Board.Draft != nil {
			got = d.s.Board.Draft.A.Title
		}
		if got != want {
			t.Errorf("%s: %q is being written, not %q", where, got, want)
		}
	}
	d := newDesk(t)
	d.do(room.Enter{Room: room.Teach})
	d.do(board.WriteAssignment{ID: "hadar-vs-gavel"})
	d.do(board.WriteValue{Path: "/title", Text: "Our own"})
	d.do(board.WriteValue{Path: "/questions/0/text", Text: ""}) // an error is no reason to lose it
	was, _ := json.Marshal(d.s.Board.Draft.A)

	again := newDesk(t)
	again.do(room.Enter{Room: room.Teach, Kept: d.keptDraft()})
	titled(again, "after a reload", "Our own")
	if now, _ := json.Marshal(again.s.Board.Draft.A); string(now) != string(was) || again.s.Board.Draft.Parsed != nil {
		t.Errorf("after a reload it is %s, not %s", now, was)
	}
	again.do(board.DropDraft{})
	titled(again, "discarded", "nothing")
	if kept := again.keptDraft(); kept != "" {
		t.Errorf("discarded, the browser keeps %s", kept)
	}
	again.do(room.Enter{Room: room.Teach})
	again.do(board.PutDraftBack{})
	titled(again, "put back", "Our own")
	if kept := again.keptDraft(); kept != string(was) {
		t.Errorf("put back, the browser keeps %s", kept)
	}
	other := again.s.Board.Draft.A.Clone()
	other.Title = "Another"
	file, _ := json.Marshal(other)
	again.do(board.BoardFile{Text: string(file)})
	titled(again, "a file", "Another")
	again.do(board.PutDraftBack{})
	titled(again, "the one before the file", "Our own")
	again.do(board.PutDraftBack{})
	titled(again, "the file again", "Another")

	for _, kept := range []string{"", "{", `{"kind":"scenario"}`, `[1]`} {
		d := newDesk(t)
		d.do(room.Enter{Room: room.Teach, Kept: kept})
		titled(d, kept, "nothing")
	}
}
