package goodput

import (
	"math/rand/v2"
	"slices"
)

// MaxColumn is the most GPUs of a column: a larger slot is several columns.
const MaxColumn = 127

// Task is one job of a search. The order of tasks is that in which they keep what all cannot have.
type Task struct {
	ID       int32 // by which the next search knows it again
	Curve    *Curve
	Discount float64 // of its speedup where it does not hold exactly what it holds now
	// GPUs that it may hold, besides none: Least, Least+Step, … Most, of at most Nodes columns, and of those only that
	// Barred does not name.
	Least, Most, Step, Nodes int32
	Barred                   []bool  // by column; nil = none
	Now                      []int32 // what it holds, by column; nil = nothing
}

// Search looks for the allocation with the best power mean of speedups: the genetic algorithm of Pollux's scheduler
// (genetic.go), whose second objective is the utility, the speedup by GPU of the nodes in use. A member of its
// population is an allocation.
//
// The zero value with its first six fields set is ready. A Search keeps its memory from one Run to the next, and if it
// is Warm, the best members.
type Search struct {
	Power       float64 // of the mean
	Population  int
	Generations int
	Warm        bool // begin with the Pareto-optimal members of the search before, not only with what jobs hold
	Apart       bool // at most one job of several nodes on a node, which avoids interference
	Random      *rand.PCG

	Evaluated int // members that the last Run compared

	tasks    []Task
	capacity []int32  // GPUs by column
	all      byColumn // the same
	now      allocation
	share    float64 // of the cluster that a node's GPUs are, by which speedups are scaled
	fair     int32   // GPUs
	present  float64 // cost of what the jobs hold
	values   []value
	from     []int32 // of a job's values in that list

	members  []member
	live     []int32 // members in the population, best first
	children []int32
	unused   []int32
	known    map[uint64]int32 // members by their hash
	fronts   []int            // where each front of live ends
	half     uint64           // of a random number that is not used up
	halves   bool             // there is such a half
	chance   []uint64         // 32 bits: that a job grows where it is one of so many
	grown    []uint64         // 32 bits: that at most so many jobs grow where they are not

	kept    []allocation // the Pareto-optimal members of the last search
	keptIDs []int32      // of their jobs

	// Scratch.
	parents []int32
	order   []int32  // of members, while fronts are made
	free    []int32  // GPUs by column
	there   []int32  // jobs by column
	left    byColumn // GPUs that nobody has yet
	used    byColumn // columns, those that are not 0
	picked  []int32
}

// member is one allocation and what it is worth.
type member struct {
	allocation
	cost     float64 // sum of terms: the less the better
	idle     float64 // less the utility
	crowding float64
	hash     uint64
}

// value is what a job has of GPUs: known once they have been asked for.
type value struct {
	speedup    float64
	stay, move float64 // its terms where it is now, and elsewhere
	known      bool
}

// Run searches an allocation of columns of capacity GPUs to tasks, of which there is at least one. Both are read until
// the next Run.
func (s *Search) Run(tasks []Task, capacity []int32) {
	s.prepare(tasks, capacity)
	s.begin()
	tries := 10 * s.Population * s.Generations
	for range s.Generations - 1 {
		s.breed(&tries)
		s.live = append(s.live, s.children...)
		s.children = s.children[:0]
		s.survive()
	}
	s.keep()
}

// Fair is the number of GPUs on one node that speedups are relative to.
func (s *Search) Fair() int32 { return s.fair }

// Best gives the number of GPUs of the job at column n in the best allocation found.
func (s *Search) Best(job, n int) int32 { return s.at(s.live[0]).rows[job].Get(n) }

// Fitness is the power mean of the best allocation.
func (s *Search) Fitness() float64 { return mean(s.Power, s.members[s.live[0]].cost, len(s.tasks)) }

// Present is the power mean of what the jobs hold, as far as limits still allow it.
func (s *Search) Present() float64 { return mean(s.Power, s.present, len(s.tasks)) }

// Utility is that of the best allocation: its speedup by GPU of the nodes in use.
func (s *Search) Utility() float64 { return -s.members[s.live[0]].idle }

// prepare makes room and what depends on the cluster and the number of jobs.
func (s *Search) prepare(tasks []Task, capacity []int32) {
	jobs, columns := len(tasks), len(capacity)
	s.tasks = tasks
	s.now.resize(jobs, columns)
	clear(s.now.cells)
	s.from, s.values = s.from[:0], s.values[:0]
	for j := range tasks {
		for n, v := range tasks[j].Now {
			s.now.rows[j].Set(n, min(v, MaxColumn))
		}
		s.from = append(s.from, int32(len(s.values)))
		s.values = append(s.values, make([]value, 2*(tasks[j].Most+1))...)
	}
	s.all, s.left, s.used = s.all.resized(columns), s.left.resized(columns), s.used.resized(columns)
	clear(s.all)
	s.capacity = s.capacity[:0]
	gpus := int32(0)
	for n, c := range capacity {
		s.capacity = append(s.capacity, min(c, MaxColumn))
		s.all.Set(n, s.capacity[n])
		gpus += c
	}
	s.fair = (gpus + int32(jobs) - 1) / int32(jobs)
	s.share = float64(columns) / float64(max(gpus, 1))
	s.free, s.there = resized(s.free, columns), resized(s.there, columns)
	s.members = resized(s.members, 2*s.Population+3)
	s.live, s.children, s.unused = s.live[:0], s.children[:0], s.unused[:0]
	for m := len(s.members) - 1; m >= 0; m-- {
		s.members[m].resize(jobs, columns)
		s.unused = append(s.unused, int32(m))
	}
	if s.known == nil {
		s.known = map[uint64]int32{}
	}
	clear(s.known)
	s.halves, s.Evaluated = false, 0
	s.odds(jobs)
}

