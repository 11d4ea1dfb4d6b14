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
// equal assignments. Columns that are alike so far are looked at as one bunch, and of the bunches of a kind only the
// nearest. Worths are such that all sums are exact.
type matcher struct {
	worths
	turned     worths
	u, v       []float64 // potentials of rows and of columns, numbered from 1; 0 stands for nobody
	owner, way []int32   // of a column: its row, and the column before it on the path
	tree       []int32   // columns
	joined     []float64 // by place in the tree, how far the tree had gone
	group      []kind
	wide       wide
	transport  transport
	parts      []bunch // columns taken out of those of their kind for one insertion
	home, in   []int32 // of a column: the name of its bunch before an insertion, and now; inTree
	out        []int32
	// What look finds: the nearest bunch, how far it is, from which column, and whether all others are farther.
	next  *bunch
	least float64
	from  int32
	alone bool
	// Of gather: the potentials in the order of the columns, a hash table of 1 + their places, and their order.
	values       []float64
	table, order []int32
}

const (
	far    = 1e300 // farther than any column is from the tree
	inTree = -1    // in place of the name of a bunch; parts have the names below
)

// kind is a kind of columns. They all see the same, so that of the bunches outside the tree the one with the greatest
// potential is nearest.
type kind struct {
	columns []int32 // ascending
	open    int32   // how many of them have no owner
	moved   bool    // some have another potential than their bunch
	bunches []bunch // by falling potential
	front   int     // the first with columns outside the tree
	reach
}

// reach is how near the tree brings a column without a potential, counted from the row that is inserted, and by which
// of its columns.
type reach struct {
	least float64
	way   int32
}

// bunch are columns of one kind that have had the same potential and been alike to all rows that the insertion has
// looked at.
type bunch struct {
	name    int32
	kind    int32
	head    int32 // the first column that is still in it, 0 = there is none
	v       float64
	columns []int32 // ascending; some may have gone to the tree or to another bunch
	at      int32   // where the head is
	calm    int32   // so many of the columns are known to have calm rows
	parted  bool    // columns have been taken out in this insertion
	from    int32   // of a part: the bunch they were in,
	row     int32   // the row to which these columns are worth value,
	value   float64 // not what others of their kind are,
	reach           // and how near the tree brings them
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
	if !flip && len(w.odd) == 0 {
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
		*b = bunch{name: int32(i), kind: kind, v: m.values[g], columns: b.columns[:0]}
		rank[g] = int32(i)
	}
	for _, j := range k.columns {
		g := rank[m.home[j]]
		m.home[j], m.in[j] = g, g
		k.bunches[g].columns = append(k.bunches[g].columns, j)
	}
	k.moved = false
}

// insert matches row i by a shortest augmenting path: it grows a tree of columns in the order of their reduced cost
// until it reaches one without an owner, and then moves every column on the path there by one row. The potentials keep
// all reduced costs at 0 or above. Ties go to the lower column.
func (m *matcher) insert(i int32) {
	m.begin(i)
	at, gone := int32(0), 0.0
	for {
		m.tree, m.joined = append(m.tree, at), append(m.joined, gone)
		row := m.owner[at]
		m.part(row)
		m.look(row, at, gone)
		b := m.next
		if at = b.head; m.alone && m.owner[at] != 0 {
			at = m.skip(b)
		}
		m.way[at], gone = m.from, m.least
		if m.owner[at] == 0 {
			break
		}
		m.in[at] = inTree
		m.behead(b)
	}
	m.book(gone)
	m.group[m.kind[at-1]].open--
	for at != 0 {
		if m.owner[at] != 0 {
			m.group[m.kind[at-1]].bunches[m.home[at]].calm = 0
		}
		m.owner[at] = m.owner[m.way[at]]
		at = m.way[at]
	}
	for i := range m.parts {
		for _, j := range m.parts[i].columns {
			m.in[j] = m.home[j]
		}
	}
	for _, j := range m.tree[1:] {
		m.in[j] = m.home[j]
	}
	moved := false
	for _, j := range m.tree[1:] {
		if k := m.kind[j-1]; m.group[k].moved {
			m.gather(k)
			moved = true
		}
	}
	for i := 0; i < len(m.group) && moved; i++ { // what is calm hangs on the potentials of the other kinds, too
		for g := range m.group[i].bunches {
			m.group[i].bunches[g].calm = 0
		}
	}
}

// begin starts an insertion with the tree empty and all columns outside it.
func (m *matcher) begin(i int32) {
	m.owner[0] = i
	m.tree, m.joined, m.parts = m.tree[:0], m.joined[:0], m.parts[:0]
	for i := range m.group {
		k := &m.group[i]
		k.front, k.least = 0, far
		for g := range k.bunches {
			b := &k.bunches[g]
			b.at, b.head, b.parted = 0, b.columns[0], false
		}
	}
}

