package state

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/core/scenario"
)

// TestPartsThatMostDoWithout: each edit has a sentence, leaves a document that runs, and is undone.
func TestPartsThatMostDoWithout(t *testing.T) {
	d := newDesk(t)
	first := d.s.Doc
	words, figures := edit.KnowledgeForm()
	order, weight := edit.TenantForm(0)
	edits := []edit.Edit{
		edit.SetWord{Word: words[0], Value: "noisy"}, edit.SetFigure{Figure: figures[0], Value: 0.5},
		edit.AddTenant(0), edit.SetFigure{Figure: weight, Value: 3},
		edit.SetWord{Word: order, Value: "fifo"},
		edit.RenameTenant(0, "team-1", "vision"), edit.SetTenant(0, "j1", "vision"), edit.SetJob{Job: 0,
			Field: edit.JobSLO, Value: 7200},
		edit.AddFault("n1"), edit.SetFigure{Figure: edit.FaultForm(0)[0], Value: 60}, edit.AddChange("n1", "v100", 4),
		edit.SetFigure{Figure: edit.GrowthForm(0)[0], Value: 90},
		edit.AddSpell("n1"), edit.AddSpell("n1"), edit.SetFigure{Figure: edit.SpellForm(1)[2], Value: 0.5},
		edit.RemoveSpell(0), edit.SlowAtRandom(true), edit.SetFigure{Figure: edit.SlowingForm()[0], Value: 2},
		edit.SlowAtRandom(false),
		edit.SetRedundancy(0, "j1", edit.Coded), edit.SetRedundancy(0, "j1", edit.Backups), edit.RedundancyOfAll(""),
		edit.SwitchType{Job: 0, All: true}, edit.SwitchType{Job: 0, Type: "p100"},
		edit.SwitchType{Job: 0, Type: "p100"},
		edit.SwitchType{Job: 0, All: true}, edit.SwitchType{Job: 1, All: true},
		edit.AddGroup("v100"), edit.AddGroup("v100"), edit.SetFigure{Figure: edit.GroupForm(1)[6], Value: 0.5},
		edit.SetWord{Word: edit.CloudWords()[0], Value: "predictive"}, edit.SetAutoscaler(0, "fixed"),
		edit.RemoveGroup(1, "rent2"), edit.SetAutoscaler(0, ""), edit.SetAutoscaler(0, "reactive"),
		edit.RemoveGroup(0, "rent"),
		edit.Fuse(true), edit.SetFigure{Figure: edit.FusionForm()[0], Value: 4}, edit.Sweep(),
		edit.AddCurve(0, "resnet-50", true), edit.SetFigure{Figure: edit.CurveForm(0)[0], Value: 0.5},
		edit.AddCurve(0, "resnet-50", false), edit.Fuse(false),
		edit.AddOverheads("resnet-50"), edit.SetFigure{Figure: edit.OverheadForm(0)[1], Value: 12},
		edit.SetFigure{Figure: edit.CheckpointPeriod(), Value: 600},
	}
	for i, e := range edits {
		was, entries := d.s.Doc, len(d.s.History.Entries)
		d.edit(e)
		if d.s.Doc == was || len(d.s.History.Entries) != entries+1 || d.s.History.Entries[entries].Sentence == "" {
			t.Fatalf("edit %d, %+v: no entry of its own", i, e)
		}
		if d.s.Status() != "ready" {
			t.Fatalf("after %q: %s, %v", d.s.History.Entries[entries].Sentence, d.s.Status(), d.s.Diags.Errors())
		}
	}
	s := &d.s.Doc.Scenario
	if len(s.Jobs[0].Types) > 0 || len(s.Jobs[1].Types) == 0 || !slices.Contains(d.s.Doc.Requires, scenario.JobTypes) {
		t.Errorf("types %v and %v, requires %v", s.Jobs[0].Types, s.Jobs[1].Types, d.s.Doc.Requires)
	}
	if s.Tenants[0].ID != "vision" || s.Jobs[0].Tenant != "vision" || s.Jobs[0].SLOS != 7200 ||
		*s.Overheads.Models[0].RestartS != 12 || s.Overheads.Models[0].MergeS != nil {
		t.Errorf("scenario %+v", s)
	}
	d.edit(edit.RemoveTenant(0, "vision"))
	if d.s.Doc.Scenario.Jobs[0].Tenant != "" || d.s.Status() != "ready" {
		t.Error("a job keeps a tenant that is gone")
	}
	for d.s.History.CanUndo() {
		d.do(Undo{})
	}
	if d.s.Doc != first {
		t.Error("undo does not come back to the first document")
	}
}

