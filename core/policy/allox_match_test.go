package policy

import (
	"testing"

	"hadarlab/core/unit"
)

// TestMatchingIsOptimal compares the matching with all ways to share out up to six jobs: within a type the
// longer a job, the nearer the end of a queue.
func TestMatchingIsOptimal(t *testing.T) {
	for seed := range uint64(3000) {
		rng := unit.Stream(seed, "matching")
		var m matching
		types, n := 1+rng.IntN(3), 1+rng.IntN(6)
		m.begin(types)
		for g := range types {
			m.room[g] = int32(1 + rng.IntN(3))
		}
		for range n {
			some := false
			for range types {
				c := int64(1 + rng.IntN(40))
				if rng.IntN(5) == 0 {
					c = noMatch
				}
				some = some || c < noMatch
				m.costs = append(m.costs, c)
			}
			if !some {
				m.costs[len(m.costs)-1] = 7
			}
		}
		got := total(&m, m.solve(n))
		best, of := int64(1)<<62, make([]int32, n)
		var try func(i int)
		try = func(i int) {
			if i == n {
				best = min(best, total(&m, of))
				return
			}
			for g := range types {
				of[i] = int32(g)
				try(i + 1)
			}
		}
		try(0)
		if types == 1 {
			continue // one way only, which may hold jobs that cannot run
		}
		if got != best {
			t.Fatalf("seed %d: %d types with room %v, costs %v: %d, best %d", seed, types, m.room, m.costs, got, best)
		}
	}
}

// total is the sum of completion times of a division of jobs among types.
func total(m *matching, of []int32) int64 {
	sum := int64(0)
	for g := range m.room {
		var runs []int64
		for i, o := range of {
			if int(o) == g {
				c := m.cost(int32(i), g)
				if c == noMatch {
					return 1 << 61
				}
				at := len(runs) // longest first
				runs = append(runs, c)
				for ; at > 0 && runs[at-1] < c; at-- {
					runs[at] = runs[at-1]
				}
				runs[at] = c
			}
		}
		for k, c := range runs {
			sum += c * int64(k/int(m.room[g])+1)
		}
	}
	return sum
}
