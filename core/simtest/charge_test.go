package simtest

import (
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

// TestPolicyChargesAsTold: what the view says before a decision that a gang would stall is what it stalls after it,
// with costs and without, also where a stall runs. What copies cost to merge and operating points to change is not in
// it.
func TestPolicyChargesAsTold(t *testing.T) {
	stalls := 0
	all := eachPolicyOn(t, max(10, *scenarios/10), func(seed uint64) *model.Problem {
		rng := unit.Stream(seed, "charges")
		p := wildMixed(rng)
		SomeSplits(rng, p)
		for i := range p.Costs {
			p.Costs[i].Config, p.Costs[i].Merge = 0, 0
			if seed%2 == 0 {
				p.Costs[i].Load, p.Costs[i].Save = 0, 0
			}
		}
		for i := range p.Jobs {
			if s := p.Jobs[i].Shape.Split; s != nil && s.Learned {
				early := *s // others may have the same
				early.Check, early.Change = min(s.Check, 20*unit.Second), 300*unit.Second
				p.Jobs[i].Shape.Split = &early
			}
		}
		return p
	}, func(t *testing.T, p *model.Problem, s *policy.Spec) {
		r := Start(t, p, s.ID, nil, sim.Options{MaxEvents: 1e6})
		told := map[model.JobID]unit.Tick{}
		var view sim.View
		r.Observe(func(v sim.View, plan *sim.Plan) {
			gangs := map[model.JobID]int{}
			for _, g := range plan.Stated() {
				for _, m := range g.Members {
					gangs[m.Job]++
					told[m.Job] = v.Charge(m.Job, g.Shards)
				}
			}
			for j, n := range gangs {
				if n > 1 {
					delete(told, j)
				}
			}
			view = v
		})
		for {
			clear(told)
			if !r.Step() {
				break
			}
			for j, want := range told {
				if got := view.Charge(j, view.Gang(j, 0)); got != want {
					t.Errorf("at %v job %d was to stall for %v and does for %v", view.Now(), j+1, want, got)
				} else if got > 0 {
					stalls++
				}
			}
		}
	})
	if all && stalls < 1000 {
		t.Errorf("only %d gangs stalled after a decision", stalls)
	}
}
