package state

import (
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/learn"
	"hadarlab/core/scenario"
)

// TestLinkKeepsTheView: the dialog offers it once the cursor was moved, the link opens on it, and a link to
// what is not there opens as usual.
func TestLinkKeepsTheView(t *testing.T) {
	d := newDesk(t)
	d.do(OpenShare{})
	if d.s.Share.KeepView || strings.Contains(d.s.Share.Address(), "&v=") {
		t.Errorf("nothing was moved, and the link is %s", d.s.Share.Address())
	}
	plain := d.s.Share.Address()
	d.do(CloseShare{})
	d.do(Go{To: d.s.View.Moment + 3})
	d.do(ChooseChart{"queue"})
	d.do(ZoomBy{0.5})
	d.do(Select{"j3"})
	d.do(ExplainLane{1})
	was := d.s.View
	d.do(OpenShare{})
	link := d.s.Share.Address()
	if !d.s.Share.KeepView || !strings.HasPrefix(link, plain+"&v=c") {
		t.Fatalf("the link is %s", link)
	}
	if code := d.s.Share.EmbedCode(""); !strings.Contains(code, link[1:]) {
		t.Errorf("the frame's code is %s", code)
	}
	d.do(MakeShort{})
	d.do(Posted{Status: 201, Body: []byte(`{"id":"abc","text":"def","url":"/s/abc-def"}`)})
	if s := &d.s.Share; s.ShortAddress() != "/s/abc-def#v="+s.View ||
		!strings.Contains(s.EmbedCode(""), `"/e/abc-def#v=`) {
		t.Errorf("the short link is %s, the frame's code %s", s.ShortAddress(), s.EmbedCode(""))
	}
	short := newDesk(t)
	short.do(OpenShort{Address: "/s/abc-def", ID: "abc-def", View: d.s.Share.View})
	short.do(Fetched{ID: "abc-def", Status: 200, Body: d.s.Doc.Marshal(false)})
	short.pass(1000)
	if v := &short.s.View; v.Moment != was.Moment || v.Job != "j3" || v.Zoom != was.Zoom {
		t.Errorf("the short link opens on %+v, was %+v", *v, was)
	}
	d.do(KeepView{false})
	if d.s.Share.Address() != plain {
		t.Error("the box does not take the view away")
	}

	other := newDesk(t)
	other.do(OpenLink{Address: link, Link: link})
	other.pass(1000)
	v := &other.s.View
	if v.Moment != was.Moment || v.Tab != "queue" || v.Zoom != was.Zoom || v.Job != "j3" || v.WhyLane != 1 {
		t.Errorf("the link opens on %+v, was %+v", *v, was)
	}
	if !v.Peek {
		t.Error("what the link points at is not told of")
	}
	beside := newDesk(t)
	beside.do(Seen{VisiblePanels{Why: true}})
	beside.do(OpenLink{Address: link, Link: link})
	beside.pass(1000)
	if beside.s.View.Peek {
		t.Error("what the link points at is told twice")
	}
	if other.s.Doc.ID(other.s.Defaults) != d.s.Doc.ID(d.s.Defaults) {
		t.Error("a view moves the identity")
	}
	other.edit(edit.SetGPUs{Node: 0, N: 1, Type: "v100"})
	other.do(ChooseChart{"busy"})
	other.edit(edit.SetGPUs{Node: 0, N: 2, Type: "v100"})
	if other.s.View.Tab != "busy" {
		t.Error("a link's view comes back after an edit")
	}

	wrong := newDesk(t)
	wrong.do(OpenLink{Address: "/", Link: plain + "&v=c99999999999.z888888888-999999999.knone.wc.jnobody"})
	wrong.pass(1000)
	if wrong.s.Status() != "ready" || wrong.s.View.Tab != newDesk(t).s.View.Tab || !wrong.s.View.Zoom.Whole() ||
		wrong.s.View.WhyLane != 0 || wrong.s.View.Job == "nobody" {
		t.Errorf("a wrong view gives %+v", wrong.s.View)
	}
}

