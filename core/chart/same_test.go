package chart

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSameIsTrueAllTheWhile: a holding is the other run's, too, exactly if at each instant of it the other gives the
// job these GPUs. A run is the same as itself.
func TestSameIsTrueAllTheWhile(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 3))
	found := [2]int{}
	for range 1500 {
		ta, tb := randomTrace(rng), randomTrace(rng)
		a, b := NewLane(ta), NewLane(tb)
		if slices.Contains(Same(a, a), false) {
			t.Fatal("a run differs from itself")
		}
		if len(a.Looks) != len(b.Looks) {
			continue
		}
		for i, same := range Same(a, b) {
			h := &a.Holdings[i]
			want := true
			for at := h.From; at < h.To; at++ {
				want = want && slices.ContainsFunc(b.Holdings, func(o Holding) bool {
					return o.Job == h.Job && o.From <= at && at < o.To && slices.Equal(o.Shards, h.Shards)
				})
				if !want {
					break
				}
			}
			if same != want {
				t.Fatalf("job %d from %d to %d: said to be the same is %v", h.Job, h.From, h.To, same)
			}
			if same {
				found[0]++
			} else {
				found[1]++
			}
		}
	}
	if found[0] < 20 || found[1] < 20 {
		t.Errorf("%d alike and %d unlike say little", found[0], found[1])
	}
}
