package lp

import (
	"math"

	"hadarlab/core/unit"
)

// kkt is the Newton system of the scaled problem. In block i the fractions, the price of the
// block's time and the price of its level row are eliminated in closed form. What is left are the k
// load prices and the level, so that a solve costs O(n k²) and one dense system of order k+1,
// however many jobs there are.
type kkt struct {
	*scaled
	delta []float64 // of the last factor
	iden  []float64 // n, 1/(delta of the sum row + sum of the block's deltas)
	va    []float64 // n*k, M⁻¹a with M = diag(1/delta) + 1·1'/delta of the sum row
	psi   []float64 // n, 1/(delta of the level row + a'M⁻¹a)
	top   [maxTypes + 1][maxTypes + 1]float64
	pivot [maxTypes + 1]int

	held []float64 // n, bz of the level row + a·x before prices
	part []float64 // what a block of each kind adds to sums over all blocks
}

// size makes room for a problem.
func (q *kkt) size(sc *scaled) {
	nk := sc.n * sc.k
	q.scaled = sc
	q.iden, q.va, q.psi, q.held = grow(q.iden, sc.n), grow(q.va, nk), grow(q.psi, sc.n), grow(q.held, sc.n)
	q.part = grow(q.part, sc.n*(sc.k+1)*(sc.k+1))
}

// factor prepares solves for the present delta: it eliminates each block and adds up what the
// blocks leave in the dense system. Where a difference of nearly equal numbers would lose all
// digits close to the optimum, sums of positive terms are used instead.
func (q *kkt) factor(delta []float64) {
	q.delta = delta
	var s [maxTypes * (maxTypes + 1) / 2]float64 // sum_i s_i² (M⁻¹ - psi va va'), the lower half
	var g [maxTypes + 1]float64                  // sum_i s_i b_i psi va, and sum_i b_i² psi
	if !unit.Small && q.three {
		q.factor3()
		q.sum3(&s, &g)
	} else {
		q.factorAny()
		q.sumAny(&s, &g)
	}
	q.assemble(q.scaled, &s, &g)
}

// sumAny adds up what the blocks leave. Each adds to s twice: what it has without its row, and what its row takes.
func (q *kkt) sumAny(s *[maxTypes * (maxTypes + 1) / 2]float64, g *[maxTypes + 1]float64) {
	k, kk := q.k, q.k*(q.k+1)/2
	for _, i := range q.kind {
		part := q.part[int(i)*(k+1)*(k+1):]
		first, second, rest := part[:kk], part[kk:2*kk], part[2*kk:2*kk+k+1]
		for e, f := range first {
			s[e] = s[e] + f - second[e]
		}
		for e, f := range rest {
			g[e] += f
		}
	}
}

// factorAny eliminates a block of each kind, for any number of types.
func (q *kkt) factorAny() {
	sc, k := q.scaled, q.k
	for i := range sc.n {
		d := q.delta[i*k : i*k+k]
		eps := q.delta[sc.o2+i]
		den := eps
		for _, dj := range d {
			den += dj
		}
		iden := 1 / den
		q.iden[i] = iden
		si := sc.scale[i]
		s2 := float64(si*si) * iden
		part := q.part[i*(k+1)*(k+1) : (i+1)*(k+1)*(k+1)]
		first, second, rest := part[:k*(k+1)/2], part[k*(k+1)/2:k*(k+1)], part[k*(k+1):]
		for j := range d {
			// The diagonal of M⁻¹ is d_j (den - d_j) / den. The bracket is taken as a sum, for the difference would
			// cancel when one delta is much larger than the rest.
			free := eps
			for l := range d {
				if l != j {
					free += d[l]
				}
			}
			dj, row := float64(s2*d[j]), j*(j+1)/2
			for l := range j {
				first[row+l] = -float64(dj * d[l])
			}
			first[row+j] = float64(dj * free)
		}
		clear(second)
		clear(rest)
		if !sc.rows {
			continue
		}
		q.factorRow(sc, i, d, eps, iden)
		va, psi := q.va[i*k:i*k+k], q.psi[i]
		sp := float64(float64(si*si) * psi)
		bp := float64(sc.b[i] * psi)
		sbp := float64(si * bp)
		for j, v := range va {
			vj := float64(sp * v)
			for l := range j + 1 {
				second[j*(j+1)/2+l] = float64(vj * va[l])
			}
			rest[j] = float64(sbp * v)
		}
		rest[k] = float64(sc.b[i] * bp)
	}
}

