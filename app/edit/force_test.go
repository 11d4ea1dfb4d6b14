package edit

import (
	"testing"

	"hadarlab/core/scenario"
)

// TestForcedLane: with three lanes the last gives way, unless it is the one that is forced.
func TestForcedLane(t *testing.T) {
	three := []scenario.Policy{{ID: "hadar"}, {ID: "gavel-las"}, {ID: "fifo"}}
	for upon, want := range []int{2, 2, 1} {
		if got := forcedLane(three, upon); got != want {
			t.Errorf("forced upon lane %d it goes to %d, want %d", upon, got, want)
		}
	}
}
