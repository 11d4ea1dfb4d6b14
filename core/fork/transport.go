package fork

// transport finds the same assignment as the plain method where no row has overrides, so that the columns of a kind
// are alike to all rows: a transportation problem with few sinks. Sums are exact, and then all columns of a kind have
// one potential, a path goes to a kind at most once, and of the rows of a kind the tree needs but the one that is
// nearest to each other kind. A row's potential is what makes its own column cost it nothing.
type transport struct {
	worths
	pools  []pool
	owner  []int32 // of a column: its row, -1 = none
	place  []int32 // of a column among those of its kind
	offers []offer // what ask found
}

// offer is how near the row of a column is to another kind.
type offer struct {
	to, column int32
	cost       float64
}

// pool is a kind of columns.
type pool struct {
	columns   []int32 // ascending
	taken     int     // so many of them have a row, which are the first
	potential float64
	rivals    []rivals // by kind
	// Of the insertion:
	least   float64 // reduced cost from the tree's root
	way     int32   // the column from whose row it is so near, -1 = the row that is inserted
	stage   int     // the one in which that was found
	reached bool
	next    int // the first place outside the tree
}

// rivals are the rows of a kind by what moving to another one would cost them, as a tree of winners: 1 is the first
// of all, 2i and 2i+1 play for i, and places are the last half.
type rivals struct {
	cost  []float64 // by place
	first []int32
}

// solve notes for each row the column it gets. It needs as many columns as rows, or more.
func (t *transport) solve(w worths, out []int32) {
	t.worths = w
	t.owner, t.place = grow(t.owner, w.columns), grow(t.place, w.columns)
	t.pools = grow(t.pools, w.kinds)
	for k := range t.pools {
		p := &t.pools[k]
		p.columns, p.taken, p.potential, p.rivals = p.columns[:0], 0, 0, grow(p.rivals, w.kinds)
	}
	for j, k := range w.kind {
		p := &t.pools[k]
		t.owner[j], t.place[j] = -1, int32(len(p.columns))
		p.columns = append(p.columns, int32(j))
	}
	for k := range t.pools {
		p := &t.pools[k]
		for o := range p.rivals {
			r, n := &p.rivals[o], len(p.columns)
			r.cost, r.first = grow(r.cost, n), grow(r.first, 2*n)
			for x := range n {
				r.cost[x] = far
			}
			for x := 2*n - 1; x > 0; x-- { // the lowest place, since all cost the same
				if r.first[x] = int32(x - n); x < n {
					r.first[x] = min(r.first[2*x], r.first[2*x+1])
				}
			}
		}
	}
	for i := range w.rows {
		t.insert(int32(i))
	}
	for j, i := range t.owner {
		if i >= 0 {
			out[i] = int32(j)
		}
	}
}

// insert matches row i by a shortest augmenting path, as the plain method does: of the columns that are nearest to the
// tree the lowest joins it, until one has no row.
func (t *transport) insert(i int32) {
	for k, v := range t.row(int(i)) {
		p := &t.pools[k]
		p.least, p.way, p.stage, p.reached, p.next = -v-p.potential, -1, 0, false, 0
	}
	free, at := int32(-1), 0.0
	for stage := 1; free < 0; stage++ {
		at = t.reach()
		free = t.visit(at, stage)
	}
	for k := range t.pools {
		if p := &t.pools[k]; p.reached {
			p.potential -= at - p.least
		}
	}
	t.pools[t.kind[free]].taken++
	for {
		way := t.pools[t.kind[free]].way
		if way < 0 {
			t.give(free, i)
			return
		}
		t.give(free, t.owner[way])
		free = way
	}
}

// reach has the tree reach all kinds that are nearest, and tells how far they are: no farther than before where a kind
// with columns outside the tree is as near.
func (t *transport) reach() (at float64) {
	at = far
	for k := range t.pools {
		if p := &t.pools[k]; !p.reached || p.next < len(p.columns) {
			at = min(at, p.least)
		}
	}
	for k := range t.pools {
		if p := &t.pools[k]; p.least == at {
			p.reached = true
		}
	}
	return at
}

// visit has columns of the kinds that are reached join the tree, in their order, until one has no row, which it
// returns, or one's row brings another kind as near, or there are no more.
func (t *transport) visit(at float64, stage int) (free int32) {
	free = -1
	last := int32(t.columns) // those before it join
	for k := range t.pools {
		if p := &t.pools[k]; p.reached && p.taken < len(p.columns) && p.columns[p.taken] < last {
			free, last = p.columns[p.taken], p.columns[p.taken]
		}
	}
	t.ask(last)
	stop := last
	for _, o := range t.offers {
		if o.cost == 0 {
			stop = min(stop, o.column)
		}
	}
	if stop < last {
		free, last = -1, stop+1
		t.ask(last)
	}
	for _, o := range t.offers {
		p := &t.pools[o.to]
		if c := at + o.cost; c < p.least || c == p.least && p.stage == stage && o.column < p.way {
			p.least, p.way, p.stage = c, o.column, stage
		}
	}
	for k := range t.pools {
		if p := &t.pools[k]; p.reached {
			p.next = p.before(last)
		}
	}
	return free
}

// ask finds, of the columns of each kind that is reached that have not joined the tree and stand before last, the one
// whose row is nearest to each other kind.
func (t *transport) ask(last int32) {
	t.offers = t.offers[:0]
	for k := range t.pools {
		p := &t.pools[k]
		if !p.reached {
			continue
		}
		end := min(p.before(last), p.taken)
		if end <= p.next {
			continue
		}
		for o := range t.pools {
			if q := &t.pools[o]; !q.reached {
				x := p.rivals[o].among(p.next, end)
				cost := p.rivals[o].cost[x] + p.potential - q.potential
				t.offers = append(t.offers, offer{int32(o), p.columns[x], cost})
			}
		}
	}
}

// before is how many columns stand before last.
func (p *pool) before(last int32) int {
	low, high := p.next, len(p.columns)
	for low < high {
		if mid := (low + high) / 2; p.columns[mid] < last {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// give gives a column to a row.
func (t *transport) give(column, row int32) {
	t.owner[column] = row
	k, values := t.kind[column], t.row(int(row))
	p := &t.pools[k]
	for o := range p.rivals {
		if o != int(k) {
			p.rivals[o].enter(int(t.place[column]), values[k]-values[o])
		}
	}
}

// enter sets the cost at place x.
func (r *rivals) enter(x int, cost float64) {
	r.cost[x] = cost
	for i := (len(r.cost) + x) / 2; i > 0; i /= 2 {
		r.first[i] = r.better(r.first[2*i], r.first[2*i+1])
	}
}

// better is the place with the lower cost, of equal ones the lower.
func (r *rivals) better(a, b int32) int32 {
	if r.cost[b] < r.cost[a] || r.cost[b] == r.cost[a] && b < a {
		return b
	}
	return a
}

// among is the first of the places from one to before another.
func (r *rivals) among(from, to int) int32 {
	best := int32(from)
	for from, to = from+len(r.cost), to+len(r.cost); from < to; from, to = from/2, to/2 {
		if from&1 == 1 {
			best = r.better(best, r.first[from])
			from++
		}
		if to&1 == 1 {
			to--
			best = r.better(best, r.first[to])
		}
	}
	return best
}
