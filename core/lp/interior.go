package lp

import "math"

// path is the state of the interior point method on the self-dual embedding of the scaled problem:
//
//	G' z + cost tau          = 0
//	slack + G v - rhs tau    = 0
//	kappa + cost'v + rhs'z   = 0      slack, z, tau, kappa >= 0
//
// Every feasible, infeasible or unbounded problem has a solution of it with slack+z > 0 and
// tau+kappa > 0, and following the central path of the embedding leads into the relative interior of
// the optimal face. Source: Mehrotra's predictor and corrector on the embedding of Xu, Hung and Ye, as
// in the published description of ECOS (Domahidi, Chu, Boyd 2013).
type path struct {
	sys       system
	cost, rhs []float64
	delta     []float64 // slack/price, row by row

	v, s, z    []float64 // columns, rows, rows
	tau, kappa float64

	rd, rp []float64 // residuals of the first two lines, as what is missing
	rt     float64

	v1, z1     []float64 // answer to (-cost, rhs): the direction per unit of tau
	dv, dz, ds []float64
	bx, bz     []float64
	cross      []float64 // (ds·dz of the predictor - target) / z: its second-order error, to be taken out
	ex, ez     []float64 // residuals of a Newton system
	fx, fz     []float64 // corrections
}

// system is the part of a problem that the path does not know: G, and the Newton system
//
//	G' z          = bx
//	G v - delta z = bz
//
// The blocks of kkt and the columns of packed implement it, so that both have one path, one start
// and one refinement.
type system interface {
	products(v, z, gv, gz []float64) // gv = G v, gz = G' z
	factor(delta []float64)
	once(bx, bz, v, z []float64) // an answer, before refinement
	// rows counts the rows. dot adds their products to a first summand, each rounded by itself and in index order: the
	// same bits on every target. dots are two such sums from 0, of columns a, b and of rows c, d.
	rows() int
	dot(sum float64, a, b []float64) float64
	dots(a, b, c, d []float64) (ab, cd float64)
	// lack puts what an answer lacks into ex and ez, and gives the largest entry of these.
	lack(bx, bz, v, z, ex, ez []float64) float64
}

const (
	stay  = 0.99  // fraction of the way to the boundary
	stale = 12    // steps without a better point that end the run
	least = 1e-10 // shortest useful step
	fine  = 1e-13 // residual of a Newton system, relative to the largest entry of its sides, that is left as it is
)

// over prepares a path for minimising cost·v subject to G v <= rhs. It keeps the memory of the last
// one.
func (t *path) over(sys system, cost, rhs []float64) {
	t.sys, t.cost, t.rhs = sys, cost, rhs
	n, m := len(cost), len(rhs)
	for _, v := range []*[]float64{&t.v, &t.rd, &t.v1, &t.dv, &t.bx, &t.ex, &t.fx} {
		*v = grow(*v, n)
	}
	for _, v := range []*[]float64{&t.delta, &t.s, &t.z, &t.rp, &t.z1, &t.dz, &t.ds, &t.bz, &t.cross, &t.ez, &t.fz} {
		*v = grow(*v, m)
	}
}

// run follows the path and fills r with the best point met. Every iterate is repaired and proposed,
// for the best feasible point need not be the last. It ends at the tolerance, at a proof that the
// floors cannot be met, after too many steps, or when nothing has improved for a while: the point
// so far is then returned with the gap that is proven.
func (sv *Solver) run(p *Problem, r *Result) {
	tol, most := sv.Settings.Tol, sv.Settings.MaxIterations
	if !(tol > 0) {
		tol = 1e-10
	}
	if most <= 0 {
		most = 100
	}
	sv.measure(p, &sv.best)
	sv.path.start()
	low := math.Inf(1)
	for since := 0; ; since++ {
		sv.path.residuals()
		mu := sv.path.mu()
		if sv.propose(p) || mu < float64(0.5*low) {
			since, low = 0, math.Min(low, mu)
		}
		if sv.best.merit <= tol || r.Iterations >= most || since > stale {
			break
		}
		if sv.scaled.floors && sv.refute(p, &sv.cand) {
			r.Price, r.RowPrice, r.X = sv.cand.price, sv.cand.row, sv.cand.x
			*r = infeasible(*r, CauseFloors, -1)
			return
		}
		if !sv.path.advance(mu) {
			break
		}
		r.Iterations++
	}
	sv.report(r, tol)
}

