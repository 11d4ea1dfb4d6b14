package network_test

import (
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// inRacks puts the nodes into two racks, over which gangs run at a factor of their speed in one.
func inRacks(p *model.Problem, factor float64, racks ...int32) *model.Problem {
	p.Cluster.Racks = []string{"r1", "r2"}
	for i, r := range racks {
		p.Cluster.Nodes[i].Rack = r
	}
	for i := range p.Tables {
		tab := &p.Tables[i]
		for n := int32(1); n <= tab.MaxSize(); n++ {
			rack := tab.Rate(0, n, model.OneRack)
			tab.Set(0, n, tab.Rate(0, n, model.OneNode), rack, unit.Rate(factor)*rack)
		}
	}
	return p
}

// besideOne are three nodes, the first taken until 9000 s by a job of four, and jobs that come after.
func besideOne(others int32, jobs ...simtest.Job) *model.Problem {
	return simtest.Build(300, []simtest.Node{{"a": 4}, {"a": others}, {"a": others}},
		append([]simtest.Job{simtest.PlainJob(0, 4, 9000)}, jobs...), model.Costs{})
}

// TestDallyTimersOfTwoLevels: a job that a node could hold refuses racks for one timer and the network for both; one
// that no node holds has the second only; and whoever comes later takes what is refused. Looks are at multiples of
// 300 s.
func TestDallyTimersOfTwoLevels(t *testing.T) {
	timers := with(still, "w0_s", 1000.0, "w1_s", 2000.0)
	four, six := simtest.PlainJob(100, 4, 100), simtest.PlainJob(100, 6, 100)
	four.Spread = 0.5
	simtest.Ends(t, besideOne(3, four), "dally-manual", timers, 9000, 1200+200)
	simtest.Ends(t, inRacks(besideOne(3, four), 0.5, 0, 0, 1), "dally-manual", timers, 9000, 3300+400)
	simtest.Ends(t, inRacks(besideOne(4, six), 0.5, 0, 0, 1), "dally-manual", timers, 9000, 2100+200)
	simtest.Ends(t, besideOne(3, four, simtest.PlainJob(200, 3, 50)), "dally-manual", timers, 9000, 1200+200, 250)
}

// TestDallyEvictionBeginsAWait: at 2000 s a job comes that the network would slow to half, and one that has run since
// the beginning, which it does not slow, gives way. Asked at once, it refuses two nodes from then on for its timer of
// 1000 s; only by its arrival has it waited long enough already.
func TestDallyEvictionBeginsAWait(t *testing.T) {
	minds := simtest.PlainJob(2000, 4, 50000)
	minds.Spread = 0.5
	for clock, again := range map[string]float64{"first_refusal": 3000, "last_held": 3000, "submit": 2000} {
		p := simtest.Build(300, []simtest.Node{{"a": 4}, {"a": 3}, {"a": 1}},
			[]simtest.Job{simtest.PlainJob(0, 4, 10000), minds},
			model.Costs{})
		params := map[string]any{"w0_s": 1000.0, "clock": clock}
		simtest.Ends(t, p, "dally-manual", params, again+8000, 52000)
		params["min_run_s"] = 2001.0 // it may not give way yet, and at 3000 s the other has refused for long enough
		params["upgrade"] = false
		if clock != "submit" {
			params["w0_s"] = 100.0
			simtest.Ends(t, p, "dally-manual", params, 10000, 2100+100000)
		}
	}
}

// TestDallyMovesCloser: on random clusters whoever changes its tier without a break lies closer together than before.
func TestDallyMovesCloser(t *testing.T) {
	moves := 0
	for seed := range uint64(150) {
		p := simtest.Random(unit.Stream(seed, "dally moves"))
		tr := simtest.Run(t, p, "dally-nowait", map[string]any{"min_run_s": 0.0, "evict": false})
		until, was := map[int32]unit.Tick{}, map[int32]model.Tier{}
		for i, j := range tr.Spans.Job {
			_, tier := sim.Measure(&p.Cluster, tr.Spans.At(i))
			if before, ok := was[j]; ok && until[j] == tr.Spans.From[i] && before != tier {
				moves++
				if tier > before {
					t.Errorf("seed %d: job %d moves from tier %d to %d", seed, j, before, tier)
				}
			}
			until[j], was[j] = tr.Spans.To[i], tier
		}
	}
	if moves == 0 {
		t.Error("nobody moved")
	}
}

// TestDallyOneGPUDoesNotMind: a table may say what it likes of one GPU over several nodes: it has nothing to exchange,
// and does not go before a job that came earlier.
func TestDallyOneGPUDoesNotMind(t *testing.T) {
	first, odd := simtest.PlainJob(10, 1, 100), simtest.PlainJob(20, 1, 100)
	odd.Spread = 0.5
	p := simtest.Build(300, []simtest.Node{{"a": 1}}, []simtest.Job{simtest.PlainJob(0, 1, 50), first, odd},
		model.Costs{})
	simtest.Ends(t, p, "dally", nil, 50, 150, 250)
}
