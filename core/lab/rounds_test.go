package lab_test

import (
	"slices"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
)

// TestRoundsAfterAnEmptyCluster is the example of the manual, under "When a round begins": Hadar's rounds stand on the
// clock, while those of policies that share time begin with an arrival on an idle cluster.
func TestRoundsAfterAnEmptyCluster(t *testing.T) {
	const doc = `{"kind": "scenario", "version": 1, "scenario": {"round_s": 360,
		"cluster": {"nodes": [{"id": "n", "gpus": {"v100": 1}}]},
		"throughputs": {"rows": [{"model": "m", "per_gpu": {"v100": 10}}]},
		"jobs": [{"id": "a", "model": "m", "gpus": 1, "steps": 5000},
			{"id": "b", "model": "m", "gpus": 1, "steps": 5000, "arrival_s": 800}],
		"policies": [{"id": "fifo"}]}}`
	clock, idle := []int64{0, 360, 1080, 1440}, []int64{0, 360, 800, 1160}
	for policy, want := range map[string][]int64{"hadar": clock, "hadare": clock, "gavel-las": idle, "gavel-ftf": idle,
		"gavel-fifo": idle, "gandiva": idle, "allox": idle} {
		s := lab.NewSession()
		s.Start(&message.RunRequest{Scenario: []byte(doc), Policies: []message.PolicyRef{{ID: policy}}})
		for more := true; more; {
			_, more = s.Spend(1 << 20)
		}
		var at []int64
		for _, r := range s.Trace(0).Rounds {
			at = append(at, int64(r.At)/1000)
		}
		jobs := s.Trace(0).Jobs
		if !slices.Equal(at, want) || jobs[0].Finish != 500_000 || int64(jobs[1].Start)/1000 != want[2] {
			t.Errorf("%s decides at %v, and its jobs are %+v; the manual says %v", policy, at, jobs, want)
		}
	}
}
