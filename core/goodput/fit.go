package goodput

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// Observed is what a job measured of its iterations, and the throughput model that explains it best: Pollux's online
// fit. It is optimistic about what was never seen, so that a job is led to try more GPUs (prior-driven exploration).
type Observed struct {
	Perf model.Perf // of the last Fit
	rows []row      // by where, GPUs, batch
	most int32
}

// row is what was measured on one kind of gang with one batch, the first time.
type row struct {
	several   bool
	gpus      int32
	batch     float64
	grad      float64 // s
	grads     float64 // their logarithms
	iteration float64
}

// before says whether r comes before q among the rows: those of one node, of fewer GPUs, of smaller batches do.
func (r *row) before(q *row) bool {
	if r.several != q.several {
		return q.several
	}
	return r.gpus < q.gpus || r.gpus == q.gpus && r.batch < q.batch
}

// Clone is a copy that shares nothing.
func (o *Observed) Clone() Observed {
	c := *o
	c.rows = slices.Clone(o.rows)
	return c
}

// Any says whether anything was measured.
func (o *Observed) Any() bool { return len(o.rows) > 0 }

// Most is the largest gang that was measured, in GPUs.
func (o *Observed) Most() int32 { return o.most }

// Add notes that on k GPUs, of one node or several, with batch m a GPU, a pass takes grad and one with the exchange of
// gradients takes last seconds, both above 0. It says whether that is news: only then is there something to fit.
func (o *Observed) Add(k, m int32, several bool, grad, last float64) bool {
	r := row{several, k, float64(m), grad, unit.Log(grad), unit.Log(last)}
	at := len(o.rows)
	for ; at > 0 && !o.rows[at-1].before(&r); at-- {
		if !r.before(&o.rows[at-1]) {
			return false
		}
	}
	o.rows = append(o.rows, r)
	copy(o.rows[at+1:], o.rows[at:])
	o.rows[at] = r
	o.most = max(o.most, k)
	return true
}

// The parameters in the order in which the fit counts them.
const (
	alphaC = iota
	betaC
	alphaN
	betaN
	alphaR
	betaR
	gamma
	params
)

type (
	vector [params]float64
	matrix [params]vector
)

// Objective is what the fit makes least: the root mean squares of the errors of the logarithms of the two times, and
// what holds the parameters that the times leave open.
func (o *Observed) Objective(p *model.Perf) float64 {
	x := vector{p.AlphaC, p.BetaC, unit.Log(p.AlphaN), p.BetaN / p.AlphaN, unit.Log(p.AlphaR), p.BetaR / p.AlphaR,
		p.Gamma}
	var g vector
	var b matrix
	return o.value(&x, 1, 1, 0, &g, &b)
}

