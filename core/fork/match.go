package fork

// matcher finds the assignment of rows to columns with the greatest sum of values: shortest
// augmenting paths with potentials (the Hungarian method), O(min²·max). The smaller side is inserted
// row by row in index order, so that equal inputs give equal assignments.
type matcher struct {
	u, v, least []float64
	owner, way  []int32
	used        []bool
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
	n, k, flip := rows, columns, false
	if n > k {
		n, k, flip = k, n, true
	}
	cost := func(i, j int) float64 {
		if flip {
			i, j = j, i
		}
		return -value[i*columns+j]
	}
	m.prepare(n, k)
	for i := 1; i <= n; i++ {
		m.insert(i, k, cost)
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
	m.owner, m.way, m.used = grow(m.owner, k+1), grow(m.way, k+1), grow(m.used, k+1)
	clear(m.u)
	clear(m.v)
	clear(m.owner)
}

// insert matches row i by a shortest augmenting path over k columns: it grows a tree of columns in
// the order of their reduced cost until it reaches one without an owner, and then moves every
// column on the path there by one row. The potentials keep all reduced costs at 0 or above.
func (m *matcher) insert(i, k int, cost func(i, j int) float64) {
	const far = 1e300
	m.owner[0] = int32(i)
	at := 0
	for j := range m.least {
		m.least[j], m.used[j] = far, false
	}
	for {
		m.used[at] = true
		row, delta, next := int(m.owner[at]), far, 0
		for j := 1; j <= k; j++ {
			if m.used[j] {
				continue
			}
			if c := cost(row-1, j-1) - m.u[row] - m.v[j]; c < m.least[j] {
				m.least[j], m.way[j] = c, int32(at)
			}
			if m.least[j] < delta {
				delta, next = m.least[j], j
			}
		}
		for j := range m.used {
			if m.used[j] {
				m.u[m.owner[j]] += delta
				m.v[j] -= delta
			} else {
				m.least[j] -= delta
			}
		}
		if at = next; m.owner[at] == 0 {
			break
		}
	}
	for at != 0 {
		m.owner[at] = m.owner[m.way[at]]
		at = int(m.way[at])
	}
}
