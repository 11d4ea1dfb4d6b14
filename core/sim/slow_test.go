package sim_test

import (
	"fmt"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// spell is a node's slowness from one second to another.
func spell(node model.NodeID, from, to float64, speed float64) []model.SpeedChange {
	return []model.SpeedChange{{At: unit.Seconds(from), Node: node, Speed: speed},
		{At: unit.Seconds(to), Node: node, Speed: 1}}
}

// slowNodes is one job of so many GPUs, one a node and each 1 step/s, with spells.
func slowNodes(gpus int32, steps float64, r model.Redundancy, spells ...[]model.SpeedChange) *model.Problem {
	nodes := slices.Repeat([]simtest.Node{{"a": 1}}, int(gpus))
	p := simtest.Build(100, nodes, []simtest.Job{{GPUs: gpus, Steps: steps, Rates: map[string]float64{"a": 1}}},
		model.Costs{})
	p.Jobs[0].Shape.Redundancy = r
	if r != (model.Redundancy{}) {
		p.Tables[0] = p.Tables[0].Redundant(gpus, r)
	}
	p.Speeds = slices.Concat(spells...)
	slices.SortStableFunc(p.Speeds, func(a, b model.SpeedChange) int { return int(a.At - b.At) })
	return p
}

// TestOneSlowMachineByHand works the answers out on paper: node 2 of the gang has 0.4 of its speed from 60 to 160 s,
// and node 3 has 0.7 of it from 100 to 130 s.
func TestOneSlowMachineByHand(t *testing.T) {
	second, third := spell(1, 60, 160, 0.4), spell(2, 100, 130, 0.7)
	for _, c := range []struct {
		what   string
		gpus   int32
		r      model.Redundancy
		spells [][]model.SpeedChange
		finish unit.Tick
	}{
		// 3 steps/s: 180 by 60 s; then 3 · 0.4 = 1.2 steps/s: 120 more by 160 s; the other 600 take 200 s.
		{"none", 3, model.Redundancy{}, [][]model.SpeedChange{second}, 360_000},
		// The second spell lies within the first, and node 3 is faster than node 2 all the time: it changes nothing.
		{"none, two slow", 3, model.Redundancy{}, [][]model.SpeedChange{second, third}, 360_000},
		// Of 4 GPUs 3 work, 3 steps/s: 900 take 300 s; the step does not wait for node 2.
		{"a backup", 4, model.Redundancy{Backup: 1}, [][]model.SpeedChange{second}, 300_000},
		// By 100 s 300; the third fastest of 1, 1, 0.7 and 0.4 is 0.7: 2.1 · 30 = 63 by 130 s; 537 take 179 s.
		{"a backup, two slow", 4, model.Redundancy{Backup: 1}, [][]model.SpeedChange{second, third}, 309_000},
		// Twice the work a member: 4/2 = 2 steps/s, 900 take 450 s, slow node or not.
		{"coding", 4, model.Redundancy{Fold: 2}, [][]model.SpeedChange{second}, 450_000},
		// By 100 s 200; 2 · 0.7 · 30 = 42 by 130 s; 658 take 329 s.
		{"coding, two slow", 4, model.Redundancy{Fold: 2}, [][]model.SpeedChange{second, third}, 459_000},
		// Groups of nodes 1, 2 and 3, 4: each has one slow member and does without it.
		{"static groups", 4, model.Redundancy{Fold: 2, Groups: 2}, [][]model.SpeedChange{second, third}, 450_000},
		// Nodes 1 and 2 are one group, both slow. By 60 s 120; from 60 to 160 s node 2 has 0.4, the faster of the two
		// all the time: 2 · 0.4 · 100 = 80 by 160 s; 700 take 350 s.
		{"static groups, both of one slow", 4, model.Redundancy{Fold: 2, Groups: 2},
			[][]model.SpeedChange{second, spell(0, 50, 200, 0.1)}, 510_000},
		// The two are spread over both groups.
		{"dynamic groups, both slow", 4, model.Redundancy{Fold: 2, Groups: 2, Dynamic: true},
			[][]model.SpeedChange{second, spell(0, 50, 200, 0.1)}, 450_000},
	} {
		p := slowNodes(c.gpus, 900, c.r, c.spells...)
		tr := play(t, p, sim.Cadence{On: sim.Arrival}, func(_ int, _ sim.View, plan *sim.Plan, _ *sim.Why) {
			plan.Open(0, 0)
			for s := range p.Cluster.Slots {
				plan.Take(model.SlotID(s), 1)
			}
			if !plan.Close() {
				t.Fatal("no gang")
			}
		})
		if got := tr.Jobs[0].Finish; got != c.finish {
			t.Errorf("%s: finishes at %d ms, want %d", c.what, got, c.finish)
		}
	}
}

// TestCopiesDoNotWait: a copy on each of three nodes, 3 steps/s together: 180 by 60 s. With node 2 at 0.4 they do
// 1 + 0.4 + 1 = 2.4 steps/s, 240 by 160 s, where a gang does 120; the other 480 take 160 s.
func TestCopiesDoNotWait(t *testing.T) {
	p := slowNodes(3, 900, model.Redundancy{}, spell(1, 60, 160, 0.4))
	tr := play(t, p, sim.Cadence{On: sim.Arrival | sim.Finish, Merge: true}, func(n int, v sim.View, p *sim.Plan,
		w *sim.Why) {
		for s := range model.SlotID(3) {
			p.OpenCopy(0, 0)
			p.Take(s, 1)
			p.Close()
		}
	})
	if got := tr.Jobs[0].Finish; got != 320_000 {
		t.Errorf("finishes at %d ms, want 320000", got)
	}
}

// TestASlowTypeHidesASlowNode: a gang of an a at 5 and a b at 1 step/s a GPU runs at the b's 2 steps/s. With the a's
// node at 0.3 it would have 3 steps/s and does not matter; at 0.1 it has 1. 300 steps: 50 s at 2, 100 s at 1 and again
// 2 for the last 100, which is 50 s.
func TestASlowTypeHidesASlowNode(t *testing.T) {
	for speed, finish := range map[float64]unit.Tick{0.3: 150_000, 0.1: 200_000} {
		p := simtest.Build(100, []simtest.Node{{"a": 1}, {"b": 1}},
			[]simtest.Job{{GPUs: 2, Steps: 300, Rates: map[string]float64{"a": 5, "b": 1}}}, model.Costs{})
		p.Speeds = spell(0, 50, 150, speed)
		tr := play(t, p, always, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
			p.Clear()
			p.Open(0, 0)
			p.Take(0, 1)
			p.Take(1, 1)
			p.Close()
		})
		if got := tr.Jobs[0].Finish; got != finish {
			t.Errorf("at %v: finishes at %d ms, want %d", speed, got, finish)
		}
	}
}

