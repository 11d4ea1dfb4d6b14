package state

import (
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/core/scenario"
)

// TestHostsAreSwitchedOn: nodes, models and the way that jobs share come with one edit and go with one; what the forms
// say is what the document has, and undo leads back.
func TestHostsAreSwitchedOn(t *testing.T) {
	d := newDesk(t)
	first, plain := d.s.Doc, d.hash(0)
	if edit.Hosted(first) {
		t.Fatal("the example has hosts")
	}
	d.edit(edit.MakeHosts{})
	node, row := &d.s.Doc.Scenario.Cluster.Nodes[0], &d.s.Doc.Scenario.Throughputs.Rows[0]
	if !edit.Hosted(d.s.Doc) || d.s.Status() != "ready" || node.CPUs != 3*float64(node.GPUs["v100"]) ||
		node.MemoryGB != 62.5*float64(node.GPUs["v100"]) || len(row.CPUs) == 0 || len(row.MemoryGB) == 0 {
		t.Fatalf("%s: node %+v, row %+v, %v", d.s.Status(), node, row, d.s.Diags)
	}
	if got := d.s.History.Stands().Sentence; got != "Nodes have 3 CPUs and 62.5 GB for each GPU" {
		t.Errorf("the sentence is %q", got)
	}
	proportional := d.hash(0)
	if proportional == plain {
		t.Error("jobs run as before")
	}
	d.edit(edit.SetWord{Word: edit.HostSplitForm(), Value: "tuned"})
	if got := d.s.History.Stands().Sentence; d.hash(0) == proportional || got !=
		"CPUs and memory of a node: by their GPUs to tuned to what they can use" {
		t.Errorf("tuned: another run %v, the sentence is %q", d.hash(0) != proportional, got)
	}
	d.edit(edit.SetFigure{Figure: edit.NodeHostForm(0, "n1")[0], Value: 0})
	if got := d.s.History.Stands().Sentence; got != "CPUs of n1: 9 to no bound" {
		t.Errorf("the sentence is %q", got)
	}
	d.edit(edit.SetJob{Job: 0, Field: edit.JobCPUs, Value: 16})
	if got := d.s.History.Stands().Sentence; got != "j1, CPUs: as its model to 16 CPUs" ||
		d.s.Doc.Scenario.Jobs[0].CPUs != 16 {
		t.Errorf("the sentence is %q, and job 1 %+v", got, d.s.Doc.Scenario.Jobs[0])
	}
	d.edit(edit.SetJob{Job: 0, Field: edit.JobMemory, Value: 99.5})
	if d.s.Doc.Scenario.Jobs[0].MemoryGB != 99.5 || d.s.Doc.Scenario.Jobs[0].Elastic != nil {
		t.Errorf("job 1 is %+v", d.s.Doc.Scenario.Jobs[0])
	}
	d.edit(edit.CopyNode{Node: 1})
	if a, b := d.s.Doc.Scenario.Cluster.Nodes[1], d.s.Doc.Scenario.Cluster.Nodes[2]; a.CPUs == 0 || a.CPUs != b.CPUs ||
		a.MemoryGB != b.MemoryGB {
		t.Errorf("the copy of %+v is %+v", a, b)
	}
	d.do(Undo{})
	d.edit(edit.MakeHosts{Off: true})
	if edit.Hosted(d.s.Doc) || d.hash(0) != plain {
		t.Errorf("switched off: hosts %v, the same run as first %v", edit.Hosted(d.s.Doc), d.hash(0) == plain)
	}
	for d.s.History.CanUndo() {
		d.do(Undo{})
	}
	if d.s.Doc != first {
		t.Error("undo does not lead back")
	}
}