// value is the objective at a point of the search (scaled), its gradient g and, in the lower half of b, about its
// second derivatives: those of Gauss and Newton for sums of squares, divided by the roots. The mean squares are taken
// to be round more than they are, which smooths the kink where everything is explained.
func (o *Observed) value(x *vector, ofAlpha, ofBeta, round float64, g *vector, b *matrix) float64 {
	var byGrad, byIter vector // half the gradients of the sums of squares
	var seconds [2]matrix
	var sumGrad, sumIter, sync, syncs, powSync float64
	y := scaled(x, ofAlpha, ofBeta)
	n, power := float64(len(o.rows)), x[gamma]
	for i := range o.rows {
		r := &o.rows[i]
		more, at := max(float64(r.gpus-2), least), alphaR
		if r.several {
			at = alphaN
		}
		if i == 0 || r.gpus != o.rows[i-1].gpus || r.several != o.rows[i-1].several {
			sync = least * (1 + least)
			if r.gpus > 1 {
				sync = y[at] + float64(y[at+1]*more)
			}
			syncs = unit.Log(sync)
			powSync = unit.Exp(float64(power * syncs))
		}
		grad := y[alphaC] + float64(y[betaC]*r.batch)
		grads := unit.Log(grad)
		part := unit.Exp(float64(power * grads))
		all := part + powSync
		part /= all // of what the last pass takes that is the gradient's
		last := unit.Log(all) / power

		var d vector
		d[alphaC], d[betaC] = ofAlpha/grad, float64(ofBeta*r.batch)/grad
		off := grads - r.grads
		sumGrad += float64(off * off)
		add(&d, betaC, off, &byGrad, &seconds[0])

		d[alphaC], d[betaC] = float64(d[alphaC]*part), float64(d[betaC]*part)
		if r.gpus > 1 {
			d[at], d[at+1] = 1-part, float64((1-part)*more)*(y[at]/sync)
		}
		d[gamma] = (float64(part*grads) + float64((1-part)*syncs) - last) / power
		off = last - r.iteration
		sumIter += float64(off * off)
		add(&d, gamma, off, &byIter, &seconds[1])
	}
	rootGrad, rootIter := math.Sqrt(sumGrad/n+round), math.Sqrt(sumIter/n+round)
	ofGrad, ofIter := 1/max(float64(n*rootGrad), least), 1/max(float64(n*rootIter), least)
	for i := range g {
		g[i] = float64(byGrad[i]*ofGrad) + float64(byIter[i]*ofIter)
		for j := range i + 1 {
			b[i][j] = float64(seconds[0][i][j]*ofGrad) + float64(seconds[1][i][j]*ofIter)
		}
	}
	over := power - 1
	f := rootGrad + rootIter + float64(1e-3*float64(over*over))
	g[gamma] += float64(2e-3 * over)
	b[gamma][gamma] += 2e-3
	for _, a := range [...]int{betaN, betaR} {
		f += float64(1e-2 * float64(x[a]*x[a]))
		g[a] += float64(2e-2 * x[a])
		b[a][a] += 2e-2
	}
	return f
}

// add adds an error with its derivatives up to the parameter named last to sums.
func add(d *vector, last int, off float64, first *vector, second *matrix) {
	for i, v := range d[:last+1] {
		if v != 0 {
			first[i] += float64(off * v)
			for j, w := range d[:i+1] {
				second[i][j] += float64(v * w)
			}
		}
	}
}

// Fit finds the seven parameters that explain the measurements best. What no measurement speaks of is pinned to its
// optimistic end: several nodes cost no more than 1.1 times what one does, and GPUs beyond two cost nothing.
func (o *Observed) Fit() {
	if len(o.rows) == 0 {
		return
	}
	var one, several, many, varied bool
	var mean, batch float64
	for i := range o.rows {
		r := &o.rows[i]
		several = several || r.several && r.gpus > 1
		one = one || !r.several && r.gpus > 1
		many = many || r.gpus > 2
		varied = varied || r.batch != o.rows[0].batch
		mean += r.grad
		batch += r.batch
	}
	mean /= float64(len(o.rows))
	batch /= float64(len(o.rows))

	// The search is in multiples of the mean time and the mean batch, so that all are about 1.
	x := vector{0.5, 0.5, o.exchange(true), 0.05, o.exchange(false), 0.05, 1.5}
	low := vector{least / mean, least * batch / mean, unit.Log(least), 0, unit.Log(least), 0, 1}
	high := low
	for i := range high {
		high[i] = math.Inf(1)
	}
	high[gamma] = 10
	pin := func(i int, v float64) { x[i], low[i], high[i] = v, v, v }
	if !varied {
		pin(alphaC, 0.5)
	}
	if !several {
		pin(alphaN, unit.Log(least))
	}
	if !one {
		pin(alphaR, unit.Log(least))
	}
	if !many || !several {
		pin(betaN, 0)
	}
	if !many || !one {
		pin(betaR, 0)
	}
	o.minimise(&x, &low, &high, mean, mean/batch)
	x = scaled(&x, mean, mean/batch)
	for i := range x {
		x[i] = max(x[i], least)
	}
	if !several {
		x[alphaN] = max(x[alphaN], float64(1.1*x[alphaR]))
		x[betaN] = max(x[betaN], float64(1.1*x[betaR]))
	}
	o.Perf = model.Perf{AlphaC: x[alphaC], BetaC: x[betaC], AlphaN: x[alphaN], BetaN: x[betaN], AlphaR: x[alphaR],
		BetaR: x[betaR], Gamma: x[gamma]}
}

