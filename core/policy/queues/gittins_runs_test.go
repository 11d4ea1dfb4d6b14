package queues_test

import (
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/simtest"
)

// TestGittinsPrefersTheProbablyShort: lengths 1000, 100 and 100. At 150 s the first must be the long one, so the
// newcomers go first, one to its end before the other.
func TestGittinsPrefersTheProbablyShort(t *testing.T) {
	p := simtest.Build(50, []simtest.Node{{"a": 1}}, []simtest.Job{simtest.PlainJob(0, 1, 1000),
		simtest.PlainJob(150, 1, 100),
		simtest.PlainJob(150, 1, 100)}, model.Costs{})
	if got := simtest.Finishes(simtest.Run(t, p, "gittins", nil)); !slices.Equal(got, []float64{1200, 250, 350}) {
		t.Errorf("finishes %v", got)
	}
	// Two GPUs use twice the service, and slow GPUs count for what they did: 100 GPU-s lengths again.
	wide := simtest.Job{GPUs: 2, Steps: 1000, Rates: map[string]float64{"a": 1, "b": 0.5}}
	p = simtest.Build(50, []simtest.Node{{"a": 2}}, []simtest.Job{wide, simtest.PlainJob(150, 2, 50),
		simtest.PlainJob(150, 2, 50)},
		model.Costs{})
	if got := simtest.Finishes(simtest.Run(t, p, "gittins", nil)); !slices.Equal(got, []float64{600, 200, 250}) {
		t.Errorf("two GPUs: finishes %v", got)
	}
}