// start finds a first iterate (Mehrotra): two least-squares problems, one for the slacks and one
// for the prices, whose answers are shifted into the interior.
func (t *path) start() {
	for i := range t.delta {
		t.delta[i] = 1
	}
	t.sys.factor(t.delta)
	clear(t.bx)
	copy(t.bz, t.rhs)
	t.solve(t.bx, t.bz, t.v, t.s)
	for i, f := range t.s {
		t.s[i] = -f // the second line of the system says z = G v - rhs
	}
	shift(t.s)
	for i, c := range t.cost {
		t.bx[i] = -c
	}
	clear(t.bz)
	t.solve(t.bx, t.bz, t.dv, t.z)
	shift(t.z)
	t.tau, t.kappa = 1, 1
}

// shift makes every entry positive by adding the same to all, so that their order stays.
func shift(v []float64) {
	low := math.Inf(1)
	for _, f := range v {
		low = math.Min(low, f)
	}
	if low > 1e-3 {
		return
	}
	for i := range v {
		v[i] += 1 - low
	}
}

// residuals computes what the iterate lacks in the three lines of the embedding.
func (t *path) residuals() {
	n, m, tau := len(t.cost), len(t.rhs), t.tau
	t.sys.products(t.v, t.z, t.rp, t.rd)
	rd := t.rd[:n]
	for i, c := range t.cost {
		rd[i] = -(rd[i] + float64(c*tau))
	}
	rp, s := t.rp[:m], t.s[:m]
	for i, h := range t.rhs {
		rp[i] = float64(h*tau) - rp[i] - s[i]
	}
	gains, worth := t.sys.dots(t.cost, t.v, t.rhs, t.z)
	t.rt = -(t.kappa + gains + worth)
}

// mu is the mean of the products slack×price, which the method drives to 0.
func (t *path) mu() float64 {
	return (t.sys.dot(0, t.s, t.z) + float64(t.tau*t.kappa)) / float64(t.sys.rows()+1)
}

// advance takes one predictor-corrector step. The predictor goes for the optimum at once; how far
// it gets tells how much the corrector must steer back to the middle, and its second-order error is
// taken out. mu is that of the iterate. It is false if no useful step is left.
func (t *path) advance(mu float64) bool {
	m := len(t.rhs)
	s, z, delta := t.s[:m], t.z[:m], t.delta[:m]
	for i, f := range s {
		delta[i] = f / z[i]
	}
	t.sys.factor(delta)
	for i, c := range t.cost {
		t.bx[i] = -c
	}
	t.solve(t.bx, t.rhs, t.v1, t.z1)
	// curve is how the last line of the embedding answers a step of tau. Written as a sum of
	// squares it stays positive, which a difference of products would not.
	for i, f := range t.z1[:m] {
		t.ez[i] = float64(delta[i] * f)
	}
	curve := t.sys.dot(t.kappa/t.tau, t.ez, t.z1)
	clear(t.cross)
	dtau, dkappa, a := t.direction(1, 0, 0, curve)
	// Mehrotra's rule: the further the predictor got, the less centring the corrector needs.
	sigma := 1 - a
	sigma = math.Max(1e-6, float64(float64(sigma*sigma)*sigma))
	target := float64(sigma * mu)
	cross, ds, dz := t.cross[:m], t.ds[:m], t.dz[:m]
	for i, f := range z {
		cross[i] = (float64(ds[i]*dz[i]) - target) / f
	}
	dtau, dkappa, a = t.direction(1-sigma, target, float64(dtau*dkappa), curve)
	a = math.Min(1, float64(stay*a))
	if !(a > least) || math.IsInf(dtau, 0) || math.IsNaN(dtau) {
		return false // anything not finite in the direction has reached dtau, a sum over all of it
	}
	for i, f := range t.dv {
		t.v[i] += float64(a * f)
	}
	for i, f := range ds {
		s[i] += float64(a * f)
		z[i] += float64(a * dz[i])
	}
	t.tau += float64(a * dtau)
	t.kappa += float64(a * dkappa)
	return true
}