// factorRow eliminates the level row of block i. a'M⁻¹a is written as a sum of squares, for it
// would cancel otherwise.
func (q *kkt) factorRow(sc *scaled, i int, d []float64, eps, iden float64) {
	k := sc.k
	a, va := sc.a[i*k:i*k+k], q.va[i*k:i*k+k]
	quad := 0.0 // a'M⁻¹a as a sum of squares
	for j, aj := range a {
		t := float64(eps * aj)
		quad += float64(float64(t*aj) * d[j])
		for l, al := range a {
			diff := aj - al
			t += float64(d[l] * diff)
			if l < j {
				quad += float64(float64(d[j]*d[l]) * float64(diff*diff))
			}
		}
		va[j] = float64(d[j]*t) * iden
	}
	q.psi[i] = 1 / (q.delta[sc.o4+i] + float64(quad*iden))
}

// assemble builds the system of load prices and level,
//
//	[ S + delta  -g ] [p]
//	[ g'      theta ] [level],
//
// from what the blocks have left, and factors it by elimination with row exchanges. It is at most
// nine by nine, so that nothing cleverer would pay. Without a level its row is that of the
// identity.
func (q *kkt) assemble(sc *scaled, s *[maxTypes * (maxTypes + 1) / 2]float64, g *[maxTypes + 1]float64) {
	k := sc.k
	t := &q.top
	for j := range k {
		for l := range k {
			v := s[max(j, l)*(max(j, l)+1)/2+min(j, l)]
			t[j][l] = float64(float64(v*sc.inv[j]) * sc.inv[l])
		}
		t[j][j] += q.delta[sc.o3+j]
		gj := float64(g[j] * sc.inv[j])
		t[j][k], t[k][j] = -gj, gj
	}
	t[k][k] = g[k]
	if !sc.level {
		t[k][k] = 1
	}
	var big [maxTypes + 1]float64
	for r := range k + 1 {
		for c := range k + 1 {
			big[r] = math.Max(big[r], math.Abs(t[r][c]))
		}
	}
	for c := range k + 1 {
		best := c
		for r := c + 1; r <= k; r++ {
			if math.Abs(t[r][c]) > math.Abs(t[best][c]) {
				best = r
			}
		}
		q.pivot[c] = best
		t[c], t[best] = t[best], t[c]
		big[c], big[best] = big[best], big[c]
		// Prices that may move together, at a degenerate optimum, leave a pivot of rounding errors. A
		// small positive one shortens the step along them, and refinement repairs the rest.
		if least := float64(1e-15 * big[c]); !(math.Abs(t[c][c]) > least) {
			t[c][c] = least
		}
		for r := c + 1; r <= k; r++ {
			f := t[r][c] / t[c][c]
			t[r][c] = f
			for l := c + 1; l <= k; l++ {
				t[r][l] -= float64(f * t[c][l])
			}
		}
	}
}

// reduced solves the factored dense system in place.
func (q *kkt) reduced(k int, v *[maxTypes + 1]float64) {
	for c := range k + 1 {
		v[c], v[q.pivot[c]] = v[q.pivot[c]], v[c]
	}
	for r := 1; r <= k; r++ {
		for c := range r {
			v[r] -= float64(q.top[r][c] * v[c])
		}
	}
	for r := k; r >= 0; r-- {
		for c := r + 1; c <= k; c++ {
			v[r] -= float64(q.top[r][c] * v[c])
		}
		v[r] /= q.top[r][r]
	}
}

// once solves the Newton system without refinement: down through the blocks to the load prices and
// the level, then back.
func (q *kkt) once(bx, bz, v, z []float64) {
	sc, k := q.scaled, q.k
	var sum, w [maxTypes + 1]float64
	if !unit.Small && q.three {
		q.down3(bx, bz, v, &sum)
	} else {
		q.down(bx, bz, v, &sum)
	}
	for j := range k {
		w[j] = float64(sum[j]*sc.inv[j]) - bz[sc.o3+j]
	}
	if sc.level {
		w[k] = bx[sc.n*k] + sum[k]
	}
	q.reduced(k, &w)
	q.back(sc, bx, bz, v, z, &w)
}

