package lp

import "math"

// Pair is two jobs, A <= B, that may share one job's GPUs. A equal to B is a pair of two like jobs.
type Pair struct {
	A, B         int
	RateA, RateB []float64 // k, steps per second of each while they share; 0 = cannot run
}

// packed is the program of space sharing, scaled: columns are shares of time of single jobs and pairs
// by type, and the level last; rows are -x, then the time of each job, its level, and the load of each
// type. A pair joins two blocks, so that nothing can be eliminated in closed form: the rows' system is
// dense, of order 2n + k, and an iteration costs its cube.
type packed struct {
	n, k  int
	cols  []column
	level []float64 // scaled coefficient of the level in row n+i, 0 = no row
	by    []float64 // divisor of row n+i
	lvlBy float64   // z = lvlBy × scaled level

	cost, rhs []float64
	delta     []float64
	low       []float64 // Cholesky factor of the rows' system, row-major, lower
	lead, u   []float64 // its answer to the level column; right-hand sides
}

// column is a variable, the share of time of a job or a pair on one type, with the rows that it is
// in: the time and the level of one or two jobs, and the load of the type.
type column struct {
	at   int // in X
	rows [5]int32
	coef [5]float64
	len  int
}

// add puts a coefficient into the column. A pair of two like jobs meets the same row twice, and the
// two add up.
func (c *column) add(row int, coef float64) {
	for e := range c.len {
		if c.rows[e] == int32(row) {
			c.coef[e] += coef
			return
		}
	}
	c.rows[c.len], c.coef[c.len] = int32(row), coef
	c.len++
}

// MaxMinPacked is MaxMin with space sharing (Gavel, section 4): pairs of jobs may run on the GPUs
// of one. Count is the number of jobs alike that a row stands for; sizes must agree within a pair.
// X has a row of k fractions for each job and then for each pair; those of alike jobs are added up.
// Work and memory grow with the cube and the square of the number of jobs, so that callers put jobs
// alike into one row.
func MaxMinPacked(sv *Solver, in *Jobs) (Result, error) {
	s, w, count, pairs := in.GPUs, in.Weights, in.Count, in.Pairs
	sv, err := sv.begin(in)
	if err == nil {
		err = checkPacked(in)
	}
	if err != nil {
		return refuse(err)
	}
	n, k := len(s), len(in.Capacity)
	b := Proportional(nil, in.Rates, in.Capacity)
	for i := range b {
		b[i] /= s[i]
		if w != nil {
			b[i] = float64(b[i] * w[i])
		}
		if count != nil {
			b[i] = float64(b[i] * count[i])
		}
	}
	q := &sv.dense
	q.load(in, b)
	res := Result{Status: Unbounded, Cause: CauseLevel, Index: -1, X: make([]float64, (n+len(pairs))*k),
		Price: make([]float64, k), RowPrice: make([]float64, n),
		Level: math.Inf(1), Objective: math.Inf(1), Bound: math.Inf(1)}
	if len(q.cols) == 0 {
		return res, nil
	}
	res.Status, res.Cause, res.RelGap = Stalled, CauseNone, math.Inf(1)
	sv.path.over(q, q.cost, q.rhs)
	sv.path.start()
	p := packing{t: in.Rates, s: s, count: count, b: b, gpus: in.Capacity, pairs: pairs}
	for since, low := 0, math.Inf(1); since <= stale && res.RelGap > 1e-10 && res.Iterations < 100; since++ {
		sv.path.residuals()
		mu := sv.path.mu()
		if p.propose(q, &sv.path, &res) || mu < float64(0.5*low) {
			since, low = 0, math.Min(low, mu)
		}
		if !sv.path.advance(mu) {
			break
		}
		res.Iterations++
	}
	if res.RelGap <= 1e-9 {
		res.Status = Optimal
	}
	res.Objective = res.Level
	return res, nil
}

