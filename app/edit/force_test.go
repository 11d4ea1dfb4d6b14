package edit

import (
	"testing"

	"hadarlab/core/scenario"
)

// TestForcedLane: with as many lanes as there may be the last gives way, unless it is the one that is forced.
func TestForcedLane(t *testing.T) {
	full := []scenario.Policy{{ID: "hadar"}, {ID: "gavel-las"}, {ID: "fifo"}, {ID: "srtf"}}
	for upon, want := range []int{3, 3, 3, 2} {
		if got := forcedLane(full, upon); got != want {
			t.Errorf("forced upon lane %d it goes to %d, want %d", upon, got, want)
		}
	}
}
