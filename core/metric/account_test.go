package metric_test

import (
	"math"
	"testing"

	"hadarlab/core/message"
	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// plain is a job of so many seconds on type a at one step per second a GPU.
func plain(arrive float64, gpus int32, seconds float64) simtest.Job {
	return simtest.Job{Arrive: arrive, GPUs: gpus, Steps: seconds * float64(gpus), Rates: map[string]float64{"a": 1}}
}

// TestWhereGPUTimeGoes holds small cases to accounts made by hand, in GPU-seconds.
func TestWhereGPUTimeGoes(t *testing.T) {
	stalls := model.Costs{Load: 10 * unit.Second, Save: 5 * unit.Second}
	merge := model.Costs{Merge: 10 * unit.Second}
	for _, c := range []struct {
		name, id string
		gpus     int32
		round    float64
		costs    model.Costs
		jobs     []simtest.Job
		changes  []model.CapacityChange
		want     message.Metrics
		wait     []float64
		stalled  []float64
	}{
		// j1 holds one GPU to 110, j2 needs both and runs to 220.
		{name: "the other GPU is too few", id: "fifo", gpus: 2, costs: stalls,
			jobs: []simtest.Job{plain(0, 1, 100), plain(0, 2, 100)},
			want: message.Metrics{BusyGPUS: 300, StalledGPUS: 30, StallStartGPUS: 30, IdleMisfitGPUS: 110},
			wait: []float64{0, 110}, stalled: []float64{10, 10}},
		// j2 blocks j3, which would fit, to 100; then j2 alone to 200, then j3 alone to 300.
		{name: "head of line", id: "fifo", gpus: 3, jobs: []simtest.Job{plain(0, 1, 100), plain(0, 3, 100),
			plain(0, 1, 100)},
			want: message.Metrics{BusyGPUS: 500, IdleFitsGPUS: 200, IdleNobodyGPUS: 200}, wait: []float64{0, 100, 200},
			stalled: []float64{0, 0, 0}},
		{name: "a gap between arrivals", id: "fifo", gpus: 1,
			jobs: []simtest.Job{plain(50, 1, 100), plain(250, 1, 100)},
			want: message.Metrics{BusyGPUS: 200, IdleNobodyGPUS: 100}, wait: []float64{0, 0}, stalled: []float64{0, 0}},
		// j1 starts (10), is preempted at 50 by the shorter j2 (10, to 160), comes back (15) and runs to 435.
		{name: "a preemption", id: "srtf", gpus: 1, costs: stalls,
			jobs: []simtest.Job{plain(0, 1, 300), plain(50, 1, 100)},
			want: message.Metrics{BusyGPUS: 400, StalledGPUS: 35, StallStartGPUS: 20, StallRestartGPUS: 15},
			wait: []float64{110, 0}, stalled: []float64{25, 10}},
		// 90 s of the first round count, then a merge on the same GPU and 60 s more.
		{name: "a merge", id: "hadare", gpus: 1, round: 100, costs: merge, jobs: []simtest.Job{plain(0, 1, 150)},
			want: message.Metrics{BusyGPUS: 150, StalledGPUS: 20, StallStartGPUS: 10, StallMergeGPUS: 10},
			wait: []float64{0}, stalled: []float64{20}},
		// Four whole steps of j1 fit into a round and end at 320 s; j1 is done at 680 s, j2 at 720 s.
		{name: "a quota", id: "gavel-las", gpus: 2,
			jobs: []simtest.Job{{GPUs: 1, Steps: 8, Rates: map[string]float64{"a": 0.0125}}, plain(0, 1, 720)},
			want: message.Metrics{BusyGPUS: 640 + 720, HoldGPUS: 40, IdleNobodyGPUS: 40}, wait: []float64{0, 0},
			stalled: []float64{0, 0}},
		// One of two GPUs is out from 20 to 50; the job has the other.
		{name: "a fault", id: "fifo", gpus: 2, jobs: []simtest.Job{plain(0, 1, 100)},
			changes: []model.CapacityChange{{At: 20 * unit.Second, Cap: 1}, {At: 50 * unit.Second, Cap: 2}},
			want:    message.Metrics{BusyGPUS: 100, IdleNobodyGPUS: 70, DownGPUS: 30}, wait: []float64{0},
			stalled: []float64{0}},
	} {
		if c.round == 0 {
			c.round = 360
		}
		p := simtest.Build(c.round, []simtest.Node{{"a": c.gpus}}, c.jobs, c.costs)
		p.Changes = c.changes
		r := metric.Compute(p, simtest.Run(t, p, c.id, nil))
		got := message.Metrics{BusyGPUS: r.Metrics.BusyGPUS, StalledGPUS: r.Metrics.StalledGPUS,
			StallStartGPUS:   r.Metrics.StallStartGPUS,
			StallRestartGPUS: r.Metrics.StallRestartGPUS, StallMergeGPUS: r.Metrics.StallMergeGPUS,
			HoldGPUS:       r.Metrics.HoldGPUS,
			IdleNobodyGPUS: r.Metrics.IdleNobodyGPUS, IdleFitsGPUS: r.Metrics.IdleFitsGPUS,
			IdleMisfitGPUS: r.Metrics.IdleMisfitGPUS, DownGPUS: r.Metrics.DownGPUS}
		if got != c.want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got, c.want)
		}
		sum := 0.0
		for j, row := range r.Jobs {
			if row.WaitS != c.wait[j] || row.StalledS != c.stalled[j] {
				t.Errorf("%s: %s waits %v s and stalls %v s, want %v and %v", c.name, row.ID, row.WaitS, row.StalledS,
					c.wait[j], c.stalled[j])
			}
			sum += row.WaitS
		}
		if math.Abs(r.Metrics.AvgWaitS-sum/float64(len(r.Jobs))) > 1e-9 {
			t.Errorf("%s: mean wait %v", c.name, r.Metrics.AvgWaitS)
		}
		idle := (c.want.IdleNobodyGPUS + c.want.IdleFitsGPUS + c.want.IdleMisfitGPUS) / 3600
		if want := idle * 250 * 0.15 / 1000; math.Abs(r.Metrics.IdleKWh-want) > 1e-12 {
			t.Errorf("%s: idle energy %v kWh, want %v", c.name, r.Metrics.IdleKWh, want)
		}
	}
}

