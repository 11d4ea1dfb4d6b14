package goodput

import (
	"math"
	"math/bits"
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
// (NSGA-II), whose second objective, the speedup by GPU of the nodes in use, keeps its population varied. A member is a
// matrix of jobs by columns, which are nodes, of how many GPUs a job has there. Columns lie eight to a word.
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
	capacity []uint8  // by column
	gap      []uint64 // of each column, MaxColumn less its capacity, in the row's lanes
	words    int      // of a row
	rows     int      // words of a member
	now      []uint64
	open     []uint64 // columns where a job may be, filled, by row; empty = everywhere
	cells    []uint64
	members  []member
	live     []int32 // members in the population, best first
	children []int32
	unused   []int32
	table    []int32 // of members by hash: 1 + index
	values   []value
	from     []int32 // of a job's values in that list
	share    float64 // of the cluster that a node's GPUs are, by which speedups are scaled
	fair     int32   // GPUs
	present  float64 // cost of what the jobs hold

	half    uint64 // of a random number that is not used up
	halves  bool
	chance  []uint64 // 32 bits: that a job grows where it is one of so many
	grown   []uint64 // 32 bits: that at most so many jobs grow where they are not
	total   []int32  // GPUs by column
	there   []int32  // jobs by column
	claimed []uint64 // of a row: columns in use, or GPUs that are taken
	held    []held
	order   []int32 // of members, while fronts are made
	parents []int32
	picked  []int32
	fronts  []int32 // where each front of live ends

	kept    []uint64 // the Pareto-optimal members of the last search
	keptIDs []int32
	keptN   int
}

// member is one allocation, whose rows stand in cells.
type member struct {
	cost     float64 // sum of terms: the less the better
	idle     float64 // less the utility
	crowding float64
	hash     uint64
}

// held is a part of a row that is not 0.
type held struct{ word, column int32 }

// value is what a job has of GPUs: known once they have been asked for.
type value struct {
	speedup    float64
	stay, move float64 // its terms where it is now, and elsewhere
	known      bool
}

const (
	attempts  = 100 // to make children that are new
	most      = 1 << 32
	mixing    = most * 9 / 10 // in 32 bits, the probability that parents exchange rows
	resetting = most / 10     // that a row becomes what the job holds
	thinning  = most / 10     // that elements of a row are dropped, and of each that it is
	high      = 0x80 * 0x0101010101010101
)

// part is a probability in 32 bits.
func part(p float64) uint64 { return uint64(math.Floor(float64(p * most))) }

// nonzero has the highest bit of each byte of x that is not 0.
func nonzero(x uint64) uint64 { return (((x & ^uint64(high)) + ^uint64(high)) | x) & high }

// spread fills the bytes whose highest bit is set.
func spread(x uint64) uint64 { return (x >> 7) * 0xff }

