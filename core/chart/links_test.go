package chart

import (
	"math"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// seated gives each job the GPUs that it is to have, by node, from the first round after its arrival to its end.
type seated [][]int32

func (of seated) Clone() sim.Policy { return of }

func (of seated) Decide(v sim.View, p *sim.Plan, _ *sim.Why) {
	p.Clear()
	for _, j := range v.Active() {
		p.Open(j, 0)
		for node, n := range of[j] {
			if n > 0 {
				p.Take(model.SlotID(node), n)
			}
		}
		p.Close()
	}
}

// loaded are the loads of links that jobs of so many steps use who are placed so, on nodes of two GPUs. A NIC carries
// 1 GB/s; with two racks the first node is the one of the first, and an uplink carries what its nodes' NICs do, divided
// by 2. A step computes 1 s on a GPU and averages 1 GB; nothing else takes time, but what costs say.
func loaded(t *testing.T, nodes, racks int, costs model.Costs, steps []float64, of seated) (*trace.Trace, []Load) {
	t.Helper()
	list, jobs, bytes := make([]simtest.Node, nodes), make([]simtest.Job, len(of)), make([]float64, len(of))
	for i := range list {
		list[i] = simtest.Node{"a": 2}
	}
	for i := range jobs {
		jobs[i], bytes[i] = simtest.Job{Steps: steps[i], Rates: map[string]float64{"a": 1}}, 1e9
		for _, n := range of[i] {
			jobs[i].GPUs += n
		}
	}
	p := simtest.Build(100, list, jobs, costs)
	if racks > 1 {
		p.Cluster.Racks = append(p.Cluster.Racks, "r2")
		for i := 1; i < nodes; i++ {
			p.Cluster.Nodes[i].Rack = 1
		}
	}
	simtest.Linked(p, model.Net{Node: model.Link{BytesPerS: math.Inf(1)}, NIC: model.Link{BytesPerS: 1e9},
		Oversubscription: 2, Congestion: 1}, bytes...)
	r := simtest.StartWith(t, p, of, sim.Cadence{Every: p.Round}, sim.Options{MaxEvents: 1e4})
	for r.Step() {
	}
	tr, _ := r.Result()
	return tr, NewLoads(tr, p)
}

// TestLoadsByHand works out what links carry. Between k nodes 2(k−1)/k GB pass each in a step.
func TestLoadsByHand(t *testing.T) {
	type at struct { // GB/s, from a second on
		s           float64
		gangs       int32
		given, sent float64
	}
	hold := func(what string, l *Load, uplink bool, of int32, carries float64, want ...at) {
		t.Helper()
		if l.Uplink != uplink || l.Of != of || l.Carries != carries*1e9 || len(l.Steps) != len(want) {
			t.Fatalf("%s: %+v, want link %v %d of %v GB/s with steps %v", what, *l, uplink, of, carries, want)
		}
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-5 }
		for i, w := range want {
			got := l.Steps[i]
			if math.Abs(got.At.Seconds()-w.s) > 0.0021 || got.Gangs != w.gangs || !near(got.Given/1e9, w.given) ||
				!near(got.Sent/1e9, w.sent) {
				t.Errorf("%s, step %d: %+v, want %+v", what, i, got, w)
			}
		}
	}

	// Alone a step of a gang over two nodes takes 1 + 1 s, in which 1 GB passes: 1/2 GB/s on average. The link of the
	// node that it isn't on is not there.
	_, all := loaded(t, 3, 1, model.Costs{}, []float64{100}, seated{{1, 1}})
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	hold("alone", &all[0], false, 0, 1, at{0, 1, 1, 0.5}, at{100, 0, 0, 0})
	hold("alone", &all[1], false, 1, 1, at{0, 1, 1, 0.5}, at{100, 0, 0, 0})
	simtest.Near(t, "mean", all[0].Mean, 0.5, 1e-6)
	simtest.Near(t, "shared", all[0].Shared, 0, 0)

	// Two gangs on the NIC of the middle node have 1/2 GB/s each: a step takes 1 + 2 s, 1/3 GB/s on average, 2/3 for
	// both. The first is done after 50 of its gang's steps, at 150 s; the second, of 100, at 250 s.
	_, all = loaded(t, 3, 1, model.Costs{}, []float64{150, 300}, seated{{2, 1}, {0, 1, 2}})
	hold("first", &all[0], false, 0, 1, at{0, 1, 0.5, 1.0 / 3}, at{150, 0, 0, 0})
	hold("middle", &all[1], false, 1, 1, at{0, 2, 1, 2.0 / 3}, at{150, 1, 1, 0.5}, at{250, 0, 0, 0})
	hold("last", &all[2], false, 2, 1, at{0, 1, 0.5, 1.0 / 3}, at{150, 1, 1, 0.5}, at{250, 0, 0, 0})
	simtest.Near(t, "shared", all[1].Shared, 150.0/250, 1e-4)
	simtest.Near(t, "mean", all[1].Mean, (150*2.0/3+100*0.5)/250, 1e-4)
	if all[1].Most != 2 || all[0].Most != 1 {
		t.Errorf("gangs at once: %d and %d", all[0].Most, all[1].Most)
	}

	// Over three nodes 4/3 GB pass each, and a step takes 1 + 4/3 s.
	_, all = loaded(t, 3, 1, model.Costs{}, []float64{400}, seated{{2, 1, 1}})
	hold("2+1+1", &all[2], false, 2, 1, at{0, 1, 1, 4.0 / 7}, at{233.334, 0, 0, 0})

	// The uplink of the rack of one node carries 1/2 GB/s, which two gangs share: 1/4 each, so that a step takes 5 s.
	// The third has what they leave of the NIC of the second node, 3/4: 1 + 4/3 s a step, 3/7 GB/s on average.
	_, all = loaded(t, 3, 2, model.Costs{}, []float64{50, 50, 30}, seated{{1, 1}, {1, 0, 1}, {0, 1, 1}})
	if len(all) != 5 {
		t.Fatalf("%+v", all)
	}
	hold("its uplink", &all[3], true, 0, 0.5, at{0, 2, 0.5, 0.4}, at{125, 0, 0, 0})
	hold("the second NIC", &all[1], false, 1, 1, at{0, 2, 1, 0.2 + 3.0/7}, at{35, 1, 0.25, 0.2}, at{125, 0, 0, 0})
	hold("the other uplink", &all[4], true, 1, 1, at{0, 2, 0.5, 0.4}, at{125, 0, 0, 0})

	// A gang has its link while its job loads for 60 s, and sends nothing.
	_, all = loaded(t, 2, 1, model.Costs{Load: 60 * unit.Second}, []float64{100}, seated{{1, 1}})
	hold("stalls", &all[0], false, 0, 1, at{0, 1, 1, 0}, at{60, 1, 1, 0.5}, at{160, 0, 0, 0})
}

