package state

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/share"
)

// shelf is what a browser keeps, as the host would store it.
func (d *desk) shelf() string {
	kept := ""
	for _, e := range d.log {
		if e, ok := e.(room.Store); ok && e.Name == SnapshotsName {
			kept = e.Text
		}
	}
	return kept
}

func (d *desk) names() string {
	var names []string
	for _, k := range d.s.Snapshots {
		names = append(names, k.Name)
	}
	return strings.Join(names, ", ")
}

// TestSnapshots: what is kept survives edits and other tabs, and opens with an undo; forgetting one can be undone.
func TestSnapshots(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	d.do(TakeSnapshot{Kept: d.shelf(), At: "today"})
	d.do(TakeSnapshot{Kept: d.shelf(), At: "today"})
	if got := d.names(); got != "Odd GPUs out" || !strings.Contains(d.s.Toast.Text, "already") {
		t.Fatalf("kept twice: %s, %q", got, d.s.Toast.Text)
	}
	before := string(d.s.Doc.Marshal(false))
	d.edit(edit.SetGPUs{Node: 0, N: 1, Type: "v100"})
	after := string(d.s.Doc.Marshal(false))

	other := newDesk(t) // another tab of the same browser
	other.do(LoadPreset{other.s.Boot.Presets[2].Name})
	other.pass(1000)
	other.do(TakeSnapshot{Kept: d.shelf(), At: "today"})
	d.do(TakeSnapshot{Kept: other.shelf(), At: "today"})
	if got := d.names(); got != "Odd GPUs out, changed, "+other.s.Title()+", Odd GPUs out" {
		t.Fatalf("two tabs keep %s", got)
	}
	if got := d.s.Snapshots[0].What; got != "V100 on n1: 3 to 1 GPUs" || d.s.Snapshots[2].What != "" {
		t.Errorf("what was changed is told as %q", got)
	}
	d.do(OpenSnapshot{2})
	if string(d.s.Doc.Marshal(false)) != before || !d.s.Toast.Undo {
		t.Errorf("the snapshot opens as something else: %+v", d.s.Toast)
	}
	d.do(Undo{})
	if string(d.s.Doc.Marshal(false)) != after {
		t.Error("opening a snapshot cannot be undone")
	}
	d.do(DropSnapshot{Kept: d.shelf(), Name: "Odd GPUs out"})
	if got := d.names(); strings.HasSuffix(got, "Odd GPUs out") {
		t.Errorf("kept are still %s", got)
	}
	d.do(KeepAgain{Kept: d.shelf(), Snapshot: *d.s.Toast.Forgotten})
	if got := d.names(); !strings.HasPrefix(got, "Odd GPUs out, ") || d.s.Snapshots[0].Text != before {
		t.Errorf("forgetting cannot be undone: %s", got)
	}
}

// TestSnapshotsOfHostileBrowsers: what is kept may be anything, and there may be no room.
func TestSnapshotsOfHostileBrowsers(t *testing.T) {
	d := newDesk(t)
	for _, kept := range []string{"", "null", "[", `{"a":1}`, `[{"name":7}]`, "[1]"} {
		d.do(ListSnapshots{kept})
		if len(d.s.Snapshots) != 0 {
			t.Errorf("%q gives %+v", kept, d.s.Snapshots)
		}
	}
	d.do(ListSnapshots{`[{"name":"x","text":"{"}]`})
	was := string(d.s.Doc.Marshal(false))
	d.do(OpenSnapshot{0})
	d.do(OpenSnapshot{1})
	d.do(OpenSnapshot{-1})
	if string(d.s.Doc.Marshal(false)) != was || d.s.Notice == nil || !strings.Contains(d.s.Notice.Title, "“x”") {
		t.Errorf("a broken snapshot gives %+v", d.s.Notice)
	}
	d.do(NoRoom{})
	if !strings.Contains(d.s.Toast.Text, "Save the scenario as a file") {
		t.Errorf("a full browser is told as %q", d.s.Toast.Text)
	}
	full := `[{"name":"a"}` + strings.Repeat(`,{"name":"b"}`, share.MostSnapshots-1) + "]"
	n := len(d.log)
	d.do(TakeSnapshot{Kept: full})
	if slices.ContainsFunc(d.log[n:], func(e Effect) bool { _, ok := e.(room.Store); return ok }) ||
		!strings.Contains(d.s.Toast.Text, "at most") {
		t.Errorf("one too many is kept, or told as %q", d.s.Toast.Text)
	}
	d.do(EmbedOn{})
	d.do(TakeSnapshot{})
	if len(d.s.Snapshots) != share.MostSnapshots {
		t.Error("an embed keeps something")
	}
}

// TestMoveJob: jobs change places, so that the other is the older of two that arrive together.
func TestMoveJob(t *testing.T) {
	d := newDesk(t)
	jobs := func() string { return d.s.Doc.Scenario.Jobs[0].ID + d.s.Doc.Scenario.Jobs[1].ID }
	was := jobs()
	d.edit(edit.MoveJob{Job: 0})
	if jobs() == was || d.s.History.Entries[d.s.History.Pos].Sentence != "j1 and j2 changed places" ||
		d.s.Status() != "ready" {
		t.Errorf("the jobs are %s, %q, %s", jobs(), d.s.History.Entries[d.s.History.Pos].Sentence, d.s.Status())
	}
	d.do(Undo{})
	d.edit(edit.MoveJob{Job: len(d.s.Doc.Scenario.Jobs) - 1})
	if jobs() != was {
		t.Error("undo does not put them back, or the last one moves")
	}
}
