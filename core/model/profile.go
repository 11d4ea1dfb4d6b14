package model

import "math"

// Tier says how far apart the GPUs of a gang are.
type Tier uint8

const (
	OneNode Tier = iota // on one node
	OneRack             // on several nodes of one rack
	Network             // over several racks
	Tiers   = 3
)

// Perf is how long the iterations of a data-parallel job take on GPUs of one type: Pollux's throughput model (OSDI
// 2021, 3.2). With m examples a GPU and pass, a pass takes AlphaC + BetaC·m; averaging the gradients of K GPUs takes
// nothing for K = 1, AlphaR + BetaR·(K−2) on one node, and AlphaN + BetaN·(K−2) over several; Gamma says how much of
// the two overlaps: 1 is none, 10 nearly all. All but Gamma are in seconds.
type Perf struct {
	AlphaC, BetaC float64
	AlphaN, BetaN float64
	AlphaR, BetaR float64
	Gamma         float64
}

// Batches are the limits of a profiled job's batch, in examples.
type Batches struct {
	Init, Max int32 // of the whole gang: the initial one, in whose iterations its work is counted, and the most
	Low, High int32 // of one GPU and pass: the least that is worth it, and what its memory holds
	Kept      int32 // of the whole gang, at any size, of a job that keeps its batch; 0 = it adapts
}

// GPUs is the most among which a batch can be divided so that each has its least.
func (b Batches) GPUs() int32 {
	switch {
	case b.Kept > 0 && b.Low > 1: // shares are rounded up
		return (b.Kept - 1) / (b.Low - 1)
	case b.Kept > 0 || b.Low <= 0:
		return math.MaxInt32
	}
	return b.Max / b.Low
}

// Profile is what is known of how a model trains: how fast, and how much each example brings.
type Profile struct {
	Model   string
	Batches []Batches // by GPU type; High = 0 = does not run there
	Perf    []Perf    // by GPU type
}

// Point is how a profiled job runs on a gang: what it measures of itself there.
type Point struct {
	Batch int32   // examples a GPU and pass
	Accum int32   // passes before the last one whose gradients are kept back and added
	Grad  float64 // s, of one such pass
	Iter  float64 // s, of the last pass, with the exchange of gradients
	Phi   float64 // gradient noise scale at this batch in the present phase, in examples
}

// Total is the batch of a gang of n GPUs at the point, in examples.
func (p Point) Total(n int32) int32 { return n * p.Batch * (p.Accum + 1) }