// checkPacked refuses what begin does not look at: weights, counts and pairs out of range.
func checkPacked(in *Jobs) error {
	s, w, count := in.GPUs, in.Weights, in.Count
	n, k := len(s), len(in.Capacity)
	if w != nil && len(w) != n || count != nil && len(count) != n {
		return ErrShape
	}
	if !finite(w) || !finite(count) {
		return ErrValue
	}
	for i := range w {
		if w[i] < 0 {
			return ErrValue
		}
	}
	for i := range count {
		if !(count[i] > 0) {
			return ErrValue
		}
	}
	for i := range in.Pairs {
		p := &in.Pairs[i]
		if p.A < 0 || p.B < p.A || p.B >= n || len(p.RateA) != k || len(p.RateB) != k || s[p.A] != s[p.B] {
			return ErrShape
		}
		for j := range k {
			if !(p.RateA[j] >= 0 && p.RateA[j] <= math.MaxFloat64 && p.RateB[j] >= 0 && p.RateB[j] <= math.MaxFloat64) {
				return ErrValue
			}
		}
	}
	return check(&Problem{Scale: s, Capacity: in.Capacity, Row: in.Rates})
}

// load scales the program so that its numbers are near 1, whatever the models' speeds are: rows of
// time and load to 1, level rows by their best rate, the level by what the neediest job alone could
// reach.
func (q *packed) load(in *Jobs, b []float64) {
	t, s, count, gpus := in.Rates, in.GPUs, in.Count, in.Capacity
	n, k := len(s), len(gpus)
	q.n, q.k, q.cols = n, k, q.cols[:0]
	q.level, q.by = grow(q.level, n), grow(q.by, n)
	q.lvlBy = math.Inf(1)
	for i := range n {
		q.by[i] = best(t[i*k:i*k+k], gpus)
		if b[i] > 0 {
			q.lvlBy = math.Min(q.lvlBy, float64(q.by[i]*times(count, i))/b[i])
		}
	}
	live := !math.IsInf(q.lvlBy, 1)
	for i := range n {
		q.level[i] = 0
		if b[i] > 0 {
			q.level[i] = float64(b[i]*q.lvlBy) / q.by[i]
		}
	}
	if live {
		q.loadSingles(in, b)
		q.loadPairs(in, b)
	}
	cols, rows := len(q.cols), 2*n+k
	q.cost, q.rhs = grow(q.cost, cols+1), grow(q.rhs, cols+rows)
	clear(q.cost)
	q.cost[cols] = -1
	for r := range q.rhs {
		q.rhs[r] = 1
		if r < cols || r >= cols+n && r < cols+2*n && q.level[r-cols-n] > 0 {
			q.rhs[r] = 0
		}
	}
	q.low, q.lead, q.u = grow(q.low, rows*rows), grow(q.lead, rows), grow(q.u, rows)
}

// loadSingles makes a column for each job and type on which it can run, in the order of the jobs.
func (q *packed) loadSingles(in *Jobs, b []float64) {
	n, k := q.n, q.k
	for i := range n {
		for j, g := range in.Capacity {
			if r := in.Rates[i*k+j]; g > 0 && r > 0 && b[i] > 0 {
				c := column{at: i*k + j}
				c.add(i, 1/times(in.Count, i))
				c.add(n+i, -r/q.by[i])
				c.add(2*n+j, in.GPUs[i]/g)
				q.cols = append(q.cols, c)
			}
		}
	}
}

// loadPairs makes a column for each pair and type. It is in the rows of time and of level of both
// jobs, but loads the type once.
func (q *packed) loadPairs(in *Jobs, b []float64) {
	n, k := q.n, q.k
	for at := range in.Pairs {
		p := &in.Pairs[at]
		for j, g := range in.Capacity {
			ra, rb := p.RateA[j], p.RateB[j]
			if g <= 0 || !(b[p.A] > 0 && ra > 0 || b[p.B] > 0 && rb > 0) {
				continue
			}
			c := column{at: (n+at)*k + j}
			c.add(p.A, 1/times(in.Count, p.A))
			c.add(p.B, 1/times(in.Count, p.B))
			if b[p.A] > 0 {
				c.add(n+p.A, -ra/q.by[p.A])
			}
			if b[p.B] > 0 {
				c.add(n+p.B, -rb/q.by[p.B])
			}
			c.add(2*n+j, in.GPUs[p.A]/g)
			q.cols = append(q.cols, c)
		}
	}
}

// times is how many jobs alike row i stands for.
func times(count []float64, i int) float64 {
	if count == nil {
		return 1
	}
	return count[i]
}

// apply computes out = G v.
func (q *packed) apply(v, out []float64) {
	cols := len(q.cols)
	lvl := v[cols]
	rows := out[cols:]
	clear(rows)
	for i, b := range q.level {
		rows[q.n+i] = float64(b * lvl)
	}
	for i := range q.cols {
		c := &q.cols[i]
		out[i] = -v[i]
		for e, r := range c.rows[:c.len] {
			rows[r] += float64(c.coef[e] * v[i])
		}
	}
}

