package goodput

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"hadarlab/core/unit"
)

// randomTasks draws jobs of the model of cifar10 with noise of its own, and what they hold.
func randomTasks(r *rand.Rand, jobs int, capacity []int32) []Task {
	free := slices.Clone(capacity)
	tasks := make([]Task, jobs)
	for i := range tasks {
		t := &tasks[i]
		*t = Task{ID: int32(i), Curve: &Curve{}, Least: 1, Most: int32(1 + r.IntN(12)), Step: 1, Nodes: 16,
			Discount: r.Float64(), Now: make([]int32, len(capacity))}
		if r.IntN(4) > 0 {
			t.Curve.Set(&cifar10, unit.Exp(3+8*r.Float64()), cifarBatches)
		}
		switch r.IntN(6) {
		case 0:
			t.Least = t.Most
		case 1:
			t.Step, t.Most = 2, 9
		case 2:
			t.Nodes = 2
		case 3:
			t.Barred = make([]bool, len(capacity))
			for n := range t.Barred {
				t.Barred[n] = r.IntN(3) == 0
			}
		}
		for n := range free {
			if r.IntN(3) == 0 {
				t.Now[n] = int32(r.IntN(int(free[n]) + 1))
				free[n] -= t.Now[n]
			}
		}
	}
	return tasks
}

// legal says what limit a matrix breaks, if any.
func legal(tasks []Task, capacity []int32, apart bool, at func(j, n int) int32) string {
	distributed := make([]int, len(capacity))
	used := make([]int32, len(capacity))
	for j := range tasks {
		t := &tasks[j]
		gpus, nodes := int32(0), int32(0)
		for n := range capacity {
			v := at(j, n)
			if v > 0 && t.Barred != nil && t.Barred[n] {
				return fmt.Sprintf("job %d is where it may not be", j)
			}
			if gpus += v; v > 0 {
				nodes++
			}
			used[n] += v
		}
		if gpus > 0 && (gpus < t.Least || gpus > t.Most || (gpus-t.Least)%t.Step != 0) || nodes > t.Nodes {
			return fmt.Sprintf("job %d has %d GPUs on %d nodes: %+v", j, gpus, nodes, *t)
		}
		for n := range capacity {
			if at(j, n) > 0 && nodes > 1 {
				distributed[n]++
			}
		}
	}
	for n := range capacity {
		if used[n] > capacity[n] || apart && distributed[n] > 1 {
			return fmt.Sprintf("node %d: %d of %d GPUs, %d jobs of several nodes", n, used[n], capacity[n],
				distributed[n])
		}
	}
	return ""
}

func TestSearchObeysLimits(t *testing.T) {
	r := unit.Stream(1, "limits")
	for round := range 60 {
		capacity := make([]int32, 1+r.IntN(20))
		for n := range capacity {
			capacity[n] = int32(r.IntN(9))
		}
		tasks := randomTasks(r, 1+r.IntN(12), capacity)
		s := Search{Power: -1, Population: 12, Generations: 8, Warm: round%2 == 0, Apart: round%3 > 0,
			Random: unit.Source(uint64(round), "search")}
		for range 3 {
			s.Run(tasks, capacity)
			for _, m := range s.live {
				at := func(j, n int) int32 { return s.at(m).rows[j].Get(n) }
				if bad := legal(tasks, capacity, s.Apart, at); bad != "" {
					t.Fatalf("round %d: %s", round, bad)
				}
				if s.members[m].cost < s.members[s.live[0]].cost {
					t.Fatalf("round %d: the answer is not the fittest", round)
				}
			}
			if s.Fitness() < s.Present() {
				t.Fatalf("round %d: fitness %v, what jobs hold has %v", round, s.Fitness(), s.Present())
			}
			// The next one goes on from there, with one job less and another more.
			for j := range tasks {
				for n := range capacity {
					tasks[j].Now[n] = s.Best(j, n)
				}
			}
			tasks = append(tasks[1:], Task{ID: int32(100 + len(tasks)), Curve: &Curve{}, Least: 1, Most: 2, Step: 1,
				Nodes: 16, Now: make([]int32, len(capacity))})
		}
	}
}

