package state

import (
	"testing"

	"hadarlab/app/edit"
	"hadarlab/core/scenario"
)

// TestRangesOfSizes: a range comes from one of its ends, the other is what the job asks for, and it goes when both are.
func TestRangesOfSizes(t *testing.T) {
	d := newDesk(t)
	first := d.s.Doc
	job := func() *scenario.Job { return &d.s.Doc.Scenario.Jobs[0] }
	asked := job().GPUs
	set := func(field int, v float64) { d.edit(edit.SetJob{Job: 0, Field: field, Value: v}) }
	set(edit.JobMax, float64(asked+2))
	if e := job().Elastic; e == nil || e.Min != asked || e.Max != asked+2 {
		t.Fatalf("the range is %+v", e)
	}
	if got := d.s.History.Stands().Sentence; got != "j1, most GPUs: 2 to 4" {
		t.Errorf("the sentence is %q", got)
	}
	set(edit.JobMin, 1)
	if e := job().Elastic; e.Min != 1 || e.Max != asked+2 || first.Scenario.Jobs[0].Elastic != nil {
		t.Fatalf("the range is %+v", e)
	}
	set(edit.JobMin, 9)
	if !d.s.Diags.HasErrors() || d.s.ProblemAt("/scenario/jobs/0/elastic") == "" {
		t.Error("a range that ends before it begins is no error")
	}
	set(edit.JobMin, 0)
	set(edit.JobMax, 0)
	if job().Elastic != nil {
		t.Errorf("the emptied range is %+v", job().Elastic)
	}
}

// TestMakeTheJobsElastic: each gets a range that its model has speeds for, in one step that is undone in one.
func TestMakeTheJobsElastic(t *testing.T) {
	d := newDesk(t)
	first := d.s.Doc
	d.edit(edit.MakeElastic{})
	if edit.Rigid(d.s.Doc) != 0 || d.s.Diags.HasErrors() {
		t.Fatalf("%d jobs are rigid, %v", edit.Rigid(d.s.Doc), d.s.Diags)
	}
	rows := d.s.Doc.Scenario.Throughputs.Rows
	for _, j := range d.s.Doc.Scenario.Jobs {
		fits := j.Elastic.Max == j.GPUs
		for i := range rows {
			for _, typ := range edit.Types(d.s.Doc) {
				fits = fits || rows[i].Model == j.Model && rows[i].Speed(typ, j.Elastic.Max) > 0
			}
		}
		if j.Elastic.Min != 1 || j.Elastic.Max < j.GPUs || !fits {
			t.Errorf("%s asks for %d and has the range %+v", j.ID, j.GPUs, j.Elastic)
		}
	}
	if (edit.MakeElastic{}).Change(d.s.Doc.Clone()) != "" {
		t.Error("elastic jobs are made elastic")
	}
	d.do(Undo{})
	if d.s.Doc != first {
		t.Error("one undo does not take the ranges away")
	}
	d.edit(edit.Generate(20))
	d.edit(edit.MakeElastic{})
	if n := len(d.s.Doc.Scenario.Jobs); n != 20 || edit.Rigid(d.s.Doc) != 0 || d.s.Status() != "ready" {
		t.Errorf("of 20 drawn jobs there are %d, %d of them rigid: %s", n, edit.Rigid(d.s.Doc), d.s.Status())
	}
}

// TestEveryNeedCanBeMet: what a policy may lack, one edit makes; and what the catalogue calls a need has a name here.
func TestEveryNeedCanBeMet(t *testing.T) {
	d := newDesk(t)
	known := map[string]bool{}
	lacking := d.s.Doc.Clone()
	lacking.Scenario.Knowledge.Lengths = "unknown"
	for _, n := range edit.Needs {
		known[n.ID] = true
		if n.Make == nil {
			continue
		}
		doc := lacking.Clone()
		if n.Met(doc) {
			t.Errorf("a scenario of rigid jobs in one rack, with hidden lengths, has %s", n.ID)
		}
		if n.Make.Change(doc) == "" || !n.Met(doc) {
			t.Errorf("%s is not there when it was made", n.ID)
		}
		if _, diags := scenario.Parse(doc.Marshal(true), scenario.FileLimits); diags.HasErrors() {
			t.Errorf("with %s: %v", n.ID, diags)
		}
	}
	for i := range d.s.Boot.Policies {
		for need := range d.s.Boot.Policies[i].Needs {
			if !known[need] {
				t.Errorf("nobody can say what the need %s of %s is", need, d.s.Boot.Policies[i].ID)
			}
		}
	}
}
