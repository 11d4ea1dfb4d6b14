package metric_test

import (
	"math"
	"testing"

	"hadarlab/core/metric"
	"hadarlab/core/model"
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
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"mean completion, rounds", m.AvgJCTS / 360, (3 + 4.2 + 5) / 3},
		{"makespan, rounds", m.MakespanS / 360, 5},
		{"GPU utilisation", m.GPUUtilization, 24.4 / 30},
		{"node utilisation", m.NodeUtilization, (4.2 + 5) / 10},
		{"median", m.P50JCTS / 360, 4.2},
		{"p99", m.P99JCTS / 360, 5},
		{"queue", m.AvgQueueS, 0},
		{"preemptions", float64(m.Preemptions), 0},
		{"cost, USD at 1 a GPU-hour", m.CostUSD, 24.4 * 360 / 3600},
		{"energy at 250 W", m.EnergyKWh, 24.4 * 360 / 3600 * 0.25},
		// J1: alone for 3 rounds among 3 jobs, isolated rate (3/6·20 + 3/6·12) capped at full time = 16.
		{"J1's fairness", r.Jobs[0].FTF, 3 * 360 / (21600 / 16.)},
	} {
		if math.Abs(c.got-c.want) > 1e-6*math.Max(1, math.Abs(c.want)) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
	p = notes65()
	m = metric.Compute(p, simtest.Run(t, p, "hadar", map[string]any{"homogeneous": true})).Metrics
	if math.Abs(m.AvgJCTS/360-4.6667) > 1e-4 || math.Abs(m.MakespanS/360-6.8) > 1e-9 || math.Abs(m.GPUUtilization-0.5392) > 1e-4 {
		t.Errorf("job level: mean %v, makespan %v, utilisation %v; want 4.6667, 6.8, 0.5392", m.AvgJCTS/360, m.MakespanS/360, m.GPUUtilization)
	}
}

// TestAccountIsExact: GPU time by kind adds up to capacity × time to the millisecond (I8).
func TestAccountIsExact(t *testing.T) {
	for seed := range uint64(100) {
		p := simtest.Random(unit.Stream(seed, "metric"))
		if seed%2 == 0 {
			p.Changes = []model.CapacityChange{{At: 100 * unit.Second, Cap: 0}, {At: 400 * unit.Second, Cap: p.Cluster.Slots[0].Cap}}
		}
		for _, id := range []string{"fifo", "srtf", "hadar", "hadare", "gavel-las", "themis"} {
			tr := simtest.Run(t, p, id, nil)
			r := metric.Compute(p, tr)
			end := tr.End // of a run that left jobs waiting for ever
			if tr.Outcome == trace.Done {
				end = tr.LastFinish()
			}
			if r.Idle < 0 || r.Busy+r.Stalled+r.Held+r.Idle+r.Down != unit.Tick(tr.GPUs())*(end-tr.FirstArrival()) {
				t.Fatalf("seed %d, %s: %v busy %d stalled %d held %d idle %d down %d", seed, id, tr.Outcome, r.Busy, r.Stalled, r.Held, r.Idle, r.Down)
			}
			m := r.Metrics
			near := func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }
			if !near(m.IdleNobodyGPUS+m.IdleFitsGPUS+m.IdleMisfitGPUS, r.Idle.Seconds()) || !near(m.StallStartGPUS+m.StallRestartGPUS+m.StallMergeGPUS, m.StalledGPUS) {
				t.Fatalf("seed %d, %s: the parts of idle or stalled do not add up: %+v", seed, id, m)
			}
			for _, j := range r.Jobs {
				if j.FinishS != nil && (j.WaitS < 0 || j.WaitS+j.StalledS > *j.FinishS-j.ArrivalS+1e-9 || j.WaitS+1e-9 < *j.StartS-j.ArrivalS) {
					t.Fatalf("seed %d, %s: %+v", seed, id, j)
				}
			}
			if m.GPUUtilization > 1 || m.NodeUtilization > 1 || m.NodeUtilization < m.GPUUtilization/4 || m.FTFMax < m.FTFAvg {
				t.Fatalf("seed %d, %s: %+v", seed, id, m)
			}
		}
	}
}

// accountEnd is where the account of a run ends.
func accountEnd(tr *trace.Trace) unit.Tick {
	if tr.Outcome == trace.Done {
		return tr.LastFinish()
	}
	return tr.End
}

// TestFailedGPUsAreNotIdle: a GPU that is down is not idle; utilisation is of the whole cluster.
func TestFailedGPUsAreNotIdle(t *testing.T) {
	p := simtest.Build(100, []simtest.Node{{"a": 1}, {"a": 1}}, []simtest.Job{{GPUs: 1, Steps: 100, Rates: map[string]float64{"a": 1}}}, model.Costs{})
	p.Changes = []model.CapacityChange{{At: 20 * unit.Second, Slot: 1, Cap: 0}, {At: 70 * unit.Second, Slot: 1, Cap: 1}}
	r := metric.Compute(p, simtest.Run(t, p, "fifo", nil))
	if r.Down != 50*unit.Second || r.Idle != 50*unit.Second || r.Metrics.GPUUtilization != 0.5 || r.Metrics.NodeUtilization != 0.5 {
		t.Errorf("down %v idle %v, utilisation %v and %v", r.Down, r.Idle, r.Metrics.GPUUtilization, r.Metrics.NodeUtilization)
	}
}
