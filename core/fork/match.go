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
	turned     worths
	u, v       []float64 // potentials of rows and of columns, numbered from 1; 0 stands for nobody
	owner, way []int32   // of a column: its row, and the column before it on the path
	tree       []int32   // columns
	gone       []float64 // how far the tree went, step by step; steps of 0 are left out
	since      []int32   // by place in the tree, how many of these steps came before
	group      []kind
	wide       wide
	transport  transport
	parts      []bunch // columns taken out of those of their kind for one insertion
	home, in   []int32 // of a column: the name of its bunch before an insertion, and now; inTree
	out        []int32
	// What look finds: the nearest bunch, its reduced cost, and whether all others are farther.
	next  *bunch
	delta float64
	alone bool
	// Of gather: the potentials in the order of the columns, a hash table of 1 + their places, and their order.
	values       []float64
	table, order []int32
}

const (
	far    = 1e300 // farther than any column is from the tree
	inTree = -1    // in place of the name of a bunch; parts have the names below
)

// kind is a kind of columns. A bunch is at all times as near or nearer than one with a smaller potential: they all see
// the same, and rounding keeps order.
type kind struct {
	columns []int32 // ascending
	open    int32   // how many of them have no owner
	moved   bool    // some have another potential than their bunch
	bunches []bunch // by falling potential
	front   int     // the first with columns outside the tree
	asked   int     // those before it see all at once, the others what the log says
	log     []seen
	low     float64 // least of the bases in the log since the tree last went back
	// Where all potentials, and all steps so far, are whole multiples of 1/grid, what is small compared with 2^53 of
	// them is added without rounding, and steps can be added up; grid = 0 if there is none.
	grid   float64
	whole  bool    // it is so in this insertion
	near   bool    // and the last step of the log is so small that others can be added to it
	lo, hi float64 // reduced cost of the first and the last bunch before that step
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
	name    int32
	kind    int32
	way     int32   // the column of the tree from which it is nearest
	head    int32   // the first column that is still in it, 0 = there is none
	least   float64 // reduced cost from the tree
	v       float64
	columns []int32 // ascending; some may have gone to the tree or to another bunch
	at      int32   // where the head is
	calm    int32   // so many of the columns are known to have calm rows
	parted  bool    // columns have been taken out in this insertion
	from    int32   // of a part: the bunch they were in,
	row     int32   // and the row to which these columns are worth value,
	value   float64 // not what others of their kind are
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
	_, e := math.Frexp(k.bunches[len(k.bunches)-1].v) // the one farthest from 0
	k.grid = math.Ldexp(1, 53-e)
	if slices.ContainsFunc(m.values, func(v float64) bool { return !k.isWhole(v) }) {
		k.grid = 0
	}
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
		b := m.next
		if at = b.head; m.alone && m.owner[at] != 0 {
			at = m.skip(b)
		}
		m.way[at] = b.way
		if m.owner[at] == 0 {
			break
		}
		m.in[at] = inTree
		m.behead(b)
	}
	m.book()
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
	m.tree, m.gone, m.since, m.parts = m.tree[:0], m.gone[:0], m.since[:0], m.parts[:0]
	for i := range m.group {
		k := &m.group[i]
		k.front, k.asked, k.log, k.low, k.whole = 0, 0, k.log[:0], far, k.grid > 0
		for g := range k.bunches {
			b := &k.bunches[g]
			b.at, b.head, b.least, b.parted = 0, b.columns[0], far, false
		}
	}
}

