package state

import (
	"slices"
	"testing"
)

// TestTablesAreSortedAndComeBack: a heading gives the largest, the smallest and the policy's own order in turn; what is
// alike keeps that order both ways.
func TestTablesAreSortedAndComeBack(t *testing.T) {
	d := newDesk(t)
	check := func(what, name string, want ...int32) {
		t.Helper()
		numbers := []float64{2, 5, 2, -1, 5}
		if d.s.View.Sort.By != name {
			t.Fatalf("%s: sorted by %q, want %q", what, d.s.View.Sort.By, name)
		}
		if name == "" {
			return
		}
		if got := d.s.View.Sort.Order(numbers); !slices.Equal(got, want) {
			t.Errorf("%s: the rows are %v, want %v", what, got, want)
		}
	}
	check("at first", "")
	d.do(SortBy{"Payoff"})
	check("largest first", "Payoff", 1, 4, 0, 2, 3)
	if d.s.Announcement != "By Payoff, descending; ties in the policy’s order." {
		t.Errorf("it says %q", d.s.Announcement)
	}
	d.do(Step{1})
	check("after a step of the cursor", "Payoff", 1, 4, 0, 2, 3)
	d.do(SortBy{"Payoff"})
	check("smallest first", "Payoff", 3, 0, 2, 1, 4)
	d.do(SortBy{"Cost"})
	check("another number", "Cost", 1, 4, 0, 2, 3)
	d.do(SortBy{"Cost"})
	d.do(SortBy{"Cost"})
	check("at last", "")
	if d.s.Announcement != "In the policy’s order." {
		t.Errorf("it says %q", d.s.Announcement)
	}
	for _, o := range []Sort{{By: "Cost"}, {By: "Cost", Ascending: true}} {
		if got := o.Order(make([]float64, 4)); !slices.Equal(got, []int32{0, 1, 2, 3}) {
			t.Errorf("rows that are alike are %v", got)
		}
		if got := o.Order(nil); len(got) != 0 {
			t.Errorf("no rows are %v", got)
		}
	}
}
