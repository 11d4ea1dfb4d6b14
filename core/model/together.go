package model

import (
	"math"

	"hadarlab/core/unit"
)

// Training is what a profiled job's progress depends on beside its speed, in one phase: how much an example is worth
// in a larger batch.
type Training struct {
	Noise     Noise
	Init, Max int32 // the initial batch, in whose iterations work is counted, and the most, in examples
}

// Efficiency is the worth of an example in batch total, against one in batch init: (φ + init)/(φ + total), with φ the
// gradient noise scale (Pollux, OSDI 2021, 3.1). All are in examples.
func Efficiency(phi, init, total float64) float64 {
	if math.IsInf(phi, 1) {
		return 1
	}
	return (phi + init) / (phi + total)
}

// Together is the speed of copies of one job that train side by side, each a gang on one node, and are averaged from
// time to time (HadarE). They wait for nobody between two averages, so that their speeds add.
//
// With a profile they cannot do better than one gang with the batch of all: an example is worth what it is worth in
// the summed batch M, at φ of M, and M is at most the profile's most (ours; HadarE's abstract has no batches). The
// zero value has no copies.
type Together struct {
	steps float64 // Σ of the copies' steps per second, if an example were worth as much as in the initial batch
	batch int32   // M
	n     int
	with  *Training
}

// Add adds a copy of so many GPUs, the first of which are of type typ, that alone does rate steps per second. It is
// false, and adds nothing, where the copy cannot run or the batch of all would be more than the profile's most.
func (t *Together) Add(tab *Throughput, typ TypeID, size int32, rate unit.Rate) bool {
	if rate <= 0 {
		return false
	}
	batch, alone := tab.Example(typ, size)
	if t.n > 0 && batch > 0 && t.batch+batch > tab.training.Max {
		return false
	}
	t.steps, t.batch, t.n, t.with = t.steps+float64(rate)/alone, t.batch+batch, t.n+1, tab.training
	return true
}

// Example is the batch of a gang, and what an example is worth in it; 0 and 1 without a profile.
func (t *Throughput) Example(typ TypeID, size int32) (batch int32, worth float64) {
	p, ok := t.Point(typ, size, OneNode)
	if !ok || t.training == nil {
		return 0, 1
	}
	batch = p.Total(size)
	return batch, Efficiency(p.Phi, float64(t.training.Init), float64(batch))
}

// Rate is the speed of all copies in steps per second.
func (t *Together) Rate() unit.Rate { return unit.Rate(t.steps * t.Efficiency()) }

// Part is what a copy that was added, as it was added, contributes to Rate.
func (t *Together) Part(tab *Throughput, typ TypeID, size int32, rate unit.Rate) unit.Rate {
	if t.n < 2 || t.batch == 0 {
		return rate
	}
	_, alone := tab.Example(typ, size)
	return unit.Rate(float64(rate) / alone * t.Efficiency())
}

// Batch is the batch of all copies in examples; 0 without a profile.
func (t *Together) Batch() int32 { return t.batch }

// Efficiency is the worth of an example in the batch of all copies, against one in the initial batch; 1 without a
// profile.
func (t *Together) Efficiency() float64 {
	if t.batch == 0 {
		return 1
	}
	return Efficiency(t.with.Noise.At(float64(t.batch)), float64(t.with.Init), float64(t.batch))
}
