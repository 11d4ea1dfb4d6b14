package state

import (
	"math"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/core/chart"
	"hadarlab/core/scenario"
)

// TestSomeJobsAreMeasured: drawn jobs tell their load; of some of them that are measured the lanes' figures and curves
// are, and undo measures all again.
func TestSomeJobsAreMeasured(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	if d.s.Offered != nil {
		t.Errorf("listed jobs, all of which are measured, tell the load %+v", d.s.Offered)
	}
	d.edit(edit.Generate(40))
	all, load := d.s.Doc, d.s.Offered
	if load == nil || load.Least <= 0 || load.Alike < load.Least || load.PerH != 4 {
		t.Fatalf("the load of drawn jobs is %+v", load)
	}
	d.edit(edit.SetFigure{Figure: edit.WindowForm()[0], Value: 3})
	if d.s.Doc != all {
		t.Error("a document without a window took a figure of it")
	}
	d.edit(edit.MeasureSome(d.s.Doc.JobCount()))
	if w := d.s.Doc.Scenario.Window; w == nil || w.From != 10 || w.Jobs != 20 || d.s.Status() != "ready" {
		t.Fatalf("the window is %+v, and the page %s: %v", w, d.s.Status(), d.s.Diags)
	}
	d.edit(edit.SetFigure{Figure: edit.WindowForm()[0], Value: 12})
	d.edit(edit.SetFigure{Figure: edit.WindowForm()[1], Value: 2})
	if text := string(d.s.Doc.Marshal(false)); !strings.Contains(text, `"window":{"from":12,"jobs":2}`) {
		t.Errorf("the document is %s", text)
	}
	for _, l := range d.s.Result.Lanes {
		w := l.Meta.Window
		if w == nil || w.From != 12 || w.Jobs != 2 || l.Trace.Window.From != 12 || l.Trace.Window.To != 14 {
			t.Fatalf("%s measures %+v, its trace %+v", l.Title, w, l.Trace.Window)
		}
		sum := 0.0
		for j := 12; j < 14; j++ {
			sum += l.Trace.Jobs[j].CompletionTime().Seconds()
		}
		if got := l.Meta.Metrics.AvgJCTS; math.Abs(got-sum/2) > 1e-6 || l.Chart.Counted != 2 {
			t.Errorf("%s: the mean is %v, that of the two is %v; %d count", l.Title, got, sum/2, l.Chart.Counted)
		}
		if r := chart.Fairness(&l.Meta, "", "a"); r.Jobs != 2 || len(r.V) != 2 || r.Job[0] < 12 || r.Job[0] > 13 {
			t.Errorf("%s: fairness is that of other jobs: %+v", l.Title, r)
		}
	}
	if f := d.s.Result.Finding; !strings.HasSuffix(f.Claim, "Counted are jobs 13 to 14 by arrival.") {
		t.Errorf("the claim is %q", f.Claim)
	}
	was := d.hash(0)
	d.edit(edit.Freeze())
	if w := d.s.Result.Lanes[0].Meta.Window; d.hash(0) != was || w == nil || w.From != 12 || d.s.Offered == nil {
		t.Errorf("the frozen jobs are measured otherwise: %+v", w)
	}
	for range 4 {
		d.do(Undo{})
	}
	if d.s.Doc != all {
		t.Error("undo does not measure all jobs again")
	}
	if says := (edit.MeasureAll()).Change(&scenario.Document{}); says == "" {
		t.Error("to measure all again is not said")
	}
}
