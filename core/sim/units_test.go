package sim_test

import (
	"fmt"
	"testing"

	"hadarlab/core/sim"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// TestNumbersKeepTheirUnit: a number says its own unit in a text, and one without a unit says none.
func TestNumbersKeepTheirUnit(t *testing.T) {
	for of, want := range map[string]any{"": 2.0, "s": sim.Seconds(2), "GPU-s": sim.GPUSeconds(2),
		"steps/s": unit.Rate(2), unit.Instant: sim.Instant(2), unit.Worth: sim.Worth(2), unit.Share: sim.Share(2)} {
		if got := sim.In(of, 2); got != want {
			t.Errorf("2 in %q is %T, want %T", of, got, want)
		}
	}
	if got, ok := sim.In("GPUs", 2).(words.Text); !ok || fmt.Sprint(got.Args()) != "[2 GPUs]" {
		t.Errorf("2 GPUs are %v", got)
	}
}
