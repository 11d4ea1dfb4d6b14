package state

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/core/link"
	"hadarlab/core/scenario"
)

// tab is a desk in a browser's tab: it has an address, goes back and forward, and can be reloaded.
type tab struct {
	*desk
	places []visit // of the browser's history
	at     int
	seen   int                // effects that the browser has carried out
	stored map[string][]byte  // by the ids of short links
	links  map[string]*string // texts by address
}

func newTab(t *testing.T) *tab {
	b := &tab{desk: newDesk(t), places: []visit{{Address: "/"}}, stored: map[string][]byte{},
		links: map[string]*string{}}
	b.arrive()
	return b
}

// does does an action, as the browser sees it.
func (b *tab) does(a Action) {
	b.t.Helper()
	b.do(a)
	for ; b.seen < len(b.log); b.seen++ {
		switch e := b.log[b.seen].(type) {
		case room.SetAddress:
			if e.Path == "" {
				e.Path = b.places[b.at].Address
			}
			if e.Push {
				b.at++
			}
			b.places = append(b.places[:b.at], append([]visit{{e.Path, e.Opening}},
				b.places[min(b.at+1, len(b.places)):]...)...)
			if e.Push {
				b.places = b.places[:b.at+1]
			}
		case Fetch:
			if body := b.stored[e.ID]; body != nil {
				b.seen++
				b.does(Fetched{ID: e.ID, Status: 200, Body: body})
				b.seen--
			}
		}
	}
	b.agrees()
}

// agrees holds that an address which says a scenario stands only while it does.
func (b *tab) agrees() {
	b.t.Helper()
	now, address := b.s.History.Stands(), b.places[b.at].Address
	if b.s.Fetching() || b.s.Notice != nil {
		return
	}
	if want := now.Address; address != want && (want != "" || b.says(address) != nil) {
		b.t.Fatalf("the address is %s while %q stands, which is at %q", address, now.Sentence, want)
	}
	if now.Doc != b.s.Doc || b.s.History.Stands().Address != now.Address || b.places[b.at].Opening != now.Opening {
		b.t.Fatalf("the history is not at what stands: %+v at %+v", now, b.places[b.at])
	}
}

// says is what an address has opened, nil = nothing.
func (b *tab) says(address string) Action {
	switch {
	case strings.HasPrefix(address, "/#"):
		return OpenLink{Address: address, Link: address[2:]}
	case strings.HasPrefix(address, "/s/"):
		return OpenShort{Address: address, ID: address[3:]}
	}
	return nil
}

func (b *tab) arrive() {
	b.t.Helper()
	b.does(Moved{Address: b.places[b.at].Address, Opening: b.places[b.at].Opening,
		Open: b.says(b.places[b.at].Address)})
}

// visits follows a link.
func (b *tab) visits(address string) {
	b.t.Helper()
	b.at++
	b.places = append(b.places[:b.at], visit{Address: address})
	b.arrive()
}

// goes goes back or forward.
func (b *tab) goes(by int) {
	b.t.Helper()
	if to := b.at + by; to >= 0 && to < len(b.places) {
		b.at = to
		b.arrive()
	}
}

// reloads begins a new page in the tab.
func (b *tab) reloads() {
	b.t.Helper()
	var k *Kept
	for _, e := range b.log {
		if s, ok := e.(Save); ok {
			k = &s.Kept
		}
	}
	b.desk, b.seen = newDesk(b.t), 0
	if k != nil {
		r := Restore{reloaded(b.t, *k)}
		b.do(r)
		b.log = append([]Effect{Save{r.Kept}}, b.log...) // it is still kept
	}
	b.arrive()
}

func (b *tab) text() string { return string(b.s.Doc.Marshal(false)) }

// link is an address that says a preset with another seed.
func (b *tab) link(n int) string {
	b.t.Helper()
	doc, _ := scenario.Parse(b.s.Boot.Docs[n%len(b.s.Boot.Docs)], scenario.FileLimits)
	doc.Scenario.Seed = uint64(100 + n)
	return "/#" + link.Encode(doc, b.s.Defaults)
}

// short stores such a scenario, and is the address.
func (b *tab) short(n int) string {
	b.t.Helper()
	doc, _ := link.Decode(b.link(n))
	id := fmt.Sprintf("short%d", n)
	b.stored[id] = doc.Marshal(false)
	return "/s/" + id
}

