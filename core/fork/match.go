package fork

import (
	"cmp"
	"math"
	"slices"
)

// worths is what columns are worth to rows, at least 0 each. Columns of one kind are worth the same to a row, but for
// overrides, which are worth more.
type worths struct {
	rows, columns int
	kind          []int32    // of a column, from 0 without gaps
	kinds         int        // of columns
	rowKind       []int32    // of a row; nil = each is a kind of its own
	value         []float64  // by kind of row and kind of column
	from          []int32    // by row, where its overrides begin; one more at the end
	overrides     []override // ascending for each row, each column once
}

// override is the worth of a column to a row to which it is worth more than others of its kind are.
type override struct {
	column int32
	value  float64
}

// row are the worths of all kinds to row i.
func (w *worths) row(i int) []float64 {
	if w.rowKind != nil {
		i = int(w.rowKind[i])
	}
	return w.value[i*w.kinds : (i+1)*w.kinds]
}

// overridesOf are the overrides of row i.
func (w *worths) overridesOf(i int) []override { return w.overrides[w.from[i]:w.from[i+1]] }

// at is the worth of column j to row i.
func (w *worths) at(i, j int) float64 {
	for _, o := range w.overridesOf(i) {
		if int(o.column) == j {
			return o.value
		}
	}
	return w.row(i)[w.kind[j]]
}

// transpose makes t the same worths with rows for columns. Columns are kinds of their own there, and rows have kinds.
func (w *worths) transpose(t *worths) {
	t.rows, t.columns, t.kinds, t.rowKind = w.columns, w.rows, w.rows, w.kind
	t.kind, t.value = grow(t.kind, w.rows), grow(t.value, w.rows*w.kinds)
	t.from, t.overrides = grow(t.from, w.columns+1), grow(t.overrides, len(w.overrides))
	clear(t.from)
	for _, o := range w.overrides {
		t.from[o.column]++
	}
	sum := int32(0)
	for j, count := range t.from {
		sum += count
		t.from[j] = sum
	}
	for i := w.rows - 1; i >= 0; i-- {
		t.kind[i] = int32(i)
		for k, v := range w.row(i) {
			t.value[k*w.rows+i] = v
		}
		for _, o := range w.overridesOf(i) {
			t.from[o.column]--
			t.overrides[t.from[o.column]] = override{int32(i), o.value}
		}
	}
}

// matcher finds the assignment of rows to columns with the greatest sum of worths: shortest augmenting paths with
// potentials (the Hungarian method). The smaller side is inserted row by row in index order, so that equal inputs give
// equal assignments. Worths are such that all sums are exact: columns of a kind that have the same potential are one
// bunch, and of the bunches of a kind only the one with the greatest potential is looked at, and overrides.
type matcher struct {
	worths
	transposed worths
	u, v       []float64 // potentials of rows and of columns, numbered from 1; 0 stands for nobody
	owner, way []int32   // of a column: its row, and the column before it on the path
	tree       []int32   // columns
	gone       []float64 // by place in the tree, how far the tree had gone when the column joined it
	in         []bool    // of a column: it is in the tree
	home       []int32   // of a column: which of its kind's bunches has it
	group      []kind
	offers     offers
	wide       wide
	transport  transport
	out        []int32
	// Of gather: the potentials in the order of the columns, a hash table of 1 + their places, and their order.
	values       []float64
	table, order []int32
}

const far = 1e300 // farther than any column is from the tree

// kind is a kind of columns.
type kind struct {
	columns []int32 // ascending
	open    int32   // how many of them have no owner
	moved   bool    // some have another potential than their bunch
	bunches []bunch // by falling potential
	front   int     // the first with columns outside the tree
	// How near the tree brings a column without a potential, counted from the row that is inserted, by which of its
	// columns, and the place of that one in the tree.
	least     float64
	way, when int32
}

// bunch are columns of one kind with the same potential.
type bunch struct {
	kind    int32
	v       float64
	columns []int32 // ascending
	at      int32   // place of the first one that may be outside the tree
	calm    int32   // so many of the columns are known to have calm rows
}

