package lp

// Three types of GPUs are the cluster of most of the literature, and a program of theirs is solved at every
// allocation. The loops of kkt over three types are written out here: the same sums in the same order, and so the
// same bits, in two thirds of the time. Problems without rows keep to the general form, and so does all of a program
// that must be small (the build tag small).

// of3 is row i of a matrix of three columns.
func of3(v []float64, i int) *[3]float64 { return (*[3]float64)(v[3*i:]) }

// factor3 is factorAny. Products that both (j, l) and (l, j) need are taken once.
func (q *kkt) factor3() {
	sc, n := q.scaled, q.n
	delta, sum, row := q.delta[:3*n], q.delta[sc.o2:][:n], q.delta[sc.o4:][:n]
	scale, b, idens, psis := sc.scale[:n], sc.b[:n], q.iden[:n], q.psi[:n]
	for i, eps := range sum {
		d, a, va, si, part := of3(delta, i), of3(sc.a, i), of3(q.va, i), scale[i], (*[16]float64)(q.part[16*i:])
		d0, d1, d2 := d[0], d[1], d[2]
		iden := 1 / (eps + d0 + d1 + d2)
		idens[i] = iden
		ss := float64(si * si)
		s2 := float64(ss * iden)
		p0, p1, p2 := float64(s2*d0), float64(s2*d1), float64(s2*d2)
		part[0] = float64(p0 * (eps + d1 + d2))
		part[1], part[2] = -float64(p1*d0), float64(p1*(eps+d0+d2))
		part[3], part[4], part[5] = -float64(p2*d0), -float64(p2*d1), float64(p2*(eps+d0+d1))

		a0, a1, a2 := a[0], a[1], a[2]
		t0, t1, t2 := float64(eps*a0), float64(eps*a1), float64(eps*a2)
		a10, a20, a21 := a1-a0, a2-a0, a2-a1
		quad := float64(float64(t0*a0)*d0) + float64(float64(t1*a1)*d1) +
			float64(float64(d1*d0)*float64(a10*a10)) + float64(float64(t2*a2)*d2) +
			float64(float64(d2*d0)*float64(a20*a20)) + float64(float64(d2*d1)*float64(a21*a21))
		t0 = t0 - float64(d1*a10) - float64(d2*a20)
		t1 = t1 + float64(d0*a10) - float64(d2*a21)
		t2 = t2 + float64(d0*a20) + float64(d1*a21)
		v0, v1, v2 := float64(float64(d0*t0)*iden), float64(float64(d1*t1)*iden), float64(float64(d2*t2)*iden)
		va[0], va[1], va[2] = v0, v1, v2
		psi := 1 / (row[i] + float64(quad*iden))
		psis[i] = psi

		sp, bp := float64(ss*psi), float64(b[i]*psi)
		sbp := float64(si * bp)
		q0, q1, q2 := float64(sp*v0), float64(sp*v1), float64(sp*v2)
		part[6] = float64(q0 * v0)
		part[7], part[8] = float64(q1*v0), float64(q1*v1)
		part[9], part[10], part[11] = float64(q2*v0), float64(q2*v1), float64(q2*v2)
		part[12], part[13], part[14], part[15] = float64(sbp*v0), float64(sbp*v1), float64(sbp*v2), float64(b[i]*bp)
	}
}

// sum3 is sumAny.
func (q *kkt) sum3(s *[maxTypes * (maxTypes + 1) / 2]float64, g *[maxTypes + 1]float64) {
	var s0, s1, s2, s3, s4, s5, g0, g1, g2, g3 float64
	for _, i := range q.kind {
		part := (*[16]float64)(q.part[16*int(i):])
		s0 = s0 + part[0] - part[6]
		s1 = s1 + part[1] - part[7]
		s2 = s2 + part[2] - part[8]
		s3 = s3 + part[3] - part[9]
		s4 = s4 + part[4] - part[10]
		s5 = s5 + part[5] - part[11]
		g0 += part[12]
		g1 += part[13]
		g2 += part[14]
		g3 += part[15]
	}
	s[0], s[1], s[2], s[3], s[4], s[5] = s0, s1, s2, s3, s4, s5
	g[0], g[1], g[2], g[3] = g0, g1, g2, g3
}