func TestSearchIsRepeatable(t *testing.T) {
	r := unit.Stream(5, "repeat")
	capacity := []int32{4, 4, 4, 4, 4, 4}
	tasks := randomTasks(r, 7, capacity)
	run := func(s *Search) (all []int32) {
		s.Run(tasks, capacity)
		for j := range tasks {
			for n := range capacity {
				all = append(all, s.Best(j, n))
			}
		}
		return all
	}
	fresh := func(seed uint64) *Search {
		return &Search{Power: -1, Population: 20, Generations: 20, Warm: true, Apart: true,
			Random: unit.Source(seed, "search")}
	}
	a, b := fresh(1), fresh(1)
	first := run(a)
	if !slices.Equal(first, run(b)) || a.Fitness() != b.Fitness() {
		t.Error("equal seeds find different allocations")
	}
	c := a.Clone()
	if !slices.Equal(run(a), run(c)) || a.Fitness() != c.Fitness() {
		t.Error("a clone goes on otherwise")
	}
}

// TestSearchAgainstAll compares the search on tiny clusters with all allocations that there are.
func TestSearchAgainstAll(t *testing.T) {
	found, n := 0, 40
	for seed := range uint64(n) {
		r := unit.Stream(seed, "tiny")
		capacity := []int32{2, 2, 1}
		tasks := randomTasks(r, 3, capacity)
		s := Search{Power: -1, Population: 30, Generations: 30, Apart: seed%2 == 0, Random: unit.Source(seed, "search")}
		s.Run(tasks, capacity)
		best := 0.0
		rows := [][]int32{make([]int32, 3), make([]int32, 3), make([]int32, 3)}
		all := Search{Power: -1}
		m := all.filled(tasks, capacity, rows)
		var walk func(at int)
		walk = func(at int) {
			if at == 9 {
				get := func(j, n int) int32 { return rows[j][n] }
				if legal(tasks, capacity, s.Apart, get) == "" {
					all.at(m).fill(rows)
					all.evaluate(m)
					best = max(best, mean(-1, all.members[m].cost, 3))
				}
				return
			}
			for v := range capacity[at%3] + 1 {
				rows[at/3][at%3] = v
				walk(at + 1)
			}
			rows[at/3][at%3] = 0
		}
		walk(0)
		switch got := s.Fitness(); {
		case got > best*(1+1e-12):
			t.Fatalf("seed %d: fitness %v, of all allocations the best has %v", seed, got, best)
		case got > best*(1-1e-12):
			found++
		}
	}
	if found < n*9/10 {
		t.Errorf("the best of all was found in %d of %d cases", found, n)
	}
}

// TestSearchAllocatesNothing: once its memory is there, generations need no more.
func TestSearchAllocatesNothing(t *testing.T) {
	capacity := []int32{4, 4, 4, 4, 4, 4, 4, 4}
	tasks := randomTasks(unit.Stream(9, "memory"), 8, capacity)
	s := Search{Power: -1, Population: 30, Generations: 10, Apart: true, Random: unit.Source(1, "search")}
	s.Run(tasks, capacity)
	s.Run(tasks, capacity)
	if n := testing.AllocsPerRun(5, func() { s.Run(tasks, capacity) }); n > 2 {
		t.Errorf("%v allocations a search", n)
	}
}

func BenchmarkSearch(b *testing.B) {
	for _, size := range []struct{ jobs, population int }{{7, 20}, {7, 100}, {32, 100}} {
		b.Run(fmt.Sprint(size.jobs, "x", size.population), func(b *testing.B) {
			capacity := slices.Repeat([]int32{4}, 16)
			tasks := randomTasks(unit.Stream(9, "bench"), size.jobs, capacity)
			s := Search{Power: -1, Population: size.population, Generations: size.population, Apart: true,
				Random: unit.Source(1, "search")}
			b.ReportAllocs()
			for range b.N {
				s.Run(tasks, capacity)
			}
			b.ReportMetric(float64(s.Evaluated), "members")
		})
	}
}