// book moves the potentials of the tree by the steps since each of its columns joined, one by one.
func (m *matcher) book() {
	for x, j := range m.tree {
		if j > 0 && int(m.since[x]) < len(m.gone) {
			m.group[m.kind[j-1]].moved = true
		}
	}
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
	if k := &m.group[kind]; int(name) >= k.asked {
		b.read(k.log)
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

// isCalm says whether to the row of column j in bunch b all that is outside the bunch is worse than its own column, and
// nothing in it is better. Reduced costs are what the plain method would reckon, so that rounding can make a row
// restless.
func (m *matcher) isCalm(row, j int32, b *bunch) bool {
	values, u := m.row(int(row-1)), m.u[row]
	for i := range m.group {
		for g := range m.group[i].bunches {
			q := &m.group[i].bunches[g]
			c := -values[i] - u - q.v
			if c < 0 || c == 0 && q != b {
				return false
			}
			if q != b {
				break // the others are no nearer
			}
		}
	}
	for _, o := range m.odds(int(row - 1)) {
		k := o.column + 1
		c := -o.value - u - m.v[k]
		if k != j && (c < 0 || c == 0 && (m.kind[o.column] != b.kind || m.home[k] != b.name)) {
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

// look notes where the row, whose column at has just joined the tree, brings columns nearer to it, and finds the
// nearest bunch, its reduced cost and whether all others are farther. All are nearer by shift, what the last step went.
func (m *matcher) look(row, at int32, shift float64) {
	values, u := m.row(int(row-1)), m.u[row]
	m.next, m.delta, m.alone = nil, far, false
	for i := range m.group {
		k := &m.group[i]
		for k.front < k.asked && k.bunches[k.front].head == 0 {
			k.front++
		}
		if k.front == len(k.bunches) {
			continue
		}
		s, least := seen{shift, -values[i] - u, at}, -far
		for g := k.front; g < k.asked; g++ {
			b := &k.bunches[g]
			b.see(&s)
			if b.head > 0 {
				m.weigh(b)
				least = b.least
			}
		}
		if k.asked == len(k.bunches) {
			continue
		}
		for k.note(s); k.asked < len(k.bunches) && least <= m.delta; k.asked++ {
			b := &k.bunches[k.asked]
			b.read(k.log)
			if b.head > 0 {
				m.weigh(b)
				least = b.least
			}
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
		b.see(&seen{shift, -value - u, at})
		m.weigh(b)
	}
}

// weigh compares a bunch with the nearest so far.
func (m *matcher) weigh(b *bunch) {
	switch {
	case b.least < m.delta:
		m.next, m.delta, m.alone = b, b.least, true
	case b.least == m.delta:
		m.alone = false
		if b.head < m.next.head {
			m.next = b
		}
	}
}

// note adds a step to the log, or so much of it as can matter: what is no nearer than an earlier row, from which the
// tree has not gone back since, brings no column nearer.
func (k *kind) note(s seen) {
	if k.whole = k.whole && k.isWhole(s.shift) && k.isWhole(s.base); k.whole {
		k.add(s)
		return
	}
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

// add adds a step of whole multiples to the last one of the log if nothing is rounded by that.
func (k *kind) add(s seen) {
	first, last := &k.bunches[0], &k.bunches[len(k.bunches)-1]
	near := k.below(s.shift, 1<<30) && k.below(s.base-first.v, 1<<51)
	if n := len(k.log) - 1; n >= 0 {
		to := &k.log[n]
		if base := to.base - s.shift; near && k.near && k.below(base, 1<<53) {
			to.shift += s.shift
			if to.base = base; s.base < base {
				to.base, to.way = s.base, s.way
			}
			return
		}
		k.lo, k.hi = min(k.lo-to.shift, to.base-first.v), min(k.hi-to.shift, to.base-last.v)
	} else {
		k.lo, k.hi = far, far
	}
	k.near = near && k.below(k.lo, 1<<51) && k.below(k.hi, 1<<51) && k.below(first.v-last.v, 1<<51)
	k.log = append(k.log, s)
}

// isWhole says whether x is a whole multiple of 1/grid, below whether it is less than so many.
func (k *kind) isWhole(x float64) bool          { return x*k.grid == math.Trunc(x*k.grid) }
func (k *kind) below(x float64, n float64) bool { return math.Abs(x)*k.grid < n }

// read brings a bunch that has seen nothing up to date.
func (b *bunch) read(log []seen) {
	least, way, v := b.least, b.way, b.v
	for i := range log {
		s := &log[i]
		least -= s.shift
		if c := s.base - v; c < least {
			least, way = c, s.way
		}
	}
	b.least, b.way = least, way
}

// see is one step for the columns of the bunch.
func (b *bunch) see(s *seen) {
	b.least -= s.shift
	if c := s.base - b.v; c < b.least {
		b.least, b.way = c, s.way
	}
}
