package auction_test

import (
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/simtest"
)

// TestThemisLeases: one GPU, two jobs of 3000 s, leases of 1000 s. On an equal share each takes 6000 s. At each
// lease end the GPU goes to the greater ρ: at 1000 s 3000/6000 against 4000/6000, at 2000 s a tie that the
// older wins, and so on in turns.
func TestThemisLeases(t *testing.T) {
	p := simtest.Build(360, []simtest.Node{{"a": 1}}, []simtest.Job{simtest.PlainJob(0, 1, 3000),
		simtest.PlainJob(0, 1, 3000)},
		model.Costs{})
	tr := simtest.Run(t, p, "themis", map[string]any{"lease_s": 1000.0})
	if got := simtest.Finishes(tr); !slices.Equal(got, []float64{5000, 6000}) || tr.Jobs[0].Preempted != 2 ||
		tr.Jobs[1].Preempted != 2 {
		t.Errorf("finishes %v, preemptions %d and %d", got, tr.Jobs[0].Preempted, tr.Jobs[1].Preempted)
	}
	// A newcomer waits for the lease's end and not for the job's.
	p = simtest.Build(360, []simtest.Node{{"a": 1}}, []simtest.Job{simtest.PlainJob(0, 1, 3000),
		simtest.PlainJob(10, 1, 100)}, model.Costs{})
	if got := simtest.Finishes(simtest.Run(t, p, "themis", map[string]any{"lease_s": 1000.0})); !slices.Equal(got,
		[]float64{3100, 1100}) {
		t.Errorf("finishes %v", got)
	}
}

// TestThemisAuction: the older job goes first in order of ρ and would take the fast GPU, but the slow one is
// nearly as good for it and useless for the other: the product of 1/ρ says so.
func TestThemisAuction(t *testing.T) {
	even := simtest.Job{GPUs: 1, Steps: 9000, Rates: map[string]float64{"fast": 10, "slow": 9}}
	choosy := simtest.Job{GPUs: 1, Steps: 9000, Rates: map[string]float64{"fast": 10, "slow": 1}}
	p := simtest.Build(360, []simtest.Node{{"fast": 1}, {"slow": 1}}, []simtest.Job{even, choosy}, model.Costs{})
	got := simtest.Finishes(simtest.Run(t, p, "themis", map[string]any{"fairness": 0.0}))
	if !slices.Equal(got, []float64{1000, 900}) {
		t.Errorf("finishes %v", got)
	}
}
