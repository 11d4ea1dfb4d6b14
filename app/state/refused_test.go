package state

import (
	"strings"
	"testing"

	"hadarlab/app/edit"
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

// A GPU type on which nothing can run is flagged as soon as it is added.
func TestTypeWithoutSpeedIsFlagged(t *testing.T) {
	d := newDesk(t)
	d.do(Do{edit.SetGPUs{Node: 0, Type: "h100", N: 1}})
	if got := form(d.s).ProblemAt("/scenario/cluster/nodes/0/gpus/h100"); len(form(d.s).Problems()) == 0 ||
		form(d.s).Problems()[0].Code != "no-speed" {
		t.Errorf("flagged: %q, %v", got, form(d.s).Problems())
	}
}
