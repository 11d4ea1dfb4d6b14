package state

import (
	"strings"
	"testing"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/core/scenario"
)

// A lane whose policy cannot run the scenario is not compared with, and nobody is asked to add a policy that is there.
func TestRefusedLaneIsToldOnce(t *testing.T) {
	d := newDesk(t)
	d.do(Do{edit.SetPolicy{Lane: 1, ID: "allox", Title: "AlloX"}})
	d.pass(1000)
	r := d.s.Result
	if d.s.Status() != "ready" || len(r.Ran()) != 1 || r.Lanes[0].Refused() || !r.Lanes[1].Refused() {
		t.Fatalf("%s, %d lanes have run", d.s.Status(), len(r.Ran()))
	}
	if f := r.Finding; f.Claim != "Only Hadar has run." ||
		f.Because != "AlloX cannot run this scenario; its lane says why, and what would help." {
		t.Errorf("the headline says %q %q", f.Claim, f.Because)
	}
	if f := r.Lanes[1].Failure; len(f.Diagnostics) != 1 || !strings.Contains(f.Diagnostics[0].Message.String(),
		"one GPU only") || f.Diagnostics[0].Fix.IsZero() {
		t.Errorf("the lane says %+v", f)
	}
	d.do(Do{edit.RemoveLane{Lane: 1}})
	d.pass(1000)
	if f := d.s.Result.Finding; f.Claim != "Hadar alone." {
		t.Errorf("one lane: %q", f.Claim)
	}
}

// To draw the jobs is another scenario; what comes in place of what is said before it is done.
func TestDrawingJobsSaysWhatComes(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	for _, fix := range d.s.RandomFixes() {
		if fix.Label != "Draw other jobs from the seed" {
			if fix.Says != "" {
				t.Errorf("%s: %q", fix.Label, fix.Says)
			}
			continue
		}
		t.Log(fix.Says)
		listed, drawn := compare.AloneHalf(d.s.Doc), ""
		was := d.s.Doc
		d.do(MakeRandom{Edit: fix.Edit})
		drawn = compare.AloneHalf(scenario.Freeze(d.s.Doc))
		if was == d.s.Doc || drawn == listed || !strings.Contains(fix.Says,
			"in place of 6 listed jobs, half of which take "+listed) ||
			!strings.Contains(fix.Says, "half of which take "+drawn+" or less.") {
			t.Errorf("it says %q; the jobs took %s and take %s", fix.Says, listed, drawn)
		}
		return
	}
	t.Error("to draw the jobs is not offered")
}

// A GPU type on which nothing can run is flagged as soon as it is added.
func TestTypeWithoutSpeedIsFlagged(t *testing.T) {
	d := newDesk(t)
	d.do(Do{edit.SetGPUs{Node: 0, Type: "h100", N: 1}})
	if got := d.s.ProblemAt("/scenario/cluster/nodes/0/gpus/h100"); len(d.s.Problems()) == 0 ||
		d.s.Problems()[0].Code != "no-speed" {
		t.Errorf("flagged: %q, %v", got, d.s.Problems())
	}
}
