package gavel_test

import (
	"math"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// pair lets every two tables of p share a GPU of any type at the given part of their own speeds.
func pair(p *model.Problem, part func(a, b int) float64) *model.Problem {
	for a := range p.Tables {
		for b := a; b < len(p.Tables); b++ {
			for t := range p.Cluster.Types {
				f := unit.Rate(part(a, b))
				p.Pairs = append(p.Pairs, model.Pair{A: int32(a), B: int32(b), Type: model.TypeID(t),
					RateA: f * p.Tables[a].Rate(model.TypeID(t), 1, model.OneNode),
					RateB: f * p.Tables[b].Rate(model.TypeID(t), 1, model.OneNode)})
			}
		}
	}
	return p
}

// TestPackedByHand: two jobs on one GPU share it at 0.8 of their speed each, which beats half the time, and
// end together; where sharing costs more than half they take turns, and the first to end is not held up.
func TestPackedByHand(t *testing.T) {
	for _, c := range []struct {
		part, ends float64
	}{{0.8, 3600 / 0.8}, {0.4, 7200}} {
		p := pair(simtest.Build(360, []simtest.Node{{"v100": 1}}, []simtest.Job{
			{GPUs: 1, Steps: 36000, Rates: map[string]float64{"v100": 10}},
			{GPUs: 1, Steps: 36000, Rates: map[string]float64{"v100": 10}}},
			model.Costs{}), func(a, b int) float64 { return c.part })
		tr := simtest.Run(t, p, "gavel-packed", map[string]any{"min_reset_s": 0.0})
		last := max(tr.Jobs[0].Finish, tr.Jobs[1].Finish)
		if tr.Outcome != trace.Done || math.Abs(last.Seconds()-c.ends) > 1e-3 {
			t.Errorf("at %v of the speed the last ends at %v s, want %v", c.part, last.Seconds(), c.ends)
		}
		if c.part > 0.5 && tr.Jobs[0].Finish != tr.Jobs[1].Finish {
			t.Errorf("they share, yet end at %v and %v", tr.Jobs[0].Finish, tr.Jobs[1].Finish)
		}
	}
}

// TestPackedOnRandomPairs checks the invariants with pairs of every quality.
func TestPackedOnRandomPairs(t *testing.T) {
	shared := 0
	for seed := range 150 {
		rng := unit.Stream(uint64(seed), "packed")
		p := pair(simtest.Random(rng), func(int, int) float64 { return float64(rng.IntN(11)) / 10 })
		tr := simtest.Run(t, p, "gavel-packed", nil)
		starved := func(j int) bool { // a gang that no type can hold
			for t := range p.Cluster.Types {
				if n := p.Jobs[j].Shape.Size; p.Cluster.Count(model.TypeID(t)) >= n &&
					p.Tables[j].Rate(model.TypeID(t), n, model.OneNode) > 0 {
					return false
				}
			}
			return true
		}
		for j := range tr.Jobs {
			if tr.Jobs[j].Finish < 0 && !starved(j) {
				t.Fatalf("seed %d: job %d never ends, %v", seed, j, tr.Outcome)
			}
		}
		for _, with := range tr.Spans.With {
			if with >= 0 {
				shared++
			}
		}
		again := simtest.Run(t, p, "gavel-packed", nil)
		if again.Hash() != tr.Hash() {
			t.Fatalf("seed %d: another hash", seed)
		}
	}
	if shared < 100 {
		t.Errorf("only %d spans are shared", shared)
	}
}