// direction solves the Newton system that removes the share part of the residuals and brings every
// product slack×price to target less its second-order term, as cross has it. tau and kappa are one more
// such pair; their step follows from the answer to (-cost, rhs), which advance has computed once for
// predictor and corrector.
//
// reach is the longest step along it that keeps everything nonnegative, but no longer than 1/stay, so that stay times
// it is a full step.
func (t *path) direction(part, target, crossTau, curve float64) (dtau, dkappa, reach float64) {
	m := len(t.rhs)
	s, z, rp, cross, bz := t.s[:m], t.z[:m], t.rp[:m], t.cross[:m], t.bz[:m]
	for i, f := range t.rd {
		t.bx[i] = float64(part * f)
	}
	for i, f := range rp {
		bz[i] = float64(part*f) + s[i] + cross[i]
	}
	t.solve(t.bx, bz, t.dv, t.dz)
	rk := float64(t.tau*t.kappa) + crossTau - target
	gains, worth := t.sys.dots(t.cost, t.dv, t.rhs, t.dz)
	dtau = (gains + worth - float64(part*t.rt) - rk/t.tau) / curve
	dkappa = -(rk + float64(t.kappa*dtau)) / t.tau
	dv := t.dv[:len(t.v1)]
	for i, f := range t.v1 {
		dv[i] += float64(dtau * f)
	}
	worst := math.Max(stay, math.Max(-dtau/t.tau, -dkappa/t.kappa))
	dz, ds, delta := t.dz[:m], t.ds[:m], t.delta[:m]
	for i, f := range t.z1[:m] {
		d := dz[i] + float64(dtau*f)
		e := -cross[i] - s[i] - float64(delta[i]*d)
		dz[i], ds[i] = d, e
		if f := s[i]; -e > float64(worst*f) {
			worst = -e / f
		}
		if f := z[i]; -d > float64(worst*f) {
			worst = -d / f
		}
	}
	return dtau, dkappa, 1 / worst
}

// solve answers the Newton system at the factored delta. It is refined on its residuals up to three
// times, since delta spans many decades near the optimum and the elimination then loses digits.
func (t *path) solve(bx, bz, v, z []float64) {
	t.sys.once(bx, bz, v, z)
	last := math.Inf(1)
	for range 3 {
		e := t.sys.lack(bx, bz, v, z, t.ex, t.ez)
		// What is small enough by itself need not be measured against the sides.
		if !(e > fine) || !(e > float64(fine*(1+math.Max(norm(bx), norm(bz))))) || !(e < float64(0.5*last)) {
			return
		}
		last = e
		t.sys.once(t.ex, t.ez, t.fx, t.fz)
		for i, f := range t.fx {
			v[i] += f
		}
		for i, f := range t.fz {
			z[i] += f
		}
	}
}

// lack is the lack of a system whose products with G and G' stand in ex and ez already.
func lack(delta, bx, bz, z, ex, ez []float64) (e float64) {
	ex = ex[:len(bx)]
	for i, b := range bx {
		b -= ex[i]
		ex[i] = b
		e = larger(e, b)
	}
	delta, z, ez = delta[:len(bz)], z[:len(bz)], ez[:len(bz)]
	for i, b := range bz {
		b = b - ez[i] + float64(delta[i]*z[i])
		ez[i] = b
		e = larger(e, b)
	}
	return e
}

// dot is the sum of products in index order, each rounded by itself: the same bits on every target.
func dot(a, b []float64) float64 {
	s := 0.0
	b = b[:len(a)]
	for i, f := range a {
		s += float64(f * b[i])
	}
	return s
}
