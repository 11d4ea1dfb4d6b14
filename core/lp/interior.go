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
	v, s, z    []float64 // n*k+1, m, m
	tau, kappa float64

	rd, rp []float64 // residuals of the first two lines, as what is missing
	rt     float64

	v1, z1     []float64 // answer to (-cost, rhs): the direction per unit of tau
	dv, dz, ds []float64
	bx, bz     []float64
	cross      []float64 // second-order term of the predictor
}

const (
	stay  = 0.99  // fraction of the way to the boundary
	stale = 12    // steps without a better point that end the run
	least = 1e-10 // shortest useful step
)

func (t *path) size(sc *scaled) {
	nk1 := sc.n*sc.k + 1
	t.v, t.rd, t.v1, t.dv, t.bx = grow(t.v, nk1), grow(t.rd, nk1), grow(t.v1, nk1), grow(t.dv, nk1), grow(t.bx, nk1)
	t.s, t.z, t.rp = grow(t.s, sc.m), grow(t.z, sc.m), grow(t.rp, sc.m)
	t.z1, t.dz, t.ds = grow(t.z1, sc.m), grow(t.dz, sc.m), grow(t.ds, sc.m)
	t.bz, t.cross = grow(t.bz, sc.m), grow(t.cross, sc.m)
}

// run follows the path and fills r.
func (sv *Solver) run(p *Problem, r *Result) {
	tol, most := sv.Settings.Tol, sv.Settings.MaxIterations
	if !(tol > 0) {
		tol = 1e-10
	}
	if most <= 0 {
		most = 100
	}
	sv.measure(p, &sv.best)
	sv.start()
	low := math.Inf(1)
	for since := 0; ; since++ {
		sv.residuals()
		if mu := sv.mu(); sv.propose(p) || mu < float64(0.5*low) {
			since, low = 0, math.Min(low, mu)
		}
		if sv.best.merit <= tol || r.Iterations >= most || since > stale {
			break
		}
		if sv.floors && sv.refute(p, &sv.cand) {
			r.Price, r.RowPrice, r.X = sv.cand.price, sv.cand.row, sv.cand.x
			*r = infeasible(*r, CauseFloors, -1)
			return
		}
		if !sv.advance() {
			break
		}
		r.Iterations++
	}
	sv.report(r, tol)
}

// start solves two least-squares problems, one for the slacks and one for the prices, and shifts
// both into the interior.
func (sv *Solver) start() {
	sc, q, t := &sv.scaled, &sv.kkt, &sv.path
	for i := range q.delta {
		q.delta[i] = 1
	}
	q.factor(sc)
	clear(t.bx)
	copy(t.bz, sc.rhs)
	q.solve(sc, t.bx, t.bz, t.v, t.s)
	for i, f := range t.s {
		t.s[i] = -f // the second line of the system says z = G v - rhs
	}
	shift(t.s)
	for i, c := range sc.cost {
		t.bx[i] = -c
	}
	clear(t.bz)
	q.solve(sc, t.bx, t.bz, t.dv, t.z)
	shift(t.z)
	t.tau, t.kappa = 1, 1
}

// shift adds a constant that makes every entry positive.
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

func (sv *Solver) residuals() {
	sc, t := &sv.scaled, &sv.path
	sc.transpose(t.z, t.rd)
	for i, c := range sc.cost {
		t.rd[i] = -(t.rd[i] + float64(c*t.tau))
	}
	sc.apply(t.v, t.rp)
	for i, h := range sc.rhs {
		t.rp[i] = float64(h*t.tau) - t.rp[i] - t.s[i]
	}
	t.rt = -(t.kappa + dot(sc.cost, t.v) + dot(sc.rhs, t.z))
}

// mu is the mean of the products that the method drives to 0.
func (sv *Solver) mu() float64 {
	t := &sv.path
	return (dot(t.s, t.z) + float64(t.tau*t.kappa)) / float64(sv.m+1)
}

// advance takes one predictor-corrector step; false if no useful step is left.
func (sv *Solver) advance() bool {
	sc, q, t := &sv.scaled, &sv.kkt, &sv.path
	for i, s := range t.s {
		q.delta[i] = s / t.z[i]
	}
	q.factor(sc)
	for i, c := range sc.cost {
		t.bx[i] = -c
	}
	q.solve(sc, t.bx, sc.rhs, t.v1, t.z1)
	curve := t.kappa / t.tau
	for i, z := range t.z1 {
		curve += float64(float64(q.delta[i]*z) * z)
	}
	mu := sv.mu()
	clear(t.cross)
	dtau, dkappa := sv.direction(1, 0, 0, curve)
	a := sv.reach(dtau, dkappa)
	sigma := 1 - a
	sigma = math.Max(1e-6, float64(float64(sigma*sigma)*sigma))
	for i := range t.cross {
		t.cross[i] = float64(t.ds[i] * t.dz[i])
	}
	dtau, dkappa = sv.direction(1-sigma, float64(sigma*mu), float64(dtau*dkappa), curve)
	a = math.Min(1, float64(stay*sv.reach(dtau, dkappa)))
	if !(a > least) || math.IsInf(dtau, 0) || math.IsNaN(dtau) {
		return false // anything not finite in the direction has reached dtau, a sum over all of it
	}
	for i := range t.v {
		t.v[i] += float64(a * t.dv[i])
	}
	for i := range t.s {
		t.s[i] += float64(a * t.ds[i])
		t.z[i] += float64(a * t.dz[i])
	}
	t.tau += float64(a * dtau)
	t.kappa += float64(a * dkappa)
	return true
}

// direction solves the Newton system that removes the share part of the residuals and brings every
// product slack×z to target - cross.
func (sv *Solver) direction(part, target, crossTau, curve float64) (dtau, dkappa float64) {
	sc, q, t := &sv.scaled, &sv.kkt, &sv.path
	for i, f := range t.rd {
		t.bx[i] = float64(part * f)
	}
	for i, s := range t.s {
		t.bz[i] = float64(part*t.rp[i]) + s + (t.cross[i]-target)/t.z[i]
	}
	q.solve(sc, t.bx, t.bz, t.dv, t.dz)
	rk := float64(t.tau*t.kappa) + crossTau - target
	dtau = (dot(sc.cost, t.dv) + dot(sc.rhs, t.dz) - float64(part*t.rt) - rk/t.tau) / curve
	for i, f := range t.v1 {
		t.dv[i] += float64(dtau * f)
	}
	for i, f := range t.z1 {
		t.dz[i] += float64(dtau * f)
		t.ds[i] = (target-t.cross[i])/t.z[i] - t.s[i] - float64(q.delta[i]*t.dz[i])
	}
	dkappa = -(rk + float64(t.kappa*dtau)) / t.tau
	return dtau, dkappa
}

// reach is the longest step, up to 1/stay, that keeps everything nonnegative.
func (sv *Solver) reach(dtau, dkappa float64) float64 {
	t := &sv.path
	worst := math.Max(stay, math.Max(-dtau/t.tau, -dkappa/t.kappa))
	for i, d := range t.ds {
		if s := t.s[i]; -d > float64(worst*s) {
			worst = -d / s
		}
		if z := t.z[i]; -t.dz[i] > float64(worst*z) {
			worst = -t.dz[i] / z
		}
	}
	return 1 / worst
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, f := range a {
		s += float64(f * b[i])
	}
	return s
}
