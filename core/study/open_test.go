package study

import (
	"math"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// TestLoadWhereGavelsCurvesTurn: in the figures of Gavel's paper mean completions turn up between 2.2 and 2.4 jobs of
// several GPUs an hour without types, and between 2.6 and 3 with them; of one GPU between 4.4 and 4.8, and between 5.6
// and 6.4. There the loads that are told beforehand pass 1.
func TestLoadWhereGavelsCurvesTurn(t *testing.T) {
	for _, c := range []struct {
		gpus         map[string]float64
		perH         float64
		alike, least bool // above 1
	}{
		{nil, 2, false, false}, {nil, 2.4, true, false}, {nil, 3, true, true},
		{map[string]float64{"1": 1}, 4.4, false, false}, {map[string]float64{"1": 1}, 5.2, true, false},
		{map[string]float64{"1": 1}, 6.4, true, true},
	} {
		d := OpenGavel(c.perH, 1, GavelWindow())
		d.Scenario.Generator.GPUs = c.gpus
		if l, ok := d.Offered(); !ok || l.Alike > 1 != c.alike || l.Least > 1 != c.least {
			t.Errorf("%v jobs an hour of sizes %v offer %+v", c.perH, c.gpus, l)
		}
	}
}

// TestOpenGavel: below what both can do a policy with types has the shorter completions, of the window alone, and
// arrivals outlast it.
func TestOpenGavel(t *testing.T) {
	d := OpenGavel(1.6, 2, &scenario.Window{From: 100, Jobs: 100})
	res, failed, diags := lab.Run(&message.RunRequest{Scenario: d.Marshal(false), Policies: []message.PolicyRef{
		{ID: "gavel-las"}, {ID: "gavel-las-agnostic"}}})
	if diags.HasErrors() || len(failed) > 0 {
		t.Fatal(diags, failed)
	}
	aware, agnostic := &res.Runs[0], &res.Runs[1]
	for _, l := range []*message.Lane{aware, agnostic} {
		w := l.Window
		if l.Outcome != "done" || w == nil || w.From != 100 || w.Jobs != 100 || w.ClosedS != 0 || w.CutOff == 0 ||
			math.Abs(l.Metrics.MakespanS-(w.ToS-w.FromS)) > 1e-6 {
			t.Errorf("%s ends %s: %+v, in %v s", l.Policy, l.Outcome, w, l.Metrics.MakespanS)
		}
		if len(l.Counted()) != 100 || l.Counted()[0].ID != "j0101" {
			t.Errorf("%s counts %d of %d jobs", l.Policy, len(l.Counted()), len(l.Jobs))
		}
	}
	if a, b := aware.Metrics.AvgJCTS, agnostic.Metrics.AvgJCTS; !(a < b) {
		t.Errorf("mean completion is %v s with types, and %v without", a, b)
	}
}
