package metric_test

import (
	"math"
	"testing"

	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// notes65 is the acceptance example 6.5 of the Hadar notes with rounds of 360 s: a chunk is 360 steps.
func notes65() *model.Problem {
	j := simtest.Job{GPUs: 2, Steps: 60 * 360, Rates: map[string]float64{"v100": 10, "p100": 6}}
	return simtest.Build(360, []simtest.Node{{"v100": 3}, {"p100": 3}}, []simtest.Job{j, j, j}, model.Costs{})
}

func TestFiguresOfTheAcceptanceExample(t *testing.T) {
	p := notes65()
	r := metric.Compute(p, simtest.Run(t, p, "hadar", nil))
	m := r.Metrics
	const held = 2 * (3 + 13./3 + 4.6) // GPU-rounds
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"mean completion, rounds", m.AvgJCTS / 360, (3 + 13./3 + 4.6) / 3},
		{"makespan, rounds", m.MakespanS / 360, 4.6},
		{"GPU utilisation", m.GPUUtilization, held / 27.6},
		{"node utilisation", m.NodeUtilization, (13./3 + 4.6) / 9.2},
		{"median", m.P50JCTS / 360, 13. / 3},
		{"p99", m.P99JCTS / 360, 4.6},
		{"queue", m.AvgQueueS, 0},
		{"preemptions", float64(m.Preemptions), 0},
		{"cost, USD at 1 a GPU-hour", m.CostUSD, held * 360 / 3600},
		{"energy at 250 W", m.EnergyKWh, held * 360 / 3600 * 0.25},
		// J1: alone for 3 rounds among 3 jobs, isolated rate (3/6·20 + 3/6·12) capped at full time = 16.
		{"J1's fairness", r.Jobs[0].FTF, 3 * 360 / (21600 / 16.)},
	} {
		if math.Abs(c.got-c.want) > 1e-6*math.Max(1, math.Abs(c.want)) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
	p = notes65()
	m = metric.Compute(p, simtest.Run(t, p, "hadar", map[string]any{"homogeneous": true})).Metrics
	if math.Abs(m.AvgJCTS/360-4.6667) > 1e-4 || math.Abs(m.MakespanS/360-6) > 1e-9 ||
		math.Abs(m.GPUUtilization-0.6111) > 1e-4 {
		t.Errorf("job level: mean %v, makespan %v, utilisation %v; want 4.6667, 6, 0.6111", m.AvgJCTS/360,
			m.MakespanS/360, m.GPUUtilization)
	}
}

// TestFiguresFitTogether: under every policy the figures of a run bound each other as what they mean does. That GPU
// time by kind adds up to capacity × time (I8) is checked in every run.
func TestFiguresFitTogether(t *testing.T) {
	for seed := range uint64(40) {
		p := simtest.Random(unit.Stream(seed, "metric"))
		if seed%2 == 0 {
			p.Changes = []model.CapacityChange{{At: 100 * unit.Second, Cap: 0},
				{At: 400 * unit.Second, Cap: p.Cluster.Slots[0].Cap}}
		}
		for _, s := range policy.All() {
			id := s.ID
			if s.Unmet(p) != nil {
				continue // refused before it runs
			}
			r := metric.Compute(p, simtest.Run(t, p, id, nil))
			m := r.Metrics
			for _, j := range r.Jobs {
				if j.FinishS != nil && (j.WaitS < 0 || j.WaitS+j.StalledS > *j.FinishS-j.ArrivalS+1e-9 || j.WaitS+
					1e-9 < *j.StartS-j.ArrivalS) {
					t.Fatalf("seed %d, %s: %+v", seed, id, j)
				}
			}
			if m.GPUUtilization > 1 || m.NodeUtilization > 1 || m.NodeUtilization < m.GPUUtilization/4 ||
				m.FTFMax < m.FTFAvg ||
				m.FTFP50 > m.FTFP95 || m.FTFP95 > m.FTFMax {
				t.Fatalf("seed %d, %s: %+v", seed, id, m)
			}
		}
	}
}

// TestFailedGPUsAreNotIdle: a GPU that is down is not idle; utilisation is of the whole cluster.
func TestFailedGPUsAreNotIdle(t *testing.T) {
	p := simtest.Build(100, []simtest.Node{{"a": 1}, {"a": 1}},
		[]simtest.Job{{GPUs: 1, Steps: 100, Rates: map[string]float64{"a": 1}}}, model.Costs{})
	p.Changes = []model.CapacityChange{{At: 20 * unit.Second, Slot: 1, Cap: 0}, {At: 70 * unit.Second, Slot: 1, Cap: 1}}
	r := metric.Compute(p, simtest.Run(t, p, "fifo", nil))
	if r.Down != 50*unit.Second || r.Idle != 50*unit.Second || r.Metrics.GPUUtilization != 0.5 ||
		r.Metrics.NodeUtilization != 0.5 {
		t.Errorf("down %v idle %v, utilisation %v and %v", r.Down, r.Idle, r.Metrics.GPUUtilization,
			r.Metrics.NodeUtilization)
	}
}