// down goes through the blocks before prices and adds up what they load the types with, and what their rows ask of the
// level.
func (q *kkt) down(bx, bz, v []float64, sum *[maxTypes + 1]float64) {
	sc, k := q.scaled, q.k
	for i := range sc.n {
		d, eps, iden := q.delta[i*k:i*k+k], q.delta[sc.o2+i], q.iden[i]
		x := v[i*k : i*k+k]
		var u [maxTypes]float64
		for j := range d {
			u[j] = float64(d[j]*bx[i*k+j]) - bz[i*k+j]
		}
		head := bz[sc.o2+i]
		for j := range d {
			t := float64(eps*u[j]) + float64(d[j]*head)
			for l := range d {
				if l != j {
					t += float64(d[l]*u[j]) - float64(d[j]*u[l])
				}
			}
			x[j] = float64(t * iden)
		}
		si, part := sc.scale[i], q.part[i*(k+1):(i+1)*(k+1)]
		if !sc.rows {
			for j := range x {
				part[j] = float64(si * x[j])
			}
			part[k] = 0
			continue
		}
		held := bz[sc.o4+i]
		for j, aj := range sc.a[i*k : i*k+k] {
			held += float64(aj * x[j])
		}
		q.held[i] = held
		ph := float64(q.psi[i] * held)
		for j, vj := range q.va[i*k : i*k+k] {
			part[j] = float64(si * (x[j] - float64(vj*ph)))
		}
		part[k] = float64(sc.b[i] * ph)
	}
	for _, i := range q.kind {
		for j, f := range q.part[int(i)*(k+1) : (int(i)+1)*(k+1)] {
			sum[j] += f
		}
	}
}

// back substitutes the load prices and the level w into the blocks and so completes v and z.
func (q *kkt) back(sc *scaled, bx, bz, v, z []float64, w *[maxTypes + 1]float64) {
	k := sc.k
	var ph [maxTypes]float64 // load price per unit of s_i x_ij
	for j := range k {
		z[sc.o3+j] = w[j]
		ph[j] = float64(w[j] * sc.inv[j])
	}
	lvl := w[k]
	v[sc.n*k] = lvl
	if !unit.Small && sc.three {
		q.back3(bx, bz, v, z, &ph, lvl)
		return
	}
	for i := range sc.n {
		d, eps, iden := q.delta[i*k:i*k+k], q.delta[sc.o2+i], q.iden[i]
		x, a, si, y := v[i*k:i*k+k], sc.a[i*k:i*k+k], sc.scale[i], 0.0
		va := q.va[i*k : i*k+k]
		if sc.rows {
			t := 0.0
			for j, vj := range va {
				t += float64(vj * ph[j])
			}
			y = float64(q.psi[i] * (float64(sc.b[i]*lvl) - q.held[i] + float64(si*t)))
			z[sc.o4+i] = y
		}
		head := -bz[sc.o2+i]
		sd := float64(si * iden)
		for j := range d {
			t := float64(eps * ph[j])
			for l := range d {
				t += float64(d[l] * (ph[j] - ph[l]))
			}
			x[j] -= float64(float64(sd*d[j]) * t)
			r := bx[i*k+j] - float64(si*ph[j])
			if sc.rows {
				x[j] += float64(va[j] * y)
				r += float64(a[j] * y)
			}
			head += float64(d[j]*r) - bz[i*k+j]
		}
		head = float64(head * iden)
		z[sc.o2+i] = head
		for j := range d {
			// Of the two equations that give this price, take the one that does not divide by a small number.
			if d[j] > 1 {
				z[i*k+j] = -(x[j] + bz[i*k+j]) / d[j]
				continue
			}
			z[i*k+j] = head + float64(si*ph[j]) - float64(a[j]*y) - bx[i*k+j]
		}
	}
}

// lack is the lack of system.
func (q *kkt) lack(bx, bz, v, z, ex, ez []float64) float64 {
	if !unit.Small && q.three {
		return q.lack3(bx, bz, v, z, ex, ez)
	}
	q.products(v, z, ez, ex)
	return lack(q.delta, bx, bz, z, ex, ez)
}

