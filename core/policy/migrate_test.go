package policy_test

import (
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// leftOnK80 is a short job on the only V100 and one of 9000 steps that starts on the K80, at 10 and 1 steps/s. A start
// costs 20 s, a checkpoint 10 s more.
func leftOnK80(short float64) *model.Problem {
	job := func(steps float64) simtest.Job {
		return simtest.Job{GPUs: 1, Steps: steps, Rates: map[string]float64{"v100": 10, "k80": 1}}
	}
	return simtest.Build(360, []simtest.Node{{"v100": 1}, {"k80": 1}}, []simtest.Job{job(short), job(9000)},
		model.Costs{Load: 20 * unit.Second, Save: 10 * unit.Second})
}

// TestRunningJobsMoveToFasterFreeGPUs: the short job ends at 120 s. By then the other has done 100 of its 9000 steps.
// To stay takes 8900 s more; to move 30 s and 890. Who is blind to lengths takes as much to be left as is done: 100 s
// against 30 + 10. Gittins knows that lengths are 100 or 900 GPU-s, and after 10 GPU-s expects 490 more on a V100.
func TestRunningJobsMoveToFasterFreeGPUs(t *testing.T) {
	for _, id := range []string{"srtf", "las", "tiresias", "gittins"} {
		p := leftOnK80(1000)
		ends(t, p, id, nil, 120, 120+30+890)
		ends(t, p, id, map[string]any{"migrate": false}, 120, 20+9000)
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
	p := leftOnK80(200)
	ends(t, p, "srtf", nil, 40, 40+30+898)
	ends(t, p, "las", nil, 40, 360+30+866)
	ends(t, p, "tiresias", nil, 40, 20+9000)
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

// TestAlloXCutsItsRowsByType: the two oldest jobs can use the V100 only. With one row a type the third, which only the
// K80 serves, starts at once: 100 s of it in place of the 1100 s and more when the older ones hide it.
func TestAlloXCutsItsRowsByType(t *testing.T) {
	v := simtest.Job{GPUs: 1, Steps: 1000, Rates: map[string]float64{"v100": 1}}
	k := simtest.Job{GPUs: 1, Steps: 100, Rates: map[string]float64{"k80": 1}}
	p := simtest.Build(360, []simtest.Node{{"v100": 1}, {"k80": 1}}, []simtest.Job{v, v, v, k}, model.Costs{})
	ends(t, p, "allox", map[string]any{"rows": 1.0}, 1000, 2000, 3000, 100)
}

// TestAlloXSaysWhatItLeavesIdle: of two jobs of 100 s on a V100 and 1000 s on a K80 the second waits for the V100: 100
// + 200 s is less than 100 + 1000. The K80 idles, and Why says so.
func TestAlloXSaysWhatItLeavesIdle(t *testing.T) {
	doc := []byte(`{"kind":"scenario","version":1,"scenario":{"round_s":360,
		"cluster":{"nodes":[{"id":"n1","gpus":{"v100":1}},{"id":"n2","gpus":{"k80":1}}]},
		"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":10,"k80":1}}]},
		"jobs":[{"id":"j1","model":"m","gpus":1,"steps":1000},{"id":"j2","model":"m","gpus":1,"steps":1000}],
		"policies":[{"id":"allox"}]}}`)
	e, diags := lab.NewSession().Explain(&message.ExplainRequest{Scenario: doc, Policy: message.PolicyRef{ID: "allox"},
		Job: "j2"})
	if e == nil {
		t.Fatal(diags)
	}
	const want = "j2 waits: the sum of all completion times is smallest when 1 job goes before it on a V100, where it " +
		"takes 100 s; GPUs on which it would take 16.7 min stay idle, since starting there would not make the sum smaller."
	if got := e.Jobs[0].Sentence; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
