package hadar_test

import (
	"math"
	"testing"

	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// lone makes n single-GPU nodes, each of its own type, and jobs with one rate per node.
func lone(costs model.Costs, jobs ...simtest.Job) *model.Problem {
	var nodes []simtest.Node
	for i := range len(jobs[0].Rates) {
		nodes = append(nodes, simtest.Node{string(rune('a' + i)): 1})
	}
	return simtest.Build(360, nodes, jobs, costs)
}

func rates(x ...float64) map[string]float64 {
	m := map[string]float64{}
	for i, v := range x {
		m[string(rune('a'+i))] = v
	}
	return m
}

func TestOneJobInCopies(t *testing.T) {
	merge := model.Costs{Merge: 20 * unit.Second, Load: 20 * unit.Second}
	p := lone(merge, simtest.Job{GPUs: 1, Steps: 100000, Rates: rates(6, 5, 3, 2, 1)})
	m := metric.Compute(p, simtest.Run(t, p, "hadare", nil)).Metrics
	simtest.Near(t, "TTD", m.MakespanS, 6242.5, 0.01)
	simtest.Near(t, "CRU", m.NodeUtilization, 0.9423, 5e-5)
	m = metric.Compute(p, simtest.Run(t, p, "hadar", nil)).Metrics
	simtest.Near(t, "TTD on the best node alone", m.MakespanS, 16686.7, 0.05)
	simtest.Near(t, "its CRU", m.NodeUtilization, 0.1998, 5e-5)
}

func TestTwoJobsInCopies(t *testing.T) {
	merge := model.Costs{Merge: 20 * unit.Second, Load: 20 * unit.Second}
	p := lone(merge, simtest.Job{GPUs: 1, Steps: 6000, Rates: rates(6, 3, 1)},
		simtest.Job{GPUs: 1, Steps: 6000, Rates: rates(4, 3, 2)})
	tr := simtest.Run(t, p, "hadare", nil)
	simtest.Near(t, "A ends", tr.Jobs[0].Finish.Seconds(), 1060, 0.001)
	simtest.Near(t, "B ends", tr.Jobs[1].Finish.Seconds(), 1200, 0.001)
	simtest.Near(t, "CRU", metric.Compute(p, tr).Metrics.NodeUtilization, 0.9278, 5e-5)
	tr = simtest.Run(t, p, "hadar", nil)
	simtest.Near(t, "Hadar: A ends", tr.Jobs[0].Finish.Seconds(), 1020, 0.001)
	simtest.Near(t, "Hadar: B ends", tr.Jobs[1].Finish.Seconds(), 1805, 0.001)
	simtest.Near(t, "Hadar's CRU", metric.Compute(p, tr).Metrics.NodeUtilization, 0.5106, 5e-5)
}

// TestUtilisationTheorem: in every round that starts with an unfinished job all nodes are allocated, so
// that a node's idle time lies after a job's finish, within the round (hadar.md, The theorem).
func TestUtilisationTheorem(t *testing.T) {
	for seed := range uint64(300) {
		rng := unit.Stream(seed, "theorem")
		nodes := 1 + rng.IntN(5)
		jobs := make([]simtest.Job, 1+rng.IntN(6))
		for i := range jobs {
			x := make([]float64, nodes)
			for k := range x {
				x[k] = 0.5 + 9*rng.Float64()
			}
			jobs[i] = simtest.Job{GPUs: 1, Steps: float64(1000 + rng.IntN(40000)), Rates: rates(x...),
				Arrive: float64(i * rng.IntN(900))}
		}
		for i := 1; i < len(jobs); i++ {
			jobs[i].Arrive = math.Max(jobs[i].Arrive, jobs[i-1].Arrive)
		}
		p := lone(model.Costs{Merge: unit.Tick(rng.IntN(40)) * unit.Second}, jobs...)
		tr := simtest.Run(t, p, "hadare", nil)
		for k := range tr.Rounds {
			at := tr.Rounds[k].At
			held := map[int32]bool{}
			for i := range tr.Spans.Len() {
				if tr.Spans.From[i] <= at && tr.Spans.To[i] > at {
					for _, sh := range tr.Spans.At(i) {
						held[tr.Slots[sh.Slot].Node] = true
					}
				}
			}
			if len(held) != nodes {
				t.Fatalf("seed %d: %d of %d nodes are allocated in round %d", seed, len(held), nodes, k)
			}
		}
	}
}

// TestUtilisationCorollary: for one job, without overheads and with short rounds, forking speeds a
// job up by the sum of its nodes' speeds over the best one (hadar.md, The theorem).
func TestUtilisationCorollary(t *testing.T) {
	for seed := range uint64(20) {
		rng := unit.Stream(seed, "corollary")
		x := make([]float64, 2+rng.IntN(4))
		sum, best := 0.0, 0.0
		for k := range x {
			x[k] = 1 + 9*rng.Float64()
			sum += x[k]
			best = math.Max(best, x[k])
		}
		p := lone(model.Costs{}, simtest.Job{GPUs: 1, Steps: 1e6, Rates: rates(x...)})
		p.Round = 10 * unit.Second
		forked := simtest.Run(t, p, "hadare", nil).LastFinish()
		alone := simtest.Run(t, p, "hadar", nil).LastFinish()
		simtest.Near(t, "speed-up over its limit", float64(alone)/float64(forked)/(sum/best), 1, 0.05)
	}
}

func TestLeftByTheCopy(t *testing.T) {
	p := simtest.Build(360, []simtest.Node{{"a": 2, "b": 3}},
		[]simtest.Job{{GPUs: 1, Steps: 9000, Rates: map[string]float64{"a": 5, "b": 1}}}, model.Costs{})
	tr := simtest.Run(t, p, "hadare", policy.Values{"copy": "node"})
	if left := tr.Points(&trace.Left); len(left) != 1 || left[0].Of != 0 || left[0].Value != 3 {
		t.Errorf("three GPUs are left by the copy, told is %v", left)
	}
}

// What is explained is what is decided: quotas within reach, weights that sum to one, every leftover node
// with the job that gains most, and no dual bound.
func TestHadarEExplainsBothPhases(t *testing.T) {
	merge := model.Costs{Merge: 20 * unit.Second, Load: 20 * unit.Second}
	p := lone(merge, simtest.Job{GPUs: 1, Steps: 6000, Rates: rates(6, 3, 1)},
		simtest.Job{GPUs: 1, Steps: 6000, Rates: rates(4, 3, 2)})
	spec, err := policy.Find("hadare")
	if err != nil {
		t.Fatal(err)
	}
	v, _ := spec.Check(nil)
	pol, err := spec.New(p.Public(), v)
	if err != nil {
		t.Fatal(err)
	}
	r, err := sim.New(p, pol, spec.Cadence(p.Public(), v), sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.Explain(0)
	for r.Rounds() == 0 && r.Step() {
	}
	d := r.Explained()
	if d == nil || len(d.Choices) != 2 {
		t.Fatalf("%+v", d)
	}
	for _, s := range d.Sections {
		for _, k := range s.Terms {
			if k.Key == "dual_bound" {
				t.Error("a dual bound, which phase 2 makes meaningless")
			}
		}
	}
	slot := func(k map[string]any) model.SlotID { return k["gang"].(sim.Noted).Cell.([]model.Shard)[0].Slot }
	most := map[model.SlotID]float64{}
	for i := range d.Choices {
		for _, k := range simtest.Rows(d.Choices[i].Sections, "candidates") {
			if k["phase"] == 2 {
				most[slot(k)] = max(most[slot(k)], k["utility"].(float64))
			}
		}
	}
	if len(most) != 1 {
		t.Errorf("phase 2 gave away %d nodes, want the one that two jobs leave of three", len(most))
	}
	for i := range d.Choices {
		c, weights := d.Choices[i], 0.0
		for _, k := range simtest.Rows(c.Sections, "copies") {
			weights += k["merge_weight"].(float64)
			if steps, most := k["quota_steps"].(float64), k["most_steps"].(float64); steps > most || steps <= 0 {
				t.Errorf("a quota of %v steps where %v are possible", steps, most)
			}
		}
		simtest.Near(t, "the weights' sum", weights, 1, 1e-12)
		for _, k := range simtest.Rows(c.Sections, "candidates") {
			if k["phase"] == 2 && k["chosen"] != (k["utility"] == most[slot(k)]) {
				t.Errorf("job %d gains %v on slot %d, the most is %v, chosen: %v", c.Job, k["utility"], slot(k),
					most[slot(k)], k["chosen"])
			}
		}
	}
}
