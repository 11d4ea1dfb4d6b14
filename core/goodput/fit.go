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
	var g vector
	return o.value(&vector{p.AlphaC, p.BetaC, p.AlphaN, p.BetaN, p.AlphaR, p.BetaR, p.Gamma}, &g)
}

// value is the objective and its gradient g.
func (o *Observed) value(x, g *vector) float64 {
	var byGrad, byIter vector // half the gradients of the sums of squares
	var sumGrad, sumIter, sync, syncs, powSync float64
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
				sync = x[at] + float64(x[at+1]*more)
			}
			syncs = unit.Log(sync)
			powSync = unit.Exp(float64(power * syncs))
		}
		grad := x[alphaC] + float64(x[betaC]*r.batch)
		grads := unit.Log(grad)
		part := unit.Exp(float64(power * grads))
		all := part + powSync
		part /= all // of what the last pass takes that is the gradient's
		last := unit.Log(all) / power

		off := grads - r.grads
		sumGrad += float64(off * off)
		byGrad[alphaC] += off / grad
		byGrad[betaC] += float64(off*r.batch) / grad

		off = last - r.iteration
		sumIter += float64(off * off)
		byIter[alphaC] += float64(off*part) / grad
		byIter[betaC] += float64(float64(off*part)*r.batch) / grad
		if r.gpus > 1 {
			byIter[at] += float64(off*(1-part)) / sync
			byIter[at+1] += float64(float64(off*(1-part))*more) / sync
		}
		byIter[gamma] += float64(off * ((float64(part*grads) + float64((1-part)*syncs) - last) / power))
	}
	rootGrad, rootIter := math.Sqrt(sumGrad/n), math.Sqrt(sumIter/n)
	for i := range g {
		g[i] = byGrad[i]/max(float64(n*rootGrad), 1e-300) + byIter[i]/max(float64(n*rootIter), 1e-300)
	}
	over := power - 1
	f := rootGrad + rootIter + float64(1e-3*float64(over*over))
	g[gamma] += float64(2e-3 * over)
	for _, a := range [...]int{alphaN, alphaR} {
		ratio := x[a+1] / x[a]
		f += float64(1e-2 * float64(ratio*ratio))
		g[a+1] += float64(2e-2*ratio) / x[a]
		g[a] -= float64(2e-2*float64(ratio*ratio)) / x[a]
	}
	return f
}

// Fit finds the seven parameters that explain the measurements best. What no measurement speaks of is pinned to its
// optimistic end: several nodes cost no more than 1.1 times what one does, and GPUs beyond two cost nothing.
func (o *Observed) Fit() {
	if len(o.rows) == 0 {
		return
	}
	var one, several, many, varied bool
	mean := 0.0
	for i := range o.rows {
		r := &o.rows[i]
		several = several || r.several && r.gpus > 1
		one = one || !r.several && r.gpus > 1
		many = many || r.gpus > 2
		varied = varied || r.batch != o.rows[0].batch
		mean += r.grad
	}
	mean /= float64(len(o.rows))
	x := vector{0.1, 0.01, 0.1, 0.01, 0.1, 0.01, 1.001}
	low, high := vector{}, vector{}
	for i := range low {
		low[i], high[i] = least, math.Inf(1)
	}
	low[gamma], high[gamma] = 1, 10
	pin := func(i int, v float64) { x[i], low[i], high[i] = v, v, v }
	if !varied {
		pin(alphaC, mean/2)
	}
	if !several {
		pin(alphaN, least)
	}
	if !one {
		pin(alphaR, least)
	}
	if !many || !several {
		pin(betaN, least)
	}
	if !many || !one {
		pin(betaR, least)
	}
	o.minimise(&x, &low, &high)
	if !several {
		x[alphaN] = max(x[alphaN], float64(1.1*x[alphaR]))
		x[betaN] = max(x[betaN], float64(1.1*x[betaR]))
	}
	o.Perf = model.Perf{AlphaC: x[alphaC], BetaC: x[betaC], AlphaN: x[alphaN], BetaN: x[betaN], AlphaR: x[alphaR],
		BetaR: x[betaR], Gamma: x[gamma]}
}
