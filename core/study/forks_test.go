package study_test

import (
	"testing"

	"hadarlab/core/study"
)

// TestHeldNodes: copies hold all nodes in every round, and one job without copies a single one of them.
func TestHeldNodes(t *testing.T) {
	alone := 0
	for seed := range uint64(20) {
		d := study.ForkWorld(seed)
		nodes, jobs := len(d.Scenario.Cluster.Nodes), len(d.Scenario.Jobs)
		for _, l := range []study.Lane{study.NewLane("hadare", "copy", "node"), study.NewLane("hadar")} {
			held, err := study.HeldNodes(d, l)
			if err != nil {
				t.Fatal(err)
			}
			if l.ID == "hadare" && held != 1 || l.ID == "hadar" && jobs == 1 && held != 1/float64(nodes) {
				t.Errorf("seed %d: %s holds %v of %d nodes for %d jobs", seed, l.ID, held, nodes, jobs)
			}
		}
		if jobs == 1 && nodes > 1 {
			alone++
		}
	}
	if alone == 0 {
		t.Error("no case has one job on several nodes")
	}
}
