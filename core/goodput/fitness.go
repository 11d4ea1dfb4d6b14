package goodput

import (
	"math"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// floor is added to every speedup of a power mean, so that a job without GPUs counts as much and not without end.
const floor = 0.001

// Curve is what a job is believed to gain from GPUs: its best goodput by their number, on one node and on several. It
// is worked out as far as it is asked for, and anew when the belief changes. Of a job that measured nothing yet it is
// the number of GPUs.
type Curve struct {
	perf    model.Perf
	batches model.Batches
	phi     model.Noise
	known   bool
	best    [2][]float64 // by GPUs; below 0 = not yet worked out
}

// Set changes the belief.
func (c *Curve) Set(p *model.Perf, phi float64, b model.Batches) {
	if c.known && c.perf == *p && c.phi.At(1) == phi && c.batches == b {
		return
	}
	c.perf, c.batches, c.phi, c.known = *p, b, model.Alike(phi), true
	for i := range c.best {
		c.best[i] = c.best[i][:0]
	}
}

// Known says whether there is a belief.
func (c *Curve) Known() bool { return c.known }

// Point is the best point on k GPUs, by belief.
func (c *Curve) Point(k int32, several bool) (model.Point, bool) {
	if !c.known {
		return model.Point{}, false
	}
	p, _, ok := c.on(k, several)
	return p, ok
}

// on is the best point on k GPUs and its goodput or, of a job that keeps its batch, the only one. It cannot run where a
// GPU would have fewer examples than its least.
func (c *Curve) on(k int32, several bool) (pt model.Point, goodput float64, ok bool) {
	if c.batches.Kept == 0 {
		return Best(&c.perf, &c.phi, c.batches, k, several, true)
	}
	pt, ok = Fixed(&c.perf, &c.phi, c.batches, k, several, c.batches.Kept)
	if !ok || pt.Batch < c.batches.Low {
		return model.Point{}, 0, false
	}
	return pt, float64(float64(Rate(pt, c.batches, k)) * float64(c.batches.Init)), true
}

// Goodput is the most on k GPUs, in examples with the initial batch's worth per second; 0 if it cannot run there.
func (c *Curve) Goodput(k int32, several bool) float64 {
	if !c.known {
		return float64(k)
	}
	of := &c.best[0]
	if several {
		of = &c.best[1]
	}
	for int32(len(*of)) <= k {
		*of = append(*of, -1)
	}
	if (*of)[k] < 0 {
		_, (*of)[k], _ = c.on(k, several)
	}
	return (*of)[k]
}

// Discount is the part of its speedup that a job is held to have on other GPUs than its present ones: of its age in s,
// what restarts of delay s each, one more included, leave of it.
func Discount(age, delay float64, restarts int32) float64 {
	if !(age+delay > 0) {
		return 1
	}
	return max(age-float64(float64(restarts)*delay), 0) / (age + delay)
}

// term is what a job adds to a power mean with exponent p, as a cost: less is better.
func term(p, speedup float64) float64 {
	x := speedup + floor
	switch {
	case p == -1:
		return 1 / x
	case p == 0:
		return -unit.Log(x)
	case p < 0:
		return unit.Exp(float64(p * unit.Log(x)))
	}
	return -unit.Exp(float64(p * unit.Log(x)))
}

// mean is the power mean of n jobs whose terms sum up to cost.
func mean(p, cost float64, n int) float64 {
	cost /= float64(n)
	switch {
	case p == -1:
		return 1 / cost
	case p == 0:
		return unit.Exp(-cost)
	}
	return unit.Exp(unit.Log(math.Abs(cost)) / p)
}
