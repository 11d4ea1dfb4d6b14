package model

import "hadarlab/core/unit"

// Noise is the gradient noise scale φ of a job in one phase of its training, in examples, by its total batch.
type Noise struct {
	batch, phi []float64 // logarithms, by batch ascending; empty = the same for every batch
	all        float64
}

// Alike is a noise scale that is the same for every batch: 0 to +Inf.
func Alike(phi float64) Noise { return Noise{all: phi} }

// NewNoise is the noise scale measured at some total batches, ascending: log φ is linear in log batch between two of
// them, and beyond them it is that of the nearest. phi are from 0 to +Inf.
func NewNoise(batches []int32, phi []float64) Noise {
	const beyond = 700 // stands for infinity and, negative, for the logarithm of 0: between them lines are drawn
	if len(batches) == 1 {
		return Alike(phi[0])
	}
	n := Noise{batch: make([]float64, len(batches)), phi: make([]float64, len(batches))}
	for i, b := range batches {
		n.batch[i] = unit.Log(float64(b))
		n.phi[i] = min(max(unit.Log(phi[i]), -beyond), beyond)
	}
	return n
}

// At is φ at a total batch.
func (n *Noise) At(total float64) float64 {
	last := len(n.batch) - 1
	if last < 0 {
		return n.all
	}
	x := unit.Log(total)
	i := 0
	for i < last && n.batch[i+1] <= x {
		i++
	}
	y := n.phi[i]
	if i < last && x > n.batch[i] {
		y += float64((n.phi[i+1] - y) * ((x - n.batch[i]) / (n.batch[i+1] - n.batch[i])))
	}
	return unit.Exp(y)
}

// Range is the least and the greatest φ at total batches between two: between two measured ones it is monotone.
func (n *Noise) Range(from, to float64) (low, high float64) {
	a, b := n.At(from), n.At(to)
	low, high = min(a, b), max(a, b)
	for i, x := range n.batch {
		if x > unit.Log(from) && x < unit.Log(to) {
			v := unit.Exp(n.phi[i])
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}