// products are the products of system.
func (q *packed) products(v, z, gv, gz []float64) {
	q.apply(v, gv)
	q.transpose(z, gz)
}

// rows is the rows of system.
func (q *packed) rows() int { return len(q.rhs) }

// dot is the dot of system.
func (q *packed) dot(sum float64, a, b []float64) float64 {
	for i, f := range a {
		sum += float64(f * b[i])
	}
	return sum
}

// dots are the dots of system.
func (q *packed) dots(a, b, c, d []float64) (ab, cd float64) { return dot(a, b), dot(c, d) }

// lack is the lack of system.
func (q *packed) lack(bx, bz, v, z, ex, ez []float64) float64 {
	q.products(v, z, ez, ex)
	return lack(q.delta, bx, bz, z, ex, ez)
}

// transpose computes out = G' z.
func (q *packed) transpose(z, out []float64) {
	cols := len(q.cols)
	rows := z[cols:]
	for i := range q.cols {
		out[i] = q.worth(&q.cols[i], rows) - z[i]
	}
	out[cols] = dot(q.level, rows[q.n:2*q.n])
}

// worth is the column times the rows' prices, that is what a unit of it costs.
func (q *packed) worth(c *column, rows []float64) float64 {
	sum := 0.0
	for e, r := range c.rows[:c.len] {
		sum += float64(c.coef[e] * rows[r])
	}
	return sum
}

// factor builds the rows' system, diag(delta) + sum over columns of delta × column × column', and
// its Cholesky factor. The level is no column of it: it would fill the whole of it, and is kept as
// a border instead, whose answer is lead.
func (q *packed) factor(delta []float64) {
	q.delta = delta
	cols, m := len(q.cols), 2*q.n+q.k
	clear(q.low)
	for r := range m {
		q.low[r*m+r] = delta[cols+r]
	}
	for i := range q.cols {
		c := &q.cols[i]
		for e, r := range c.rows[:c.len] {
			d := float64(delta[i] * c.coef[e])
			for f, l := range c.rows[:c.len] {
				if l <= r {
					q.low[int(r)*m+int(l)] += float64(d * c.coef[f])
				}
			}
		}
	}
	for r := range m {
		row := q.low[r*m : r*m+m]
		for l := range r {
			other := q.low[l*m : l*m+l]
			row[l] = (row[l] - dot(other, row[:l])) / q.low[l*m+l]
		}
		d := row[r]
		least := float64(1e-15 * d)
		if d -= dot(row[:r], row[:r]); !(d > least) { // rounding ate the pivot
			d = least
		}
		row[r] = math.Sqrt(d)
	}
	clear(q.lead)
	copy(q.lead[q.n:], q.level)
	q.back(q.lead)
}

// back solves the rows' system in place with its Cholesky factor.
func (q *packed) back(v []float64) {
	m := len(v)
	for r := range v {
		v[r] = (v[r] - dot(q.low[r*m:r*m+r], v[:r])) / q.low[r*m+r]
	}
	for r := m - 1; r >= 0; r-- {
		v[r] /= q.low[r*m+r]
		for l, f := range q.low[r*m : r*m+r] {
			v[l] -= float64(f * v[r])
		}
	}
}

// once solves the Newton system without refinement. The columns are eliminated, since each is only
// in five rows; the level, which is in all of them, comes last.
func (q *packed) once(bx, bz, v, z []float64) {
	cols := len(q.cols)
	for r := range q.u {
		q.u[r] = -bz[cols+r]
	}
	for i := range q.cols {
		c := &q.cols[i]
		f := float64(q.delta[i]*bx[i]) - bz[i]
		for e, r := range c.rows[:c.len] {
			q.u[r] += float64(c.coef[e] * f)
		}
	}
	q.back(q.u)
	lvl := (bx[cols] - dot(q.level, q.u[q.n:2*q.n])) / dot(q.level, q.lead[q.n:2*q.n])
	for r, f := range q.u {
		z[cols+r] = f + float64(lvl*q.lead[r])
	}
	v[cols] = lvl
	for i := range q.cols {
		w := q.worth(&q.cols[i], z[cols:])
		v[i] = float64(q.delta[i]*(bx[i]-w)) - bz[i]
		if q.delta[i] > 1 {
			z[i] = -(v[i] + bz[i]) / q.delta[i]
		} else {
			z[i] = w - bx[i]
		}
	}
}
