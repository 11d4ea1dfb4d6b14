package lp

import "math"

// packing is a program of space sharing in the caller's units, with room for a candidate. The
// iterates of the interior point method are neither exactly feasible nor in these units, so what is
// returned and what is proven is computed here.
type packing struct {
	t, s, count, b, gpus []float64
	pairs                []Pair

	x, used, load, price, row, head []float64
}

// propose repairs the present iterate into a feasible point and feasible prices, and keeps it in
// res if their gap is the smallest so far. The prices are scaled so that those of the level rows
// are together worth one unit of the level; without that they would prove nothing about it.
func (p *packing) propose(q *packed, t *path, res *Result) bool {
	n, k, cols := q.n, q.k, len(q.cols)
	p.x, p.row, p.price, p.head = grow(p.x, len(res.X)), grow(p.row, n), grow(p.price, k), grow(p.head, n)
	clear(p.x)
	for i := range q.cols {
		p.x[q.cols[i].at] = math.Max(0, t.v[i]/t.tau)
	}
	level := p.repair()
	z, by := t.z[cols:], 0.0
	for i := range n {
		p.row[i], p.head[i] = 0, math.Max(0, z[i]/times(p.count, i))
		if q.level[i] > 0 {
			p.row[i] = math.Max(0, z[n+i]/q.by[i])
			by += float64(p.row[i] * p.b[i])
		}
	}
	if !(by > 0) {
		return false
	}
	for i := range n { // scaled so that the rows' prices are worth one unit of the level
		p.row[i] /= by
		p.head[i] /= by
	}
	for j, g := range p.gpus {
		p.price[j] = 0
		if g > 0 {
			p.price[j] = math.Max(0, z[2*n+j]/float64(g*by))
		}
	}
	bound := p.bound()
	gap := math.Abs(bound-level) / math.Max(bound, level)
	if !(gap < res.RelGap) {
		return false
	}
	res.RelGap, res.Level, res.Bound = gap, level, bound
	copy(res.X, p.x)
	copy(res.Price, p.price)
	copy(res.RowPrice, p.row)
	return true
}

// repair makes x feasible: where a job's time or a type's load is over its limit, all that adds to
// it is scaled down. It gives the level that x then reaches.
func (p *packing) repair() float64 {
	n, k := len(p.s), len(p.gpus)
	p.used, p.load = grow(p.used, n), grow(p.load, k)
	clear(p.used)
	clear(p.load)
	row := func(r int) (a, b int) {
		if r < n {
			return r, -1
		}
		return p.pairs[r-n].A, p.pairs[r-n].B
	}
	for at, f := range p.x {
		a, b := row(at / k)
		p.used[a] += f
		if b >= 0 {
			p.used[b] += f
		}
	}
	for at, f := range p.x {
		a, b := row(at / k)
		over := math.Max(1, p.used[a]/times(p.count, a))
		if b >= 0 {
			over = math.Max(over, p.used[b]/times(p.count, b))
		}
		p.x[at] = f / over
		p.load[at%k] += float64(p.s[a] * p.x[at])
	}
	got := p.used
	clear(got)
	for at := range p.x {
		if n := p.gpus[at%k]; p.load[at%k] > n {
			p.x[at] = float64(p.x[at] * (n / p.load[at%k]))
		}
		if a, b := row(at / k); b < 0 {
			got[a] += float64(p.t[at] * p.x[at])
		} else {
			got[a] += float64(p.pairs[at/k-n].RateA[at%k] * p.x[at])
			got[b] += float64(p.pairs[at/k-n].RateB[at%k] * p.x[at])
		}
	}
	level := math.Inf(1)
	for i, b := range p.b {
		if b > 0 {
			level = math.Min(level, got[i]/b)
		}
	}
	return level
}

// bound makes the prices feasible and gives the bound that they prove: it raises the prices of time
// until no share of time is worth more than it costs; the level cannot be more than what capacity
// and time are then worth (weak duality).
func (p *packing) bound() float64 {
	n, k := len(p.s), len(p.gpus)
	for at, r := range p.t {
		if i, j := at/k, at%k; p.gpus[j] > 0 {
			p.head[i] = math.Max(p.head[i], float64(r*p.row[i])-float64(p.s[i]*p.price[j]))
		}
	}
	for at := range p.pairs {
		q := &p.pairs[at]
		for j, g := range p.gpus {
			if g <= 0 {
				continue
			}
			worth := float64(q.RateA[j]*p.row[q.A]) + float64(q.RateB[j]*p.row[q.B]) - float64(p.s[q.A]*p.price[j])
			if over := worth - p.head[q.A] - p.head[q.B]; over > 0 {
				p.head[q.A] += float64(0.5 * over)
				p.head[q.B] += float64(0.5 * over)
			}
		}
	}
	total := dot(p.gpus, p.price)
	for i := range n {
		total += float64(p.head[i] * times(p.count, i))
	}
	return total
}
