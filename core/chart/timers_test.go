package chart

import (
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// set tells a timer at a run's last decision.
func set(t *trace.Trace, gpus int32, tier model.Tier, seconds float64) {
	s := &t.Series[t.Begin(timers[tier].quantity, 0)]
	s.Points = append(s.Points, trace.Point{Round: int32(len(t.Rounds) - 1), Of: gpus, Value: seconds})
}

func TestTimersAreStepsByDemandAndTier(t *testing.T) {
	tuned := simtest.TwoNodes().Job("a", 0, 300).Rounds(0)
	set(tuned, 4, model.OneNode, 60)
	set(tuned, 4, model.OneRack, 120)
	set(tuned, 2, model.OneNode, Endless)
	for i, s := range []float64{100, 200} {
		tuned.Rounds = append(tuned.Rounds, trace.Decision{At: unit.Seconds(s), Reason: int32(len(tuned.Reasons))})
		tuned.Reasons = append(tuned.Reasons, trace.Reason{Code: trace.WaitCloser, Slot: -1, Other: -1})
		if i == 1 {
			set(tuned, 4, model.OneNode, 90)
		}
	}
	fixed := simtest.TwoNodes().Job("a", 0, 300).Rounds(0)
	set(fixed, 4, model.OneNode, 60)
	all := Timers([]*trace.Trace{tuned, fixed}, true)
	if len(all) != 3 || all[0].GPUs != 2 || all[1].Tier != model.OneNode || all[2].Tier != model.OneRack {
		t.Fatalf("timers are %+v", all)
	}
	z := &all[1]
	if !slices.Equal(z.Turns, []int{1, 0}) || z.Runs[0].At(150*unit.Second) != 60 ||
		z.Runs[0].At(200*unit.Second) != 90 {
		t.Errorf("the tuned one is %+v", z)
	}
	if !all[0].Endless[0] || all[0].Endless[1] || len(all[0].Runs[1].V) != 0 {
		t.Errorf("the endless one is %+v", all[0])
	}
	set(tuned, 2, model.OneNode, 30) // now it has an end
	if got := Timers([]*trace.Trace{tuned, fixed}, true)[0]; got.Endless[0] || !got.Began[0] || got.Turns[0] != 1 ||
		!slices.Equal(got.Runs[0].V, []float64{30}) || got.Runs[0].T[0] != 200*unit.Second || got.Has(1) {
		t.Errorf("the endless one is then %+v", got)
	}
	if got := Timers([]*trace.Trace{tuned}, false); len(got) != 2 {
		t.Errorf("without racks there are %d timers", len(got))
	}
	for gpus := int32(5); gpus < 20; gpus++ {
		set(tuned, gpus, model.OneNode, 1)
	}
	if got := Timers([]*trace.Trace{tuned}, true); len(got) != mostTimers || got[1].Turns[0] != 1 {
		t.Errorf("%d timers have a curve, or the one that changes has none", len(got))
	}
}
