package simtest

import (
	"slices"
	"testing"

	"hadarlab/core/policy"
	"hadarlab/core/unit"
)

// TestFormulasAreTheQueues: what the queues of the literature decide, one expression says. Random scenarios have all
// that a document may have.
func TestFormulasAreTheQueues(t *testing.T) {
	best := "job.steps_left / job.speed"
	for id, params := range map[string]map[string]any{
		"fifo": {"key": "job.arrival"},
		"sjf":  {"key": "job.steps / job.speed", "skip": true},
		"srtf": {"key": best, "preempt": true},
		"las":  {"key": "job.service", "preempt": true, "rounds": true},
	} {
		spec, _ := policy.Find(id)
		ran := 0
		for seed := range uint64(max(*scenarios, 1000)) {
			p := Wild(unit.Stream(seed, "own"))
			if spec.Unmet(p) != nil {
				continue
			}
			ran++
			if got, want := Finishes(Run(t, p, "own", params)), Finishes(Run(t, p, id, nil)); !slices.Equal(got, want) {
				t.Errorf("%s, scenario %d: the formula's jobs finish at %v, the queue's at %v", id, seed, got, want)
			}
		}
		if ran < 500 {
			t.Errorf("%s ran %d scenarios", id, ran)
		}
	}
}
