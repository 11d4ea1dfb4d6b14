package state

import (
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/room"
)

// TestOutcome: what an edit did is told once its run is there and no other edit follows, where the numbers are out of
// sight.
func TestOutcome(t *testing.T) {
	d := newDesk(t)
	more := func(n int) Do { return Do{edit.SetGPUs{Node: 0, Type: "v100", N: n}} }
	d.do(more(2))
	d.pass(calm / 2)
	d.do(more(4))
	d.pass(calm / 2)
	if d.s.Toast != nil {
		t.Fatalf("told between two steps: %+v", d.s.Toast)
	}
	d.pass(1000)
	toast := d.s.Toast
	if toast == nil || !toast.Undo || toast.Shows != room.PartNumbers {
		t.Fatalf("the outcome is %+v", toast)
	}
	for _, l := range d.s.Result.Lanes {
		if want := l.Title + " " + d.s.Result.Axis.Unit.Seconds(nil, l.Meta.Metrics.AvgJCTS) +
			" min"; !strings.Contains(toast.Text, want) {
			t.Errorf("%q lacks %q", toast.Text, want)
		}
	}
	d.do(Undo{})
	d.pass(1000)
	if d.s.Toast != nil {
		t.Errorf("undo is told as an edit: %+v", d.s.Toast)
	}
	for name, c := range map[string]struct {
		before Action
		edit   Action
	}{
		"the numbers are in sight": {Seen{VisiblePanels{Numbers: true}}, more(5)},
		"nothing changed":          {Seen{}, Do{edit.Rename{Title: "Another title"}}},
		"a lesson is under way":    {StartLesson{"hadars-price"}, more(5)},
	} {
		d := newDesk(t)
		d.do(c.before)
		d.pass(1000)
		d.do(c.edit)
		d.pass(2000)
		if d.s.Toast != nil {
			t.Errorf("%s, and the page says %+v", name, d.s.Toast)
		}
	}
}

// TestOutcomeOfATrial: the report of what was tried goes on with what it did.
func TestOutcomeOfATrial(t *testing.T) {
	d := newDesk(t)
	d.do(Try{edit.SetGPUs{Node: 0, Type: "v100", N: 5}})
	said := d.s.Toast.Text
	d.pass(2000)
	if d.s.Toast == nil || !strings.HasPrefix(d.s.Toast.Text, said+". ") ||
		!strings.HasSuffix(d.s.Toast.Text, "on average.") {
		t.Errorf("after %q comes %+v", said, d.s.Toast)
	}
}