// exchange guesses the logarithm of the time that averaging gradients takes on several nodes, or on one.
func (o *Observed) exchange(several bool) float64 {
	sum, n := 0.0, 0.0
	for i := range o.rows {
		if r := &o.rows[i]; r.several == several && r.gpus > 1 {
			last := unit.Exp(r.iteration)
			sum += max(last-r.grad, float64(0.1*last))
			n++
		}
	}
	return unit.Log(max(sum/max(n, 1), least))
}

// scaled are the parameters at a point of the search, which knows the times of gradients in multiples of theirs, those
// of their exchange as logarithms, and what each GPU adds to them as a part of them: so the search is as easy where an
// exchange takes next to no time as elsewhere.
func scaled(x *vector, ofAlpha, ofBeta float64) vector {
	y := vector{float64(x[alphaC] * ofAlpha), float64(x[betaC] * ofBeta), unit.Exp(x[alphaN]), 0,
		unit.Exp(x[alphaR]), 0, x[gamma]}
	y[betaN], y[betaR] = float64(y[alphaN]*x[betaN]), float64(y[alphaR]*x[betaR])
	return y
}

const (
	maxSteps   = 40
	enough     = 1e-7  // a second step in a row that gains less of the objective is the last
	smoothness = 1e-11 // mean squared error of logarithms below which the fit does not see a difference
)

// minimise improves x, a point of the search, within its limits. Each step is Gauss and Newton's for the parameters
// that no limit holds, damped as Levenberg and Marquardt do until it gains, and projected into the limits. The
// objective is no sum of squares, but its roots lie below such sums that touch them at x: so a step is as sure to gain.
func (o *Observed) minimise(x, low, high *vector, ofAlpha, ofBeta float64) {
	var g, next, gNext vector
	var b, bNext matrix
	f := o.value(x, ofAlpha, ofBeta, smoothness, &g, &b)
	damp, idle := 1e-3, 0
	for range maxSteps {
		var held [params]bool
		for i := range x {
			held[i] = low[i] == high[i] || x[i] <= low[i] && g[i] >= 0 || x[i] >= high[i] && g[i] <= 0
		}
		step := solve(&b, &g, damp, &held)
		slope := 0.0
		for i := range x {
			// No step is longer than 1, by which exp changes enough.
			next[i] = min(max(x[i]+min(max(step[i], -1), 1), low[i]), high[i])
			slope += float64(g[i] * (next[i] - x[i]))
		}
		if !(slope < 0) && damp > 1e6 {
			return
		}
		fNext := o.value(&next, ofAlpha, ofBeta, smoothness, &gNext, &bNext)
		if !(fNext < f+float64(1e-4*slope)) {
			damp *= 8
			if damp > 1e9 {
				return
			}
			continue
		}
		damp = max(damp/6, 1e-9)
		if f-fNext < float64(enough*f) {
			idle++
		} else {
			idle = 0
		}
		*x, g, b, f = next, gNext, bNext, fNext
		if idle == 2 {
			return
		}
	}
}

// solve is the step −(b + damp·diagonal)⁻¹g of the parameters that are not held, by Cholesky's factors.
func solve(b *matrix, g *vector, damp float64, held *[params]bool) (step vector) {
	var l matrix
	for i := range l {
		if held[i] {
			continue
		}
		sum := -g[i]
		for j := range i + 1 {
			if held[j] {
				continue
			}
			v := b[i][j]
			if i == j {
				v += float64(damp*v) + 1e-12
			}
			for k := range j {
				v -= float64(l[i][k] * l[j][k])
			}
			if i == j {
				l[i][i] = math.Sqrt(max(v, 1e-12))
			} else {
				l[i][j] = v / l[j][j]
				sum -= float64(l[i][j] * step[j])
			}
		}
		step[i] = sum / l[i][i]
	}
	for i := params - 1; i >= 0; i-- {
		if held[i] {
			continue
		}
		for j := i + 1; j < params; j++ {
			step[i] -= float64(l[j][i] * step[j]) // rows of l that are held are zero
		}
		step[i] /= l[i][i]
	}
	return step
}