// TestFairnessOfAQueueByHand: three jobs of 100 s on one GPU, one after the other. While the first runs there are three
// unfinished ones, over the second's life 2.5 in the mean, over the third's 2: ρ = 100/300, 200/250 and 300/200.
// Eighteen more that come alone later, each with ρ = 1, make the worst another one than the 95th percentile.
func TestFairnessOfAQueueByHand(t *testing.T) {
	jobs := make([]simtest.Job, 21)
	for i := range jobs {
		jobs[i] = simtest.Job{GPUs: 1, Steps: 100, Rates: map[string]float64{"a": 1},
			Arrive: float64(max(0, i-2) * 1000)}
	}
	p := simtest.Build(100, []simtest.Node{{"a": 1}}, jobs[:3], model.Costs{})
	m := metric.Compute(p, simtest.Run(t, p, "fifo", nil)).Metrics
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s fairness is %v, want %v", what, got, want)
		}
	}
	near("mean", m.FTFAvg, (1./3+0.8+1.5)/3)
	near("median", m.FTFP50, 0.8)
	near("95 %", m.FTFP95, 1.5)
	near("worst", m.FTFMax, 1.5)
	p = simtest.Build(100, []simtest.Node{{"a": 1}}, jobs, model.Costs{})
	m = metric.Compute(p, simtest.Run(t, p, "fifo", nil)).Metrics
	near("median of 21", m.FTFP50, 1)
	near("95 % of 21", m.FTFP95, 1)
	near("worst of 21", m.FTFMax, 1.5)
}

// openByHand: two GPUs, first come first served, and six jobs of which the third and the fourth are measured.
//
//	n1: j1 0 to 300, j4 300 to 450
//	n2: j2 0 to 100, j3 150 to 350, j5 370 on (it would take until 870)
//	j6 would come at 1000.
func openByHand() *model.Problem {
	var jobs []simtest.Job
	for _, j := range [][2]float64{{0, 300}, {0, 100}, {150, 200}, {200, 150}, {370, 500}, {1000, 100}} {
		jobs = append(jobs, simtest.Job{GPUs: 1, Arrive: j[0], Steps: j[1], Rates: map[string]float64{"a": 1}})
	}
	p := simtest.Build(100, []simtest.Node{{"a": 1}, {"a": 1}}, jobs, model.Costs{})
	p.Window = model.Window{From: 2, To: 4}
	return p
}

// TestFiguresOfAWindowByHand: the run ends at 450, and is measured from 150 on, when j3 comes.
func TestFiguresOfAWindowByHand(t *testing.T) {
	p := openByHand()
	tr := simtest.Run(t, p, "fifo", nil)
	if tr.Outcome != trace.Done || tr.End != 450*unit.Second {
		t.Fatalf("it ends %v at %v", tr.Outcome, tr.End)
	}
	r := metric.Compute(p, tr)
	m := &r.Metrics
	// While j3 was there, j1 was for 150 s, j3 for 200, j4 for 150: 2.5 in the mean, so that a share is 0.8 GPUs. While
	// j4 was, j1 was for 100 s, j3 for 150, j4 for 250, j5 for 80: 2.32.
	rho3, rho4 := 200/(200/0.8), 250/(150/(2/2.32))
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"makespan, of the two", m.MakespanS, 450 - 150},
		{"mean completion", m.AvgJCTS, (200 + 250) / 2.},
		{"median completion", m.P50JCTS, 200},
		{"95 % completion", m.P95JCTS, 250},
		{"mean wait to start", m.AvgQueueS, (0 + 100) / 2.},
		{"mean time without GPUs", m.AvgWaitS, 50},
		{"GPU time of progress, of all", m.BusyGPUS, 150 + 200 + 150 + 80},
		{"utilisation", m.GPUUtilization, 580 / 600.},
		{"nodes' utilisation", m.NodeUtilization, 580 / 600.},
		{"idle, nobody waits", m.IdleNobodyGPUS, 20},
		{"cost, of the two", m.CostUSD, (200 + 150) / 3600.},
		{"energy, of the two", m.EnergyKWh, (200 + 150) / 3600. * 0.25},
		{"mean fairness", m.FTFAvg, (rho3 + rho4) / 2},
		{"worst fairness", m.FTFMax, rho4},
		{"the row of a job before", *r.Jobs[0].FinishS, 300},
		{"the row of a job that is cut off", r.Jobs[4].GPUS, 80},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
	if r.Jobs[4].FinishS != nil || r.Jobs[5].StartS != nil {
		t.Errorf("j5 and j6: %+v, %+v", r.Jobs[4], r.Jobs[5])
	}
	b := metric.Bounds(p, tr)
	if math.Abs(b.MakespanS-200) > 1e-6 || math.Abs(b.AvgJCTS-175) > 1e-6 {
		t.Errorf("alone, the two take 200 s from 150 on, and 175 s in the mean; the bounds are %+v", b)
	}
}
