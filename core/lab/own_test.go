package lab_test

import (
	"slices"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/simtest"
	"hadarlab/scenarios"
)

// TestFormulasAreTheQueuesOfThePresets: on every preset, jobs under the formulas that the manual gives finish when they
// do under the queues of the literature. TestFormulasAreTheQueues has random scenarios.
func TestFormulasAreTheQueuesOfThePresets(t *testing.T) {
	formulas := map[string]map[string]any{
		"fifo": {"key": "job.arrival"},
		"sjf":  {"key": "job.steps / job.speed", "skip": true},
		"srtf": {"key": "job.steps_left / job.speed", "preempt": true},
		"las":  {"key": "job.service", "preempt": true, "rounds": true},
	}
	ran := 0
	for _, name := range scenarios.Names {
		text, _ := lab.Preset(name)
		for id, params := range formulas {
			s := lab.NewBatch()
			refs := []message.PolicyRef{{ID: id}, {ID: "own", Params: params}}
			if diags := s.Start(&message.RunRequest{Scenario: text, Policies: refs}); diags.HasErrors() {
				t.Fatal(name, diags)
			}
			queue, own := s.Trace(0), s.Trace(1)
			if queue == nil {
				continue // it needs what the preset does not have
			}
			ran++
			if got, want := simtest.Finishes(own), simtest.Finishes(queue); !slices.Equal(got, want) {
				t.Errorf("%s: the formula's jobs finish at %v, those of %s at %v", name, got, id, want)
			}
		}
	}
	if ran < 3*len(scenarios.Names) {
		t.Errorf("only %d runs", ran)
	}
}
