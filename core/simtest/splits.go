package simtest

import (
	"math/rand/v2"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// Splits are ways to split a batch by speed, with what may bind, and learned ones.
var Splits = []*model.Split{nil, {}, {Overhead: 0.3}, {Least: 0.5, Most: 1.5}, {Overhead: 0.6, Most: 2},
	{Least: 1, Most: 1},
	{Learned: true, Band: 0.2, Check: 60 * unit.Second},
	{Learned: true, Band: 0.2, Check: 30 * unit.Second, Change: 5 * unit.Second, Overhead: 0.4},
	{Learned: true, Band: 0.1, Check: 100 * unit.Second, Change: 2 * unit.Second, Overhead: 0.5, Least: 0.3, Most: 1.6}}

// SomeSplits gives every job of p one of them.
func SomeSplits(rng *rand.Rand, p *model.Problem) {
	for i := range p.Jobs {
		p.Jobs[i].Shape.Split = Splits[rng.IntN(len(Splits))]
	}
}

// Learns says whether a job's gangs of several types find out how to share its batch, so that their speed is not yet
// the one that is foretold.
func Learns(j *model.Job) bool { return j.Shape.Split != nil && j.Shape.Split.Learned }
