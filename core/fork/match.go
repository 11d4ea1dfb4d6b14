package fork

// worths is what columns are worth to rows, at least 0 each. Columns of one kind are worth the same to a row, but for
// exceptions.
type worths struct {
	rows, columns int
	kind          []int32   // of a column, from 0 without gaps
	kinds         int       // of columns
	rowKind       []int32   // of a row; nil = each is a kind of its own
	value         []float64 // by kind of row and kind of column
	from          []int32   // by row, where its exceptions begin; one more at the end
	odd           []odd     // ascending for each row
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
// equal assignments. Columns that are alike so far are looked at as one bunch, so that a step takes as long as there
// are bunches, and not columns; the sums are those of the plain method, rounding included.
type matcher struct {
	worths
	turned     worths
	u, v       []float64 // potentials of rows and of columns, numbered from 1; 0 stands for nobody
	owner, way []int32   // of a column: its row, and the column before it on the path
	tree       []int32   // columns
	bunches    []bunch   // those before first hold all columns, the others are taken out of them for one insertion
	first      int
	home, in   []int32 // of a column: its bunch before an insertion, and now; -1 = the tree
	latest     []int32 // of a kind: the latest of its bunches before first
	live       []int32 // bunches with columns outside the tree
	out        []int32
}

// bunch are columns of one kind that have had the same potential and been alike to all rows that the insertion has
// looked at.
type bunch struct {
	columns []int32 // ascending; some may have gone to the tree or to another bunch
	head    int32   // the first that has not, 0 = there is none
	at      int32   // where it is
	kind    int32
	before  int32 // the bunch of the same kind before this one, -1 = none
	calm    int32 // so many of the columns are known to have calm rows
	parted  bool  // columns have been taken out in this insertion
	way     int32
	row     int32   // the row to which these columns are worth value
	value   float64 // instead of what others of their kind are
	v       float64
	least   float64 // reduced cost from the tree
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
	m.home, m.in, m.latest = grow(m.home, k), grow(m.in, k), grow(m.latest, m.kinds)
	clear(m.u)
	clear(m.v)
	clear(m.owner)
	m.gather()
}

// gather puts the columns of one kind and potential into one bunch.
func (m *matcher) gather() {
	for k := range m.latest {
		m.latest[k] = -1
	}
	m.bunches = m.bunches[:0]
	for j := int32(1); int(j) <= m.columns; j++ {
		kind := m.kind[j-1]
		g := m.latest[kind]
		for g >= 0 && m.bunches[g].v != m.v[j] {
			g = m.bunches[g].before
		}
		if g < 0 {
			g = m.bunch(bunch{kind: kind, before: m.latest[kind], v: m.v[j]})
			m.latest[kind] = g
		}
		m.bunches[g].columns = append(m.bunches[g].columns, j)
		m.home[j], m.in[j] = g, g
	}
	m.first = len(m.bunches)
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
	at, delta, moved := int32(0), 0.0, false
	for {
		m.tree = append(m.tree, at)
		row := m.owner[at]
		m.part(row)
		var next int32
		var alone bool
		next, delta, alone = m.look(row, at, delta)
		if delta != 0 {
			moved = moved || len(m.tree) > 1
			for _, j := range m.tree {
				m.u[m.owner[j]] += delta
				m.v[j] -= delta
			}
		}
		b := &m.bunches[next]
		if at = b.head; alone && m.owner[at] != 0 {
			at = m.skip(next)
		}
		m.way[at] = b.way
		if m.owner[at] == 0 {
			break
		}
		m.in[at] = -1
		m.behead(next)
	}
	for at != 0 {
		if m.owner[at] != 0 {
			m.bunches[m.home[at]].calm = 0
		}
		m.owner[at] = m.owner[m.way[at]]
		at = m.way[at]
	}
	for _, j := range m.tree {
		m.in[j] = m.home[j]
	}
	for _, b := range m.bunches[m.first:] {
		for _, j := range b.columns {
			m.in[j] = m.home[j]
		}
	}
	if moved { // the columns of the tree have another potential
		m.gather()
	}
}

// begin starts an insertion with the tree empty and all columns outside it.
func (m *matcher) begin(i int32) {
	const far = 1e300
	m.owner[0] = i
	m.tree, m.live, m.bunches = m.tree[:0], m.live[:0], m.bunches[:m.first]
	for g := range m.bunches {
		b := &m.bunches[g]
		b.at, b.head, b.least, b.row, b.parted = 0, b.columns[0], far, 0, false
		m.live = append(m.live, int32(g))
	}
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
		for ; int(to) >= old && (m.bunches[to].before != from || m.bunches[to].value != o.value); to-- {
		}
		if int(to) < old {
			b := m.bunches[from]
			b.columns, b.at, b.head, b.before, b.row, b.value = nil, 0, j, from, row, o.value
			to = m.bunch(b)
			m.live = append(m.live, to)
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
	if int(g) >= m.first || b.parted {
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
	for h := range int32(m.first) {
		b := &m.bunches[h]
		if c := -values[b.kind] - u - b.v; c < 0 || c == 0 && h != g {
			return false
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

// look notes where the row, whose column at has just joined the tree, brings columns nearer to it, and returns the
// nearest bunch, its reduced cost and whether all others are farther. All are nearer by shift, what the last step went.
func (m *matcher) look(row, at int32, shift float64) (next int32, delta float64, alone bool) {
	const far = 1e300
	values, u := m.row(int(row-1)), m.u[row]
	next, delta = -1, far
	head, live := int32(0), m.live[:0]
	for _, g := range m.live {
		b := &m.bunches[g]
		if b.head == 0 {
			continue
		}
		live = append(live, g)
		value := values[b.kind]
		if b.row == row {
			value = b.value
		}
		least := b.least - shift
		if c := -value - u - b.v; c < least {
			least, b.way = c, at
		}
		b.least = least
		alone = least < delta || alone && least > delta
		if least < delta || least == delta && b.head < head {
			next, delta, head = g, least, b.head
		}
	}
	m.live = live
	return next, delta, alone
}
