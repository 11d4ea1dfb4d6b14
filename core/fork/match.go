package fork

// matcher finds the assignment of rows to columns with the greatest sum of values: shortest
// augmenting paths with potentials (the Hungarian method), O(min²·max). The smaller side is inserted
// row by row in index order, so that equal inputs give equal assignments.
type matcher struct {
	u, v, least []float64
	owner, way  []int32
	free, tree  []int32 // columns
	flipped     []float64
	out         []int32
}

// solve returns for each of rows the column it gets, -1 = none. value is rows × columns, ≥ 0.
func (m *matcher) solve(value []float64, rows, columns int) []int32 {
	m.out = grow(m.out, rows)
	for i := range m.out {
		m.out[i] = -1
	}
	if rows == 0 || columns == 0 {
		return m.out
	}
	n, k, flip := rows, columns, rows > columns
	if flip {
		n, k = k, n
		m.flipped = grow(m.flipped, n*k)
		for j := range k {
			for i := range n {
				m.flipped[i*k+j] = value[j*n+i]
			}
		}
		value = m.flipped
	}
	m.prepare(n, k)
	for i := 1; i <= n; i++ {
		m.insert(i, k, value)
	}
	for j := 1; j <= k; j++ {
		if i := m.owner[j]; i > 0 {
			if flip {
				m.out[j-1] = i - 1
			} else {
				m.out[i-1] = int32(j - 1)
			}
		}
	}
	return m.out
}

// prepare makes room for the smaller side as rows and the larger one as columns, numbered from 1; 0
// stands for nobody.
func (m *matcher) prepare(n, k int) {
	m.u, m.v, m.least = grow(m.u, n+1), grow(m.v, k+1), grow(m.least, k+1)
	m.owner, m.way = grow(m.owner, k+1), grow(m.way, k+1)
	clear(m.u)
	clear(m.v)
	clear(m.owner)
}

// insert matches row i by a shortest augmenting path over k columns: it grows a tree of columns in
// the order of their reduced cost until it reaches one without an owner, and then moves every
// column on the path there by one row. The potentials keep all reduced costs at 0 or above. A column that joins the
// tree leaves those that are looked at, which stay in index order, so that ties go to the lower one.
func (m *matcher) insert(i, k int, value []float64) {
	const far = 1e300
	m.owner[0] = int32(i)
	m.tree, m.free = m.tree[:0], m.free[:0]
	for j := range int32(k) {
		m.free = append(m.free, j+1)
		m.least[j+1] = far
	}
	at, delta := int32(0), 0.0
	for {
		m.tree = append(m.tree, at)
		row := int(m.owner[at])
		values, u := value[(row-1)*k:row*k], m.u[row]
		shift, next := delta, 0 // all free columns are nearer by what the last step went
		delta = far
		for x, j := range m.free {
			least := m.least[j] - shift
			if c := -values[j-1] - u - m.v[j]; c < least {
				least, m.way[j] = c, at
			}
			m.least[j] = least
			if least < delta {
				delta, next = least, x
			}
		}
		for _, j := range m.tree {
			m.u[m.owner[j]] += delta
			m.v[j] -= delta
		}
		if at = m.free[next]; m.owner[at] == 0 {
			break
		}
		m.free = append(m.free[:next], m.free[next+1:]...)
	}
	for at != 0 {
		m.owner[at] = m.owner[m.way[at]]
		at = m.way[at]
	}
}