// products are the products of system.
func (q *kkt) products(v, z, gv, gz []float64) {
	if !unit.Small && q.three {
		q.products3(v, z, gv, gz)
		return
	}
	q.apply(v, gv)
	q.transpose(z, gz)
}

// apply computes out = G v, row group by row group.
func (sc *scaled) apply(v, out []float64) {
	k := sc.k
	lvl := v[sc.n*k]
	for i := range sc.n {
		x, a, o := v[i*k:i*k+k], sc.a[i*k:i*k+k], out[i*k:i*k+k]
		sum, got := 0.0, 0.0
		for j, xj := range x {
			o[j] = -xj
			sum += xj
			got += float64(a[j] * xj)
		}
		out[sc.o2+i] = sum
		if sc.rows {
			out[sc.o4+i] = float64(sc.b[i]*lvl) - got
		}
	}
	var load [maxTypes]float64
	for _, i := range sc.kind {
		si := sc.scale[i]
		for j, xj := range v[int(i)*k : int(i)*k+k] {
			load[j] += float64(si * xj)
		}
	}
	for j := range k {
		out[sc.o3+j] = float64(load[j] * sc.inv[j])
	}
}

// transpose computes out = G' z, column by column.
func (sc *scaled) transpose(z, out []float64) {
	k := sc.k
	var ph [maxTypes]float64
	for j := range k {
		ph[j] = float64(z[sc.o3+j] * sc.inv[j])
	}
	for i := range sc.n {
		a, si, head, y := sc.a[i*k:i*k+k], sc.scale[i], z[sc.o2+i], 0.0
		if sc.rows {
			y = z[sc.o4+i]
		}
		zx, o := z[i*k:i*k+k], out[i*k:i*k+k]
		for j, aj := range a {
			o[j] = head - zx[j] + float64(si*ph[j]) - float64(aj*y)
		}
	}
	lvl := 0.0
	if sc.rows {
		row := z[sc.o4:][:sc.n]
		for _, i := range sc.kind {
			lvl += float64(sc.b[i] * row[i])
		}
	}
	out[sc.n*k] = lvl
}

// rows is the rows of system.
func (q *kkt) rows() int {
	groups := q.k + 1
	if q.scaled.rows {
		groups++
	}
	return len(q.kind)*groups + q.k
}

// dot is the dot of system.
func (q *kkt) dot(sum float64, a, b []float64) float64 {
	if !unit.Small && q.three {
		return q.dotRows(q.dot3(sum, a, b), a, b)
	}
	k := q.k
	for _, i := range q.kind {
		x := b[int(i)*k : int(i)*k+k]
		for j, f := range a[int(i)*k : int(i)*k+k] {
			sum += float64(f * x[j])
		}
	}
	return q.dotRows(sum, a, b)
}

// dotRows is dot without the rows of the fractions, which come first.
func (q *kkt) dotRows(sum float64, a, b []float64) float64 {
	for from := q.o2; from < q.o3; from += q.n {
		a, b := a[from:from+q.n], b[from:from+q.n]
		for _, i := range q.kind {
			sum += float64(a[i] * b[i])
		}
	}
	for r := q.o3; r < q.m; r++ {
		sum += float64(a[r] * b[r])
	}
	return sum
}

// dots are the dots of system. Side by side neither of the long sums waits for the other.
func (q *kkt) dots(a, b, c, d []float64) (ab, cd float64) {
	if k := q.k; !unit.Small && q.three {
		ab, cd = q.dots3(a, b, c, d)
	} else {
		for _, i := range q.kind {
			for at := int(i) * k; at < int(i)*k+k; at++ {
				ab += float64(a[at] * b[at])
				cd += float64(c[at] * d[at])
			}
		}
	}
	ab += float64(a[q.o2] * b[q.o2]) // the level is the last column
	return ab, q.dotRows(cd, c, d)
}

// norm is the largest absolute entry.
func norm(v []float64) float64 {
	m := 0.0
	for _, f := range v {
		m = larger(m, f)
	}
	return m
}

// larger is the larger of m and the absolute value of f. It passes over NaN, which the caller finds in the sums that
// it tests.
func larger(m, f float64) float64 {
	if f = math.Abs(f); f > m {
		return f
	}
	return m
}