// sum adds the bytes of x.
func sum(x uint64) int32 {
	const pairs = 0x00ff00ff00ff00ff
	return int32(((x & pairs) + (x >> 8 & pairs)) * 0x0001000100010001 >> 48)
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
func (s *Search) Best(job, n int) int32 {
	return int32(s.row(s.live[0], job)[n>>3] >> (n & 7 * 8) & 0xff)
}

// Fitness is the power mean of the best allocation.
func (s *Search) Fitness() float64 { return mean(s.Power, s.members[s.live[0]].cost, len(s.tasks)) }

// Present is the power mean of what the jobs hold, as far as limits still allow it.
func (s *Search) Present() float64 { return mean(s.Power, s.present, len(s.tasks)) }

// Utility is that of the best allocation: its speedup by GPU of the nodes in use.
func (s *Search) Utility() float64 { return -s.members[s.live[0]].idle }

// prepare makes room and what depends on the cluster and the number of jobs.
func (s *Search) prepare(tasks []Task, capacity []int32) {
	j, n := len(tasks), len(capacity)
	s.tasks, s.words = tasks, (n+7)/8
	s.rows = j * s.words
	s.capacity, s.gap = resized(s.capacity, n), resized(s.gap, s.words)
	s.total, s.there = resized(s.total, n), resized(s.there, n)
	s.claimed = resized(s.claimed, s.words)
	clear(s.gap)
	gpus := int32(0)
	for i, c := range capacity {
		s.capacity[i] = uint8(min(c, MaxColumn))
		s.gap[i>>3] |= uint64(MaxColumn-s.capacity[i]) << (i & 7 * 8)
		gpus += c
	}
	s.fair = (gpus + int32(j) - 1) / int32(j)
	s.share = float64(n) / float64(max(gpus, 1))
	s.now, s.open = resized(s.now, s.rows), s.open[:0]
	clear(s.now)
	barred := false
	s.from, s.values = s.from[:0], s.values[:0]
	for i := range tasks {
		t := &tasks[i]
		for at, v := range t.Now {
			s.now[i*s.words+at>>3] |= uint64(min(v, MaxColumn)) << (at & 7 * 8)
		}
		barred = barred || t.Barred != nil
		s.from = append(s.from, int32(len(s.values)))
		for range 2 * (t.Most + 1) {
			s.values = append(s.values, value{})
		}
	}
	if barred {
		s.open = resized(s.open, s.rows)
		clear(s.open)
		for i := range tasks {
			for at := range n {
				if b := tasks[i].Barred; b == nil || !b[at] {
					s.open[i*s.words+at>>3] |= 0xff << (at & 7 * 8)
				}
			}
		}
	}
	p := 2*s.Population + 3
	s.cells = resized(s.cells, p*s.rows)
	s.members = resized(s.members, p)
	s.live, s.children, s.unused = s.live[:0], s.children[:0], s.unused[:0]
	for i := p - 1; i >= 0; i-- {
		s.unused = append(s.unused, int32(i))
	}
	s.table = resized(s.table, 1<<bits.Len(uint(4*p)))
	s.halves, s.Evaluated = false, 0

	// A job grows on a node that has free GPUs with probability 1/J, and with 1/c beside if it is one of c there.
	p1 := 1 / float64(j)
	s.chance = s.chance[:0]
	for c := range j + 1 {
		p2 := 1 / float64(max(c, 1))
		s.chance = append(s.chance, part(p1+p2-float64(p1*p2)))
	}
	s.grown = s.grown[:0]
	q, all := 1.0, 0.0
	for range j {
		q = float64(q * (1 - p1))
	}
	for k := range j + 1 {
		if j == 1 {
			q = float64(k)
		}
		all += q
		s.grown = append(s.grown, part(min(all, 1)))
		if k < j && j > 1 {
			q = float64(q*float64(j-k)) / float64(k+1) * (p1 / (1 - p1))
		}
	}
}

// resized is the list with room for n entries, whatever they are.
//
//go:noinline
func resized[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	return list[:n]
}

// of are the cells of a member, and row those of one of its jobs.
func (s *Search) of(m int32) []uint64 { return s.cells[int(m)*s.rows : (int(m)+1)*s.rows] }

func (s *Search) row(m int32, job int) []uint64 {
	at := int(m)*s.rows + job*s.words
	return s.cells[at : at+s.words]
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
	clear(s.of(m))
	for j, row := range rows {
		for n, v := range row {
			s.row(m, j)[n>>3] |= uint64(v) << (n & 7 * 8)
		}
	}
	return m
}

// begin makes the first population: what the jobs hold and, of a search that is warm, the best of the search before.
func (s *Search) begin() {
	clear(s.table)
	m := s.take()
	copy(s.of(m), s.now)
	s.enter(m, &s.live)
	s.present = s.members[m].cost
	if s.Warm {
		for k := range s.keptN {
			m := s.take()
			clear(s.of(m))
			kept := s.kept[k*len(s.keptIDs)*s.words:]
			for j := range s.tasks {
				if at := slices.Index(s.keptIDs, s.tasks[j].ID); at >= 0 {
					copy(s.row(m, j), kept[at*s.words:(at+1)*s.words])
				}
			}
			s.enter(m, &s.live)
		}
	}
	s.survive()
}

// keep remembers the Pareto-optimal members for the next search, if it will be warm.
func (s *Search) keep() {
	if !s.Warm {
		return
	}
	s.kept, s.keptIDs, s.keptN = s.kept[:0], s.keptIDs[:0], 0
	for j := range s.tasks {
		s.keptIDs = append(s.keptIDs, s.tasks[j].ID)
	}
	s.keptN = len(s.live[:s.fronts[0]])
	for _, m := range s.live[:s.fronts[0]] {
		s.kept = append(s.kept, s.of(m)...)
	}
}

// Forget makes the next search begin cold.
func (s *Search) Forget() { s.keptN = 0 }

// Clone is a Search that goes on as s does, with memory of its own.
func (s *Search) Clone() *Search {
	random := *s.Random
	return &Search{Power: s.Power, Population: s.Population, Generations: s.Generations, Warm: s.Warm, Apart: s.Apart,
		Random: &random, kept: slices.Clone(s.kept), keptIDs: slices.Clone(s.keptIDs), keptN: s.keptN, words: s.words}
}

// take gives a member that is not in use.
func (s *Search) take() int32 {
	m := s.unused[len(s.unused)-1]
	s.unused = s.unused[:len(s.unused)-1]
	return m
}

// enter repairs a member, and evaluates it and puts it into a list unless there is one like it already.
func (s *Search) enter(m int32, into *[]int32) bool {
	s.repair(s.of(m))
	if s.known(m) {
		s.unused = append(s.unused, m)
		return false
	}
	s.evaluate(m)
	*into = append(*into, m)
	return true
}

// known says whether a member like m has been entered into the table, and enters m if not.
func (s *Search) known(m int32) bool {
	h, cells := uint64(0), s.of(m)
	for _, w := range cells {
		h = (h ^ w) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	s.members[m].hash = h
	mask := uint64(len(s.table) - 1)
	at := h >> 20 & mask
	for ; s.table[at] != 0; at = (at + 1) & mask {
		if o := s.table[at] - 1; s.members[o].hash == h && slices.Equal(s.of(o), cells) {
			return true
		}
	}
	s.table[at] = m + 1
	return false
}

// evaluate computes both objectives of a member.
func (s *Search) evaluate(m int32) {
	s.Evaluated++
	cells := s.of(m)
	used := s.claimed // scratch: the columns in use
	clear(used)
	cost, speedup := 0.0, 0.0
	for j := range s.tasks {
		var gpus int32
		var changed uint64
		at := j * s.words
		nodes := 0
		for w := range s.words {
			x := cells[at+w]
			changed |= x ^ s.now[at+w]
			if x != 0 {
				gpus += sum(x)
				here := nonzero(x)
				nodes += bits.OnesCount64(here)
				used[w] |= here
			}
		}
		k := s.from[j] + 2*gpus
		if nodes > 1 {
			k++
		}
		v := &s.values[k]
		if !v.known {
			s.know(v, j, gpus, nodes > 1)
		}
		speedup += v.speedup
		if changed == 0 {
			cost += v.stay
		} else {
			cost += v.move
		}
	}
	gpus := 0
	for w, x := range used {
		for ; x != 0; x &= x - 1 {
			gpus += int(s.capacity[w<<3+bits.TrailingZeros64(x)>>3])
		}
	}
	s.members[m].cost, s.members[m].idle = cost, 0
	if gpus > 0 {
		s.members[m].idle = -speedup / float64(gpus)
	}
}

// know works out what a job has of so many GPUs.
func (s *Search) know(v *value, job int, gpus int32, several bool) {
	t := &s.tasks[job]
	v.known = true
	if gpus > 0 {
		v.speedup = s.Speedup(job, gpus, several)
	}
	scaled := float64(v.speedup * s.share)
	v.stay, v.move = term(s.Power, scaled), term(s.Power, float64(scaled*t.Discount))
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

// u32 draws 32 bits.
func (s *Search) u32() uint64 {
	if s.halves {
		s.halves = false
		return s.half
	}
	x := s.Random.Uint64()
	s.half, s.halves = x>>32, true
	return x & (most - 1)
}

// below draws a number from 0 to n-1.
func (s *Search) below(n int) int { return int(s.u32() * uint64(n) >> 32) }

// breed fills children with as many new members as the population holds. Those that are like another are thrown away
// and drawn again, as long as there are tries left.
func (s *Search) breed(tries *int) {
	clear(s.table)
	for _, m := range s.live {
		s.note(m)
	}
	for range attempts {
		left := s.Population - len(s.children)
		if left <= 0 || *tries <= 0 {
			return
		}
		pairs := (left + 1) / 2
		s.shuffle(4 * pairs)
		for i := range pairs {
			a := s.contest(s.parents[4*i], s.parents[4*i+1])
			b := s.contest(s.parents[4*i+2], s.parents[4*i+3])
			x, y := s.take(), s.take()
			copy(s.of(x), s.of(a))
			copy(s.of(y), s.of(b))
			if s.u32() < mixing {
				cut := s.below(len(s.tasks)) * s.words
				copy(s.of(x)[:cut], s.of(b)[:cut])
				copy(s.of(y)[:cut], s.of(a)[:cut])
			}
			*tries -= 2
			s.mutate(s.of(x))
			s.enter(x, &s.children)
			if len(s.children) == s.Population {
				s.unused = append(s.unused, y)
				return
			}
			s.mutate(s.of(y))
			s.enter(y, &s.children)
		}
	}
}

// note puts a member into the table.
func (s *Search) note(m int32) {
	mask := uint64(len(s.table) - 1)
	at := s.members[m].hash >> 20 & mask
	for ; s.table[at] != 0; at = (at + 1) & mask {
	}
	s.table[at] = m + 1
}

// shuffle puts random permutations of the population one after another, until they have n entries.
func (s *Search) shuffle(n int) {
	s.parents = s.parents[:0]
	for len(s.parents) < n {
		from := len(s.parents)
		s.parents = append(s.parents, s.live...)
		s.mix(s.parents[from:])
	}
}

// mix puts a list into random order.
func (s *Search) mix(list []int32) {
	for i := len(list) - 1; i > 0; i-- {
		k := s.below(i + 1)
		list[i], list[k] = list[k], list[i]
	}
}

// contest is the winner of two members: who dominates, else who stands less crowded, else a coin.
func (s *Search) contest(a, b int32) int32 {
	x, y := &s.members[a], &s.members[b]
	switch {
	case x.cost <= y.cost && x.idle <= y.idle && (x.cost < y.cost || x.idle < y.idle):
		return a
	case y.cost <= x.cost && y.idle <= x.idle && (y.cost < x.cost || y.idle < x.idle):
		return b
	case x.crowding > y.crowding:
		return a
	case y.crowding > x.crowding || s.u32()&1 == 0:
		return b
	}
	return a
}

// mutate changes a member at random: rows go back to what their jobs hold, or are thinned out, and then jobs grow on
// nodes that have free GPUs.
func (s *Search) mutate(cells []uint64) {
	for j := range s.tasks {
		at := j * s.words
		row := cells[at : at+s.words]
		dice := s.u32()
		if dice&0xffff < resetting>>16 {
			copy(row, s.now[at:at+s.words])
		}
		if dice>>16 < thinning>>16 {
			for w, x := range row {
				for here := nonzero(x); here != 0; here &= here - 1 {
					if s.u32() < thinning {
						x &^= 0xff << (bits.TrailingZeros64(here) &^ 7)
					}
				}
				row[w] = x
			}
		}
	}
	clear(s.total)
	clear(s.there)
	s.held = s.held[:0]
	w := 0 // of the row
	for i, x := range cells {
		if w == s.words {
			w = 0
		}
		first := w << 3
		w++
		for here := nonzero(x); here != 0; here &= here - 1 {
			at := bits.TrailingZeros64(here) &^ 7
			n := first + at>>3
			s.total[n] += int32(x >> at & 0xff)
			s.there[n]++
			s.held = append(s.held, held{int32(i), int32(n)})
		}
	}
	for _, h := range s.held {
		if s.total[h.column] < int32(s.capacity[h.column]) && s.u32() < s.chance[s.there[h.column]] {
			at := h.column & 7 * 8
			v := int32(cells[h.word] >> at & 0xff)
			cells[h.word] += uint64(s.below(max(int(s.capacity[h.column])-int(v), 0)+1)) << at
		}
	}
	jobs := len(s.tasks)
	for n := range s.capacity {
		if s.total[n] >= int32(s.capacity[n]) {
			continue
		}
		x, k := s.u32(), 0
		for k < jobs && x >= s.grown[k] {
			k++
		}
		s.picked = s.picked[:0]
		for len(s.picked) < k {
			if j := int32(s.below(jobs)); !slices.Contains(s.picked, j) {
				s.picked = append(s.picked, j)
			}
		}
		for _, j := range s.picked {
			w := int(j)*s.words + n>>3
			if at := n & 7 * 8; cells[w]>>at&0xff == 0 { // who was there already has had its chance
				cells[w] |= uint64(s.below(int(s.capacity[n])+1)) << at
			}
		}
	}
}

// repair makes a member obey all limits, in one pass: of jobs on several nodes the first on each node stays there; then
// each job is cut to its limits in random order of its nodes, and each node to its GPUs in order of the jobs.
func (s *Search) repair(cells []uint64) {
	for i, may := range s.open {
		cells[i] &= may
	}
	if s.Apart {
		clear(s.claimed)
		for j := range s.tasks {
			row := cells[j*s.words : (j+1)*s.words]
			nodes := 0
			for _, x := range row {
				nodes += bits.OnesCount64(nonzero(x))
			}
			if nodes > 1 {
				for w, x := range row {
					here := spread(nonzero(x))
					row[w] &^= s.claimed[w]
					s.claimed[w] |= here
				}
			}
		}
	}
	clear(s.claimed) // from here on the GPUs that are taken
	for j := range s.tasks {
		t := &s.tasks[j]
		row := cells[j*s.words : (j+1)*s.words]
		var gpus, nodes int32
		for _, x := range row {
			if x != 0 {
				gpus += sum(x)
				nodes += int32(bits.OnesCount64(nonzero(x)))
			}
		}
		if gpus > t.Most || nodes > t.Nodes {
			s.cut(row, t)
		}
		gpus = 0
		for w, x := range row {
			if x == 0 {
				continue
			}
			if (x+s.claimed[w]+s.gap[w])&high != 0 {
				x = s.fill(x, w)
			}
			s.claimed[w] += x
			row[w] = x
			gpus += sum(x)
		}
		if over := gpus - t.Least; gpus > 0 && (over < 0 || t.Step > 1) {
			if over >= 0 {
				over %= t.Step
			} else {
				over = gpus
			}
			s.less(row, over)
		}
	}
}

// cut takes from a row what is beyond its job's limits, in random order of its columns.
func (s *Search) cut(row []uint64, t *Task) {
	s.picked = s.picked[:0]
	for w, x := range row {
		for here := nonzero(x); here != 0; here &= here - 1 {
			s.picked = append(s.picked, int32(w<<3+bits.TrailingZeros64(here)>>3))
		}
	}
	s.mix(s.picked)
	left, nodes := t.Most, t.Nodes
	for _, n := range s.picked {
		at := n & 7 * 8
		v := int32(row[n>>3] >> at & 0xff)
		keep := min(v, left)
		if left -= keep; nodes == 0 {
			keep = 0
		}
		if keep > 0 {
			nodes--
		}
		row[n>>3] -= uint64(v-keep) << at
	}
}

// fill cuts the word of a row to what is left of its columns.
func (s *Search) fill(x uint64, word int) uint64 {
	for here := nonzero(x); here != 0; here &= here - 1 {
		at := bits.TrailingZeros64(here) &^ 7
		v, left := x>>at&0xff, uint64(s.capacity[word<<3+at>>3])-s.claimed[word]>>at&0xff
		if v > left {
			x -= (v - left) << at
		}
	}
	return x
}

// less takes n GPUs from the end of a row, and gives them back.
func (s *Search) less(row []uint64, n int32) {
	for w := len(row) - 1; w >= 0 && n > 0; w-- {
		for lane := 7; lane >= 0 && n > 0; lane-- {
			v := min(int32(row[w]>>(lane*8)&0xff), n)
			row[w] -= uint64(v) << (lane * 8)
			s.claimed[w] -= uint64(v) << (lane * 8)
			n -= v
		}
	}
}

// survive keeps the best of the live members, as many as the population holds: front by front of those that none
// dominates, and of the front that does not fit whole those that stand least crowded.
func (s *Search) survive() {
	// Sorted by one objective, then the other, each member is in the first front whose last member does not dominate
	// it: of those before it in a front that one has the least of the other objective.
	list := s.live
	s.sort(list, false)
	s.fronts, s.order = s.fronts[:0], s.order[:0]
	for len(s.order) < min(s.Population, len(s.live)) {
		from := len(s.order)
		rest := list[:0]
		var last *member
		for _, m := range list {
			x := &s.members[m]
			if last == nil || x.idle < last.idle || x.idle == last.idle && x.cost == last.cost {
				s.order = append(s.order, m)
				last = x
			} else {
				rest = append(rest, m)
			}
		}
		list = rest
		front := s.order[from:]
		s.crowd(front)
		if over := len(s.order) - s.Population; over > 0 {
			s.mix(front)
			s.sort(front, true) // of equals those that come first now
			list = append(list, front[len(front)-over:]...)
			s.order = s.order[:s.Population]
			s.sort(s.order[from:], false)
		}
		s.fronts = append(s.fronts, int32(len(s.order)))
	}
	s.unused = append(s.unused, list...)
	s.live, s.order = s.order, s.live
}

// sort puts members in order: of their cost and, of equals, of the other objective; or the least crowded first.
func (s *Search) sort(list []int32, byCrowding bool) {
	before := func(a, b int32) bool {
		x, y := &s.members[a], &s.members[b]
		if byCrowding {
			return x.crowding > y.crowding
		}
		return x.cost < y.cost || x.cost == y.cost && (x.idle < y.idle || x.idle == y.idle && a < b)
	}
	for n, m := range list {
		low, high := 0, n // m goes between these
		for low < high {
			if mid := (low + high) / 2; before(m, list[mid]) {
				high = mid
			} else {
				low = mid + 1
			}
		}
		copy(list[low+1:n+1], list[low:n])
		list[low] = m
	}
}

// crowd computes how far apart the members of a front stand: by each objective, the distance of one's neighbours in
// parts of the front's range. The ends stand free.
func (s *Search) crowd(front []int32) {
	first, last := &s.members[front[0]], &s.members[front[len(front)-1]]
	cost, idle := last.cost-first.cost, first.idle-last.idle
	for i, m := range front {
		x := &s.members[m]
		if x.crowding = 0; i == 0 || i == len(front)-1 {
			x.crowding = math.Inf(1)
			continue
		}
		before, after := &s.members[front[i-1]], &s.members[front[i+1]]
		if cost > 0 {
			x.crowding += (after.cost - before.cost) / cost
		}
		if idle > 0 {
			x.crowding += (before.idle - after.idle) / idle
		}
	}
}
