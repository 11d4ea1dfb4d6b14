package state

import (
	"testing"

	"hadarlab/app/edit"
)

// TestAnotherPolicyAsksAnotherQuestion: the question of a preset stands as long as its policies do, and the lane whose
// policy is changed is the one that Why explains.
func TestAnotherPolicyAsksAnotherQuestion(t *testing.T) {
	d := newDesk(t)
	own := d.s.Question()
	if own == "" || own != d.s.Doc.Meta.Question {
		t.Fatalf("the preset asks %q", own)
	}
	d.do(Do{edit.AddJob{}})
	if d.s.Question() != own {
		t.Errorf("another job, and it asks %q", d.s.Question())
	}
	d.do(WhyLane{0})
	d.do(Do{edit.SetPolicy{Lane: 1, ID: "srtf", Title: "SRTF"}})
	if got := d.s.Question(); got == own || got == "" {
		t.Errorf("under another policy it asks %q", got)
	}
	if d.s.View.WhyLane != 1 {
		t.Errorf("Why explains lane %d", d.s.View.WhyLane)
	}
	d.do(Undo{})
	if d.s.Question() != own {
		t.Errorf("undone, it asks %q", d.s.Question())
	}
}

// TestFindJob: a job that is found by its name is selected, its bar has the keyboard and the cursor is in it.
func TestFindJob(t *testing.T) {
	d := newDesk(t)
	d.do(FindJob{"j3"})
	v := &d.s.View
	if v.Job != "j3" || v.Bar == NoBar {
		t.Fatalf("job %q, bar %v", v.Job, v.Bar)
	}
	_, from, to := d.s.Result.Lanes[v.Bar.Lane].Chart.Stop(v.Bar.Index)
	if m, _ := d.s.Result.Moment(v.Moment); m.At < from || m.At >= to {
		t.Errorf("the cursor is at %d, the bar lasts from %d to %d", m.At, from, to)
	}
	d.do(FindJob{"nobody"})
	if v.Job != "nobody" || v.Bar != NoBar {
		t.Errorf("job %q, bar %v", v.Job, v.Bar)
	}
}
