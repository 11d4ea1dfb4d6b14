package assign

import (
	"testing"

	"hadarlab/core/unit"
)

// TestMatchingIsOptimal compares the matching with all ways to share out up to six jobs: within a type the
// longer a job, the nearer the end of a queue.
func TestMatchingIsOptimal(t *testing.T) {
	for seed := range uint64(3000) {
		rng := unit.Stream(seed, "matching")
		var m Matching
		types, n := 1+rng.IntN(3), 1+rng.IntN(6)
		m.Begin(types)
		for g := range types {
			m.Room[g] = int32(1 + rng.IntN(3))
		}
		for range n {
			some := false
			for range types {
				c := int64(1 + rng.IntN(40))
				if rng.IntN(5) == 0 {
					c = NoMatch
				}
				some = some || c < NoMatch
				m.Costs = append(m.Costs, c)
			}
			if !some {
				m.Costs[len(m.Costs)-1] = 7
			}
		}
		best, of := int64(1)<<62, make([]int32, n)
		for i, s := range m.Solve(n) {
			of[i] = s.Group
		}
		got := total(&m, of)
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
		if got != best {
			t.Fatalf("seed %d: %d types with room %v, costs %v: %d, best %d", seed, types, m.Room, m.Costs, got, best)
		}
	}
}

// TestEqualMatchingsFallAsInTheOriginal: on two GPUs of one type jobs of the same place may swap GPUs at no cost. Who
// then starts is as the solver of Gavel's code (scipy 1.10.1) has it; rows give each job's GPU and place.
func TestEqualMatchingsFallAsInTheOriginal(t *testing.T) {
	for _, c := range []struct {
		jobs []int64
		want [][2]int32
	}{
		{[]int64{2, 10, 5}, [][2]int32{{0, 2}, {1, 1}, {0, 1}}}, // the longest starts, 5 waits
		{[]int64{10, 2, 5}, [][2]int32{{0, 1}, {0, 2}, {1, 1}}}, // 5 starts, the longest waits
		{[]int64{5, 10, 2, 7}, [][2]int32{{1, 2}, {1, 1}, {0, 2}, {0, 1}}},
		{[]int64{7, 3, 9, 4, 1}, [][2]int32{{0, 1}, {0, 2}, {1, 1}, {1, 2}, {0, 3}}},
	} {
		var m Matching
		m.Begin(1)
		m.Room[0], m.Costs = 2, c.jobs
		longest := [2]int32{}
		for _, w := range c.want {
			longest[w[0]] = max(longest[w[0]], w[1])
		}
		for i, got := range m.Solve(len(c.jobs)) {
			w := c.want[i]
			if want := (Spot{0, w[0], w[1], longest[w[0]] - w[1]}); got != want {
				t.Errorf("%v, job %d: %+v, want %+v", c.jobs, i+1, got, want)
			}
		}
	}
}

// total is the sum of completion times of a division of jobs among types.
func total(m *Matching, of []int32) int64 {
	sum := int64(0)
	for g := range m.Room {
		var runs []int64
		for i, o := range of {
			if int(o) == g {
				c := m.Cost(int32(i), g)
				if c == NoMatch {
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
			sum += c * int64(k/int(m.Room[g])+1)
		}
	}
	return sum
}
