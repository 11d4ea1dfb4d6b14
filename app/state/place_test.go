package state

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/core/jsondoc"
)

// last is the latest effect of a kind.
func last[E Effect](d *desk) (e E, ok bool) {
	for i := len(d.log) - 1; i >= 0; i-- {
		if e, ok = d.log[i].(E); ok {
			return e, true
		}
	}
	return e, false
}

// TestCursorAndFieldMeet: the cursor of the text leads to a field, and the field that had the focus to its part of the
// text.
func TestCursorAndFieldMeet(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	d.edit(edit.Rename{Title: "Jöbs € 😀"})
	d.do(ToggleEditor{})
	d.do(ShowJSON{On: true, Field: "/scenario/jobs/3/gpus"})
	text, _ := d.s.JSONText(d.s.Doc)
	at, ok := last[Point](d)
	if !ok || at.Path != "" || text[at.From:at.To] != "4" || !strings.HasSuffix(text[:at.From], `"gpus": `) ||
		strings.Count(text[:at.From], `"id": "j`) != 4 {
		t.Fatalf("selected is %q after %q", text[at.From:at.To], text[max(0, at.From-60):at.From])
	}
	for needle, want := range map[string][2]string{`"n2"`: {"/scenario/cluster/nodes/1/id", ""},
		`"j5"`: {"/scenario/jobs/4/id", " j5"}, `5800`: {"/scenario/jobs/4/steps", " steps of j5"},
		`"source"`: {"/scenario/throughputs/rows/0/source", ""}, "😀": {"/meta/title", ""}} {
		d.do(Caret{strings.Index(text, needle)})
		if got := [2]string{d.s.View.Place, strings.TrimPrefix(d.s.PlaceWords(), "At the cursor:")}; got != want {
			t.Errorf("at %s stands %q, want %q", needle, got, want)
		}
		if d.s.Announcement != d.s.PlaceWords()+" "+want[0] {
			t.Errorf("at %s it says %q", needle, d.s.Announcement)
		}
		d.do(ShowPlace{Path: d.s.View.Place, Form: true})
		if f, _ := last[Point](d); f.Path != want[0] || d.s.View.JSON {
			t.Errorf("the form is not shown at %q: %+v", want[0], f)
		}
		d.do(ShowJSON{On: true}) // no field had the focus: back to where the cursor was
		if sel, _ := last[Point](d); sel.Path != "" || !strings.Contains(text[sel.From:sel.To],
			strings.Trim(needle, `"`)) && needle != `"source"` {
			t.Errorf("back at %s %q is selected", needle, text[sel.From:sel.To])
		}
	}
	d.do(Caret{0})
	d.s.Announcement = "before"
	d.do(Caret{strings.Index(text, `"source"`)})
	if d.s.Announcement == "before" {
		t.Error("a move to another value is not told")
	}
	d.s.Announcement = "before"
	d.do(Caret{strings.Index(text, `"source"`) + 3})
	if d.s.Announcement != "before" {
		t.Error("a move within a value is told")
	}
	d.do(Caret{0})
	d.do(ShowPlace{Form: true})
	if f, _ := last[Point](d); f.Path != "/scenario" {
		t.Errorf("the whole is shown at %q", f.Path)
	}
	d.do(ShowJSON{On: true})
	d.do(TypedJSON{`{"scenario": {"jobs": [{"gpus": 2`})
	d.do(Caret{33})
	if d.s.View.Place != "/scenario/jobs/0/gpus" || d.s.PlaceWords() != "At the cursor:" {
		t.Errorf("in a text that is being typed the cursor is at %q, %q", d.s.View.Place, d.s.PlaceWords())
	}
	n := len(d.log)
	d.do(ShowPlace{Path: "/scenario/jobs/0/gpus"})
	if len(d.log) != n {
		t.Error("something is selected in a text that is no JSON")
	}
}

// TestAProblemIsShown: where the form is open it turns to the job's page, where the text is open its part is selected,
// and where neither is the editor opens.
func TestAProblemIsShown(t *testing.T) {
	d := newDesk(t)
	doc := d.s.Doc.Clone()
	for len(doc.Scenario.Jobs) < 3*JobRows {
		edit.AddJob{}.Change(doc)
	}
	doc.Scenario.Jobs[45].GPUs = 500
	d.do(Load{Doc: doc, Sentence: "many jobs"})
	i := slices.IndexFunc(d.s.Diags, func(g jsondoc.Diagnostic) bool { return g.Code == "job-too-large" })
	if i < 0 {
		t.Fatal("there is no problem to show")
	}
	path := d.s.Diags[i].Path
	d.do(ShowPlace{Path: path})
	if f, _ := last[Point](d); f.Path != path || !d.s.View.Editing || d.s.View.JSON || d.s.View.JobPage != 2 {
		t.Errorf("the field of %s is not shown: %+v, page %d", path, f, d.s.View.JobPage)
	}
	d.do(ShowJSON{On: true})
	d.do(ShowPlace{Path: path})
	text, _ := d.s.JSONText(d.s.Doc)
	if sel, _ := last[Point](d); !d.s.View.JSON || text[sel.From:sel.To] != "500" {
		t.Errorf("the text's selection is %q", text[sel.From:sel.To])
	}
	d.do(ShowPlace{Path: "/scenario/jobs/3/slo_s", Form: true})
	if !d.s.View.Deadlines || d.s.View.JobPage != 0 {
		t.Error("the column of the deadlines is not shown")
	}
}