// TestASpellTouchesOnlyItsNode: the job on the other node has one span, whatever comes over this one; a spell within a
// stall cuts no span; and the trace names spells and the jobs that they slow.
func TestASpellTouchesOnlyItsNode(t *testing.T) {
	p := simtest.Build(100, []simtest.Node{{"a": 1}, {"a": 1}}, []simtest.Job{one(300, 0), one(300, 0)},
		model.Costs{Load: 20 * unit.Second})
	p.Speeds = slices.Concat(spell(0, 5, 15, 0.5), spell(0, 50, 150, 0.25))
	tr := play(t, p, sim.Cadence{Every: 60 * unit.Second}, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
		if n == 0 {
			hold(p, 0, 0, 1)
			hold(p, 1, 1, 1)
		}
		if rate := v.Rate(0, 0, []model.Shard{{Slot: 0, N: 1}}); rate != 1 {
			t.Errorf("at %v s the policy is told %v steps/s, want the full speed", v.Now().Seconds(), rate)
		}
	})
	if got, want := kinds(tr, 0), []string{"stall 20", "run 30", "run 100", "run 245"}; !slices.Equal(got, want) {
		t.Errorf("spans %v, want %v", got, want)
	}
	if got, want := kinds(tr, 1), []string{"stall 20", "run 300"}; !slices.Equal(got, want) {
		t.Errorf("spans of the other job %v, want %v", got, want)
	}
	if got := fmt.Sprint(tr.Speeds); got != "[{5000 0 0.5} {15000 0 1} {50000 0 0.25} {150000 0 1}]" {
		t.Errorf("the trace has the speeds %v", got)
	}
	told := 0
	for _, r := range tr.Reasons {
		if r.Code == trace.Slowed {
			told++
			if r.Job != 0 || r.Slot != 0 || r.Num[0] != r.Num[1] {
				t.Errorf("%+v", r)
			}
		}
	}
	if told != 2 {
		t.Errorf("%d spells are told, want 2", told)
	}
	again, err := trace.Decode(tr.Encode())
	if err != nil || !slices.Equal(again.Speeds, tr.Speeds) {
		t.Errorf("decoded: %v, %v", again, err)
	}
	if (&trace.Trace{}).Encode()[3] != 3 {
		t.Error("a trace without spells is written as it was before there were any")
	}
}

// TestRedundancyOverSharedLinks: two gangs over two nodes, of which each step takes 1/2 s, and 1/2 s more for its
// exchange where a gang has its links to itself: 2 steps/s. Beside another it has half of them, and a step takes 3/2 s.
// With two-fold coding all of it takes twice as long, 2/3 of a step a second: 100 steps in 150 s. With a backup one of
// its two GPUs counts, which is as much.
func TestRedundancyOverSharedLinks(t *testing.T) {
	for _, r := range []model.Redundancy{{Fold: 2, Groups: 1}, {Backup: 1}} {
		job := simtest.Job{GPUs: 2, Steps: 100, Rates: map[string]float64{"a": 2}}
		other := job
		other.Steps = 10_000
		p := simtest.Build(100, []simtest.Node{{"a": 2}, {"a": 2}}, []simtest.Job{job, other}, model.Costs{})
		simtest.Linked(p, model.Net{Node: model.Link{BytesPerS: 1e12}, NIC: model.Link{BytesPerS: 1e9},
			Oversubscription: 1, Congestion: 1}, 0.5e9, 0.5e9)
		p.Jobs[0].Shape.Redundancy = r
		p.Tables[0] = p.Tables[0].Redundant(2, r)
		tr := play(t, p, always, func(_ int, v sim.View, p *sim.Plan, _ *sim.Why) {
			p.Clear()
			for _, j := range v.Active() {
				on(p, j, 1, 1)
			}
		})
		finishes(t, "redundancy", tr, 150)
	}
}
