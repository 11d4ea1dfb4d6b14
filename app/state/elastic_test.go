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
	if !d.s.Diags.HasErrors() || form(d.s).ProblemAt("/scenario/jobs/0/elastic") == "" {
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

// TestBatchesAreSplitBySpeed: all at once or one by one, which another hash and one undo show; what the form says is
// what the document has.
func TestBatchesAreSplitBySpeed(t *testing.T) {
	d := newDesk(t)
	first, alike := d.s.Doc, d.hash(0)
	if edit.Balanced(first) || !edit.Mixable(first) {
		t.Fatal("the example has balanced jobs, or none that could be")
	}
	d.edit(edit.Balance{})
	if got := d.s.History.Stands().Sentence; !edit.Balanced(d.s.Doc) || got != "Batches of 4 jobs split by speed" {
		t.Errorf("balanced: %v, the sentence is %q", edit.Balanced(d.s.Doc), got)
	}
	if d.hash(0) == alike {
		t.Error("gangs of several types run as before")
	}
	form := edit.SplitForm(1)
	d.edit(edit.SetWord{Word: form, Value: "even"})
	if got := d.s.History.Stands().Sentence; got != "Batch split: by speed to alike" || form.Get(d.s.Doc) != "even" ||
		!edit.Balanced(d.s.Doc) {
		t.Errorf("the sentence is %q, and the form has %q", got, form.Get(d.s.Doc))
	}
	d.edit(edit.Balance{Off: true})
	if edit.Balanced(d.s.Doc) || d.hash(0) != alike {
		t.Error("a job is still balanced")
	}
	for range 3 {
		d.do(Undo{})
	}
	if d.s.Doc != first {
		t.Error("three undos do not lead back")
	}
}

// profiled is a scenario of a model that is known by its profile.
const profiled = `{"kind":"scenario","version":1,"scenario":{"cluster":{"nodes":[{"id":"n1","gpus":{"t4":4}},{"id":"n2","gpus":{"t4":4}}]},
"throughputs":{"rows":[],"profiles":[{"model":"m","init_batch":128,"max_batch":4096,
"types":[{"type":"t4","low":16,"high":512,"alpha_c":0.01,"beta_c":0.001,"alpha_n":0.1,"beta_n":0.01,"alpha_r":0.02,"beta_r":0.001,"gamma":2}],
"noise":[{"until":1,"phi":{"128":1000}}]}]},
"jobs":[{"id":"j1","model":"m","gpus":1,"steps":9000},{"id":"j2","model":"m","gpus":2,"steps":9000}],
"policies":[{"id":"pollux"},{"id":"fifo"}]}}`

// TestAProfiledJobIsMadeElastic: its range goes to four times what it asks for, and its batch follows its size unless
// it is to stay.
func TestAProfiledJobIsMadeElastic(t *testing.T) {
	d := newDesk(t)
	d.do(OpenFile{Name: "profiled.json", Data: []byte(profiled)})
	d.edit(edit.MakeElastic{})
	jobs := d.s.Doc.Scenario.Jobs
	if d.s.Status() != "ready" || jobs[0].Elastic.Max != 4 || jobs[1].Elastic.Max != 8 {
		t.Fatalf("%s: ranges %+v and %+v, %v", d.s.Status(), jobs[0].Elastic, jobs[1].Elastic, d.s.Diags)
	}
	free := d.hash(0)
	d.edit(edit.SetWord{Word: edit.BatchForm(1), Value: "fixed"})
	if got := d.s.History.Stands().Sentence; got != "Batch on other sizes: best to fixed" {
		t.Errorf("the sentence is %q", got)
	}
	if d.hash(0) == free {
		t.Error("a batch that stays makes no difference")
	}
	for _, n := range edit.Needs {
		if n.ID == "profiles" && (!n.Met(d.s.Doc) || n.Met(newDesk(t).s.Doc)) {
			t.Error("whether all models are profiled is told wrongly")
		}
	}
}
