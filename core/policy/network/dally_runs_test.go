package network_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// with is params and more of them.
func with(params map[string]any, more ...any) map[string]any {
	out := maps.Clone(params)
	for i := 0; i < len(more); i += 2 {
		out[more[i].(string)] = more[i+1]
	}
	return out
}

// still takes the moves away.
var still = map[string]any{"upgrade": false, "evict": false}

// twoThrees is two nodes of four with three free GPUs each from 100 s on, and a job of four that comes at 200 s
// and runs at half speed apart.
func twoThrees(costs model.Costs) *model.Problem {
	apart := simtest.PlainJob(200, 4, 4000)
	apart.Spread = 0.5
	return simtest.Build(300, []simtest.Node{{"a": 4}, {"a": 4}}, []simtest.Job{simtest.PlainJob(0, 3, 100),
		simtest.PlainJob(0, 3, 100),
		simtest.PlainJob(0, 1, 9000), simtest.PlainJob(0, 1, 9000), apart}, costs)
}

// starts is when a job first starts, in s.
func starts(tr *trace.Trace, job int32) float64 {
	for i, j := range tr.Spans.Job {
		if j == job {
			return tr.Spans.From[i].Seconds()
		}
	}
	return -1
}

// TestDallyRefuses: the job of four refuses 3 + 1 GPUs until its timer, counted from the first refusal at 200 s, is out
// at a round, and not one round longer.
func TestDallyRefuses(t *testing.T) {
	p := twoThrees(model.Costs{})
	for _, c := range []struct {
		params []any
		want   float64
	}{
		{[]any{"w0_s", 1000.0}, 1200}, {[]any{"w0_s", 1001.0}, 1500}, {[]any{"w0_s", 0.0}, 200},
		{[]any{"w0_s", 1e9}, 9000}, // a long job's end frees a node
		{[]any{"w0_s", 1000.0, "clock", "submit"}, 1200}, {[]any{"w0_s", 1000.0, "clock", "last_held"}, 1200},
	} {
		tr := simtest.Run(t, p, "dally-manual", with(still, c.params...))
		if got := starts(tr, 4); got != c.want {
			t.Errorf("%v: it starts at %v s, want %v", c.params, got, c.want)
		}
		told := slices.ContainsFunc(tr.Reasons, func(r trace.Reason) bool {
			return r.Code == trace.WaitCloser && r.Job == 4
		})
		if told != (c.want != 200) {
			t.Errorf("%v: that it waits for closer GPUs is told: %v", c.params, told)
		}
		first := slices.IndexFunc(tr.Reasons, func(r trace.Reason) bool { return r.Code == trace.WaitCloser })
		if want := [3]float64{2, c.params[1].(float64), 1}; told && tr.Reasons[first].Num != want {
			t.Errorf("%v: the refusal's numbers are %v, want %v", c.params, tr.Reasons[first].Num, want)
		}
	}
	if got := starts(simtest.Run(t, p, "dally-consolidated", nil), 4); got != 9000 {
		t.Errorf("fully consolidated it starts at %v s", got)
	}
	if got := starts(simtest.Run(t, p, "dally-nowait", nil), 4); got != 200 {
		t.Errorf("without waiting it starts at %v s", got)
	}
}

// TestDallyVariants: without moves, timers of 0 are no-wait and timers without end are fully consolidated; jobs of one
// GPU are never refused, and without moves the same jobs run at the same time.
func TestDallyVariants(t *testing.T) {
	for seed := range uint64(60) {
		p := simtest.Random(rand.New(unit.Source(seed, "dally variants")))
		same := func(a, b string, params map[string]any) {
			if simtest.Run(t, p, a, params).Hash() != simtest.Run(t, p, b, still).Hash() {
				t.Errorf("seed %d: %s and %s differ", seed, a, b)
			}
		}
		same("dally", "dally-nowait", with(still, "tune", false, "w0_s", 0.0, "w1_s", 0.0))
		same("dally-manual", "dally-nowait", with(still, "w0_s", 0.0, "w1_s", 0.0))
		same("dally-manual", "dally-consolidated", with(still, "w0_s", 1e9, "w1_s", 1e9))
		tr := simtest.Run(t, p, "dally", nil)
		for _, r := range tr.Reasons {
			if r.Code == trace.WaitCloser && p.Jobs[r.Job].Shape.Size == 1 {
				t.Errorf("seed %d: a job of one GPU refuses", seed)
			}
		}
	}
}

// TestDallyUpgrades: a job that lies apart moves onto one node when that is free and pays, at the first look after it
// has run for long enough; it never moves where the move costs too much of what it saves.
func TestDallyUpgrades(t *testing.T) {
	params := map[string]any{"evict": false, "min_run_s": 600.0}
	// The long jobs end at 9000 s. By then the job of four, at half speed (2 steps/s) since 200 s, would be done: 4000
	// steps take 2000 s. With 40000 steps 5600 are left... it is moved at the end of the others.
	p := twoThrees(model.Costs{Load: 10 * unit.Second})
	p.Jobs[4].Work = 40000
	moved := func(tr *trace.Trace) bool {
		return slices.ContainsFunc(tr.Reasons, func(r trace.Reason) bool { return r.Code == trace.Moved && r.Job == 4 })
	}
	tr := simtest.Run(t, p, "dally-nowait", params)
	if !moved(tr) {
		t.Error("it stays apart though a node is free")
	}
	last := model.Network
	for i, j := range tr.Spans.Job {
		if j != 4 {
			continue
		}
		_, tier := sim.Measure(&p.Cluster, tr.Spans.Shards[tr.Spans.ShardAt[i]:tr.Spans.ShardAt[i+1]])
		if tier > last {
			t.Error("it moves farther apart")
		}
		last = tier
	}
	if last != model.OneNode {
		t.Errorf("it ends in tier %d", last)
	}
	if moved(simtest.Run(t, twoThrees(model.Costs{Load: 3000 * unit.Second}), "dally-nowait", params)) {
		t.Error("it moves though that costs more than it saves")
	}
	if moved(simtest.Run(t, p, "dally-nowait", with(params, "upgrade", false))) {
		t.Error("it moves though upgrades are off")
	}
}

