package fork

import (
	"cmp"
	"math"
	"slices"
)

// worths is what columns are worth to rows, at least 0 each. Columns of one kind are worth the same to a row, but for
// exceptions.
type worths struct {
	rows, columns int
	kind          []int32   // of a column, from 0 without gaps
	kinds         int       // of columns
	rowKind       []int32   // of a row; nil = each is a kind of its own
	value         []float64 // by kind of row and kind of column
	from          []int32   // by row, where its exceptions begin; one more at the end
	odd           []odd     // ascending for each row, each column once
}

// odd is the worth of a column to a row to which it is not worth what others of its kind are.
type odd struct {
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

// odds are the exceptions of row i.
func (w *worths) odds(i int) []odd { return w.odd[w.from[i]:w.from[i+1]] }

// at is the worth of column j to row i.
func (w *worths) at(i, j int) float64 {
	for _, o := range w.odds(i) {
		if int(o.column) == j {
			return o.value
		}
	}
	return w.row(i)[w.kind[j]]
}

// turn makes t the same worths with rows for columns. Columns are kinds of their own there, and rows have kinds.
func (w *worths) turn(t *worths) {
	t.rows, t.columns, t.kinds, t.rowKind = w.columns, w.rows, w.rows, w.kind
	t.kind, t.value = grow(t.kind, w.rows), grow(t.value, w.rows*w.kinds)
	t.from, t.odd = grow(t.from, w.columns+1), grow(t.odd, len(w.odd))
	clear(t.from)
	for _, o := range w.odd {
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
		for _, o := range w.odds(i) {
			t.from[o.column]--
			t.odd[t.from[o.column]] = odd{int32(i), o.value}
		}
	}
}

// matcher finds the assignment of rows to columns with the greatest sum of worths: shortest augmenting paths with
// potentials (the Hungarian method). The smaller side is inserted row by row in index order, so that equal inputs give
// equal assignments. Columns that are alike so far are looked at as one bunch, and of the bunches of a kind only those
// that may be nearest. The sums are those of the plain method to the bit: every bunch sees the same subtractions and
// minima in the same order, if only when it is asked for.
type matcher struct {
	worths
	turned      worths
	u, v        []float64 // potentials of rows and of columns, numbered from 1; 0 stands for nobody
	owner, way  []int32   // of a column: its row, and the column before it on the path
	tree        []int32   // columns
	gone        []float64 // how far the tree went, step by step; steps of 0 are left out
	since       []int32   // by place in the tree, how many of these steps came before
	bunches     []bunch   // those before first hold all columns, by kind and falling potential
	first       int       // the others are taken out of them for one insertion
	home, in    []int32   // of a column: its bunch before an insertion, and now; -1 = the tree
	group       []kind
	found       []int32 // a hash table of the places, by 1 + where they are; in the order of the columns; sorted; and their places then
	places      []place
	order, rank []int32
	out         []int32
	// What look finds: the nearest bunch, its reduced cost, and whether all others are farther.
	next  int32
	delta float64
	alone bool
}

// place is what the columns of a bunch have in common between insertions.
type place struct {
	kind int32
	v    float64
}

// kind is a kind of columns. Its bunches are at all times as near or nearer the greater their potential is: they all
// see the same, and rounding keeps order.
type kind struct {
	from, to int32   // its bunches
	front    int32   // the first of them with columns outside the tree
	open     int32   // columns without an owner
	log      []seen  // what bunches that have not been asked for will have to see
	low      float64 // least of the worths in the log since the tree last went back
}

// seen is one step for the columns of a kind: all come nearer by shift, and then way brings them as near as base less
// their potential, if that is nearer.
type seen struct {
	shift, base float64
	way         int32
}

// bunch are columns of one kind that have had the same potential and been alike to all rows that the insertion has
// looked at.
type bunch struct {
	place
	least   float64 // reduced cost from the tree
	way     int32   // the column of the tree from which that is
	log     int32   // so much of the kind's log is in it
	head    int32   // the first column that is still in it, 0 = there is none
	at      int32   // where it is
	calm    int32   // so many of the columns are known to have calm rows
	parted  bool    // columns have been taken out in this insertion
	row     int32   // of one taken out: the row to which these columns are worth value
	value   float64 // instead of what others of their kind are
	from    int32   // and the bunch they were in
	columns []int32 // ascending; some may have gone to the tree or to another bunch
}

// solve returns for each row the column it gets, -1 = none.
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
		w.turn(&m.turned)
		m.worths = m.turned
	}
	m.prepare()
	for i := range m.rows {
		m.insert(int32(i + 1))
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

// prepare makes room, and one bunch of each kind of column.
func (m *matcher) prepare() {
	k := m.columns + 1
	m.u, m.v = grow(m.u, m.rows+1), grow(m.v, k)
	m.owner, m.way = grow(m.owner, k), grow(m.way, k)
	m.home, m.in = grow(m.home, k), grow(m.in, k)
	clear(m.u)
	clear(m.v)
	clear(m.owner)
	m.group = grow(m.group, m.kinds)
	for i := range m.group {
		m.group[i].open = 0
	}
	for _, i := range m.kind {
		m.group[i].open++
	}
	m.gather()
}

// gather puts the columns of one kind and potential into one bunch, and the bunches into order.
func (m *matcher) gather() {
	m.places, m.order = m.places[:0], m.order[:0]
	size := 1
	for size < 2*m.columns {
		size *= 2
	}
	m.found = grow(m.found, size)
	clear(m.found)
	for j := 1; j <= m.columns; j++ {
		p := place{m.kind[j-1], m.v[j]}
		h := int((math.Float64bits(p.v)^uint64(p.kind))*0x9e3779b97f4a7c15>>32) & (size - 1)
		for m.found[h] > 0 && m.places[m.found[h]-1] != p {
			h = (h + 1) & (size - 1)
		}
		if m.found[h] == 0 {
			m.places, m.order = append(m.places, p), append(m.order, int32(len(m.places)))
			m.found[h] = int32(len(m.places))
		}
		m.home[j] = m.found[h] - 1
	}
	slices.SortFunc(m.order, func(a, b int32) int {
		p, q := &m.places[a], &m.places[b]
		return cmp.Or(cmp.Compare(p.kind, q.kind), cmp.Compare(q.v, p.v))
	})
	m.bunches = m.bunches[:0]
	m.rank = grow(m.rank, len(m.order))
	for i, g := range m.order {
		p := m.places[g]
		m.rank[g] = int32(i)
		k := &m.group[p.kind]
		if i == 0 || m.places[m.order[i-1]].kind != p.kind {
			k.from = int32(i)
		}
		k.to = int32(i + 1)
		m.bunch(bunch{place: p})
	}
	m.first = len(m.bunches)
	for j := int32(1); int(j) <= m.columns; j++ {
		g := m.rank[m.home[j]]
		m.home[j], m.in[j] = g, g
		m.bunches[g].columns = append(m.bunches[g].columns, j)
	}
}

// bunch adds a bunch without columns, in the memory of an earlier one.
func (m *matcher) bunch(b bunch) int32 {
	g := len(m.bunches)
	if g < cap(m.bunches) {
		m.bunches = m.bunches[:g+1]
		b.columns = m.bunches[g].columns[:0]
	} else {
		m.bunches = append(m.bunches, bunch{})
	}
	m.bunches[g] = b
	return int32(g)
}

// insert matches row i by a shortest augmenting path: it grows a tree of columns in the order of their reduced cost
// until it reaches one without an owner, and then moves every column on the path there by one row. The potentials keep
// all reduced costs at 0 or above. Ties go to the lower column.
func (m *matcher) insert(i int32) {
	m.begin(i)
	at, delta := int32(0), 0.0
	for {
		m.tree, m.since = append(m.tree, at), append(m.since, int32(len(m.gone)))
		row := m.owner[at]
		m.part(row)
		m.look(row, at, delta)
		if delta = m.delta; delta != 0 {
			m.gone = append(m.gone, delta)
		}
		b := &m.bunches[m.next]
		if at = b.head; m.alone && m.owner[at] != 0 {
			at = m.skip(m.next)
		}
		m.way[at] = b.way
		if m.owner[at] == 0 {
			break
		}
		m.in[at] = -1
		m.behead(m.next)
	}
	moved := m.book()
	m.group[m.kind[at-1]].open--
	for at != 0 {
		if m.owner[at] != 0 {
			m.bunches[m.home[at]].calm = 0
		}
		m.owner[at] = m.owner[m.way[at]]
		at = m.way[at]
	}
	if moved {
		m.gather()
		return
	}
	for _, j := range m.tree {
		m.in[j] = m.home[j]
	}
	for _, b := range m.bunches[m.first:] {
		for _, j := range b.columns {
			m.in[j] = m.home[j]
		}
	}
}

// begin starts an insertion with the tree empty and all columns outside it.
func (m *matcher) begin(i int32) {
	m.owner[0] = i
	m.tree, m.gone, m.since, m.bunches = m.tree[:0], m.gone[:0], m.since[:0], m.bunches[:m.first]
	for g := range m.bunches {
		b := &m.bunches[g]
		b.at, b.head, b.least, b.log, b.parted = 0, b.columns[0], far, 0, false
	}
	for k := range m.group {
		q := &m.group[k]
		q.front, q.log, q.low = q.from, q.log[:0], far
	}
}

// far is farther than any column is from the tree.
const far = 1e300

// book moves the potentials of the tree by the steps since each of its columns joined, one by one, and says whether
// that of any column moved.
func (m *matcher) book() (moved bool) {
	x := 0
	for ; x+4 <= len(m.tree); x += 4 { // four at a time, since every sum waits for the one before
		j := m.tree[x : x+4 : x+4]
		last := m.since[x+3]
		for y := range j[:3] {
			m.move(j[y], m.gone[m.since[x+y]:last])
		}
		u0, u1, u2, u3 := m.u[m.owner[j[0]]], m.u[m.owner[j[1]]], m.u[m.owner[j[2]]], m.u[m.owner[j[3]]]
		v0, v1, v2, v3 := m.v[j[0]], m.v[j[1]], m.v[j[2]], m.v[j[3]]
		for _, d := range m.gone[last:] {
			u0, u1, u2, u3 = u0+d, u1+d, u2+d, u3+d
			v0, v1, v2, v3 = v0-d, v1-d, v2-d, v3-d
		}
		m.u[m.owner[j[0]]], m.u[m.owner[j[1]]], m.u[m.owner[j[2]]], m.u[m.owner[j[3]]] = u0, u1, u2, u3
		m.v[j[0]], m.v[j[1]], m.v[j[2]], m.v[j[3]] = v0, v1, v2, v3
	}
	for ; x < len(m.tree); x++ {
		m.move(m.tree[x], m.gone[m.since[x]:])
	}
	return len(m.tree) > 1 && int(m.since[1]) < len(m.gone)
}

// move moves the potentials of a column of the tree and its row by steps.
func (m *matcher) move(j int32, steps []float64) {
	u, v := m.u[m.owner[j]], m.v[j]
	for _, d := range steps {
		u += d
		v -= d
	}
	m.u[m.owner[j]], m.v[j] = u, v
}

// part takes the columns that are an exception to the row out of their bunches.
func (m *matcher) part(row int32) {
	old := len(m.bunches)
	for _, o := range m.odds(int(row - 1)) {
		j := o.column + 1
		from := m.in[j]
		if from < 0 {
			continue
		}
		to := int32(len(m.bunches)) - 1
		for ; int(to) >= old && (m.bunches[to].from != from || m.bunches[to].value != o.value); to-- {
		}
		if int(to) < old {
			if int(from) < m.first { // the others see all at once
				m.read(from)
			}
			b := m.bunches[from]
			b.columns, b.at, b.head, b.from, b.row, b.value = nil, 0, j, from, row, o.value
			to = m.bunch(b)
		}
		m.bunches[to].columns = append(m.bunches[to].columns, j)
		m.in[j] = to
		m.bunches[from].parted = true
		if m.bunches[from].head == j {
			m.behead(from)
		}
	}
}

// skip is where the tree gets to from the head of a bunch that alone is nearest: past columns with calm rows, which
// bring nothing nearer than the rest of the bunch is, to the first without an owner. It is the head where that is not
// sure.
func (m *matcher) skip(g int32) int32 {
	b := &m.bunches[g]
	if int(g) >= m.first || b.parted || m.group[b.kind].open == 0 {
		return b.head
	}
	for ; int(b.calm) < len(b.columns); b.calm++ {
		j := b.columns[b.calm]
		if m.owner[j] == 0 {
			return j
		}
		if !m.isCalm(m.owner[j], j, g) {
			break
		}
	}
	return b.head
}

// isCalm says whether to the row of column j in bunch g all that is outside the bunch is worse than its own column, and
// nothing in it is better. Reduced costs are what the plain method would reckon, so that rounding can make a row restless.
func (m *matcher) isCalm(row, j, g int32) bool {
	values, u := m.row(int(row-1)), m.u[row]
	for k := range m.group {
		for h := m.group[k].from; h < m.group[k].to; h++ {
			c := -values[k] - u - m.bunches[h].v
			if c < 0 || c == 0 && h != g {
				return false
			}
			if h != g {
				break // the others are no nearer
			}
		}
	}
	for _, o := range m.odds(int(row - 1)) {
		k := o.column + 1
		if c := -o.value - u - m.v[k]; k != j && (c < 0 || c == 0 && m.home[k] != g) {
			return false
		}
	}
	return true
}

// behead makes the next column that is still in the bunch its head.
func (m *matcher) behead(g int32) {
	b := &m.bunches[g]
	for b.at++; int(b.at) < len(b.columns); b.at++ {
		if j := b.columns[b.at]; m.in[j] == g {
			b.head = j
			return
		}
	}
	b.head = 0
}

// look notes where the row, whose column at has just joined the tree, brings columns nearer to it, and finds the
// nearest bunch, its reduced cost and whether all others are farther. All are nearer by shift, what the last step went.
func (m *matcher) look(row, at int32, shift float64) {
	values, u := m.row(int(row-1)), m.u[row]
	m.next, m.delta, m.alone = -1, far, false
	for i := range m.group {
		k := &m.group[i]
		for k.front < k.to && m.bunches[k.front].head == 0 {
			k.front++
		}
		if k.front == k.to {
			continue
		}
		s := seen{shift, -values[i] - u, at}
		b := &m.bunches[k.front]
		if k.front+1 == k.to {
			m.read(k.front)
			b.see(&s)
			m.weigh(k.front)
			continue
		}
		k.note(s)
		for g := k.front; g < k.to; g++ {
			b := &m.bunches[g]
			if b.head == 0 {
				continue
			}
			m.read(g)
			if m.weigh(g); b.least > m.delta {
				break // and the others are no nearer
			}
		}
	}
	for g := m.first; g < len(m.bunches); g++ {
		b := &m.bunches[g]
		if b.head == 0 {
			continue
		}
		value := values[b.kind]
		if b.row == row {
			value = b.value
		}
		b.see(&seen{shift, -value - u, at})
		m.weigh(int32(g))
	}
}

// weigh compares bunch g with the nearest so far.
func (m *matcher) weigh(g int32) {
	b := &m.bunches[g]
	switch {
	case b.least < m.delta:
		m.next, m.delta, m.alone = g, b.least, true
	case b.least == m.delta:
		m.alone = false
		if b.head < m.bunches[m.next].head {
			m.next = g
		}
	}
}

// note adds a step to the log, or so much of it as can matter: what is no nearer than an earlier row, from which the
// tree has not gone back since, brings no column nearer.
func (k *kind) note(s seen) {
	if s.shift < 0 {
		k.low = far
	}
	if s.base < k.low {
		k.low = s.base
	} else if s.base = far; s.shift == 0 {
		return
	}
	k.log = append(k.log, s)
}

// read brings bunch g up to date with the log of its kind, and with it the three after it if they are as far behind,
// since every step waits for the one before.
func (m *matcher) read(g int32) {
	b := &m.bunches[g]
	k := &m.group[b.kind]
	log := k.log
	if int(b.log) == len(log) {
		return
	}
	if len(log)-int(b.log) > 4 && g+4 <= k.to {
		q := m.bunches[g : g+4 : g+4]
		if from := q[0].log; q[1].log == from && q[2].log == from && q[3].log == from {
			l0, l1, l2, l3 := q[0].least, q[1].least, q[2].least, q[3].least
			w0, w1, w2, w3 := q[0].way, q[1].way, q[2].way, q[3].way
			v0, v1, v2, v3 := q[0].v, q[1].v, q[2].v, q[3].v
			for i := range log[from:] {
				s := &log[int(from)+i]
				l0, l1, l2, l3 = l0-s.shift, l1-s.shift, l2-s.shift, l3-s.shift
				if s.base == far {
					continue
				}
				if c := s.base - v0; c < l0 {
					l0, w0 = c, s.way
				}
				if c := s.base - v1; c < l1 {
					l1, w1 = c, s.way
				}
				if c := s.base - v2; c < l2 {
					l2, w2 = c, s.way
				}
				if c := s.base - v3; c < l3 {
					l3, w3 = c, s.way
				}
			}
			q[0].least, q[1].least, q[2].least, q[3].least = l0, l1, l2, l3
			q[0].way, q[1].way, q[2].way, q[3].way = w0, w1, w2, w3
			for i := range q {
				q[i].log = int32(len(log))
			}
			return
		}
	}
	for i := range log[b.log:] {
		b.see(&log[int(b.log)+i])
	}
	b.log = int32(len(log))
}

// see is one step for the columns of the bunch.
func (b *bunch) see(s *seen) {
	b.least -= s.shift
	if c := s.base - b.v; c < b.least {
		b.least, b.way = c, s.way
	}
}