// down3 is down.
func (q *kkt) down3(bx, bz, v []float64, to *[maxTypes + 1]float64) {
	sc, n := q.scaled, q.n
	bz3, sum, row := bz[:3*n], bz[sc.o2:][:n], bz[sc.o4:][:n]
	eps, iden, psi, scale, b := q.delta[sc.o2:][:n], q.iden[:n], q.psi[:n], sc.scale[:n], sc.b[:n]
	held, parts := q.held[:n], q.part[:4*n]
	for i, head := range sum {
		d, cx, cz, x, a, va := of3(q.delta, i), of3(bx, i), of3(bz3, i), of3(v, i), of3(sc.a, i), of3(q.va, i)
		d0, d1, d2 := d[0], d[1], d[2]
		u0, u1, u2 := float64(d0*cx[0])-cz[0], float64(d1*cx[1])-cz[1], float64(d2*cx[2])-cz[2]
		c10 := float64(d0*u1) - float64(d1*u0)
		c20 := float64(d0*u2) - float64(d2*u0)
		c21 := float64(d1*u2) - float64(d2*u1)
		e, by := eps[i], iden[i]
		x0 := float64((float64(e*u0) + float64(d0*head) - c10 - c20) * by)
		x1 := float64((float64(e*u1) + float64(d1*head) + c10 - c21) * by)
		x2 := float64((float64(e*u2) + float64(d2*head) + c20 + c21) * by)
		x[0], x[1], x[2] = x0, x1, x2
		h := row[i] + float64(a[0]*x0) + float64(a[1]*x1) + float64(a[2]*x2)
		held[i] = h
		ph, si := float64(psi[i]*h), scale[i]
		part := (*[4]float64)(parts[4*i:])
		part[0] = float64(si * (x0 - float64(va[0]*ph)))
		part[1] = float64(si * (x1 - float64(va[1]*ph)))
		part[2] = float64(si * (x2 - float64(va[2]*ph)))
		part[3] = float64(b[i] * ph)
	}
	var to0, to1, to2, to3 float64
	for _, i := range q.kind {
		part := (*[4]float64)(parts[4*int(i):])
		to0 += part[0]
		to1 += part[1]
		to2 += part[2]
		to3 += part[3]
	}
	to[0], to[1], to[2], to[3] = to0, to1, to2, to3
}

