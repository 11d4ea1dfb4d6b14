package simtest

import (
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

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