// solve returns for each row the column it gets, -1 = none. Worths must be such that all sums of few are exact, as bids
// are; then it is the assignment of the plain method, ties and all.
func (m *matcher) solve(w worths) []int32 {
	m.out = grow(m.out, w.rows)
	for i := range m.out {
		m.out[i] = -1
	}
	if w.rows == 0 || w.columns == 0 {
		return m.out
	}
	m.worths = w
	flip := w.rows > w.columns
	if flip {
		w.transpose(&m.transposed)
		m.worths = m.transposed
	}
	if !flip && len(w.overrides) == 0 {
		m.transport.solve(w, m.out)
		return m.out
	}
	m.prepare()
	for i := range int32(m.rows) {
		if flip {
			m.insertWide(i + 1)
		} else {
			m.insert(i + 1)
		}
	}
	for j, i := range m.owner[1:] {
		switch {
		case i == 0:
		case flip:
			m.out[j] = i - 1
		default:
			m.out[i-1] = int32(j)
		}
	}
	return m.out
}

// prepare makes room, and one bunch of each kind of column unless they are all of their own.
func (m *matcher) prepare() {
	k := m.columns + 1
	m.u, m.v = grow(m.u, m.rows+1), grow(m.v, k)
	m.owner, m.way = grow(m.owner, k), grow(m.way, k)
	m.home, m.in = grow(m.home, k), grow(m.in, k)
	clear(m.u)
	clear(m.v)
	clear(m.owner)
	clear(m.in)
	if m.rowKind != nil {
		return
	}
	m.group = grow(m.group, m.kinds)
	for i := range m.group {
		q := &m.group[i]
		q.columns, q.open, q.moved = q.columns[:0], 0, false
	}
	for j, i := range m.kind {
		m.group[i].columns = append(m.group[i].columns, int32(j+1))
		m.group[i].open++
	}
	for i := range m.group {
		m.gather(int32(i))
	}
}

// gather puts the columns of a kind that have the same potential into one bunch, and the bunches into order.
func (m *matcher) gather(kind int32) {
	k := &m.group[kind]
	size := 1
	for size < 2*len(k.columns) {
		size *= 2
	}
	m.values, m.order, m.table = m.values[:0], m.order[:0], grow(m.table, size)
	clear(m.table[:size])
	for _, j := range k.columns {
		v := m.v[j]
		h := int(math.Float64bits(v)*0x9e3779b97f4a7c15>>32) & (size - 1)
		for m.table[h] > 0 && m.values[m.table[h]-1] != v {
			h = (h + 1) & (size - 1)
		}
		if m.table[h] == 0 {
			m.values, m.order = append(m.values, v), append(m.order, int32(len(m.values)))
			m.table[h] = int32(len(m.values))
		}
		m.home[j] = m.table[h] - 1
	}
	slices.SortFunc(m.order, func(a, b int32) int { return cmp.Compare(m.values[b], m.values[a]) })
	rank := m.table // which has done its work
	k.bunches = grow(k.bunches, len(m.order))
	for i, g := range m.order {
		b := &k.bunches[i]
		*b = bunch{kind: kind, v: m.values[g], columns: b.columns[:0]}
		rank[g] = int32(i)
	}
	for _, j := range k.columns {
		g := rank[m.home[j]]
		m.home[j] = g
		k.bunches[g].columns = append(k.bunches[g].columns, j)
	}
	k.moved = false
}

// insert matches row i by a shortest augmenting path: it grows a tree of columns in the order of their reduced cost
// until it reaches one without an owner, and then moves every column on the path there by one row. The potentials keep
// all reduced costs at 0 or above. Ties go to the lower column.
func (m *matcher) insert(i int32) {
	m.owner[0] = i
	m.tree, m.gone, m.offers = m.tree[:0], m.gone[:0], m.offers[:0]
	for i := range m.group {
		k := &m.group[i]
		k.front, k.least = 0, far
		for g := range k.bunches {
			k.bunches[g].at = 0
		}
	}
	at, gone := int32(0), 0.0
	for {
		m.tree, m.gone = append(m.tree, at), append(m.gone, gone)
		m.look(m.owner[at], at, gone)
		if at, gone = m.nearest(); m.owner[at] == 0 {
			break
		}
		m.in[at] = true
	}
	for x, j := range m.tree {
		d := gone - m.gone[x]
		m.u[m.owner[j]] += d
		m.v[j] -= d
		if m.in[j] = false; j > 0 && d != 0 {
			m.group[m.kind[j-1]].moved = true
		}
	}
	m.group[m.kind[at-1]].open--
	for at != 0 {
		if m.owner[at] != 0 {
			m.group[m.kind[at-1]].bunches[m.home[at]].calm = 0
		}
		m.owner[at] = m.owner[m.way[at]]
		at = m.way[at]
	}
	moved := false
	for i := range m.group {
		if m.group[i].moved {
			m.gather(int32(i))
			moved = true
		}
	}
	for i := 0; i < len(m.group) && moved; i++ { // what is calm hangs on the potentials of the other kinds, too
		for g := range m.group[i].bunches {
			m.group[i].bunches[g].calm = 0
		}
	}
}

