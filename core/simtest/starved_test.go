package simtest

import (
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// patient is a policy that is asked again and again after it has left everything idle.
type patient struct {
	sim.Policy
	each unit.Tick
	left int // such questions
}

func (a *patient) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	a.Policy.Decide(v, p, w)
	if len(p.Stated()) == 0 && a.left > 0 {
		a.left--
		p.WakeAt(v.Now() + a.each)
	}
}

// TestPolicyStarvedStaysSo: a run ends as starved only if nobody would start later, were the policy asked on: one that
// goes by the clock asks for the decision itself (Plan.WakeAt). Stalls are long here, which is what makes Hadar wait.
func TestPolicyStarvedStaysSo(t *testing.T) {
	met := 0
	if all := eachPolicyOn(t, max(10, *scenarios/3), func(seed uint64) *model.Problem {
		rng := unit.Stream(seed, "starved")
		p := Random(rng)
		load := unit.Tick(rng.IntN(20)) * p.Round
		for j := range p.Costs {
			p.Costs[j].Load = load
		}
		if len(p.Jobs) > 2 { // more would be moved about for ever
			p.Jobs, p.Costs = p.Jobs[:2], p.Costs[:2]
		}
		p.Horizon = 1000 * p.Round
		return p
	}, func(t *testing.T, p *model.Problem, s *policy.Spec) {
		tr := Run(t, p, s.ID, nil)
		if tr.Outcome != trace.Starved {
			return
		}
		met++
		pub := p.Public()
		v, _ := s.Check(nil)
		own, err := s.New(pub, v)
		if err != nil {
			t.Fatal(err)
		}
		c := s.Cadence(pub, v)
		asked := Finish(t, p, StartWith(t, p.Under(v), &patient{own, max(c.Every, 30*unit.Second), 300}, c,
			sim.Options{MaxEvents: 1e6}))
		for j := range tr.Jobs {
			if tr.Jobs[j].Finish < 0 && asked.Jobs[j].Finish >= 0 {
				t.Errorf("at %v job %s is said never to finish; asked on, the policy has it done at %v", tr.End,
					tr.Jobs[j].Name, asked.Jobs[j].Finish)
			}
		}
	}); all && met < 15 {
		t.Errorf("only %d runs starved", met)
	}
}
