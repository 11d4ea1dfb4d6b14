package state

import (
	"slices"
	"testing"
)

// TestRows: folding and pinning change what is seen and nothing else, and another scenario begins unfolded.
func TestRows(t *testing.T) {
	d := newDesk(t)
	s := d.s
	nodes := s.Result.Nodes()
	if s.View.RowsBy(s.Result) != RowGPU || len(nodes) < 2 {
		t.Fatalf("the page begins with rows by %q of %v", s.View.RowsBy(s.Result), nodes)
	}
	result, undo := s.Result, len(s.History.Entries)
	d.do(Fold{nodes[0]})
	if s.View.RowsBy(s.Result) != "" || s.Announcement != nodes[0]+" is folded." {
		t.Errorf("with one folded node rows are %q; it says %q", s.View.RowsBy(s.Result), s.Announcement)
	}
	d.do(Fold{nodes[0]})
	if s.View.RowsBy(s.Result) != RowGPU || s.Announcement != nodes[0]+" is unfolded." {
		t.Errorf("folded twice, rows are %q; it says %q", s.View.RowsBy(s.Result), s.Announcement)
	}
	for _, n := range nodes {
		d.do(Fold{n})
	}
	if s.View.RowsBy(s.Result) != RowNode {
		t.Errorf("with all nodes folded rows are %q", s.View.RowsBy(s.Result))
	}
	d.do(OfBar{Pin: true}) // no bar has the focus
	if len(s.View.Rows.Pinned) != 0 {
		t.Errorf("without a bar %v is pinned", s.View.Rows.Pinned)
	}
	d.do(Walk{DY: 1})
	bar := s.Result.Lanes[s.View.Bar.Lane].Chart.Bars[s.View.Bar.Index]
	d.do(OfBar{Pin: true})
	tr := s.Result.Lanes[0].Trace
	if want := []string{tr.Nodes[tr.Slots[bar.Slot].Node]}; !slices.Equal(s.View.Rows.Pinned, want) {
		t.Errorf("%v is pinned, not %v", s.View.Rows.Pinned, want)
	}
	d.do(Arrange{RowType})
	if s.View.RowsBy(s.Result) != RowType || len(s.View.Rows.Pinned) != 1 {
		t.Errorf("by type rows are %q, and %v is pinned", s.View.RowsBy(s.Result), s.View.Rows.Pinned)
	}
	if s.Result != result || len(s.History.Entries) != undo {
		t.Error("the rows' arrangement ran the scenario or was recorded as an edit")
	}
	d.do(LoadPreset{s.Boot.Presets[1].Name})
	if s.View.RowsBy(s.Result) != RowGPU || len(s.View.Rows.Pinned) != 0 {
		t.Errorf("another scenario begins with rows %q, %v pinned", s.View.RowsBy(s.Result), s.View.Rows.Pinned)
	}
}
