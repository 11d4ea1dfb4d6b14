package sim_test

import (
	"math"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// linked are n nodes of two GPUs with NICs of 1 GB/s, half of them in each rack if there are two racks, whose uplinks
// are oversubscribed twice, and jobs of 1 step/s a GPU that average 1 GB a step. Nothing else takes time: no latency,
// and next to none within a node.
func linked(nodes, racks int, jobs ...simtest.Job) *model.Problem {
	list := make([]simtest.Node, nodes)
	for i := range list {
		list[i] = simtest.Node{"a": 2}
	}
	bytes := make([]float64, len(jobs))
	for i := range jobs {
		jobs[i].Rates, bytes[i] = map[string]float64{"a": 1}, 1e9
	}
	p := simtest.Build(100, list, jobs, model.Costs{})
	if racks > 1 {
		p.Cluster.Racks = append(p.Cluster.Racks, "r2")
		for i := nodes / 2; i < nodes; i++ {
			p.Cluster.Nodes[i].Rack = 1
		}
	}
	simtest.Linked(p, model.Net{Node: model.Link{BytesPerS: math.Inf(1)}, NIC: model.Link{BytesPerS: 1e9},
		Oversubscription: 2, Congestion: 1}, bytes...)
	return p
}

// on states a gang of j with so many GPUs on each node; every node has one slot.
func on(p *sim.Plan, j model.JobID, counts ...int32) bool {
	p.Open(j, 0)
	for node, n := range counts {
		if n > 0 {
			p.Take(model.SlotID(node), n)
		}
	}
	return p.Close()
}

// finishes holds the seconds at which jobs finish to a millisecond.
func finishes(t *testing.T, what string, tr *trace.Trace, want ...float64) {
	t.Helper()
	for j, s := range want {
		if got := tr.Jobs[j].Finish.Seconds(); math.Abs(got-s) > 0.0021 {
			t.Errorf("%s: job %d finishes at %v s, want %v", what, j+1, got, s)
		}
	}
}

// TestSharedLinksByHand works out when gangs end that share links. A step computes 1 s; between k nodes 2(k−1)/k GB
// pass each, so that over two nodes a step takes 1 + 1/share s, and over three 1 + 4/(3 share) s, with shares in GB/s.
// A step of a gang of g GPUs counts as g steps.
func TestSharedLinksByHand(t *testing.T) {
	job := func(gpus int32, steps float64) simtest.Job { return simtest.Job{GPUs: gpus, Steps: steps} }
	states := func(gangs ...[]int32) func(int, sim.View, *sim.Plan, *sim.Why) {
		return func(_ int, v sim.View, p *sim.Plan, _ *sim.Why) {
			p.Clear()
			for _, j := range v.Active() {
				if !on(p, j, gangs[j]...) {
					t.Errorf("gang of job %d refused", j+1)
				}
			}
		}
	}
	// Alone 1 + 1 = 2 s a step: 100 steps of a gang of two, or 150 of a gang of three, take 100 s.
	finishes(t, "alone", play(t, linked(3, 1, job(2, 100)), always, states([]int32{1, 1})), 100)
	finishes(t, "alone, 2+1", play(t, linked(3, 1, job(3, 150)), always, states([]int32{2, 1})), 100)

	// Two gangs of three on one NIC, of the middle node: 1/2 GB/s each, 1 + 2 = 3 s a step. The first is done after 50
	// steps of its gang, at 150 s. The second, of 100, has 50 left, at 2 s: 250 s.
	finishes(t, "two on one NIC", play(t, linked(3, 1, job(3, 150), job(3, 300)), always,
		states([]int32{2, 1}, []int32{0, 1, 2})), 150, 250)

	// Gangs on NICs of their own do not slow each other, and neither does one on a node whose NIC a gang uses.
	finishes(t, "apart", play(t, linked(4, 1, job(2, 100), job(2, 100), job(1, 100)), always,
		states([]int32{1, 1}, []int32{0, 0, 1, 1}, []int32{1})), 100, 100, 100)

	// 2+1+1 costs more than 2+2: 100 steps of four take 2 s each, on three nodes 1 + 4/3 s.
	finishes(t, "2+2", play(t, linked(3, 1, job(4, 400)), always, states([]int32{2, 2})), 200)
	finishes(t, "2+1+1", play(t, linked(3, 1, job(4, 400)), always, states([]int32{2, 1, 1})), 233.334)

	// Three gangs in a row: the middle one shares both of its NICs, all have 1/2 GB/s.
	finishes(t, "in a row", play(t, linked(4, 1, job(2, 100), job(2, 100), job(2, 100)), always,
		states([]int32{1, 1}, []int32{0, 1, 1}, []int32{0, 0, 1, 1})), 150, 150, 150)

	// Across racks a gang alone has its NIC divided by 2, 1/2 GB/s: 3 s a step. One within a rack uses no uplink.
	finishes(t, "across racks", play(t, linked(6, 2, job(2, 100), job(2, 100)), always,
		states([]int32{1, 0, 0, 1}, []int32{0, 1, 1})), 150, 100)
	// An uplink carries what the NICs of its rack do, divided by 2: that of one node 1/2 GB/s, of which two gangs have
	// 1/4 each, 5 s a step. The second has 50 of 100 left at 250 s, and does them alone at 3 s.
	finishes(t, "two on one uplink", play(t, linked(2, 2, job(2, 100), job(2, 200)), always,
		states([]int32{1, 1}, []int32{1, 1})), 250, 400)
	// Max-min: the uplink of the first rack, of one node, leaves the first two 1/4 GB/s each, 5 s a step, and so they
	// leave the third 3/4 GB/s of the second's NIC in the other rack: 1 + 4/3 s a step.
	finishes(t, "held back elsewhere", play(t, linked(3, 2, job(2, 50), job(2, 50), job(2, 30)), always,
		states([]int32{1, 1}, []int32{1, 0, 1}, []int32{0, 1, 1})), 125, 125, 35)

	// Rows that share nothing take nothing from those who do.
	p := linked(3, 1, job(3, 150), job(3, 150))
	p.Tables[1].Gradients = 0
	finishes(t, "measured", play(t, p, always, states([]int32{2, 1}, []int32{0, 1, 2})), 100, 100)
}

// TestAFlowIsThereAsLongAsItsGang: also while its job stalls, and while it waits for a decision with its quota used up;
// its spans of stalling and holding are not cut when its share changes.
func TestAFlowIsThereAsLongAsItsGang(t *testing.T) {
	p := linked(3, 1, simtest.Job{GPUs: 3, Steps: 300}, simtest.Job{GPUs: 3, Steps: 30})
	p.Costs[0].Load = 60 * unit.Second
	// Both have 1/2 GB/s from the start, 3 s a step: job 2 is done after 10 of its gang's steps, at 30 s, while job 1
	// stalls to 60 s. From then on alone: 20 steps to 100 s, when it gets a quota of 30 steps, 10 of its gang's; it
	// holds from 120 to 200 s and does the last 70 in 140 s.
	tr := play(t, p, always, func(n int, v sim.View, p *sim.Plan, _ *sim.Why) {
		p.Clear()
		for _, j := range v.Active() {
			p.Open(j, 0)
			p.Take(model.SlotID(j), 2-int32(j))
			p.Take(model.SlotID(j)+1, 1+int32(j))
			if n == 1 {
				p.Quota(30)
			}
			if !p.Close() {
				t.Error("refused")
			}
		}
	})
	finishes(t, "stall and quota", tr, 340, 30)
	if got, want := kinds(tr, 0), []string{"stall 60", "run 60", "hold 80", "run 140"}; !slices.Equal(got, want) {
		t.Errorf("spans %v, want %v", got, want)
	}
}

// TestWhatIsToldIsUncontended: a policy is told the speed of a gang alone, whoever shares its links.
func TestWhatIsToldIsUncontended(t *testing.T) {
	p := linked(3, 1, simtest.Job{GPUs: 3, Steps: 300}, simtest.Job{GPUs: 3, Steps: 300})
	play(t, p, always, func(n int, v sim.View, p *sim.Plan, _ *sim.Why) {
		p.Clear()
		gangs := [][]int32{{2, 1}, {0, 1, 2}}
		for _, j := range v.Active() {
			on(p, j, gangs[j]...)
		}
		if told := v.Rate(0, 0, []model.Shard{{Slot: 0, N: 2}, {Slot: 1, N: 1}}); math.Abs(float64(told)-1.5) > 1e-9 {
			t.Errorf("told %v steps/s, want 3/2", told)
		}
	})
}
