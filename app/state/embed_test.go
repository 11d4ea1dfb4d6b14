package state

import (
	"strings"
	"testing"
)

func TestEmbedIsReadOnly(t *testing.T) {
	d := newDesk(t)
	d.do(Share{})
	link := d.s.Share.Link
	d.do(CloseShare{})

	e := newDesk(t)
	e.do(EmbedOn{})
	e.do(OpenLink{Address: link, Link: strings.TrimPrefix(link, "/")})
	e.pass(1000)
	doc, rev := e.s.Doc, e.s.Rev
	for _, a := range []Action{Do{SetGPUs{0, 1, "v100"}}, LoadPreset{e.s.Boot.Presets[1].Name},
		OpenFile{Name: "x.json", Data: doc.Marshal(true)}, Undo{}, Share{}, ToggleEditor{},
		TypedJSON{"{}"}, ApplyJSON{}} {
		e.do(a)
		e.pass(1000)
	}
	if e.s.Doc != doc || e.s.Rev != rev || e.s.View.Editing || e.s.Share.Open {
		t.Error("an embed can be edited")
	}
	for _, effect := range e.log {
		switch effect.(type) {
		case Save, SetAddress, Post:
			t.Errorf("an embed carries out %T", effect)
		}
	}

	e.do(GoRound{3})
	if sel := e.s.Selection(); sel.Round != 3 || sel.At != e.s.Result.Lanes[0].Trace.Rounds[3].At {
		t.Errorf("after setRound 3: %+v", sel)
	}
	for _, bad := range []int{-1, 1 << 30} {
		e.do(GoRound{bad})
		if e.s.Selection().Round != 3 {
			t.Errorf("round %d moves the cursor", bad)
		}
	}
	e.do(Select{"j2"})
	if e.s.Selection().Job != "j2" {
		t.Error("the selection does not follow")
	}
}