// at is the allocation of a member.
func (s *Search) at(m int32) *allocation { return &s.members[m].allocation }

// resized is the list with room for n entries, whatever they are.
//
//go:noinline
func resized[S ~[]T, T any](list S, n int) S {
	if cap(list) < n {
		return make(S, n)
	}
	return list[:n]
}

// keep remembers the Pareto-optimal members for the next search, if it will be warm.
func (s *Search) keep() {
	if !s.Warm {
		return
	}
	s.kept, s.keptIDs = s.kept[:0], s.keptIDs[:0]
	for j := range s.tasks {
		s.keptIDs = append(s.keptIDs, s.tasks[j].ID)
	}
	for _, m := range s.live[:s.fronts[0]] {
		s.kept = append(s.kept, s.at(m).clone(len(s.capacity)))
	}
}

// Clone is a Search that goes on as s does, with memory of its own.
func (s *Search) Clone() *Search {
	random := *s.Random
	return &Search{Power: s.Power, Population: s.Population, Generations: s.Generations, Warm: s.Warm, Apart: s.Apart,
		Random: &random, kept: slices.Clone(s.kept), keptIDs: slices.Clone(s.keptIDs)}
}

// Judge is what an allocation is worth, without a search: its fitness and its utility. It has a row a task, of GPUs by
// column. Speedup and Fair then speak of the same tasks.
func (s *Search) Judge(tasks []Task, capacity []int32, rows [][]int32) (fitness, utility float64) {
	m := s.filled(tasks, capacity, rows)
	s.evaluate(m)
	return mean(s.Power, s.members[m].cost, len(tasks)), -s.members[m].idle
}

// filled prepares for tasks and takes a member that holds the rows.
func (s *Search) filled(tasks []Task, capacity []int32, rows [][]int32) int32 {
	s.prepare(tasks, capacity)
	m := s.take()
	s.at(m).fill(rows)
	return m
}

// evaluate computes both objectives of a member.
func (s *Search) evaluate(m int32) {
	s.Evaluated++
	cost, speedup := 0.0, 0.0
	clear(s.used)
	for j := range s.tasks {
		row := s.at(m).rows[j]
		gpus, nodes := row.Sum()
		v := s.value(j, gpus, nodes > 1)
		if speedup += v.speedup; slices.Equal(row, s.now.rows[j]) {
			cost += v.stay
		} else {
			cost += v.move
		}
		row.Mark(s.used)
	}
	gpus := int32(0)
	for n := range s.used.Columns {
		gpus += s.capacity[n]
	}
	x := &s.members[m]
	if x.cost, x.idle = cost, 0; gpus > 0 {
		x.idle = -speedup / float64(gpus)
	}
}

// value is what a job has of so many GPUs, on one node or several. It is worked out once.
func (s *Search) value(job int, gpus int32, several bool) *value {
	at := s.from[job] + 2*gpus
	if several {
		at++
	}
	v := &s.values[at]
	if !v.known {
		if v.known = true; gpus > 0 {
			v.speedup = s.Speedup(job, gpus, several)
		}
		scaled := float64(v.speedup * s.share)
		v.stay, v.move = term(s.Power, scaled), term(s.Power, float64(scaled*s.tasks[job].Discount))
	}
	return v
}

// Speedup is a job's best goodput on so many GPUs over that on its fair share, which is on one node. Where a job keeps
// a batch that is too small for so many, its share is the most on which it runs (ours).
func (s *Search) Speedup(job int, gpus int32, several bool) float64 {
	c := s.tasks[job].Curve
	for k := s.fair; k > 0; k-- {
		if base := c.Goodput(k, false); base > 0 {
			return c.Goodput(gpus, several) / base
		}
	}
	return 0
}

// NodeGPUs is the mean number of GPUs of a node, by which a speedup is divided before it counts.
func (s *Search) NodeGPUs() float64 { return 1 / s.share }

// Counted is a job's speedup as the power mean counts it.
func (s *Search) Counted(job int, speedup float64, kept bool) float64 {
	speedup = float64(speedup * s.share)
	if !kept {
		speedup = float64(speedup * s.tasks[job].Discount)
	}
	return speedup + floor
}
