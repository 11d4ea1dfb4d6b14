package hadar_test

import (
	"math"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// held counts the GPUs that a job holds at an instant, by node.
func held(tr *trace.Trace, j int32, at unit.Tick) map[int32]int32 {
	n := map[int32]int32{}
	for i := range tr.Spans.Len() {
		if tr.Spans.Job[i] == j && tr.Spans.From[i] <= at && tr.Spans.To[i] > at {
			for _, sh := range tr.Spans.At(i) {
				n[tr.Slots[sh.Slot].Node] += sh.N
			}
		}
	}
	return n
}

// TestOneGPUJobHoldsOneGPUANode: 72,000 steps at one a second on each of five nodes of four GPUs. Each round of 360 s
// begins with a merge of 20 s, so that five copies do 5 × 340 = 1,700 steps. After 42 rounds 600 steps are left, 120 a
// copy: 42 × 360 + 20 + 120 = 15,260 s. With whole nodes 20 GPUs do 6,800 steps a round: ten rounds leave 4,000 steps,
// 200 s: 3,820 s.
func TestOneGPUJobHoldsOneGPUANode(t *testing.T) {
	costs := model.Costs{Merge: 20 * unit.Second, Load: 20 * unit.Second}
	nodes := []simtest.Node{{"a": 4}, {"a": 4}, {"a": 4}, {"a": 4}, {"a": 4}}
	p := simtest.Build(360, nodes, []simtest.Job{{GPUs: 1, Steps: 72000, Rates: rates(1)}}, costs)
	for _, x := range []struct {
		copies string
		gpus   int32
		end    float64
	}{{"request", 1, 15260}, {"node", 4, 3820}} {
		tr := simtest.Run(t, p, "hadare", policy.Values{"copy": x.copies})
		simtest.Near(t, x.copies+": end", tr.Jobs[0].Finish.Seconds(), x.end, 1e-3)
		on := held(tr, 0, 400*unit.Second)
		for n, gpus := range on {
			if gpus != x.gpus || len(on) != 5 {
				t.Errorf("%s: node %d of %d has %d GPUs of the job, want %d", x.copies, n, len(on), gpus, x.gpus)
			}
		}
	}
}

// TestCopiesShareANode: two jobs of two GPUs, 3,400 steps each, on two nodes of four GPUs, where two GPUs do two steps
// a second; each round has 340 s after the merge. Each job has a copy on each node: 4 steps a second, 1,360 a round.
// After two rounds 680 steps are left, 170 s: both end at 720 + 20 + 170 = 910 s.
func TestCopiesShareANode(t *testing.T) {
	costs := model.Costs{Merge: 20 * unit.Second, Load: 20 * unit.Second}
	job := simtest.Job{GPUs: 2, Steps: 3400, Rates: rates(1)}
	p := simtest.Build(360, []simtest.Node{{"a": 4}, {"a": 4}}, []simtest.Job{job, job}, costs)
	tr := simtest.Run(t, p, "hadare", nil)
	for j := range int32(2) {
		simtest.Near(t, "end", tr.Jobs[j].Finish.Seconds(), 910, 1e-3)
		if on := held(tr, j, 400*unit.Second); len(on) != 2 || on[0] != 2 || on[1] != 2 {
			t.Errorf("job %d holds %v, want two GPUs on each node", j, on)
		}
	}
}

// TestProfiledCopiesTrainAsOneBatch: a GPU takes 1 s for 16 examples, in two passes, the initial batch is 8, and 48 at
// most train at once: three of five nodes get a copy. In the first half of the work φ is 8, so that one of 48 is worth
// (8 + 8) ÷ (8 + 48) = 2/7 of one in the initial batch, and three copies do 3 × 2 × 2/7 = 12/7 steps a second; in the
// second φ is infinite and they do 6. Of 4,200 steps the first 2,100 take 1,225 s, the others 350 s: 1,575 s without
// merges. One node alone does 2 × (8 + 8) ÷ (8 + 16) = 4/3 and then 2 steps a second.
func TestProfiledCopiesTrainAsOneBatch(t *testing.T) {
	nodes := []simtest.Node{{"a": 1}, {"a": 1}, {"a": 1}, {"a": 1}, {"a": 1}}
	p := simtest.Build(360, nodes, []simtest.Job{{GPUs: 1, Steps: 4200, Rates: rates(1)}}, model.Costs{})
	perf := []model.Perf{{AlphaC: 0.1, BetaC: 0.05, Gamma: 1}}
	simtest.Profiled(p, 0, perf, model.Batches{Init: 8, Max: 48, Low: 1, High: 64}, []float64{8, math.Inf(1)},
		model.Shape{Size: 1, Min: 1, Max: 1, Step: 1, Gangs: 5})
	tr := simtest.Run(t, p, "hadare", nil)
	if on := held(tr, 0, 400*unit.Second); len(on) != 3 {
		t.Errorf("copies on %d nodes, want the three whose batches are allowed", len(on))
	}
	simtest.Near(t, "end", tr.Jobs[0].Finish.Seconds(), 1575, 0.2) // whole steps in the last round
	simtest.Near(t, "end of Hadar", simtest.Run(t, p, "hadar", nil).Jobs[0].Finish.Seconds(), 2100/(4.0/3)+1050, 0.01)
}

// TestCopiesStayBelowTheirProfile: whatever copies a profiled job has, they do no more than the best batch that is
// legal would do on the same GPUs if nothing had to be exchanged.
func TestCopiesStayBelowTheirProfile(t *testing.T) {
	for seed := range uint64(60) {
		rng := unit.Stream(seed, "ceiling")
		var nodes []simtest.Node
		for range 2 + rng.IntN(6) {
			nodes = append(nodes, simtest.Node{"a": int32(1 + rng.IntN(4))})
		}
		p := simtest.Build(60, nodes, []simtest.Job{{GPUs: int32(1 + rng.IntN(3)), Steps: 3000, Rates: rates(1)}},
			model.Costs{})
		perf := model.Perf{AlphaC: 0.05 + rng.Float64(), BetaC: 0.05 * rng.Float64(), AlphaR: rng.Float64(),
			AlphaN: 1 + rng.Float64(), Gamma: 1 + 3*rng.Float64()}
		b := model.Batches{Init: int32(4 + rng.IntN(12)), Low: 1, High: int32(8 + rng.IntN(40))}
		b.Max = b.Init * int32(2+rng.IntN(12))
		phi := 1 + 400*rng.Float64()
		simtest.Profiled(p, 0, []model.Perf{perf}, b, []float64{phi},
			model.Shape{Size: 1, Min: 1, Max: 1, Step: 1, Gangs: int32(len(nodes))})
		for _, copies := range []string{"request", "node"} {
			tr := simtest.Run(t, p, "hadare", policy.Values{"copy": copies})
			gpus := 0.0
			for _, n := range held(tr, 0, unit.Second) {
				gpus += float64(n)
			}
			ceiling := 0.0
			for m := 1.0; m <= float64(b.Max); m++ {
				each := math.Min(m/gpus, float64(b.High))
				speed := gpus * each / (perf.AlphaC + perf.BetaC*each)
				ceiling = math.Max(ceiling, speed/float64(b.Init)*model.Efficiency(phi, float64(b.Init), m))
			}
			if rate := 3000 / tr.Jobs[0].Finish.Seconds(); rate > ceiling*1.001 {
				t.Errorf("seed %d, %s: %v steps a second on %v GPUs, the profile's best are %v", seed, copies, rate,
					gpus,
					ceiling)
			}
		}
	}
}
