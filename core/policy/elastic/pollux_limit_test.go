package elastic

import (
	"testing"

	"hadarlab/core/model"
)

// TestARefusedGangLeavesWhatAJobRunsOn: that a gang had no speed as it lay says nothing of the GPUs that a job has.
func TestARefusedGangLeavesWhatAJobRunsOn(t *testing.T) {
	l := &learner{refused: 4, batches: model.Batches{Init: 32, Max: 1024, Low: 8, High: 128}}
	l.seen.Add(4, 32, true, 0.1, 0.2)
	shape := model.Shape{Min: 1, Max: 16, Step: 1}
	if most := new(pollux).limit(l, shape); most != 3 {
		t.Errorf("a gang of 4 was refused, and a job that holds none may have %d", most)
	}
	l.held = []model.Shard{{Slot: 0, N: 2}, {Slot: 1, N: 2}}
	if most := new(pollux).limit(l, shape); most != 4 {
		t.Errorf("another gang of 4 was refused, and a job that runs on 4 may have %d", most)
	}
}
