// Package assign solves assignment problems: who gets what at the least cost or the largest value. Hungarian is the
// assignment problem as it is; Matching is the bipartite matching of jobs with places in the queues of unrelated
// machines that has the least sum of completion times (R || ΣC), in whole numbers, so that sums are exact; Knapsack is
// the multiple-choice knapsack with several capacities, in whole numbers too, by dynamic programming as long as its
// table is small enough. None knows a policy. HadarE's fast matching, of jobs with kinds of nodes, stands with its
// planner (core/fork), which tests hold to Hungarian.
package assign

import "slices"

// NoMatch is the run time in ticks of a job that cannot run on a type (about 280 years); longer ones
// are taken for a tick less.
const NoMatch = int64(1) << 43

// Matching is the assignment of jobs to (GPU, place from the end), where place p of a GPU of type g
// costs p times the job's run time there: a job delays itself and those after it. GPUs of one type are
// alike, so that the places p of all of them are one column with room for as many jobs; a column opens
// when the one before it is full. The assignment is exact: shortest augmenting paths with potentials
// (Jonker and Volgenant), jobs in order, ties to the column that opened first. Costs are whole ticks.
type Matching struct {
	Room  []int32 // free GPUs by type
	Costs []int64 // run time in ticks by row and type

	columns []column
	last    []int32 // the column of each type that opened last, the only one of them with room
	of      []int32 // column by row
	done    []int32 // columns reached in the present search
	spots   []Spot  // by row, the result
}

// Spot is what a row is assigned to.
type Spot struct {
	Group  int32 // type
	GPU    int32 // of the type
	Place  int32 // from the end of the GPU's queue
	Before int32 // rows that come before it there
}

// column is one place from the end of the queues of all GPUs of a type.
type column struct {
	group int32   // type
	place int64   // from the end of the GPU's queue, 1 = last
	rows  []int32 // by GPU of the type
	v     int64   // potential
	dist  int64
	way   int32 // row through which the search came
	over  bool
}

// Begin forgets the last matching and makes room for so many types with a free GPU.
func (m *Matching) Begin(types int) {
	m.Room = append(m.Room[:0], make([]int32, types)...)
	m.Costs = m.Costs[:0]
}

// Cost is the run time of a row's job on a type, in ticks.
func (m *Matching) Cost(row int32, g int) int64 { return m.Costs[int(row)*len(m.Room)+g] }

// Solve assigns n rows, each of which can run on some type, and returns their spots.
func (m *Matching) Solve(n int) []Spot {
	m.of = append(m.of[:0], make([]int32, n)...)
	m.last = append(m.last[:0], m.Room...)
	m.columns = m.columns[:0]
	for g := range m.Room {
		m.open(int32(g), 1)
	}
	for i := range int32(n) {
		m.insert(i)
	}
	m.spots = append(m.spots[:0], make([]Spot, n)...)
	for k := range m.columns {
		c := &m.columns[k]
		last := &m.columns[m.last[c.group]]
		for gpu, r := range c.rows {
			longest := last.place
			if gpu >= len(last.rows) {
				longest--
			}
			m.spots[r] = Spot{c.group, int32(gpu), int32(c.place), int32(longest - c.place)}
		}
	}
	return m.spots
}

// open adds a column. Columns open one after the other, as the place before is full, so that there are
// no more of them than are used.
func (m *Matching) open(g int32, place int64) {
	if len(m.columns) < cap(m.columns) {
		m.columns = m.columns[:len(m.columns)+1]
	} else {
		m.columns = append(m.columns, column{})
	}
	c := &m.columns[len(m.columns)-1]
	*c = column{group: g, place: place, rows: c.rows[:0]}
	m.last[g] = int32(len(m.columns) - 1)
}

// reduced is the cost of row i in column c less the column's potential; ok is false if i cannot run there.
func (m *Matching) reduced(i int32, c *column) (r int64, ok bool) {
	t := m.Cost(i, int(c.group))
	return c.place*t - c.v, t < NoMatch
}

// insert takes row i in at the least cost, moving others along. The potentials of the columns passed
// are raised so that no reduced cost becomes negative.
func (m *Matching) insert(i int32) {
	end := m.cheapest(i)
	least := m.columns[end].dist
	for _, k := range m.done {
		c := &m.columns[k]
		c.v += c.dist - least
	}
	m.shift(i, end)
	if c := &m.columns[end]; len(c.rows) == int(m.Room[c.group]) {
		m.open(c.group, c.place+1)
	}
}

// cheapest searches from row i for the column with room that is cheapest to reach (Dijkstra over
// reduced costs). A full column is passed by moving one of its rows on; way remembers which. It returns
// that column; done are the full ones that were passed.
func (m *Matching) cheapest(i int32) (end int32) {
	const far = int64(1) << 62
	for k := range m.columns {
		c := &m.columns[k]
		c.dist, c.way, c.over = far, i, false
		if r, ok := m.reduced(i, c); ok {
			c.dist = r
		}
	}
	m.done = m.done[:0]
	for {
		end = -1
		for k := range m.columns {
			if c := &m.columns[k]; !c.over && c.dist < far && (end < 0 || c.dist < m.columns[end].dist) {
				end = int32(k)
			}
		}
		c := &m.columns[end]
		if len(c.rows) < int(m.Room[c.group]) {
			return end
		}
		c.over = true
		m.done = append(m.done, end)
		for _, r := range c.rows {
			here, _ := m.reduced(r, c)
			for k := range m.columns {
				x := &m.columns[k]
				if x.over {
					continue
				}
				if there, ok := m.reduced(r, x); ok && c.dist+there-here < x.dist {
					x.dist, x.way = c.dist+there-here, r
				}
			}
		}
	}
}

// shift moves every row on the way to the column to by one step, so that row i has a place in the end. Each takes
// the GPU of the row that makes room for it, the last one the first GPU that has room.
func (m *Matching) shift(i, to int32) {
	c := &m.columns[to]
	c.rows = append(c.rows, 0)
	for gpu := len(c.rows) - 1; ; {
		r := m.columns[to].way
		from := m.of[r]
		m.columns[to].rows[gpu], m.of[r] = r, to
		if r == i {
			return
		}
		to, gpu = from, slices.Index(m.columns[from].rows, r)
	}
}