// look notes where the row, whose column at has just joined the tree when it had gone so far, brings columns nearer.
func (m *matcher) look(row, at int32, gone float64) {
	values, u, when := m.row(int(row-1)), m.u[row], int32(len(m.tree))
	for i := range m.group {
		if k, c := &m.group[i], gone-values[i]-u; c < k.least {
			k.least, k.way, k.when = c, at, when
		}
	}
	for _, o := range m.overridesOf(int(row - 1)) {
		j := o.column + 1
		if c := gone - o.value - u - m.v[j]; !m.in[j] && c < m.group[m.kind[o.column]].least-m.v[j] {
			m.offers.add(offered{c, j, at, when})
		}
	}
}

// nearest is the nearest column outside the tree, of several the lowest, and how far it is.
func (m *matcher) nearest() (at int32, least float64) {
	var next *bunch
	least = far
	alone := false // all other bunches are farther
	for i := range m.group {
		k := &m.group[i]
		for ; k.front < len(k.bunches); k.front++ {
			b := &k.bunches[k.front]
			for int(b.at) < len(b.columns) && m.in[b.columns[b.at]] {
				b.at++
			}
			if int(b.at) == len(b.columns) {
				continue
			}
			switch c, j := k.least-b.v, b.columns[b.at]; {
			case c < least:
				next, least, at, alone = b, c, j, true
			case c == least:
				if alone = false; j < at {
					next, at = b, j
				}
			}
			break
		}
	}
	for len(m.offers) > 0 && m.in[m.offers[0].column] {
		m.offers.drop()
	}
	if len(m.offers) > 0 && m.offers[0].least <= least {
		o := m.offers[0]
		if alone = false; o.least < least || o.column <= at {
			k := &m.group[m.kind[o.column-1]]
			if at, least = o.column, o.least; k.least-m.v[at] > least || k.when > o.when {
				m.way[at] = o.way
				return at, least
			}
		}
	}
	if alone && m.owner[at] != 0 && m.group[next.kind].open > 0 {
		at = m.skip(next)
	}
	m.way[at] = m.group[m.kind[at-1]].way
	return at, least
}

// skip is where the tree gets to from a bunch that alone is nearest: past columns with calm rows, which bring nothing
// nearer than the rest of the bunch is, to the first without an owner. It is the first outside the tree where that is
// not sure.
func (m *matcher) skip(b *bunch) int32 {
	for ; int(b.calm) < len(b.columns); b.calm++ {
		j := b.columns[b.calm]
		if m.owner[j] == 0 {
			return j
		}
		if !m.isCalm(m.owner[j], j, b) {
			break
		}
	}
	return b.columns[b.at]
}

// isCalm says whether to the row of column j in bunch b all that is outside the bunch is worse than its own column.
func (m *matcher) isCalm(row, j int32, b *bunch) bool {
	values, u := m.row(int(row-1)), m.u[row]
	for i := range m.group {
		if q := &m.group[i].bunches[0]; q != b && -values[i]-u-q.v == 0 { // the others are farther
			return false
		}
	}
	for _, o := range m.overridesOf(int(row - 1)) {
		k := o.column + 1
		if k != j && -o.value-u-m.v[k] == 0 && &m.group[m.kind[o.column]].bunches[m.home[k]] != b {
			return false
		}
	}
	return true
}

// offers are what overrides bring near, as a heap: the nearest first, of several the lowest column and of those the
// one that was offered first.
type offers []offered

// offered is a column that the row of column way brings so near, which was the when-th of the tree.
type offered struct {
	least             float64
	column, way, when int32
}

func (o *offered) before(p *offered) bool {
	if o.least != p.least {
		return o.least < p.least
	}
	return o.column < p.column || o.column == p.column && o.when < p.when
}

func (h *offers) add(o offered) {
	*h = append(*h, o)
	q, i := *h, len(*h)-1
	for ; i > 0 && o.before(&q[(i-1)/2]); i = (i - 1) / 2 {
		q[i] = q[(i-1)/2]
	}
	q[i] = o
}

// drop takes the first one away.
func (h *offers) drop() {
	q, n := *h, len(*h)-1
	last, i := q[n], 0
	for {
		c := 2*i + 1
		if c+1 < n && q[c+1].before(&q[c]) {
			c++
		}
		if c >= n || !q[c].before(&last) {
			break
		}
		q[i], i = q[c], c
	}
	q[i] = last
	*h = q[:n]
}