// TestACurveIsTyped: it is one entry of the history, what cannot be read changes nothing and says why, and what the
// document's check finds stands at the field.
func TestACurveIsTyped(t *testing.T) {
	d := newDesk(t)
	of := edit.Curve{}
	entries := len(d.s.History.Entries)
	typed := func(text string) { d.do(TypedCurve{Curve: of, Name: "Speed by CPUs", Text: text}) }
	typed("1 0.15; 3 0.42 , 9 1")
	points := d.s.Doc.Scenario.Throughputs.Rows[0].CPUs
	if of.Text(d.s.Doc) != "1 0.15, 3 0.42, 9 1" || len(points) != 3 || points[1].PerGPU != 3 ||
		points[1].Speed != 0.42 || d.s.Diags.HasErrors() {
		t.Fatalf("%v: %+v", d.s.Diags, points)
	}
	for text, want := range map[string]string{
		"1 0,15, 3 0,42": "point 2 must be two numbers, as in 1 0.35, 4 1; it says “15”",
		"1 0.15, 3":      "point 2 must be two numbers, as in 1 0.35, 4 1; it says “3”",
		"0 1":            "point 1, number 1: it must be a number above 0 and at most 1,000,000; it says 0",
		"1 x":            "point 1, number 2: it must be a number from 0 to 1; it says “x”",
		"1 1.5":          "point 1, number 2: it must be a number from 0 to 1; it says 1.5",
	} {
		typed(text)
		if got := d.s.Drafts[of.Path()].Message; got != "Speed by CPUs: "+want+"." ||
			of.Text(d.s.Doc) != "1 0.15, 3 0.42, 9 1" {
			t.Errorf("%q says %q, and the row has %s", text, got, of.Text(d.s.Doc))
		}
	}
	for text, want := range map[string]string{"1 0.5, 3 0.9": "own speed is 1", "3 0.5, 1 1": "does not rise"} {
		typed(text)
		if got := form(d.s).ProblemAt(of.Path()); len(d.s.Drafts) != 0 || !strings.Contains(got, want) {
			t.Errorf("%q: the field says %q", text, got)
		}
	}
	typed("2 1")
	d.do(Left{Field: of.Path()})
	if d.s.Diags.HasErrors() || len(d.s.History.Entries) != entries+1 ||
		!strings.HasSuffix(d.s.History.Stands().Sentence, ", speed by CPUs: with any to 2 1") {
		t.Errorf("%v, %d entries, %q", d.s.Diags, len(d.s.History.Entries)-entries, d.s.History.Stands().Sentence)
	}
	typed(" ")
	if of.Text(d.s.Doc) != "" {
		t.Errorf("emptied, it is %q", of.Text(d.s.Doc))
	}
	d.do(TypedCurve{Curve: edit.Curve{Row: 99}, Text: "1 1"}) // of a row that is gone
}

// TestHostsOfEveryModelCanBeRun: each is a curve that a document may have.
func TestHostsOfEveryModelCanBeRun(t *testing.T) {
	d := newDesk(t)
	for _, model := range []string{"bert", "deepspeech2", "resnet-18", "resnet-50", "vgg-16", "lm"} {
		doc := d.s.Doc.Clone()
		edit.RenameModel{Row: 0, Name: model}.Change(doc)
		edit.MakeHosts{}.Change(doc)
		for _, of := range []edit.Curve{{}, {Memory: true}} {
			if of.Text(doc) == "" {
				t.Errorf("%s needs nothing at %s", model, of.Path())
			}
		}
		if _, diags := scenario.Parse(doc.Marshal(true), scenario.FileLimits); diags.HasErrors() {
			t.Errorf("%s: %v", model, diags)
		}
	}
}

// TestHostsCanBeVaried: what a node has of CPUs and memory is listed with the numbers that can be varied, where it has
// a bound.
func TestHostsCanBeVaried(t *testing.T) {
	d := newDesk(t)
	params := func(string) []edit.Param { return nil }
	listed := func(path string) edit.Variable { return edit.VariableAt(edit.Variables(d.s.Doc, params), path) }
	const at = "/scenario/cluster/nodes/0/cpus"
	if v := listed(at); v.Name != at {
		t.Errorf("without hosts there is %+v", v)
	}
	d.edit(edit.MakeHosts{})
	if v := listed(at); v.Name != "CPUs of n1" || v.Value != 9 || !v.Range.Open || v.Axis() != "CPUs of n1" ||
		v.Noun != "CPUs of n1" {
		t.Errorf("it is %+v, %q", v, v.Axis())
	}
	if v := listed("/scenario/cluster/nodes/1/memory_gb"); v.Name != "Memory of n2" || v.Axis() != "Memory of n2, GB" {
		t.Errorf("it is %+v", v)
	}
}