// TestBareShortLinkOfAPreset: a scenario's id alone comes without a text; what the page knows of its own presets, it
// says all the same.
func TestBareShortLinkOfAPreset(t *testing.T) {
	d := newDesk(t)
	want := d.s.Boot.Preset(d.s.Doc.ID(d.s.Defaults), d.s.Defaults)
	bare := want.Clone()
	bare.Meta = scenario.Meta{}
	d.do(OpenShort{Address: "/s/abc", ID: "abc"})
	d.do(Fetched{ID: "abc", Status: 200, Body: bare.Marshal(false)})
	d.pass(1000)
	if got := d.s.Doc.Meta; got.Title != want.Meta.Title || got.Question != want.Meta.Question || got.Title == "" {
		t.Errorf("it opens as %+v", got)
	}
}

// TestLinkPredictsFirst: the reader of such a link, in any form and in an embed, is asked before anything tells the
// result; what is looked at comes with it, the identity stays, and the choice can be taken back.
func TestLinkPredictsFirst(t *testing.T) {
	d := newDesk(t)
	d.do(LoadPreset{"sixty-measured-jobs"})
	d.pass(1000)
	d.do(Go{To: 3})
	d.do(OpenShare{})
	plain := d.s.Share.Link
	d.do(KeepView{false})
	d.do(PredictLink{true})
	s := &d.s.Share
	if s.Address() != plain+"&v=p" {
		t.Fatalf("the link is %s", s.Address())
	}
	d.do(KeepView{true})
	whole := s.Address()
	if whole != plain+"&v=p."+s.View {
		t.Fatalf("with the view the link is %s", whole)
	}
	d.do(MakeShort{})
	d.do(Posted{Status: 201, Body: []byte(`{"id":"abc","url":"/s/abc"}`)})
	if s.ShortAddress() != "/s/abc#v=p."+s.View || !strings.Contains(s.EmbedCode(""), `"/e/abc#v=p.`) {
		t.Errorf("the short link is %s, the frame's code %s", s.ShortAddress(), s.EmbedCode(""))
	}
	sixty := d.s.Doc.Marshal(false)
	for name, open := range map[string]func(d *desk){
		"link":    func(d *desk) { d.do(OpenLink{Address: whole, Link: whole, Start: true}) },
		"escaped": func(d *desk) { d.do(OpenLink{Address: "/", Link: strings.Replace(whole, "&v=", "%26v%3D", 1)}) },
		"short": func(d *desk) {
			d.do(OpenShort{Address: "/s/abc", ID: "abc", View: "p"})
			d.do(Fetched{ID: "abc", Status: 200, Body: sixty})
		},
	} {
		for _, embed := range []bool{false, true} {
			o := newDesk(t)
			if embed {
				o.do(EmbedOn{})
			}
			o.held = true
			open(o)
			if p := &o.s.Predict; !p.On || !p.Covered {
				t.Fatalf("%s: it opens with %+v", name, *p)
			}
			o.held = false
			o.answer()
			o.pass(2000)
			claim := o.s.Result.Finding.Claim
			if !o.s.Fresh() || strings.Contains(o.s.Announcement, claim) ||
				o.s.Toast != nil && o.s.Toast.Text == claim {
				t.Errorf("%s: it says %q", name, o.s.Announcement)
			}
			if o.s.Doc.ID(o.s.Defaults) != d.s.Doc.ID(d.s.Defaults) {
				t.Errorf("%s: the choice moves the identity", name)
			}
			o.do(Guess{learn.SideFirst})
			if p := &o.s.Predict; p.Covered || !strings.HasPrefix(p.Verdict, "You were right: ") || p.All != 1 {
				t.Errorf("%s: after the guess %+v", name, *p)
			}
			again := newDesk(t)
			again.s.Embed = embed
			open(again)
			if again.do(Uncover{}); again.s.Predict.Covered || again.s.Predict.On == embed {
				t.Errorf("%s: shown unasked, %+v", name, again.s.Predict)
			}
		}
	}
	d.do(PredictLink{false})
	if strings.Contains(s.Address(), "v=p") {
		t.Errorf("the box does not take it away: %s", s.Address())
	}
}
