package network_test

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// TestASRPTExample is a worked example on four GPUs: sizes on the virtual machine are 100 × 4/4, 80 × 1/4 and
// 20 × 2/4 seconds. There j2 runs from 0 to 20, also when j3 comes at 10 with as much, j3 to 30 and j1 to 130.
func TestASRPTExample(t *testing.T) {
	p := simtest.Build(360, []simtest.Node{{"a": 4}},
		[]simtest.Job{simtest.PlainJob(0, 4, 100), simtest.PlainJob(0, 1, 80), simtest.PlainJob(10, 2, 20)},
		model.Costs{})
	for _, c := range []struct {
		guard         bool
		start, finish []float64
	}{
		{false, []float64{130, 20, 30}, []float64{230, 100, 50}},
		{true, []float64{80, 0, 10}, []float64{180, 80, 30}}, // j2 and j3 find idle GPUs, and j1 when they are done
	} {
		r := simtest.Start(t, p, "a-srpt", map[string]any{"idle_guard": c.guard}, sim.Options{})
		tr := simtest.Finish(t, p, r)
		var start []float64
		for j := range tr.Jobs {
			start = append(start, tr.Jobs[j].Start.Seconds())
		}
		if got := simtest.Finishes(tr); !slices.Equal(got, c.finish) || !slices.Equal(start, c.start) {
			t.Errorf("guard %v: starts %v, finishes %v; want %v and %v", c.guard, start, got, c.start, c.finish)
		}
		if m := r.Measured(); len(m) != 3 || m[1].Value != 20+20+130 {
			t.Errorf("guard %v: %+v, want a sum of 170 s on the virtual machine", c.guard, m)
		}
	}
}

// TestASRPTOvertaking: j2 needs both GPUs and waits in the queue from 61 on, with a size of 60 s. j3 has 65 s and may
// not pass, j4 has 10 s and does.
func TestASRPTOvertaking(t *testing.T) {
	p := simtest.Build(360, []simtest.Node{{"a": 2}},
		[]simtest.Job{simtest.PlainJob(0, 1, 400), simtest.PlainJob(1, 2, 60), simtest.PlainJob(70, 1, 130),
			simtest.PlainJob(150, 1, 20)}, model.Costs{})
	tr := simtest.Run(t, p, "a-srpt", nil)
	if got, want := simtest.Finishes(tr), []float64{400, 460, 590, 180}; !slices.Equal(got, want) {
		t.Errorf("finishes %v, want %v", got, want)
	}
	if tr.Jobs[3].Start != 160*unit.Second {
		t.Errorf("j4 starts at %v, want the end of its copy at 160 s", tr.Jobs[3].Start)
	}
	if !simtest.HasReason(tr, trace.WaitVirtual, 2) {
		t.Error("j3 waits for its copy first")
	}
}

// TestASRPTDelay: from 20 on one GPU of each of two nodes is free. j4 needs two and is twice as slow over both nodes;
// it runs 40 s on one, so that it refuses them for 8 s.
func TestASRPTDelay(t *testing.T) {
	jobs := []simtest.Job{simtest.PlainJob(0, 1, 100), simtest.PlainJob(0, 1, 20), simtest.PlainJob(1, 1, 99),
		simtest.PlainJob(30, 2, 40)}
	jobs[3].Spread = 0.5
	p := simtest.Build(360, []simtest.Node{{"a": 2}, {"a": 2}}, jobs, model.Costs{})
	for _, c := range []struct {
		params        map[string]any
		start, finish float64
	}{
		{nil, 38, 118},
		{map[string]any{"tau": 0.0}, 30, 110},
		{map[string]any{"tau": 2.0}, 100, 140}, // both of one node come free before 80 s are over
		{map[string]any{"sensitive": 2.5}, 30, 110},
	} {
		tr := simtest.Run(t, p, "a-srpt", c.params)
		at := slices.IndexFunc(tr.Reasons, func(r trace.Reason) bool {
			return r.Code == trace.WaitCloser && r.Job == 3
		})
		if c.params == nil && (at < 0 || tr.Reasons[at].Num != [3]float64{2, 8, 1}) {
			t.Errorf("it does not say that it refuses GPUs in tier 1, where a step takes twice as long, for 8 s: %d",
				at)
		}
		if j := tr.Jobs[3]; j.Start.Seconds() != c.start || j.Finish.Seconds() != c.finish {
			t.Errorf("%v: j4 runs from %v to %v, want %v to %v", c.params, j.Start.Seconds(), j.Finish.Seconds(),
				c.start,
				c.finish)
		}
	}
}

// TestSharedGPUsUndercutTheVirtualMachine: two jobs of 1000 s that share a GPU at nine tenths of their speed each end
// before 1200 s, and the virtual machine has them end at 1000 and 2000 s; so its sum is said to be for those who share
// none.
func TestSharedGPUsUndercutTheVirtualMachine(t *testing.T) {
	p := simtest.Build(360, []simtest.Node{{"a": 1}},
		[]simtest.Job{simtest.PlainJob(0, 1, 1000), simtest.PlainJob(0, 1, 1000)}, model.Costs{})
	p.Pairs = []model.Pair{{A: 0, B: 1, RateA: 0.9, RateB: 0.9}}
	r := simtest.Start(t, p, "a-srpt", nil, sim.Options{})
	simtest.Finish(t, p, r)
	sum := 0.0
	for _, end := range simtest.Finishes(simtest.Run(t, p, "gavel-packed", nil)) {
		sum += end
	}
	if m := r.Measured()[1]; m.Value != 3000 || sum >= 2400 || !strings.Contains(m.Name, "that shares no GPU") {
		t.Errorf("%q is %v s, and jobs that share a GPU have a sum of %v s", m.Name, m.Value, sum)
	}
}

// TestASRPTBound: the virtual machine's sum is a bound on every policy's that runs one gang of the asked size a job.
func TestASRPTBound(t *testing.T) {
	for seed := range uint64(40) {
		p := simtest.Random(unit.Stream(seed, "a-srpt bound"))
		r := simtest.Start(t, p, "a-srpt", nil, sim.Options{MaxEvents: 1e6})
		simtest.Finish(t, p, r)
		m := r.Measured()
		if m == nil || m[0].Value < m[1].Value {
			t.Fatalf("seed %d: %+v", seed, m)
		}
		for _, id := range []string{"srtf", "fifo", "hadar"} {
			sum := 0.0
			for _, j := range simtest.Run(t, p, id, nil).Jobs {
				sum += (j.Finish - j.Arrive).Seconds()
			}
			if sum < m[1].Value {
				t.Errorf("seed %d: %s has a sum of %v s, below the bound of %v s", seed, id, sum, m[1].Value)
			}
		}
	}
}
