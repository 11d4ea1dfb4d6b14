package queues_test

import (
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

func TestQueuesOnSmallCases(t *testing.T) {
	on := func(n int32, jobs ...simtest.Job) *model.Problem {
		return simtest.Build(100, []simtest.Node{{"a": n}}, jobs, model.Costs{})
	}
	three := []simtest.Job{simtest.PlainJob(0, 1, 300), simtest.PlainJob(0, 1, 100), simtest.PlainJob(50, 1, 200)}
	blocked := []simtest.Job{simtest.PlainJob(0, 1, 100), simtest.PlainJob(0, 2, 100), simtest.PlainJob(0, 1, 100)}
	for _, c := range []struct {
		name, id string
		params   map[string]any
		p        *model.Problem
		want     []float64
	}{
		{"in order", "fifo", nil, on(1, three...), []float64{300, 400, 600}},
		{"shortest of those there", "sjf", nil, on(1, three...), []float64{600, 100, 300}},
		{"shortest remaining, preempting", "srtf", nil, on(1, simtest.PlainJob(0, 1, 300),
			simtest.PlainJob(50, 1, 100)),
			[]float64{400, 150}},
		{"head of line blocks", "fifo", nil, on(2, blocked...), []float64{100, 200, 300}},
		{"those that fit overtake", "fifo", map[string]any{"skip": true}, on(2, blocked...), []float64{100, 200, 100}},
		{"YARN blocks too", "yarn-cs", nil, on(2, blocked...), []float64{100, 200, 300}},
		{"YARN with backfill", "yarn-cs", map[string]any{"backfill": true}, on(2, blocked...),
			[]float64{100, 200, 100}},
		{"jobs as large as the cluster run in series", "yarn-cs", nil,
			on(2, simtest.PlainJob(0, 2, 100), simtest.PlainJob(10, 2, 50), simtest.PlainJob(20, 2, 70)),
			[]float64{100, 150, 220}},
		// LAS, rounds of 100 s: j1 until 50, the newcomer until 100, where both have had 50 s and the older
		// goes first; at 200 the younger has had least.
		{"least attained service", "las", nil, on(1, simtest.PlainJob(0, 1, 200), simtest.PlainJob(50, 1, 100)),
			[]float64{300, 250}},
	} {
		if got := simtest.Finishes(simtest.Run(t, c.p, c.id, c.params)); !slices.Equal(got, c.want) {
			t.Errorf("%s (%s): finishes %v, want %v", c.name, c.id, got, c.want)
		}
	}
}

// TestTiresiasQueues: one GPU, the first queue ends at 100 GPU-seconds. j1 is demoted at 100 while j2
// waits in the first queue; j2 runs until its own demotion, then both are in the second queue, where
// the one that runs goes on.
func TestTiresiasQueues(t *testing.T) {
	p := simtest.Build(360, []simtest.Node{{"a": 1}}, []simtest.Job{simtest.PlainJob(0, 1, 250),
		simtest.PlainJob(10, 1, 180)}, model.Costs{})
	tr := simtest.Run(t, p, "tiresias", map[string]any{"limit_gpu_s": 100.0})
	if got, want := simtest.Finishes(tr), []float64{430, 280}; !slices.Equal(got, want) {
		t.Errorf("finishes %v, want %v", got, want)
	}
	if tr.Jobs[0].Preempted != 1 || tr.Jobs[1].Preempted != 0 {
		t.Errorf("preemptions %d and %d, want 1 and 0", tr.Jobs[0].Preempted, tr.Jobs[1].Preempted)
	}
	// Two GPUs use the limit up twice as fast.
	wide := simtest.Build(360, []simtest.Node{{"a": 2}},
		[]simtest.Job{simtest.PlainJob(0, 2, 250), simtest.PlainJob(10, 2, 180)},
		model.Costs{})
	if got, want := simtest.Finishes(simtest.Run(t, wide, "tiresias", map[string]any{"limit_gpu_s": 200.0})),
		[]float64{430, 280}; !slices.Equal(got, want) {
		t.Errorf("two GPUs: finishes %v, want %v", got, want)
	}
	// Promotion: j1 waits from 100 on and has run 100 s; with a knob of 0.5 it returns at 150. Both are then
	// in the first queue, where j2 runs on to its demotion at 200; then j1 goes first, to 300, and again by
	// promotion of j2 at 250, which waits for its turn behind the running j1.
	tr = simtest.Run(t, p, "tiresias", map[string]any{"limit_gpu_s": 100.0, "promote": 0.5})
	if got := simtest.Finishes(tr); got[1] <= 280 || tr.Jobs[1].Preempted == 0 {
		t.Errorf("with promotion: finishes %v, preemptions of j2 %d; j1 must come back before j2 is done", got,
			tr.Jobs[1].Preempted)
	}
}

// TestYarnKeepsGangsTogether: a gang fits on no single node, waits, and accepts two after relax_s.
func TestYarnKeepsGangsTogether(t *testing.T) {
	nodes := []simtest.Node{{"a": 2}, {"a": 2}}
	jobs := []simtest.Job{simtest.PlainJob(0, 1, 1000), simtest.PlainJob(0, 1, 1000), simtest.PlainJob(0, 2, 100)}
	p := simtest.Build(100, nodes, jobs, model.Costs{})
	// The first two sit on one node, so the pair has the other.
	if got, want := simtest.Finishes(simtest.Run(t, p, "yarn-cs", nil)),
		[]float64{1000, 1000, 100}; !slices.Equal(got, want) {
		t.Errorf("finishes %v, want %v", got, want)
	}
	jobs = []simtest.Job{simtest.PlainJob(0, 2, 500), simtest.PlainJob(0, 1, 1000), simtest.PlainJob(1, 3, 90)}
	p = simtest.Build(100, []simtest.Node{{"a": 2}, {"a": 3}}, jobs, model.Costs{})
	strict := simtest.Run(t, p, "yarn-cs", nil)
	relaxed := simtest.Run(t, p, "yarn-cs", map[string]any{"relax_s": 600.0})
	if strict.Jobs[2].Start != 1000*unit.Second || relaxed.Jobs[2].Start != 601*unit.Second {
		t.Errorf("the gang of three starts at %v, relaxed at %v; want 1000 s and 601 s", strict.Jobs[2].Start,
			relaxed.Jobs[2].Start)
	}
	// A gang larger than a node takes idle nodes and one for the rest: five need two idle nodes and one GPU,
	// which there are when the three are done.
	p = simtest.Build(100, []simtest.Node{{"a": 2}, {"a": 2}, {"a": 2}},
		[]simtest.Job{simtest.PlainJob(0, 1, 500), simtest.PlainJob(0, 3, 100), simtest.PlainJob(0, 5, 100)},
		model.Costs{})
	tr := simtest.Run(t, p, "yarn-cs", nil)
	if tr.Jobs[1].Start != 0 || tr.Jobs[2].Start != 100*unit.Second {
		t.Errorf("gangs over nodes start at %v and %v", tr.Jobs[1].Start, tr.Jobs[2].Start)
	}
}