// back3 is what back does with the blocks, at the load prices ph per unit of s_i x_ij.
func (q *kkt) back3(bx, bz, v, z []float64, ph *[maxTypes]float64, lvl float64) {
	sc, n := q.scaled, q.n
	eps, iden, psi, held := q.delta[sc.o2:][:n], q.iden[:n], q.psi[:n], q.held[:n]
	scale, b, sum, zsum, zrow := sc.scale[:n], sc.b[:n], bz[sc.o2:][:n], z[sc.o2:][:n], z[sc.o4:][:n]
	ph0, ph1, ph2 := ph[0], ph[1], ph[2]
	ph01, ph02, ph12 := ph0-ph1, ph0-ph2, ph1-ph2
	for i, si := range scale {
		d, cx, cz, x, a, va, zx := of3(q.delta, i), of3(bx, i), of3(bz, i), of3(v, i), of3(sc.a, i), of3(q.va, i),
			of3(z, i)
		va0, va1, va2 := va[0], va[1], va[2]
		t := float64(va0*ph0) + float64(va1*ph1) + float64(va2*ph2)
		y := float64(psi[i] * (float64(b[i]*lvl) - held[i] + float64(si*t)))
		zrow[i] = y
		d0, d1, d2, e, by := d[0], d[1], d[2], eps[i], iden[i]
		sd := float64(si * by)
		t0 := float64(e*ph0) + float64(d1*ph01) + float64(d2*ph02)
		t1 := float64(e*ph1) - float64(d0*ph01) + float64(d2*ph12)
		t2 := float64(e*ph2) - float64(d0*ph02) - float64(d1*ph12)
		x0 := x[0] - float64(float64(sd*d0)*t0) + float64(va0*y)
		x1 := x[1] - float64(float64(sd*d1)*t1) + float64(va1*y)
		x2 := x[2] - float64(float64(sd*d2)*t2) + float64(va2*y)
		x[0], x[1], x[2] = x0, x1, x2
		sp0, sp1, sp2 := float64(si*ph0), float64(si*ph1), float64(si*ph2)
		ay0, ay1, ay2 := float64(a[0]*y), float64(a[1]*y), float64(a[2]*y)
		head := -sum[i]
		head += float64(d0*(cx[0]-sp0+ay0)) - cz[0]
		head += float64(d1*(cx[1]-sp1+ay1)) - cz[1]
		head += float64(d2*(cx[2]-sp2+ay2)) - cz[2]
		head = float64(head * by)
		zsum[i] = head
		// As in back, of two equations the one that does not divide by a small number.
		zx[0], zx[1], zx[2] = head+sp0-ay0-cx[0], head+sp1-ay1-cx[1], head+sp2-ay2-cx[2]
		if d0 > 1 {
			zx[0] = -(x0 + cz[0]) / d0
		}
		if d1 > 1 {
			zx[1] = -(x1 + cz[1]) / d1
		}
		if d2 > 1 {
			zx[2] = -(x2 + cz[2]) / d2
		}
	}
}

// lack3 is lack, with the products of G and G' and what they lack taken block by block.
func (q *kkt) lack3(bx, bz, v, z, ex, ez []float64) (e float64) {
	sc, n := q.scaled, q.n
	delta, o2, o4, o3 := q.delta, sc.o2, sc.o4, sc.o3
	scale, b := sc.scale[:n], sc.b[:n]
	zsum, zrow, bsum, brow := z[o2:][:n], z[o4:][:n], bz[o2:][:n], bz[o4:][:n]
	esum, erow, dsum, drow := ez[o2:][:n], ez[o4:][:n], delta[o2:][:n], delta[o4:][:n]
	price := of3(z[o3:], 0)
	ph0, ph1, ph2 := float64(price[0]*sc.inv[0]), float64(price[1]*sc.inv[1]), float64(price[2]*sc.inv[2])
	lvl := v[3*n]
	for i, si := range scale {
		a, x, zx, d := of3(sc.a, i), of3(v, i), of3(z, i), of3(delta, i)
		cx, cz, ox, oz := of3(bx, i), of3(bz, i), of3(ex, i), of3(ez, i)
		a0, a1, a2, x0, x1, x2, z0, z1, z2 := a[0], a[1], a[2], x[0], x[1], x[2], zx[0], zx[1], zx[2]
		head, y, bi := zsum[i], zrow[i], b[i]
		f0 := cx[0] - (head - z0 + float64(si*ph0) - float64(a0*y))
		f1 := cx[1] - (head - z1 + float64(si*ph1) - float64(a1*y))
		f2 := cx[2] - (head - z2 + float64(si*ph2) - float64(a2*y))
		f3 := cz[0] + x0 + float64(d[0]*z0)
		f4 := cz[1] + x1 + float64(d[1]*z1)
		f5 := cz[2] + x2 + float64(d[2]*z2)
		f6 := bsum[i] - (x0 + x1 + x2) + float64(dsum[i]*head)
		f7 := brow[i] - (float64(bi*lvl) - (float64(a0*x0) + float64(a1*x1) + float64(a2*x2))) + float64(drow[i]*y)
		ox[0], ox[1], ox[2], oz[0], oz[1], oz[2], esum[i], erow[i] = f0, f1, f2, f3, f4, f5, f6, f7
		// Of a block whose squares are together below that of what is let pass, no entry needs to be looked at.
		if !(float64(f0*f0)+float64(f1*f1)+float64(f2*f2)+float64(f3*f3)+
			(float64(f4*f4)+float64(f5*f5)+float64(f6*f6)+float64(f7*f7)) < fine*fine) {
			for _, f := range [...]float64{f0, f1, f2, f3, f4, f5, f6, f7} {
				e = larger(e, f)
			}
		}
	}
	// What is left are the level and the load rows.
	load, worth := sc.over3(v, z)
	f := bx[3*n] - worth
	ex[3*n], e = f, larger(e, f)
	for j := range load {
		f = bz[o3+j] - float64(load[j]*sc.inv[j]) + float64(delta[o3+j]*z[o3+j])
		ez[o3+j], e = f, larger(e, f)
	}
	return e
}

