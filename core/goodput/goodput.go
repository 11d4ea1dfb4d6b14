// Package goodput computes how fast a data-parallel job trains and how much each example brings: the model of Pollux
// (OSDI 2021), by which a job chooses its own batch and a scheduler compares allocations. Numbers in,
// numbers out: it knows no events, no plans and no documents.
//
//	goodput of a batch M = throughput(M) · efficiency(M), in examples at the initial batch's worth per second
//
// Symbols: K GPUs, m examples a GPU and pass, s passes whose gradients are accumulated before the last
// one, M = K·m·(s+1) examples in all, M0 the initial batch, φ the gradient noise scale.
package goodput

import (
	"math"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

const (
	// least is the artifact's zero of times and parameters, whose logarithms are taken.
	least = 1e-8
	// slack keeps a quotient that is whole but for rounding from being rounded up.
	slack = 1e-8
	// candidates is how many batches are compared (the artifact).
	candidates = 50
)

// Sync is how long averaging the gradients of k GPUs takes, in s, on one node or several.
func Sync(p *model.Perf, k int32, several bool) float64 {
	more := max(float64(k-2), least)
	switch {
	case k <= 1:
		return least * (1 + least)
	case several:
		return p.AlphaN + float64(p.BetaN*more)
	}
	return p.AlphaR + float64(p.BetaR*more)
}

// At is how a job runs on k GPUs with batch m a GPU and accum accumulated passes.
func At(p *model.Perf, phi *model.Noise, k, m, accum int32, several bool) model.Point {
	pt := model.Point{Batch: m, Accum: accum, Grad: p.AlphaC + float64(p.BetaC*float64(m))}
	sync := unit.Exp(float64(p.Gamma * unit.Log(Sync(p, k, several))))
	pt.Iter = lastPass(pt.Grad, sync, p.Gamma)
	pt.Phi = phi.At(float64(pt.Total(k)))
	return pt
}

// lastPass is the time of the pass whose gradients are exchanged while it computes, (grad^γ + sync^γ)^(1/γ), in s; it
// is given sync^γ.
func lastPass(grad, sync, gamma float64) float64 {
	return unit.Exp(unit.Log(unit.Exp(float64(gamma*unit.Log(grad)))+sync) / gamma)
}

// Iteration is how long an iteration takes at a point, accumulated passes included, in s.
func Iteration(p model.Point) float64 { return float64(float64(p.Accum)*p.Grad) + p.Iter }

// Gain is the progress of one iteration with batch total, in iterations with batch init, under noise scale φ: from 1
// for φ = 0, where more examples bring nothing, to total/init for φ infinite.
func Gain(phi, init, total float64) float64 {
	return model.Efficiency(phi, init, total) * (total / init)
}

// Rate is the progress of a job on k GPUs at a point, in iterations with its initial batch per second; 0 if the point
// takes no time, which none does that runs.
func Rate(p model.Point, b model.Batches, k int32) unit.Rate {
	t := Iteration(p)
	if !(t > 0) {
		return 0
	}
	return unit.Rate(Gain(p.Phi, float64(b.Init), float64(p.Total(k))) / t)
}

// Best is the point with the most goodput of a job on k GPUs, of one node or several: the first of 50 batches in
// geometric sequence from the least to the most total batch. Its batch may exceed the most by rounding, or where k GPUs
// need more to have their least each; Clamp cuts it. Without accumulate there is one pass an iteration. The goodput is
// in examples with the initial batch's worth per second. ok is false when the job cannot run so.
//
// This is the variant of the paper's artifact (OSDI 2021); AdaptDL's of 2022 clips m to its limits instead.
func Best(p *model.Perf, phi *model.Noise, b model.Batches, k int32, several, accumulate bool) (pt model.Point,
	goodput float64, ok bool) {
	if k <= 0 || b.High <= 0 || b.Init <= 0 || b.Max <= 0 {
		return pt, 0, false
	}
	gpus, init, high := float64(k), float64(b.Init), float64(b.High)
	first := max(init, float64(float64(b.Low)*gpus))
	last := float64(b.Max)
	ratio := unit.Exp((unit.Log(last) - unit.Log(first)) / (candidates - 1))
	sync := unit.Exp(float64(p.Gamma * unit.Log(Sync(p, k, several))))
	before := model.Point{}
	total := first
	for i := range candidates {
		if i == candidates-1 {
			total = last
		}
		each := total / gpus
		total = float64(total * ratio)
		var c model.Point
		if accumulate {
			c.Accum = passes(each, high, k, init)
		}
		c.Batch = int32(math.Ceil(each/float64(c.Accum+1) - slack))
		if c.Batch < b.Low || c.Batch > b.High || c.Batch == before.Batch && c.Accum == before.Accum {
			continue
		}
		before = c
		c.Grad = p.AlphaC + float64(p.BetaC*float64(c.Batch))
		c.Iter = lastPass(c.Grad, sync, p.Gamma)
		all := float64(c.Total(k))
		c.Phi = phi.At(all)
		if g := all / Iteration(c) * model.Efficiency(c.Phi, init, all); g > goodput {
			pt, goodput, ok = c, g, true
		}
	}
	return pt, goodput, ok
}

// passes is how many passes are accumulated before the last so that each of a GPU's examples fit into its memory. One
// GPU with more than the initial batch accumulates at least one: from one gradient a step it could not tell the noise.
func passes(each, high float64, k int32, init float64) int32 {
	s := int32(math.Ceil(each/high-slack)) - 1
	if k == 1 && each > init+slack {
		return max(s, 1)
	}
	return s
}

// Clamp cuts the batch of a point that Best found to the job's most, as the artifact's simulator does after its search;
// ok is false when nothing is left of it.
func Clamp(p *model.Perf, phi *model.Noise, b model.Batches, k int32, several bool,
	pt model.Point) (model.Point, bool) {
	most := b.Max / (k * (pt.Accum + 1))
	if pt.Batch <= most {
		return pt, true
	}
	if most < 1 {
		return model.Point{}, false
	}
	return At(p, phi, k, most, pt.Accum, several), true
}

// Fixed is the point at which a job runs that keeps its total batch: as many passes as its GPUs' memory asks for,
// rounded up, and cut to the job's most. ok is false when it cannot run so.
func Fixed(p *model.Perf, phi *model.Noise, b model.Batches, k int32, several bool, total int32) (model.Point, bool) {
	if k <= 0 || b.High <= 0 || b.Init <= 0 || total <= 0 {
		return model.Point{}, false
	}
	each := math.Ceil(float64(total)/float64(k) - slack)
	s := passes(each, float64(b.High), k, float64(b.Init))
	m := min(int32(math.Ceil(each/float64(s+1)-slack)), b.Max/(k*(s+1)))
	if m < 1 {
		return model.Point{}, false
	}
	return At(p, phi, k, m, s, several), true
}
