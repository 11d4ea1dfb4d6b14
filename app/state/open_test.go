package state

import (
	"strings"
	"testing"

	"hadarlab/app/edit"
)

func TestBadJSONKeepsTheDocument(t *testing.T) {
	d := newDesk(t)
	was, hash := d.s.Doc, d.hash(0)
	d.do(TypedJSON{`{"scenario": {"jobs": [}`})
	d.do(ApplyJSON{})
	d.pass(1000)
	if d.s.Doc != was || d.hash(0) != hash || d.s.Notice == nil || len(d.s.Notice.Diags) == 0 {
		t.Fatalf("notice %+v", d.s.Notice)
	}
	if text, draft := d.s.JSONText(d.s.Doc); !draft || !strings.Contains(text, "[}") {
		t.Error("what was typed is lost")
	}
	good := strings.Replace(string(was.Marshal(true)), `"gpus": 2`, `"gpus": 1`, 1)
	d.do(TypedJSON{good})
	d.do(ApplyJSON{})
	d.pass(1000)
	if d.s.Doc == was || d.s.Notice != nil || d.s.Status() != "ready" {
		t.Errorf("good JSON is not taken: %+v, %s", d.s.Notice, d.s.Status())
	}
	d.do(Undo{})
	if d.s.Doc != was {
		t.Error("applying JSON cannot be undone")
	}
}

func TestPresetLoadIsUndoneExactly(t *testing.T) {
	d := newDesk(t)
	d.edit(edit.SetGPUs{Node: 0, N: 1, Type: "v100"})
	was := d.s.Doc
	d.do(LoadPreset{d.s.Boot.Presets[1].Name})
	d.pass(1000)
	if d.s.History.Stands().Preset != d.s.Boot.Presets[1].Name || d.s.History.Stands().Edited || d.s.Toast == nil ||
		!d.s.Toast.Undo {
		t.Fatalf("preset %q, toast %+v", d.s.History.Stands().Preset, d.s.Toast)
	}
	d.do(Undo{})
	if d.s.Doc != was || !d.s.History.Stands().Edited || d.s.History.Stands().Preset != d.s.Boot.Presets[0].Name {
		t.Error("undo does not bring the edited scenario back")
	}
}

func TestEveryPresetRuns(t *testing.T) {
	d := newDesk(t)
	if len(d.s.Boot.Presets) < 3 {
		t.Errorf("%d presets, want three", len(d.s.Boot.Presets))
	}
	for _, p := range d.s.Boot.Presets {
		d.do(LoadPreset{p.Name})
		d.pass(1000)
		if d.s.Status() != "ready" || p.Question == "" {
			t.Errorf("%s: status %s, question %q", p.Name, d.s.Status(), p.Question)
		}
	}
}

func TestLinkOpensAndBadLinkKeepsWhatStands(t *testing.T) {
	d := newDesk(t)
	d.edit(edit.SetGPUs{Node: 0, N: 1, Type: "v100"})
	hash := d.hash(0)
	d.do(OpenShare{})
	link := d.s.Share.Link
	for _, e := range d.log {
		if _, ok := e.(Post); ok {
			t.Fatal("opening the share dialog sends something")
		}
	}

	other := newDesk(t)
	other.do(Moved{Address: link, Open: OpenLink{Address: link, Link: strings.TrimPrefix(link, "/#"), Start: true}})
	other.pass(1000)
	if other.hash(0) != hash || other.s.History.Stands().Address != link || other.s.History.CanUndo() {
		t.Errorf("the link opens as something else: origin %q", other.s.History.Stands().Address)
	}
	other.edit(edit.SetGPUs{Node: 0, N: 2, Type: "v100"})
	if other.s.History.Stands().Address != "" {
		t.Error("the address still claims the link after an edit")
	}

	bad := newDesk(t)
	was := bad.s.Doc
	bad.do(OpenLink{Address: "/#x", Link: strings.TrimPrefix(link, "/#")[:len(link)/2]})
	bad.pass(1000)
	if bad.s.Doc != was || bad.s.Status() != "ready" || bad.s.Notice == nil ||
		bad.s.Notice.Diags[0].Code != "link-cut" || bad.s.Notice.Diags[0].Fix.IsZero() {
		t.Errorf("notice %+v", bad.s.Notice)
	}
}
