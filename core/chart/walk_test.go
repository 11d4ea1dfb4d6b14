package chart

import (
	"testing"

	"hadarlab/core/simtest"
)

// TestWalkReachesTheWaits: what waits lies below all bars, and Up leads back.
func TestWalkReachesTheWaits(t *testing.T) {
	tr := simtest.JobLevel()
	l := NewLane(tr)
	if len(l.Waits) == 0 {
		t.Fatal("nobody waits")
	}
	at := l.Walk(-1, 0, 0, nil)
	for range len(l.Rows) + 1 {
		at = l.Walk(at, 0, 1, nil)
	}
	if at < len(l.Bars) {
		t.Fatalf("down ends at bar %d", at)
	}
	if job, from, to := l.Stop(at); job != l.Waits[at-len(l.Bars)].Job || from >= to {
		t.Errorf("the stop is job %d from %v to %v", job, from, to)
	}
	last := at
	for range len(l.Waits) + 1 {
		last = l.Walk(last, 1, 0, nil)
	}
	if last != l.Stops()-1 || l.Walk(last, 0, 1, nil) != last {
		t.Errorf("right ends at %d of %d, down from there at %d", last, l.Stops(), l.Walk(last, 0, 1, nil))
	}
	if up := l.Walk(at, 0, -1, nil); up >= len(l.Bars) {
		t.Errorf("up from a wait is %d", up)
	}
}
