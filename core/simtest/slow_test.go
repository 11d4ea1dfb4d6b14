package simtest

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// wildSlow draws a problem of Wild, or one whose gangs share links, on whose nodes spells of slowness come and go. Most
// jobs that may have redundancy have some.
func wildSlow(rng *rand.Rand) *model.Problem {
	p := Wild(rng)
	if rng.IntN(4) == 0 {
		p = wildLinks(rng)
	}
	for n := range p.Cluster.Nodes {
		for at := unit.Tick(0); rng.IntN(4) > 0; {
			at += unit.Tick(rng.IntN(12000)) * 100
			p.Speeds = append(p.Speeds, model.SpeedChange{At: at, Node: model.NodeID(n),
				Speed: float64(1+rng.IntN(9)) / 10})
			if at += unit.Tick(1+rng.IntN(12000)) * 100; rng.IntN(3) > 0 { // else the next spell begins as it ends
				p.Speeds = append(p.Speeds, model.SpeedChange{At: at, Node: model.NodeID(n), Speed: 1})
				at += 100
			}
		}
	}
	slices.SortStableFunc(p.Speeds, func(a, b model.SpeedChange) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Node, b.Node))
	})
	for i := range p.Jobs {
		s := &p.Jobs[i].Shape
		if p.Jobs[i].Profile >= 0 || s.Min != s.Max || s.Size < 2 || s.Split != nil || rng.IntN(4) == 0 {
			continue
		}
		r := model.Redundancy{Backup: 1 + rng.Int32N(s.Size-1)}
		if rng.IntN(2) == 0 {
			r = model.Redundancy{Fold: 2 + rng.Int32N(s.Size-1), Groups: 1}
			if s.Size == 4 && rng.IntN(2) == 0 {
				r = model.Redundancy{Fold: 2, Groups: 2, Dynamic: rng.IntN(2) == 0}
			}
		}
		s.Redundancy = r
		p.Tables[i] = p.Tables[i].Redundant(s.Size, r)
		if p.Know.Tables != nil {
			p.Know.Tables[i] = p.Know.Tables[i].Redundant(s.Size, r)
		}
	}
	return p
}

// slowRuns counts the spans in which a gang waits for a slow node, and those in which it has one and does not wait.
func slowRuns(p *model.Problem, t *trace.Trace) (waits, spared int) {
	for i := range t.Spans.Len() {
		job := &p.Jobs[t.Spans.Job[i]]
		if t.Spans.Kind[i] != trace.Run || t.Spans.With[i] >= 0 || job.Profile >= 0 || p.Links != nil {
			continue
		}
		speed, least := speedsAt(p, t.Spans.From[i]), 1.0
		for _, sh := range t.Spans.At(i) {
			least = min(least, speed[p.Cluster.Slots[sh.Slot].Node])
		}
		told := float64(sim.GangRate(&p.Tables[job.Phases[0].Tables[0]], &p.Cluster, t.Spans.At(i), job.Shape.Split))
		switch {
		case least < 1 && t.Spans.Rate[i] < told*0.999:
			waits++
		case least < 1 && job.Shape.Redundancy != (model.Redundancy{}):
			spared++
		}
	}
	return waits, spared
}

// TestPaceIsOfTheFastestMembersThatAreEnough tries all sets of members, and all ways of making groups of them.
func TestPaceIsOfTheFastestMembersThatAreEnough(t *testing.T) {
	rng := unit.Stream(1, "paces")
	for n := 1; n <= 6; n++ {
		var all []model.Redundancy
		for b := range int32(n) {
			all = append(all, model.Redundancy{Backup: b})
		}
		for g := int32(1); g <= int32(n); g++ {
			for r := int32(2); int32(n)%g == 0 && r <= int32(n)/g; r++ {
				all = append(all, model.Redundancy{Fold: r, Groups: g},
					model.Redundancy{Fold: r, Groups: g, Dynamic: true})
			}
		}
		for _, r := range all {
			for range 20 {
				members := make([]float64, n)
				for i := range members {
					members[i] = float64(1+rng.IntN(8)) / 8
				}
				for _, size := range []int{n, n + 1} { // all of it, or a copy
					if size > n && r.Backup == 0 && r.Fold == 0 {
						continue
					}
					want := Needed(r, size, members)
					if got := r.Pace(int32(size), slices.Clone(members)); got != want {
						t.Fatalf("%+v of %d at %v: %v, want %v", r, size, members, got, want)
					}
				}
			}
		}
	}
}

// TestAnyMembersButRLess1HaveTheWholeBatch: where member k of l computes the parts k to k + r − 1 of l, around the end,
// any l − r + 1 of them have every part, and some l − r do not.
func TestAnyMembersButRLess1HaveTheWholeBatch(t *testing.T) {
	for l := 1; l <= 8; l++ {
		for r := 1; r <= l; r++ {
			missed := false
			for set := range 1 << l {
				parts, members := 0, 0
				for k := range l {
					if set>>k&1 == 0 {
						continue
					}
					members++
					for part := range r {
						parts |= 1 << ((k + part) % l)
					}
				}
				whole := parts == 1<<l-1
				if members >= l-r+1 && !whole {
					t.Fatalf("%d of %d members with %d parts each do not have all", members, l, r)
				}
				missed = missed || members == l-r && !whole
			}
			if !missed {
				t.Errorf("%d-fold of %d: one member less is always enough", r, l)
			}
		}
	}
}
