package state

import (
	"slices"
	"testing"

	"hadarlab/core/chart"
)

// TestWaiting: wherever the cursor stands, the moments named for a job are those at which it holds nothing, or none
// when it holds nothing at the cursor; going to one explains the lane there.
func TestWaiting(t *testing.T) {
	d := newDesk(t)
	named := 0
	for lane, l := range d.s.Result.Lanes {
		for j := range l.Trace.Jobs {
			job := &l.Trace.Jobs[j]
			var want []int
			for k, m := range d.s.Result.Diff.Moments {
				if m.At >= job.Arrive && m.At < job.Finish &&
					!slices.ContainsFunc(l.Chart.Holdings, func(h chart.Holding) bool {
						return (h.Job == int32(j) || h.With == int32(j)) && h.From <= m.At && m.At < h.To
					}) {
					want = append(want, k)
				}
			}
			for k := range d.s.Result.Diff.Moments {
				d.do(Go{To: k})
				at, all := d.s.Result.Waiting(lane, job.Name, d.s.View.Moment, 2)
				switch {
				case slices.Contains(want, k):
					if all != 0 || at != nil {
						t.Fatalf("lane %d, %s: round %d is among those in which it waits, and %v are named", lane,
							job.Name, k, at)
					}
				case all != len(want) || !slices.Equal(at, want[:min(2, len(want))]):
					t.Fatalf("lane %d, %s at %d: %v of %d named, it waits at %v", lane, job.Name, k, at, all, want)
				default:
					named += all
				}
			}
		}
	}
	if named == 0 {
		t.Fatal("no job waits")
	}
	d.do(Go{To: 3, Why: 2})
	if d.s.View.Moment != 3 || d.s.View.WhyLane != 1 {
		t.Errorf("the cursor stands at %d, lane %d is explained", d.s.View.Moment, d.s.View.WhyLane)
	}
}
