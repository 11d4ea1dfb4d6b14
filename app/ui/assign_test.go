package ui

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"hadarlab/app/board"
	"hadarlab/app/elm"
	"hadarlab/app/room"
	"hadarlab/app/state"
)

// TestAnAssignmentIsWritten from every start; what is wrong stands beside its field, and right answers are found by a
// run.
func TestAnAssignmentIsWritten(t *testing.T) {
	d := newDesk(t)
	d.do(room.Enter{Room: room.Teach})
	d.draw("the page that begins a class", &elm.Root{})
	d.strict()
	for _, id := range []string{"", "hadar-vs-gavel", "hadar-vs-gavel-45", "hadare-copies", "known-lengths",
		"write-an-order"} {
		d.what = id
		d.do(board.WriteAssignment{ID: id})
		own := d.h.S.Board.Draft
		if own.Parsed == nil || id != "" && own.Parsed.ContentID() != d.h.S.Shipped()[0].ContentID() &&
			id == "hadar-vs-gavel" {
			t.Fatalf("%q: %v", id, own.Diags)
		}
		d.do(board.FindRight{})
		if n := len(d.h.S.Board.Draft.Truth); n != len(own.A.Questions) {
			t.Errorf("%q: %d right answers are found of %d", id, n, len(own.A.Questions))
		}
		d.draw("the editor", &elm.Root{})
		d.strict()
		_, takes, told := strings.Cut(d.board(), `data-test="race-takes"`)
		if race := own.A.Task != nil && own.A.Task.Race != nil; race != told ||
			race && !strings.Contains(takes, "for 30 students") {
			t.Errorf("%q: what a race may take is told: %v", id, told)
		}
		if id != "" && len(d.h.S.Board.Draft.Near) > 0 {
			t.Errorf("%q: %+v", id, d.h.S.Board.Draft.Near)
		}
	}
	last := "/open/" + strconv.Itoa(len(d.h.S.Board.Draft.A.Open))
	for _, a := range []state.Action{board.WriteValue{Path: "/title"},
		board.WriteValue{Path: "/questions/0/options/0/id", Text: "nobody"}, board.AddEntry{Path: "/open"},
		board.WriteValue{Path: last, Text: "/scenario/jobs/0/gpus"}, board.WriteValue{Path: last + "/from", Text: "3"},
		board.WriteValue{Path: last + "/to", Text: "1"}, board.WriteValue{Path: "/plan/1/minutes", Text: "-1"}} {
		d.do(a)
	}
	shown := d.board()
	if d.h.S.Board.Draft.Parsed != nil || strings.Count(shown, "It is empty: write what") != 1 ||
		strings.Count(shown, ` aria-invalid`) < 3 || strings.Contains(shown, `<li class="error">`) {
		t.Errorf("%d fields are marked", strings.Count(shown, ` aria-invalid`))
	}
	d.strict()
}

// TestANearEdgeIsTold to the author of an assignment once what is right is found, beside its field and with where it
// may lie; the class can begin all the same. An edit that is not run yet says nothing.
func TestANearEdgeIsTold(t *testing.T) {
	d := newDesk(t)
	d.do(room.Enter{Room: room.Teach})
	d.do(board.WriteAssignment{ID: "hadar-vs-gavel"})
	d.do(board.WriteValue{Path: "/questions/1/options/2/to", Text: "30"})
	d.do(board.WriteValue{Path: "/questions/1/options/3", Text: "30"})
	const told = `data-test="near-edge"`
	if strings.Contains(d.board(), told) {
		t.Error("an edge is near before anything has run")
	}
	d.do(board.FindRight{})
	shown := d.board()
	if strings.Count(shown, told) != 2 || !strings.Contains(shown, "22\u00a0% or below, or at 37\u00a0% or above") ||
		!strings.Contains(d.h.S.Board.Announcement, "too near") || d.h.S.Board.Draft.Parsed == nil {
		t.Errorf("%d edges are told; %q; %+v", strings.Count(shown, told),
			d.h.S.Board.Announcement, d.h.S.Board.Draft.Near)
	}
	d.draw("the editor", &elm.Root{})
	d.strict()
	d.do(board.WriteValue{Path: "/questions/1/options/3", Text: "37"})
	if strings.Contains(d.board(), told) {
		t.Error("an edge that has moved is still near")
	}
}

// TestEveryFieldIsWritten: what a field shows, typed into it, changes nothing, and anything else does.
func TestEveryFieldIsWritten(t *testing.T) {
	d := newDesk(t)
	d.do(room.Enter{Room: room.Teach})
	fields := regexp.MustCompile(`<(?:input|textarea|select)[^>]* data-at="([^"]+)"`)
	for _, id := range []string{"", "hadar-vs-gavel", "hadare-copies"} {
		d.do(board.WriteAssignment{ID: id})
		all := fields.FindAllStringSubmatch(ordered(d.board()), -1)
		if len(all) < 20 {
			t.Fatalf("%q: only %d fields are drawn", id, len(all))
		}
		for _, at := range all {
			was, _ := json.Marshal(d.h.S.Board.Draft.A)
			d.do(board.WriteValue{Path: at[1], Text: "77"})
			if now, _ := json.Marshal(d.h.S.Board.Draft.A); string(now) == string(was) {
				t.Errorf("%q: nothing is written at %s", id, at[1])
			}
		}
	}
}
