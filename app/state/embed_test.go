package state

import (
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/room"
)

// newAction is one that nobody has named in embedded yet.
type newAction struct{}

func (newAction) on(s *Lab) []Effect { return ToggleEditor{}.on(s) }

// TestEmbedIsReadOnly: nothing that is not named is done in an embed, and nothing at all leaves it.
func TestEmbedIsReadOnly(t *testing.T) {
	d := newDesk(t)
	d.do(LoadPreset{"sixty-measured-jobs"}) // which must be run, and whose traces are read step by step
	d.pass(1000)
	d.do(OpenShare{})
	link := d.s.Share.Link
	d.do(CloseShare{})

	e := newDesk(t)
	e.do(EmbedOn{})
	e.do(OpenLink{Address: link, Link: strings.TrimPrefix(link, "/")})
	e.pass(1000)
	if !e.s.Fresh() || e.s.Status() != "ready" {
		t.Fatalf("an embed does not run what it shows: %s", e.s.Status())
	}
	doc := e.s.Doc
	for _, a := range []Action{newAction{}, Do{edit.SetGPUs{Node: 0, N: 1, Type: "v100"}},
		LoadPreset{e.s.Boot.Presets[1].Name},
		OpenFile{Name: "x.json", Data: doc.Marshal(true)}, Undo{}, OpenShare{}, ToggleEditor{},
		TypedJSON{"{}"}, ApplyJSON{}, TogglePredict{}, ToggleSweep{}, StartLesson{}} {
		if effects := e.s.Reduce(a); effects != nil {
			t.Errorf("an embed does %T: %v", a, effects)
		}
		e.pass(1000)
	}
	if e.s.Doc != doc || e.s.View.Editing || e.s.Share.Open || e.s.Predict.On ||
		e.s.Replicates.Open || e.s.Learn.Lesson != nil {
		t.Error("an embed can be edited")
	}
	for _, effect := range e.log {
		switch effect.(type) {
		case Save, room.SetAddress, Post:
			t.Errorf("an embed carries out %T", effect)
		}
	}

	e.do(GoRound{3})
	if sel := e.s.View.Selection(e.s.Result); sel.Round != 3 || sel.At != e.s.Result.Lanes[0].Trace.Rounds[3].At {
		t.Errorf("after setRound 3: %+v", sel)
	}
	for _, bad := range []int{-1, 1 << 30} {
		e.do(GoRound{bad})
		if e.s.View.Selection(e.s.Result).Round != 3 {
			t.Errorf("round %d moves the cursor", bad)
		}
	}
	e.do(Select{"j2"})
	if e.s.View.Selection(e.s.Result).Job != "j2" {
		t.Error("the selection does not follow")
	}
}
