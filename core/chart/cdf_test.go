package chart

import (
	"math"
	"testing"

	"hadarlab/core/simtest"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

func TestCDFOrdersJobsByCompletion(t *testing.T) {
	tr := simtest.TwoNodes().Job("late", 600, 1200).Job("long", 0, 1000).Job("open", 0, -1).
		Span(1, trace.Run, 0, 1000, 0, 1).Rounds(0)
	c := NewCDF(tr, "P", "a")
	if len(c.Steps) != 2 || c.Steps[0].Job != 0 || c.Steps[0].CompletionTime != 600*unit.Second || c.Steps[1].N != 2 ||
		c.Jobs != 3 {
		t.Fatalf("%+v", c)
	}
	if q := c.Quantile(0.5); q != 1000*unit.Second {
		t.Errorf("half of three jobs, that is two, are complete within %v", q)
	}
	if q := c.Quantile(1); q != unit.Never {
		t.Errorf("all are complete within %v, and one never ends", q)
	}
}

// One V100 of three works, one is held, one is idle; a job waits for the first half. The P100 are free after.
func TestUsageSplitsEachTypesTime(t *testing.T) {
	tr := simtest.TwoNodes().Job("a", 0, 1000).Job("b", 0, 1000).Job("w", 0, 1000).
		Span(0, trace.Run, 0, 1000, 0, 1).Span(1, trace.Stall, 0, 1000, 0, 1).Span(2, trace.Run, 500, 1000, 1,
		3).Rounds(0, 500)
	use := NewLane(tr).UsageByType(tr)
	third, sixth := 1.0/3, 1.0/6
	for typ, want := range [][4]float64{{third, third, sixth, sixth}, {0.5, 0, 0.5, 0}} {
		for k, v := range want {
			if got := use[typ].Share[k]; math.Abs(got-v) > 1e-12 {
				t.Errorf("%s, part %d: %v, want %v", tr.Types[typ], k, got, v)
			}
		}
	}
}
