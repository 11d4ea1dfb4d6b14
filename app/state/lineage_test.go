package state

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/core/scenario"
)

func TestLineageOfSharedScenario(t *testing.T) {
	d := newDesk(t)
	d.do(OpenShare{})
	if d.s.Share.Lineage != nil {
		t.Errorf("an unchanged preset claims to be derived: %+v", d.s.Share.Lineage)
	}
	d.do(CloseShare{})
	origin, title := d.s.Doc.ID(d.s.Defaults), d.s.Title()
	d.edit(edit.SetGPUs{Node: 0, N: 1, Type: "v100"})
	d.do(OpenShare{})
	l := d.s.Share.Lineage
	if l == nil || l.ID != origin || l.Title != title || len(l.Changes) != 1 ||
		!strings.Contains(l.Changes[0].Words, "V100 on n1: 3 to 1 GPUs") {
		t.Fatalf("before sharing: %+v", l)
	}
	if code := d.s.Share.EmbedCode("https://lab.example"); !strings.Contains(code, `src="https://lab.example/e#1d.`) {
		t.Errorf("the code of the frame is %s", code)
	}

	// Whoever opens the link sees the same list; a further edit is told from the preset on.
	e := newDesk(t)
	e.do(OpenLink{Address: d.s.Share.Link, Link: d.s.Share.Link})
	e.pass(1000)
	if got := e.s.Lineage; got == nil || got.Title != title || len(got.Changes) != 1 || got.Changes[0] != l.Changes[0] {
		t.Fatalf("after opening: %+v", got)
	}
	e.edit(edit.SetGPUs{Node: 1, N: 1, Type: "p100"})
	if e.s.Lineage != nil {
		t.Error("the list stands beside a scenario that has moved on")
	}
	e.do(OpenShare{})
	if got := e.s.Share.Lineage; got == nil || got.ID != origin || len(got.Changes) != 2 {
		t.Errorf("shared on: %+v", got)
	}

	// A member that was absent had its default, and is told with it.
	e.edit(edit.SetFigure{Figure: edit.RunForm()[edit.Round], Value: 2880})
	e.do(OpenShare{})
	if got := e.s.Share.Lineage; !slices.ContainsFunc(got.Changes,
		func(c scenario.Difference) bool { return c.Words == "Round length: 360 to 2,880 s" }) {
		t.Errorf("another round is told as %+v", got.Changes)
	}

	// An origin that nobody here knows is named, and nothing is asked for.
	stranger := d.s.Doc.Clone()
	stranger.Meta.DerivedFrom = "0123456789ab"
	if got := d.s.lineageOf(stranger); got == nil || got.Known || got.ID != "0123456789ab" || got.Changes != nil {
		t.Errorf("an unknown origin: %+v", got)
	}
}

// TestShortIDsKeepTheOrigin: what is stored under a short id names what it was made from.
func TestShortIDsKeepTheOrigin(t *testing.T) {
	d := newDesk(t)
	origin := d.s.Doc.ID(d.s.Defaults)
	d.edit(edit.SetGPUs{Node: 0, N: 1, Type: "v100"})
	d.do(OpenShare{})
	d.do(MakeShort{})
	post, ok := d.log[len(d.log)-1].(Post)
	if !ok {
		t.Fatalf("%T instead of a post", d.log[len(d.log)-1])
	}
	doc, _ := scenario.Parse(post.Body, scenario.FileLimits)
	if doc == nil || doc.Meta.DerivedFrom != origin || doc.ID(d.s.Defaults) != d.s.Doc.ID(d.s.Defaults) {
		t.Errorf("posted %s, want it to be made from %s", post.Body, origin)
	}
}
