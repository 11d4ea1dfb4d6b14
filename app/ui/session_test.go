package ui

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"hadarlab/app/board"
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/room"
	"hadarlab/app/session"
	"hadarlab/app/state"
	"hadarlab/app/student"
	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
	"hadarlab/scenarios"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// screen is what the desk shows.
func (d *desk) screen() string {
	d.h.turns = elm.Turns{}
	return ordered(app.HTMLString(&elm.Root{}))
}

// replayed does a recording again on a desk that stands where it began.
func (d *desk) replayed(data []byte, after func(i int, did string)) {
	d.t.Helper()
	r, err := session.Read(data)
	if err != nil {
		d.t.Fatal(err)
	}
	for i, step := range r.Actions {
		a, err := session.Action(step)
		if err != nil {
			d.t.Fatalf("%s: step %d: %v", d.what, i, err)
		}
		d.do(a)
		after(i, step.Did)
	}
}

// TestASessionReplays: two hundred recorded actions, done again on a page of their own, lead to the same screens.
func TestASessionReplays(t *testing.T) {
	n := 200
	if testing.Short() {
		n = 40
	}
	check := func(what string, begin func() *desk, moves func(k *keys) []func() state.Action) {
		t.Run(what, func(t *testing.T) {
			d := begin()
			d.what, d.h.S.Session = what, state.Session{Most: n}
			rng := unit.Stream(7, "replay "+what)
			all := moves(&keys{d: d})
			var screens []string
			for range n {
				d.do(all[rng.IntN(len(all))]())
				screens = append(screens, d.screen())
			}
			data, err := json.Marshal(d.h.S.Record())
			if err != nil {
				t.Fatal(err)
			}
			again := begin()
			again.what = what + " again"
			steps := 0
			again.replayed(data, func(i int, did string) {
				steps++
				if now, then := again.screen(), screens[i]; now != then {
					at := 0
					for at < min(len(now), len(then)) && now[at] == then[at] {
						at++
					}
					t.Fatalf("step %d, %s, leads to another screen: …%.200s…, not …%.200s…", i, did,
						now[max(0, at-60):], then[max(0, at-60):])
				}
			})
			if steps != n {
				t.Errorf("%d steps of %d were recorded", steps, n)
			}
		})
	}
	for i, name := range scenarios.Names {
		if i%8 != 0 || large(name) {
			continue
		}
		check(name, func() *desk {
			d := newDesk(t)
			text, _ := lab.Preset(name)
			d.open(text)
			return d
		}, func(k *keys) []func() state.Action { return k.edits(unit.Stream(uint64(i), "replayed")) })
	}
	check("the board", func() *desk { return boardDesk(t, class.Run) }, func(k *keys) []func() state.Action {
		return []func() state.Action{
			func() state.Action { return board.ToggleTries{} },
			func() state.Action { return board.PutUp{Wall: class.Wall{Larger: 1}} },
			func() state.Action { return board.OpenSheet{Name: "students"} },
			func() state.Action { return board.RevealAnswers{Question: "sooner", On: true} },
			func() state.Action { return board.WriteAssignment{} },
			func() state.Action { return board.WriteValue{Path: "/title", Text: "A class of our own"} },
			func() state.Action { return board.AddEntry{Path: "/questions"} },
			func() state.Action { return board.MoveEntry{Path: "/questions/1", By: -1} },
			func() state.Action { return board.DropEntry{Path: "/questions/2"} },
			func() state.Action { return board.SetSwitch{Path: "/task"} },
		}
	})
	check("a student", func() *desk { return aStudent(t, class.Run) }, func(k *keys) []func() state.Action {
		return append(k.edits(unit.Stream(3, "replayed")),
			func() state.Action { return student.SetSentence{Text: "since"} },
			func() state.Action { return student.HandIn{Kind: class.Sentence} },
			func() state.Action { return student.RestartTask{} })
	})
}

// TestAFaultOffersWhatLedToIt: a file of the last fifty steps, without what opens a class.
func TestAFaultOffersWhatLedToIt(t *testing.T) {
	d := aStudent(t, class.Run)
	for i := range 70 {
		d.do(state.Go{To: i % 4})
	}
	if d.do(state.Broke{Why: "a fault"}); !strings.Contains(d.screen(), `data-test="save-steps"`) {
		t.Error("nothing is offered")
	}
	for _, e := range d.h.S.Reduce(state.SaveSession{}) {
		file, ok := e.(room.Download)
		if !ok {
			continue
		}
		r, err := session.Read(file.Data)
		if err != nil || len(r.Actions) != 50 || !strings.Contains(r.Problem, "a fault") {
			t.Fatalf("%v: %.300s", err, file.Data)
		}
		return
	}
	t.Error("no file was made")
}

// breaks is an edit by which the page breaks.
type breaks struct{}

func (breaks) Change(*scenario.Document) string { panic("at an edit") }

// TestWhatThePageBreaksByIsTold: the recording of an edit that cannot be made again names it, and has all before it.
func TestWhatThePageBreaksByIsTold(t *testing.T) {
	d := newDesk(t)
	d.do(state.Do{Edit: edit.Rename{Title: "before"}})
	d.h.Try(func() { d.h.Do(state.Do{Edit: breaks{}}) })
	r := d.h.S.Record()
	last := r.Actions[len(r.Actions)-1]
	if !strings.Contains(r.Problem, "at an edit") || last.Did != "Do" || last.With != nil ||
		!strings.Contains(string(r.Actions[len(r.Actions)-2].With), "before") {
		t.Errorf("recorded: %q %+v", r.Problem, r.Actions)
	}
}

// TestRecordingsKeepClassesShut: neither the code nor a key or token of a class is in the file, nor what students are
// called or have handed in.
func TestRecordingsKeepClassesShut(t *testing.T) {
	d := newDesk(t)
	d.do(room.Enter{Room: room.Student, Arg: "7kqm-3xpa",
		Kept: `{"code":"7KQM3XPA","token":"secret","n":3,"name":"quiet heron"}`, Start: true})
	d.do(room.Enter{Room: room.Board, Arg: "7KQM3XPA/sesame", Kept: "sesame"})
	d.do(state.Moved{Address: "/#board=7KQM3XPA.sesame",
		Open: room.Enter{Room: room.Board, Arg: "7KQM3XPA/sesame"}})
	d.do(room.Enter{Room: room.Board})
	d.do(board.BoardPaste{Text: `{"name":"quiet heron"}`})
	d.do(board.BoardFile{Name: "quiet heron.json", Text: `{"name":"quiet heron"}`})
	d.do(state.CopyLink{Text: "/board#hand-in=quiet-heron"})
	data, err := json.Marshal(d.h.S.Record().Actions)
	if err != nil || !strings.Contains(string(data), `"Enter"`) {
		t.Fatalf("%v: %s", err, data)
	}
	for _, secret := range []string{"7kqm", "7KQM", "secret", "heron", "sesame"} {
		if strings.Contains(string(data), secret) {
			t.Errorf("%q is in %s", secret, data)
		}
	}
}

// TestASessionOfAFile does a recording again that somebody has sent: HADARLAB_SESSION names it.
func TestASessionOfAFile(t *testing.T) {
	name := os.Getenv("HADARLAB_SESSION")
	if name == "" {
		return
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := session.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	d.open(r.Document)
	d.replayed(data, func(i int, did string) {
		d.what = fmt.Sprintf("step %d, %s", i, did)
		d.draw("the page", &elm.Root{})
	})
}