// ways are all ways in which another scenario comes into the page.
func (b *tab) ways() map[string]func() {
	doc, _ := link.Decode(b.link(7))
	return map[string]func(){
		"link":    func() { b.visits(b.link(4)) },
		"short":   func() { b.visits(b.short(5)) },
		"escaped": func() { b.does(OpenLink{Address: "/o", Link: b.link(6)[2:], Logged: true}) },
		"preset":  func() { b.does(LoadPreset{b.s.Boot.Presets[2].Name}) },
		"card":    func() { b.does(OpenGallery{}); b.does(OpenCard{b.s.Boot.Presets[3].Name}) },
		"file":    func() { b.does(OpenFile{Name: "x.json", Data: doc.Marshal(true)}) },
		"snapshot": func() {
			b.does(TakeSnapshot{})
			b.does(LoadPreset{b.s.Boot.Presets[1].Name})
			b.does(ListSnapshots{b.snapshots()})
			b.does(OpenSnapshot{0})
		},
		"trace": func() {
			b.does(OpenFile{Name: "jobs.csv", Data: []byte("id,model,gpus,steps\na,resnet-50,1,500\n")})
			b.does(UseImport{})
		},
		"text": func() {
			b.does(TypedJSON{string(doc.Marshal(true))})
			b.does(ApplyJSON{})
		},
		"late": func() {
			b.does(OpenFile{Name: "x.json", Data: doc.Marshal(true), Since: b.s.History.Stands().ID + 1})
			if b.s.Offer == nil {
				b.t.Fatal("what came late is not offered")
			}
			b.does(TakeOffer{})
		},
	}
}

func (b *tab) snapshots() string {
	for _, e := range slices.Backward(b.log) {
		if s, ok := e.(room.Store); ok {
			return s.Text
		}
	}
	return ""
}

// TestOpeningIsOneUndoableCommand: whatever way a scenario comes into the page, one undo brings back exactly what was
// there, and the toast offers it; one redo opens it again.
func TestOpeningIsOneUndoableCommand(t *testing.T) {
	for way := range newTab(t).ways() {
		t.Run(way, func(t *testing.T) {
			b := newTab(t)
			b.does(Do{edit.SetGPUs{Node: 0, N: 1, Type: "v100"}})
			before, preset := b.text(), b.s.History.Stands().Preset
			if way == "snapshot" {
				before, preset = string(b.s.Boot.Docs[1]), b.s.Boot.Presets[1].Name
				doc, _ := scenario.Parse([]byte(before), scenario.FileLimits)
				before = string(doc.Marshal(false))
			}
			b.ways()[way]()
			after := b.text()
			if after == before || b.s.Toast == nil || !b.s.Toast.Undo {
				t.Fatalf("opened, the toast is %+v", b.s.Toast)
			}
			b.does(Undo{})
			if b.text() != before || b.s.History.Stands().Preset != preset ||
				b.s.History.Stands().Edited != (way != "snapshot") || b.s.Toast != nil {
				t.Errorf("undone, it is %s of %s, edited %v", b.text(), b.s.History.Stands().Preset,
					b.s.History.Stands().Edited)
			}
			b.does(Redo{})
			if b.text() != after {
				t.Errorf("redone, it is %s", b.text())
			}
			b.reloads()
			b.does(Undo{})
			if b.text() != before {
				t.Errorf("undone after a reload, it is %s", b.text())
			}
		})
	}
}

// TestBackAndForward walk the scenarios that were opened, each as it was left, with its own address.
func TestBackAndForward(t *testing.T) {
	b := newTab(t)
	a, second := b.link(1), b.short(2)
	b.visits(a)
	b.does(Do{edit.SetGPUs{Node: 0, N: 1, Type: "v100"}})
	edited := b.text()
	b.visits(second)
	opened := b.text()
	b.does(LoadPreset{b.s.Boot.Presets[3].Name})
	preset := b.text()
	for range 2 {
		b.goes(-1)
		if b.text() != opened || b.places[b.at].Address != second {
			t.Errorf("back from the preset it is %s", b.text())
		}
		b.goes(-1)
		if b.text() != edited || b.places[b.at].Address != "/" {
			t.Errorf("back from the short link it is %s", b.text())
		}
		b.reloads()
		b.goes(1)
		b.goes(1)
		if b.text() != preset {
			t.Errorf("forward again it is %s", b.text())
		}
	}
	b.goes(-1)
	b.goes(-1)
	b.does(Undo{})
	if b.places[b.at].Address != a {
		t.Errorf("with its edit undone, the link's address is %s", b.places[b.at].Address)
	}
	b.goes(1)
	b.goes(-1)
	if b.places[b.at].Address != a || b.text() == edited {
		t.Error("a scenario is not as it was left")
	}
	b.does(Redo{})
	b.does(Do{edit.SetGPUs{Node: 0, N: 2, Type: "v100"}}) // what is undone of it is not the reader's other scenarios
	b.goes(1)
	if b.text() != opened {
		t.Errorf("an edit has cut the scenario that was opened after: %s", b.text())
	}
}