// TestNothingIsSharedWithoutLinks: neither without shared links, nor by gangs on one node.
func TestNothingIsSharedWithoutLinks(t *testing.T) {
	tr, all := loaded(t, 2, 1, model.Costs{}, []float64{100, 100}, seated{{2}, {0, 2}})
	if len(all) != 0 {
		t.Errorf("gangs on one node use %+v", all)
	}
	p := simtest.Build(100, []simtest.Node{{"a": 2}, {"a": 2}}, []simtest.Job{{GPUs: 2, Steps: 1}}, model.Costs{})
	if all := NewLoads(tr, p); all != nil {
		t.Errorf("without shared links there are %+v", all)
	}
}

// TestBusiestLinksAreDrawn: those that are shared longest in any run, and then those with most load, by number.
func TestBusiestLinksAreDrawn(t *testing.T) {
	var a, b []Load
	for l := range int32(10) {
		a = append(a, Load{Link: l, Of: l, Carries: 1, Mean: float64(l) / 10})
	}
	b = append(b, Load{Link: 0, Carries: 1, Shared: 0.1}, Load{Link: 12, Uplink: true, Of: 1, Carries: 2, Mean: 1})
	var got []int32
	for _, of := range Busiest([][]Load{a, b}) {
		got = append(got, of.Link)
	}
	want := []int32{0, 4, 5, 6, 7, 8, 9, 12}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}