// TestWaitsInALaterPhase: the only GPU on which a job runs is down from 150 to 250 s, and it waits beside an idle one
// of another type. Whether it fits there is asked of the phase that it is in, which a fault may have thrown it back
// from.
func TestWaitsInALaterPhase(t *testing.T) {
	for _, c := range []struct {
		name                 string
		elsewhere            [2]float64 // speed on the other type, by phase
		every                float64    // s between checkpoints
		fits, misfit, nobody float64    // GPU-s
	}{
		{"the later phase does not run there", [2]float64{0.5, 0}, 0, 0, 100, 200},
		{"thrown back into the first, which does not run there", [2]float64{0, 0.5}, 80, 0, 100, 270},
	} {
		p := simtest.Build(0, []simtest.Node{{"a": 1}, {"b": 1}}, []simtest.Job{plain(0, 1, 200)},
			model.Costs{CheckpointEvery: unit.Seconds(c.every)})
		p.Tables[0].Set(1, 1, unit.Rate(c.elsewhere[0]), 0, 0)
		later := model.NewThroughput("later", 2, 1)
		later.Set(0, 1, 1, 0, 0)
		later.Set(1, 1, unit.Rate(c.elsewhere[1]), 0, 0)
		p.Tables = append(p.Tables, later)
		p.Jobs[0].Phases = append(p.Jobs[0].Phases, model.Phase{From: 100, Tables: []int32{1}})
		p.Changes = []model.CapacityChange{{At: 150 * unit.Second, Slot: 0}, {At: 250 * unit.Second, Slot: 0, Cap: 1}}
		m := metric.Compute(p, simtest.Run(t, p, "fifo", nil)).Metrics
		if m.IdleFitsGPUS != c.fits || m.IdleMisfitGPUS != c.misfit || m.IdleNobodyGPUS != c.nobody {
			t.Errorf("%s: idle while it fits %v, while it does not %v, while nobody waits %v GPU-s; want %v, %v and %v",
				c.name, m.IdleFitsGPUS, m.IdleMisfitGPUS, m.IdleNobodyGPUS, c.fits, c.misfit, c.nobody)
		}
	}
}
