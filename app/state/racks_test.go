package state

import (
	"strings"
	"testing"

	"hadarlab/app/edit"
)

// Every edit has its sentence, gives a scenario that runs, and is undone exactly.
func TestNodesAndRacksAreEdited(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	for _, c := range []struct {
		edit edit.Edit
		says string
	}{
		{edit.RenameNode{Node: 0, ID: " fast "}, "Node n1 renamed to fast"},
		{edit.CopyNode{Node: 0}, "n5 added, a copy of fast: 3 × V100"},
		{edit.SetRack{Node: 4, Rack: ""}, "n4 moved from rack r1 to r2"},
		{edit.SetRack{Node: 0, Rack: "r2"}, "fast moved from rack r1 to r2"},
		{edit.AddRack{}, "Rack r3 added with n6: 2 × K80"},
		{edit.CopyRack{Rack: "r2"}, "Rack r4 added, a copy of r2: 2 nodes"},
		{edit.RenameRack{Rack: "r4", Name: "spare"}, "Rack r4 renamed to spare"},
		{edit.RenameRack{Rack: "spare", Name: "r3"}, "Rack spare joined to r3"},
		{edit.RemoveRack{Rack: "r3"}, "Rack r3 removed with 3 nodes"},
		{edit.AddRow{Row: 0}, "model-3 added to the throughputs"},
		{edit.RenameModel{Row: 0, Name: "vision"}, "Model resnet-50, batch 64 renamed to vision, 3 jobs with it"},
		{edit.RemoveRow{Row: 1}, "model-3 removed from the throughputs"},
		{edit.MoveLane{Lane: 0}, "Lanes A and B changed places"},
	} {
		was := string(d.s.Doc.Marshal(false))
		d.edit(c.edit)
		if got := d.s.History.Entries[d.s.History.Pos].Sentence; got != c.says {
			t.Errorf("the history says %q, want %q", got, c.says)
		}
		if d.s.Status() != "ready" {
			t.Errorf("%s: %s, %+v", c.says, d.s.Status(), d.s.Diags.Errors())
		}
		is := string(d.s.Doc.Marshal(false))
		d.do(Undo{})
		if string(d.s.Doc.Marshal(false)) != was {
			t.Errorf("%s: undo does not bring the document back", c.says)
		}
		d.do(Redo{})
		if string(d.s.Doc.Marshal(false)) != is {
			t.Errorf("%s: redo does not bring the edit back", c.says)
		}
		d.pass(1000)
	}
	if names, nodes := edit.Racks(&d.s.Doc.Scenario.Cluster); strings.Join(names, " ") != "r2 r1" || nodes[0] != 2 ||
		nodes[1] != 3 {
		t.Errorf("racks %v of %v nodes", names, nodes)
	}
	d.edit(edit.RenameNode{Node: 0, ID: "Two words"})
	if d.s.Status() != "error" || form(d.s).ProblemAt("/scenario/cluster/nodes/0/id") == "" {
		t.Errorf("status %s for a name that cannot be", d.s.Status())
	}
	d.do(Undo{})
	d.edit(edit.RenameNode{Node: 0, ID: d.s.Doc.Scenario.Cluster.Nodes[1].ID})
	if d.s.Status() != "error" {
		t.Error("two nodes of one name are let through")
	}
}