// TestUndoAcrossAnOpening: the address goes with the scenario, and Back still has somewhere to go.
func TestUndoAcrossAnOpening(t *testing.T) {
	b := newTab(t)
	b.visits(b.link(1))
	b.does(Do{edit.SetGPUs{Node: 0, N: 1, Type: "v100"}})
	edited := b.text()
	b.visits(b.link(2))
	b.does(Undo{})
	if b.text() != edited || b.places[b.at].Address != "/" {
		t.Errorf("undone, %s stands at %s", b.text(), b.places[b.at].Address)
	}
	b.goes(-1)
	if b.text() != edited {
		t.Errorf("back, it is %s", b.text())
	}
	b.does(Redo{})
	if b.places[b.at].Address != b.link(2) {
		t.Errorf("redone, it is at %s", b.places[b.at].Address)
	}
}

// TestNothingIsLost is the law: through any sequence of edits, openings, undo, redo, Back, Forward and reloads the
// address and the scenario agree, undo after an opening brings back exactly what was there, and every scenario is still
// in the history as it was left.
func TestNothingIsLost(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 4))
		b := newTab(t)
		var said []string
		left := map[string]bool{} // texts that stood when something else was opened
		for range 40 {
			before := b.text()
			opens := func(how func()) {
				how()
				if b.text() == before {
					return
				}
				left[before] = true
				after := b.text()
				b.does(Undo{})
				if b.text() != before {
					t.Fatalf("seed %d, %v: undo after the opening brings back another scenario", seed, said)
				}
				b.does(Redo{})
				if b.text() != after {
					t.Fatalf("seed %d, %v: redo opens another scenario", seed, said)
				}
			}
			n := r.IntN(12)
			switch what := r.IntN(11); what {
			case 0, 1, 2:
				said = append(said, "edit")
				b.does(Do{edit.SetGPUs{Node: r.IntN(2), N: r.IntN(6) + 1, Type: "v100"}})
			case 3:
				said = append(said, "link")
				opens(func() { b.visits(b.link(n)) })
			case 4:
				said = append(said, "short")
				opens(func() { b.visits(b.short(n)) })
			case 5:
				said = append(said, "preset")
				opens(func() { b.does(LoadPreset{b.s.Boot.Presets[n%len(b.s.Boot.Presets)].Name}) })
			case 6:
				said = append(said, "undo")
				b.does(Undo{})
			case 7:
				said = append(said, "redo")
				b.does(Redo{})
			case 8:
				said = append(said, "back")
				b.goes(-1)
			case 9:
				said = append(said, "forward")
				b.goes(1)
			case 10:
				said = append(said, "reload")
				b.reloads()
				if b.text() != before {
					t.Fatalf("seed %d, %v: after the reload another scenario stands", seed, said)
				}
			}
		}
		pos := b.s.History.Pos
		for b.s.History.CanUndo() {
			b.does(Undo{})
		}
		for more := true; more; {
			delete(left, b.text())
			if more = b.s.History.CanRedo(); more {
				b.does(Redo{})
			}
		}
		if len(left) > 0 {
			t.Fatalf("seed %d, %v, at %d: %d scenarios that stood when others were opened are lost", seed, said, pos,
				len(left))
		}
	}
}

// TestLateAnswersOverwriteNothing: what was asked for before an edit is offered, and taken or not.
func TestLateAnswersOverwriteNothing(t *testing.T) {
	b := newTab(t)
	doc, _ := link.Decode(b.link(3))
	b.visits("/s/slow")
	b.does(Do{edit.SetGPUs{Node: 0, N: 1, Type: "v100"}})
	edited, was := b.text(), b.s.Doc
	b.does(Fetched{ID: "slow", Status: 200, Body: doc.Marshal(false)})
	if b.s.Doc != was || b.s.Offer == nil || b.s.Fetching() || b.places[b.at].Address != "/" ||
		!strings.Contains(b.s.Announcement, doc.Meta.Title) {
		t.Fatalf("a late answer: %s at %s, offered %+v", b.text(), b.places[b.at].Address, b.s.Offer)
	}
	b.does(Do{edit.SetGPUs{Node: 1, N: 2, Type: "p100"}})
	b.does(Undo{})
	if b.pass(60_000); b.s.Offer == nil {
		t.Error("the offer is gone before it was answered")
	}
	b.does(TakeOffer{})
	if b.text() != string(doc.Marshal(false)) || b.places[b.at].Address != "/s/slow" || b.s.Offer != nil {
		t.Errorf("taken, %s stands at %s", b.text(), b.places[b.at].Address)
	}
	b.does(Undo{})
	if b.text() != edited {
		t.Errorf("undone, %s stands", b.text())
	}
	b.does(OpenFile{Name: "x.json", Data: doc.Marshal(true), Since: b.s.History.Stands().ID + 1})
	b.does(DropOffer{})
	if b.text() != edited || b.s.Offer != nil {
		t.Errorf("not taken, %s stands", b.text())
	}

	b.visits("/s/slow")
	b.visits(b.link(5))
	stands := b.text()
	b.does(Fetched{ID: "slow", Status: 200, Body: doc.Marshal(false)})
	if b.text() != stands || b.s.Offer != nil {
		t.Error("the answer for an address that was left is opened or offered")
	}
}

