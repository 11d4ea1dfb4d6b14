package queues_test

import (
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
)

// TestRunningJobsMoveToFasterFreeGPUs: the short job ends at 120 s. By then the other has done 100 of its 9000 steps.
// To stay takes 8900 s more; to move 30 s and 890. Who is blind to lengths takes as much to be left as is done: 100 s
// against 30 + 10. Gittins knows that lengths are 100 or 900 GPU-s, and after 10 GPU-s expects 490 more on a V100.
func TestRunningJobsMoveToFasterFreeGPUs(t *testing.T) {
	for _, id := range []string{"srtf", "las", "tiresias", "gittins"} {
		p := simtest.LeftOnK80(1000)
		simtest.Ends(t, p, id, nil, 120, 120+30+890)
		simtest.Ends(t, p, id, map[string]any{"migrate": false}, 120, 20+9000)
		moves := 0
		for _, r := range simtest.Run(t, p, id, nil).Reasons {
			if r.Code == trace.Moved {
				moves++
			}
		}
		if moves != 1 {
			t.Errorf("%s: %d moves, want one", id, moves)
		}
	}
}

// TestNoMoveForLessThanItsStall: the short job ends at 40 s, when the other has done 20 steps. As many more take 20 s
// where it is and 30 + 2 s on the V100, so who is blind to lengths stays. LAS looks again at 360 s: 340 s against
// 30 + 34, and it moves; Tiresias looks again when the job leaves its first queue, which it does not live to see.
func TestNoMoveForLessThanItsStall(t *testing.T) {
	p := simtest.LeftOnK80(200)
	simtest.Ends(t, p, "srtf", nil, 40, 40+30+898)
	simtest.Ends(t, p, "las", nil, 40, 360+30+866)
	simtest.Ends(t, p, "tiresias", nil, 40, 20+9000)
}

// TestOnlyAnotherTypeAtTheSameSizeIsFaster: a gang of two that lies on two nodes does not move to one node of its type.
func TestOnlyAnotherTypeAtTheSameSizeIsFaster(t *testing.T) {
	one := simtest.Job{GPUs: 1, Steps: 500, Rates: map[string]float64{"a": 1}}
	wide := simtest.Job{GPUs: 2, Steps: 40000, Spread: 0.5, Rates: map[string]float64{"a": 1}}
	p := simtest.Build(360, []simtest.Node{{"a": 2}, {"a": 2}}, []simtest.Job{one, one, wide}, model.Costs{})
	for _, r := range simtest.Run(t, p, "srtf", nil).Reasons {
		if r.Code == trace.Moved {
			t.Fatal("it moves within its type")
		}
	}
}