// TestDallyMovesFew: of two running jobs, one in twenty but at least one is moved or evicted at a decision, so that of
// two that could both move closer together at 5000 s the second does so at the next look.
func TestDallyMovesFew(t *testing.T) {
	jobs := []simtest.Job{}
	for i := range 8 { // two on each node, of which one ends at 100 s
		jobs = append(jobs, simtest.PlainJob(0, 1, []float64{100, 5000}[i%2]))
	}
	for range 2 {
		apart := simtest.PlainJob(200, 2, 9000)
		apart.Spread = 0.5
		jobs = append(jobs, apart)
	}
	p := simtest.Build(300, []simtest.Node{{"a": 2}, {"a": 2}, {"a": 2}, {"a": 2}}, jobs, model.Costs{})
	tr := simtest.Run(t, p, "dally-nowait", nil)
	for j, want := range map[int32]float64{8: 5000, 9: 5100} {
		first := slices.IndexFunc(tr.Reasons, func(r trace.Reason) bool { return r.Code == trace.Moved && r.Job == j })
		if first < 0 {
			t.Fatalf("job %d does not move", j)
		}
		for i := range tr.Spans.Len() {
			if gang := tr.Spans.At(i); tr.Spans.Job[i] == j && len(gang) == 1 {
				if at := tr.Spans.From[i].Seconds(); at != want {
					t.Errorf("job %d moves at %v s, want %v", j, at, want)
				}
				break
			}
		}
	}
}

// TestDallyEvicts: a sensitive job that refuses what is free gets a node from jobs that do not mind, which go on
// elsewhere with what they have done, once they have run for long enough.
func TestDallyEvicts(t *testing.T) {
	p := twoThrees(model.Costs{Load: 10 * unit.Second})
	on := map[string]any{"upgrade": false, "evict": true, "min_run_s": 900.0}
	tr := simtest.Run(t, p, "dally-manual", on)
	if got := starts(tr, 4); got != 900 {
		t.Errorf("it starts at %v s, want 900, the first round at which others may give way", got)
	}
	stops := 0
	for _, r := range tr.Reasons {
		if (r.Code == trace.Preempted || r.Code == trace.Moved) && (r.Job == 2 || r.Job == 3) {
			stops++
		}
	}
	if stops != 1 {
		t.Errorf("%d jobs gave way, want 1", stops)
	}
	if got := starts(simtest.Run(t, p, "dally-manual", with(on, "evict", false)), 4); got != 9010 {
		t.Errorf("without evictions it starts at %v s", got)
	}
}

// TestDallyTellsItsTimers: a run notes each timer when the first such job waits and when it changes, and jobs of one
// GPU have none.
func TestDallyTellsItsTimers(t *testing.T) {
	told := func(id string, params map[string]any) (all [][3]float64) {
		tr := simtest.Run(t, twoThrees(model.Costs{}), id, params)
		for tier, q := range []*trace.Quantity{&trace.WaitsNode, &trace.WaitsRack} {
			for _, p := range tr.Points(q) {
				all = append(all, [3]float64{float64(p.Of), float64(tier), p.Value})
			}
		}
		return all
	}
	fixed := [][3]float64{{3, 0, 600}, {4, 0, 600}, {3, 1, 900}, {4, 1, 900}}
	if got := told("dally-manual", with(still, "w0_s", 600.0, "w1_s", 900.0)); !slices.Equal(got, fixed) {
		t.Errorf("of fixed timers it tells %v", got)
	}
	if got := told("dally-consolidated", nil); len(got) != 4 || got[3][2] != 1e9 {
		t.Errorf("of timers without end it tells %v", got)
	}
	// Two jobs of three got theirs at once: as few waits change nothing, and a third is the first that counts.
	p := twoThrees(model.Costs{})
	third := p.Jobs[0]
	third.Arrive, third.Name, third.Doc = 12000*unit.Second, "third", 5
	fourth := third
	fourth.Arrive, fourth.Name, fourth.Doc = 15000*unit.Second, "fourth", 6
	p.Jobs, p.Costs = append(p.Jobs, third, fourth), append(p.Costs, p.Costs[0], p.Costs[0])
	var of3 []float64
	tr := simtest.Run(t, p, "dally", with(still, "floor_s", 60.0, "window_s", 1e6))
	for _, p := range tr.Points(&trace.WaitsNode) {
		if p.Of == 3 {
			of3 = append(of3, p.Value)
		}
	}
	if !slices.Equal(of3, []float64{6 * 3600, 60}) {
		t.Errorf("the timer of three goes through %v", of3)
	}
}