// over3 is what all blocks load the types with, and what their level rows pay for the level.
func (sc *scaled) over3(v, z []float64) (load [3]float64, worth float64) {
	scale, b, row := sc.scale[:sc.n], sc.b[:sc.n], z[sc.o4:][:sc.n]
	var load0, load1, load2 float64
	for _, i := range sc.kind {
		si, x := scale[i], of3(v, int(i))
		load0 += float64(si * x[0])
		load1 += float64(si * x[1])
		load2 += float64(si * x[2])
		worth += float64(b[i] * row[i])
	}
	return [3]float64{load0, load1, load2}, worth
}

// products3 is products.
func (q *kkt) products3(v, z, gv, gz []float64) {
	sc, n, lvl, price := q.scaled, q.n, v[3*q.n], of3(z[q.o3:], 0)
	scale, b, zsum, zrow := sc.scale[:n], sc.b[:n], z[sc.o2:][:n], z[sc.o4:][:n]
	sum, row := gv[sc.o2:][:n], gv[sc.o4:][:n]
	ph0, ph1, ph2 := float64(price[0]*sc.inv[0]), float64(price[1]*sc.inv[1]), float64(price[2]*sc.inv[2])
	for i, si := range scale {
		a, x, zx, o, p := of3(sc.a, i), of3(v, i), of3(z, i), of3(gv, i), of3(gz, i)
		a0, a1, a2, x0, x1, x2, head, y := a[0], a[1], a[2], x[0], x[1], x[2], zsum[i], zrow[i]
		o[0], o[1], o[2] = -x0, -x1, -x2
		sum[i] = x0 + x1 + x2
		row[i] = float64(b[i]*lvl) - (float64(a0*x0) + float64(a1*x1) + float64(a2*x2))
		p[0] = head - zx[0] + float64(si*ph0) - float64(a0*y)
		p[1] = head - zx[1] + float64(si*ph1) - float64(a1*y)
		p[2] = head - zx[2] + float64(si*ph2) - float64(a2*y)
	}
	load, worth := sc.over3(v, z)
	for j, f := range load {
		gv[sc.o3+j] = float64(f * sc.inv[j])
	}
	gz[3*n] = worth
}

// dot3 is the part of dot that the rows of the fractions have.
func (q *kkt) dot3(sum float64, a, b []float64) float64 {
	for _, i := range q.kind {
		f, g := of3(a, int(i)), of3(b, int(i))
		sum = sum + float64(f[0]*g[0]) + float64(f[1]*g[1]) + float64(f[2]*g[2])
	}
	return sum
}

// dots3 is the part of dots that the fractions have.
func (q *kkt) dots3(a, b, c, d []float64) (ab, cd float64) {
	for _, i := range q.kind {
		e, f, g, h := of3(a, int(i)), of3(b, int(i)), of3(c, int(i)), of3(d, int(i))
		ab = ab + float64(e[0]*f[0]) + float64(e[1]*f[1]) + float64(e[2]*f[2])
		cd = cd + float64(g[0]*h[0]) + float64(g[1]*h[1]) + float64(g[2]*h[2])
	}
	return ab, cd
}
