package simtest

import (
	"math/rand/v2"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// alive are the members of an array that have not ended in the reference engine.
func (r *reference) alive(a *model.Array) (out []model.JobID) {
	for _, m := range a.Members {
		if r.own[m] < 0 {
			out = append(out, m)
		}
	}
	return out
}

// nextEnd is how many steps the next member of an array that ends has left.
func (r *reference) nextEnd(a *model.Array) float64 {
	least := -1.0
	for _, m := range r.alive(a) {
		if left := float64(r.p.Jobs[m].Work) - r.done[a.Members[0]]; least < 0 || left < least {
			least = left
		}
	}
	return least
}

// endMembers ends those members of an array that have done their work: the others stall, and lose no step to a fault.
// Each end that the kernel, rounding otherwise, has a tick later is a tick's work that later quotas leave out.
func (r *reference) endMembers(a *model.Array, rate unit.Rate, now unit.Tick) {
	j, ended := a.Members[0], false
	ticks := float64(rate) / 1000 * float64(len(a.Members))
	for _, m := range r.alive(a) {
		if r.done[j] >= float64(r.p.Jobs[m].Work)*(1-1e-9)-ticks {
			r.own[m], ended = now, true
		}
	}
	r.changed = r.changed || ended
	switch left := len(r.alive(a)); {
	case left == 0:
		r.finish[j] = now
	case ended:
		r.stall[j] = max(r.stall[j], now+r.p.Fusion.Refuse)
		r.saved[j], r.savedAt[j] = r.done[j], r.stall[j]
	}
}

// wildFusion draws a problem of Wild in which most jobs of one GPU belong to sweeps.
func wildFusion(rng *rand.Rand) *model.Problem {
	p := Wild(rng)
	p.Pairs, p.Know.Pairs = nil, nil
	f := &model.Fusion{Refuse: unit.Tick(rng.IntN(3)) * 12_300}
	sweeps := make([][]model.JobID, 1+rng.IntN(3))
	for i := range p.Jobs {
		if p.Jobs[i].Profile < 0 && rng.IntN(5) > 0 {
			k := rng.IntN(len(sweeps))
			sweeps[k] = append(sweeps[k], model.JobID(i))
		}
	}
	for _, sweep := range sweeps {
		var arrive []unit.Tick
		for _, j := range sweep {
			job, first := &p.Jobs[j], &p.Jobs[sweep[0]]
			job.Shape = model.Shape{Size: 1, Min: 1, Max: 1, Step: 1, Gangs: job.Shape.Gangs}
			job.Phases, job.Tenant, job.Weight = first.Phases[:1], first.Tenant, first.Weight
			p.Costs[j] = p.Costs[sweep[0]]
			arrive = append(arrive, job.Arrive)
		}
		most, curve := 1+rng.IntN(8), model.Gain{Use: float64(1+rng.IntN(10)) / 10, Beta: float64(rng.IntN(5)) / 10}
		first, at := model.Held(arrive, most, unit.Tick(rng.IntN(4000))*100)
		for i := range first {
			end := len(sweep)
			if i+1 < len(first) {
				end = first[i+1]
			}
			f.Arrays = append(f.Arrays, Array(p, sweep[first[i]:end], at[i], curve))
		}
	}
	p.Fusion = f
	return p
}

// TestPolicyFusion holds invariants and reference engine where jobs train as one, and counts how many did.
func TestPolicyFusion(t *testing.T) {
	runs, fused, held := 0, 0, 0
	all := eachPolicyOn(t, max(10, *scenarios/4), func(seed uint64) *model.Problem {
		return wildFusion(unit.Stream(seed, "fusion"))
	}, func(t *testing.T, p *model.Problem, s *policy.Spec) {
		tr := invariant(t, p, s)
		for i := range tr.Reasons {
			switch r := &tr.Reasons[i]; {
			case r.Code == trace.Fused && r.Num[0] > 1:
				fused++
			case r.Code == trace.WaitFusion:
				held++
			}
		}
		runs++
		refers(t, p, s)
	})
	t.Logf("%d runs, %d times an array of several trained on, %d jobs were held", runs, fused, held)
	if all && (runs < 2000 || fused < 1500 || held < 2000) {
		t.Errorf("only %d runs, %d arrays, %d held", runs, fused, held)
	}
}