// TestLateTableOfJobs: rows that were read with a cluster which was edited since are read again with the edited one.
func TestLateTableOfJobs(t *testing.T) {
	d := newDesk(t)
	s := d.s
	effects := s.Reduce(OpenFile{Name: "jobs.csv", Data: []byte("id,model,gpus,steps\na,resnet-50,1,500\n")})
	late := imported(t, effects[0].(room.Ask).Request)
	d.do(Do{edit.SetGPUs{Node: 0, N: 7, Type: "v100"}})
	d.do(late)
	if s.Import == nil || s.Import.Reading {
		t.Fatalf("it is not read again: %+v", s.Import)
	}
	d.do(UseImport{})
	if got := s.Doc.Scenario.Cluster.Nodes[0].GPUs["v100"]; got != 7 || len(s.Doc.Scenario.Jobs) != 1 {
		t.Errorf("the jobs came with %d GPUs", got)
	}
}

// TestLateShortLink: the address of a scenario that was changed since is not shown as the present one's.
func TestLateShortLink(t *testing.T) {
	d := newDesk(t)
	d.do(OpenShare{})
	d.do(MakeShort{})
	d.do(CloseShare{})
	d.do(Do{edit.SetGPUs{Node: 0, N: 7, Type: "v100"}})
	d.do(OpenShare{})
	d.do(Posted{Status: 201, Body: []byte(`{"id":"abc","url":"/s/abc"}`)})
	if d.s.Share.Short != "" || d.s.Share.Posting {
		t.Errorf("the short link of what stood before is shown: %q", d.s.Share.Short)
	}
}

// TestWhatIsKeptIsBounded: of a history that does not fit the oldest steps are dropped, never what stands.
func TestWhatIsKeptIsBounded(t *testing.T) {
	b := newTab(t)
	b.does(Do{edit.Rewrite{Sentence: "notes", Make: func(d *scenario.Document) {
		d.Meta.Extra = map[string]json.RawMessage{"x": []byte(`"` + strings.Repeat("x", edit.MaxKept/4) + `"`)}
	}}})
	for n := range 9 {
		b.does(Do{edit.SetGPUs{Node: 0, N: n + 1, Type: "v100"}})
	}
	text := b.text()
	b.reloads()
	undone := 0
	for b.s.History.CanUndo() {
		b.does(Undo{})
		undone++
	}
	if undone != 2 { // three documents of a quarter and a little more
		t.Errorf("%d steps are kept", undone)
	}
	for b.s.History.CanRedo() {
		b.does(Redo{})
	}
	if b.text() != text {
		t.Error("another scenario stood after the reload")
	}
	b.does(Do{edit.Rewrite{Sentence: "more", Make: func(d *scenario.Document) {
		d.Meta.Extra = map[string]json.RawMessage{"x": []byte(`"` + strings.Repeat("x", 2*edit.MaxKept) + `"`)}
	}}})
	text = b.text()
	if b.reloads(); b.text() != text || b.s.History.CanUndo() {
		t.Error("what stands is not kept because it is large")
	}
}

// TestUndoShowsNothingThatWasNotPredicted: of two edits in a row neither is uncovered by undo, redo, Back or a reload.
func TestUndoShowsNothingThatWasNotPredicted(t *testing.T) {
	b := newTab(t)
	b.does(TogglePredict{})
	b.does(Do{edit.SetGPUs{Node: 0, N: 1, Type: "v100"}})
	b.does(Do{edit.SetGPUs{Node: 0, N: 2, Type: "v100"}})
	for name, do := range map[string]func(){"undo": func() { b.does(Undo{}) }, "redo": func() { b.does(Redo{}) },
		"reload":        b.reloads,
		"open and back": func() { b.visits(b.link(3)); b.goes(-1) },
		"open and undo": func() { b.visits(b.link(4)); b.does(Undo{}) }} {
		do()
		b.pass(1000)
		if b.s.History.Stands().Edited && !b.s.Predict.Covered {
			t.Errorf("%s gives it away", name)
		}
	}
	for b.s.History.CanRedo() {
		b.does(Redo{})
	}
	for b.s.History.Stands().Address != "" || !b.s.History.Stands().Edited {
		b.does(Undo{})
	}
	b.does(Uncover{})
	b.does(Undo{})
	b.does(Redo{})
	if b.s.Predict.Covered {
		t.Error("what was seen is covered again")
	}
}
