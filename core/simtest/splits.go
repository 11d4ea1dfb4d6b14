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

// SomeSplits gives every job of p one of them, or one that is drawn.
func SomeSplits(rng *rand.Rand, p *model.Problem) {
	for i := range p.Jobs {
		if p.Jobs[i].Shape.Split = Splits[rng.IntN(len(Splits))]; rng.IntN(2) == 0 {
			p.Jobs[i].Shape.Split = drawnSplit(rng)
		}
	}
}

// drawnSplit has any overhead, bounds, dead band, period and cost of a change, in as many as a document can say.
func drawnSplit(rng *rand.Rand) *model.Split {
	s := &model.Split{}
	if rng.IntN(3) > 0 {
		s.Overhead = float64(rng.IntN(96)) / 100
	}
	if rng.IntN(2) == 0 {
		s.Least = float64(rng.IntN(101)) / 100
	}
	if rng.IntN(2) == 0 {
		s.Most = float64(100+rng.IntN(300)) / 100
	}
	if rng.IntN(3) > 0 {
		s.Learned, s.Band = true, float64(1+rng.IntN(90))/100
		s.Check = unit.Tick(10+rng.IntN(1500)) * 100
		if rng.IntN(2) == 0 {
			s.Change = unit.Tick(rng.IntN(3000)) * 100
		}
	}
	return s
}

// Learns says whether a job's gangs of several types find out how to share its batch, so that their speed is not yet
// the one that is foretold.
func Learns(j *model.Job) bool { return j.Shape.Split != nil && j.Shape.Split.Learned }
