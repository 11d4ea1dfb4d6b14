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

// TestGittinsPrices: lengths 100, 100 and 1000 GPU-seconds.
func TestGittinsPrices(t *testing.T) {
	lengths := []float64{100, 100, 1000}
	for _, c := range []struct{ step, served, want float64 }{
		{3250, 0, 400},                  // all end within the step: the mean of what is left
		{3250, 50, 350},                 // (50 + 50 + 950) / 3
		{3250, 100, 900},                // it must be the long one
		{3250, 1000, beyond},            // longer than all that is known
		{50, 0, beyond},                 // none ends within 50
		{50, 60, (40 + 40 + 50) / 2.},   // two of three end, the third takes the whole step
		{100, 0, (100 + 100 + 100) / 2}, // just within the step
	} {
		if got := newGittinsIndex(lengths, c.step).price(c.served); got != c.want {
			t.Errorf("step %v, served %v: %v, want %v", c.step, c.served, got, c.want)
		}
	}
}
