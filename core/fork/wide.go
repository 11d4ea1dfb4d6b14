package fork

import "slices"

// wide inserts rows where every column is a kind of its own, as jobs are when they are more than the nodes: there is
// nothing to bunch, and columns are looked at one by one. Rows that are alike need not be looked at again.
type wide struct {
	least  []float64 // by column, reduced cost from the tree
	free   []int32   // columns outside the tree, ascending
	near   []int32   // those that were nearest when all were looked at last
	joined int       // how many of these have joined the tree since
	looked []alike   // rows of the tree, since it last went back
}

// alike is what two rows have in common that bring columns equally near.
type alike struct {
	kind int32
	u    float64
}

// insertWide is insert, by the plain method.
func (m *matcher) insertWide(i int32) {
	w := &m.wide
	m.owner[0] = i
	m.tree, w.free, w.near, w.looked = m.tree[:0], w.free[:0], w.near[:0], w.looked[:0]
	w.least = grow(w.least, m.columns+1)
	for j := range int32(m.columns) {
		w.free = append(w.free, j+1)
		w.least[j+1] = far
	}
	w.joined = 0
	at, delta, shift := int32(0), 0.0, 0.0
	for {
		m.tree = append(m.tree, at)
		row := m.owner[at]
		if delta < 0 {
			w.looked = w.looked[:0]
		}
		a := alike{m.rowKind[row-1], m.u[row]}
		overrides := m.overridesOf(int(row - 1))
		shift += delta // one of the two is 0
		known := len(overrides) == 0 && slices.Contains(w.looked, a)
		if known && w.joined < len(w.near) {
			delta = 0
		} else {
			delta = m.lookWide(row, at, shift, known)
			shift, w.joined = 0, 0
			if len(overrides) == 0 && !known {
				w.looked = append(w.looked, a)
			}
		}
		if delta != 0 {
			for _, j := range m.tree {
				m.u[m.owner[j]] += delta
				m.v[j] -= delta
			}
		}
		at = w.near[w.joined]
		w.joined++
		if m.owner[at] == 0 {
			break
		}
		m.in[at] = true
	}
	for _, j := range m.tree {
		m.in[j] = false
	}
	for at != 0 {
		m.owner[at] = m.owner[m.way[at]]
		at = m.way[at]
	}
}

// lookWide notes where the row brings columns nearer to the tree, unless a row that is alike has, and how far the
// nearest are.
func (m *matcher) lookWide(row, at int32, shift float64, known bool) (delta float64) {
	w := &m.wide
	values, u, overrides := m.row(int(row-1)), m.u[row], m.overridesOf(int(row-1))
	swap := func() {
		for i := range overrides {
			o := &overrides[i]
			values[o.column], o.value = o.value, values[o.column]
		}
	}
	swap()
	delta, w.near = far, w.near[:0]
	free := w.free[:0]
	for _, j := range w.free {
		if m.in[j] {
			continue
		}
		free = append(free, j)
		least := w.least[j] - shift
		if !known {
			if c := -values[j-1] - u - m.v[j]; c < least {
				least, m.way[j] = c, at
			}
		}
		w.least[j] = least
		if least < delta {
			delta, w.near = least, append(w.near[:0], j)
		} else if least == delta {
			w.near = append(w.near, j)
		}
	}
	w.free = free
	swap()
	return delta
}