// book moves the potentials of the tree by how far it has gone since each of its columns joined.
func (m *matcher) book(gone float64) {
	for x, j := range m.tree {
		d := gone - m.joined[x]
		m.u[m.owner[j]] += d
		m.v[j] -= d
		if j > 0 && d != 0 {
			m.group[m.kind[j-1]].moved = true
		}
	}
}

// part takes the columns that are an exception to the row out of their bunches.
func (m *matcher) part(row int32) {
	old := len(m.parts)
	for _, o := range m.odds(int(row - 1)) {
		j := o.column + 1
		name := m.in[j]
		if name == inTree {
			continue
		}
		to := len(m.parts) - 1
		for ; to >= old && (m.parts[to].from != name || m.parts[to].kind != m.kind[o.column] ||
			m.parts[to].value != o.value); to-- {
		}
		if to < old {
			to = m.take(m.kind[o.column], name, j)
			m.parts[to].row, m.parts[to].value = row, o.value
		}
		m.parts[to].columns = append(m.parts[to].columns, j)
		m.in[j] = m.parts[to].name
		from := m.named(m.kind[o.column], name)
		if from.parted = true; from.head == j {
			m.behead(from)
		}
	}
}

// named is the bunch of a kind with the name.
func (m *matcher) named(kind, name int32) *bunch {
	if name < inTree {
		return &m.parts[inTree-1-name]
	}
	return &m.group[kind].bunches[name]
}

// take makes a part with the head j of what has been the named bunch so far.
func (m *matcher) take(kind, name, j int32) int {
	to := len(m.parts)
	var columns []int32
	if to < cap(m.parts) {
		m.parts = m.parts[:to+1]
		columns = m.parts[to].columns[:0]
	} else {
		m.parts = append(m.parts, bunch{})
	}
	b := *m.named(kind, name)
	if name > inTree {
		b.reach = m.group[kind].reach
	}
	b.name, b.columns, b.at, b.head, b.from = inTree-1-int32(to), columns, 0, j, name
	m.parts[to] = b
	return to
}

// skip is where the tree gets to from the head of a bunch that alone is nearest: past columns with calm rows, which
// bring nothing nearer than the rest of the bunch is, to the first without an owner. It is the head where that is not
// sure.
func (m *matcher) skip(b *bunch) int32 {
	if b.name < inTree || b.parted || m.group[b.kind].open == 0 {
		return b.head
	}
	for ; int(b.calm) < len(b.columns); b.calm++ {
		j := b.columns[b.calm]
		if m.owner[j] == 0 {
			return j
		}
		if !m.isCalm(m.owner[j], j, b) {
			break
		}
	}
	return b.head
}

// isCalm says whether to the row of column j in bunch b all that is outside the bunch is worse than its own column.
func (m *matcher) isCalm(row, j int32, b *bunch) bool {
	values, u := m.row(int(row-1)), m.u[row]
	for i := range m.group {
		if q := &m.group[i].bunches[0]; q != b && -values[i]-u-q.v == 0 { // the others are farther
			return false
		}
	}
	for _, o := range m.odds(int(row - 1)) {
		k := o.column + 1
		if k != j && -o.value-u-m.v[k] == 0 && (m.kind[o.column] != b.kind || m.home[k] != b.name) {
			return false
		}
	}
	return true
}

// behead makes the next column that is still in the bunch its head.
func (m *matcher) behead(b *bunch) {
	for b.at++; int(b.at) < len(b.columns); b.at++ {
		if j := b.columns[b.at]; m.in[j] == b.name {
			b.head = j
			return
		}
	}
	b.head = 0
}

// look notes where the row, whose column at has just joined the tree when it had gone so far, brings columns nearer,
// and finds the nearest bunch.
func (m *matcher) look(row, at int32, gone float64) {
	values, u := m.row(int(row-1)), m.u[row]
	m.next, m.least, m.alone = nil, far, false
	for i := range m.group {
		k := &m.group[i]
		for k.front < len(k.bunches) && k.bunches[k.front].head == 0 {
			k.front++
		}
		if k.see(gone-values[i]-u, at); k.front < len(k.bunches) {
			m.weigh(&k.bunches[k.front], &k.reach)
		}
	}
	for i := range m.parts {
		b := &m.parts[i]
		if b.head == 0 {
			continue
		}
		value := values[b.kind]
		if b.row == row {
			value = b.value
		}
		b.see(gone-value-u, at)
		m.weigh(b, &b.reach)
	}
}

// see is what a row does that comes so near.
func (r *reach) see(least float64, way int32) {
	if least < r.least {
		r.least, r.way = least, way
	}
}

// weigh compares a bunch with the nearest so far.
func (m *matcher) weigh(b *bunch, r *reach) {
	switch least := r.least - b.v; {
	case least < m.least:
		m.next, m.least, m.from, m.alone = b, least, r.way, true
	case least == m.least:
		m.alone = false
		if b.head < m.next.head {
			m.next, m.from = b, r.way
		}
	}
}