func TestDrawnJobsAreFrozenAndComeBack(t *testing.T) {
	d := newDesk(t)
	listed := d.s.Doc
	d.edit(edit.Generate(6))
	g := d.s.Doc.Scenario.Generator
	if g == nil || len(d.s.Doc.Scenario.Jobs) != 0 || d.s.Status() != "ready" {
		t.Fatalf("%s: %v", d.s.Status(), d.s.Diags)
	}
	drawn := d.hash(0)
	d.edit(edit.Freeze())
	if d.s.Doc.Scenario.Generator != nil || len(d.s.Doc.Scenario.Jobs) != g.Count || d.hash(0) != drawn {
		t.Error("the frozen jobs give another run")
	}
	d.do(Undo{})
	if d.s.Doc.Scenario.Generator == nil {
		t.Error("undo does not draw the jobs again")
	}
	d.do(Undo{})
	if d.s.Doc != listed {
		t.Error("undo does not list the jobs again")
	}
	_, figures := edit.GeneratorForm()
	for _, f := range figures {
		if says := (edit.SetFigure{Figure: f, Value: 1}).Change(&scenario.Document{}); says != "" {
			t.Errorf("a document without a generator says %q", says)
		}
	}
}

// TestEveryMemberOfTheGenerator: each has a field that sets it, with a sentence, and undo goes all the way back.
func TestEveryMemberOfTheGenerator(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	d.edit(edit.Generate(12))
	first := d.s.Doc
	words, figures := edit.GeneratorForm()
	edits := []edit.Edit{edit.ListSizes(true), edit.SetFigure{Figure: edit.SizeForm("2"), Value: 30},
		edit.RemoveSize("8"), edit.AddSize("3"), edit.ListMix(true),
		edit.RemoveMix(0), edit.AddMix(0), edit.SetWord{Word: edit.ReferenceForm(edit.Types(d.s.Doc)), Value: "p100"},
		edit.SetWord{Word: words[0], Value: "philly"}}
	for i, f := range figures {
		if f.Path != "/scenario/jobs/generator/duration_s" && f.Path != "/scenario/jobs/generator/count" {
			edits = append(edits, edit.SetFigure{Figure: f, Value: []float64{0.5, 1, 2}[i%3] * min(1, f.Range.Max)})
		}
	}
	for _, e := range edits {
		was, entries := d.s.Doc, len(d.s.History.Entries)
		d.edit(e)
		if d.s.Doc == was || len(d.s.History.Entries) != entries+1 || d.s.History.Entries[entries].Sentence == "" {
			t.Fatalf("%+v: no entry of its own", e)
		}
	}
	if m := &d.s.Doc.Scenario.Generator.Models[0]; m.Share != 1 {
		t.Errorf("%+v", m)
	}
	d.edit(edit.SetFigure{Figure: edit.MixForm(1, &d.s.Doc.Scenario.Generator.Models[1]), Value: 3})
	text := string(d.s.Doc.Marshal(false))
	for _, want := range []string{`"share":3`, `"2":30`, `"3":1`, `"reference":"p100"`, `"kind":"philly"`,
		`"median_s":`, `"sigma":`, `"scale":`, `"min_s":`, `"max_s":`, `"burst":`, `"burst_gap_s":`, `"rate_per_h":`,
		`"priority_share":`, `"slo_share":`} {
		if !strings.Contains(text, want) {
			t.Errorf("the document lacks %s: %s", want, text)
		}
	}
	if got := edit.Sizes(d.s.Doc); !slices.Equal(got, []string{"1", "2", "3", "4"}) {
		t.Errorf("sizes %v", got)
	}
	d.edit(edit.ListSizes(false))
	d.edit(edit.ListMix(false))
	if g := d.s.Doc.Scenario.Generator; g.GPUs != nil || g.Models != nil {
		t.Errorf("%+v", g)
	}
	for d.s.Doc != first && d.s.History.CanUndo() {
		d.do(Undo{})
	}
	if d.s.Doc != first {
		t.Error("undo does not come back")
	}
}
