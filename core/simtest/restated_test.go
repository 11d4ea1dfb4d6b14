package simtest

import (
	"math"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

// restating states every plan of a policy anew: what the policy leaves as it is, it drops and keeps, or states gang by
// gang, in turn; what the policy states, it states again.
type restating struct {
	sim.Policy
	copies bool
	quota  map[model.JobID]bool // a gang of the job was stated with one
	n      *int
}

func (r restating) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	before := p.Mark()
	r.Policy.Decide(v, p, w)
	all := p.Stated()
	p.Undo(before)
	p.Clear()
	*r.n++
	for pass := range 2 { // what is kept comes first: nothing is kept beside what is stated
		for i := range all {
			g := &all[i]
			first := g.Members[0]
			kept := math.IsNaN(float64(first.Quota))
			if kept != (pass == 0) {
				continue
			}
			alone := len(g.Members) == 1 && v.Gangs(first.Job) == 1 && !r.quota[first.Job]
			if kept && !(alone && *r.n%2 == 0) {
				for _, m := range g.Members {
					p.Keep(m.Job)
				}
				continue
			}
			r.state(p, g)
		}
	}
}

func (r restating) state(p *sim.Plan, g *sim.Stated) {
	for i, m := range g.Members {
		switch {
		case i > 0:
			p.Join(m.Job)
		case r.copies:
			p.OpenCopy(m.Job, m.Config)
		default:
			p.Open(m.Job, m.Config)
		}
		if r.quota[m.Job] = m.Quota >= 0; r.quota[m.Job] {
			p.Quota(m.Quota)
		}
	}
	for _, sh := range g.Shards {
		p.Take(sh.Slot, sh.N)
	}
	p.Close()
}

// TestPolicyRestatedPlansCostNothing: whatever a policy has decided, it comes to the same when it leaves its jobs where
// they are, drops and keeps them, or states their gangs again (I10): the same spans, starts, moves, preemptions and
// events. Merges are charged by decisions, of which there are as many.
func TestPolicyRestatedPlansCostNothing(t *testing.T) {
	restated := 0
	all := eachPolicy(t, max(10, *scenarios/10), func(t *testing.T, p *model.Problem, s *policy.Spec) {
		for i := range p.Costs {
			p.Costs[i].Config = 3 * unit.Second // of another operating point on the same GPUs
		}
		want := Run(t, p, s.ID, nil)
		pub := p.Public()
		v, _ := s.Check(nil)
		pol, err := s.New(pub, v)
		if err != nil {
			t.Fatal(err)
		}
		c, n := s.Cadence(pub, v), 0
		again := restating{pol, c.Merge, map[model.JobID]bool{}, &n}
		got := Finish(t, p, StartWith(t, p, again, c, sim.Options{MaxEvents: 1e6}))
		restated += n
		if got.Hash() != want.Hash() || got.Events != want.Events {
			t.Errorf("I10: restated, the run has %d spans and %d events, not %d and %d", got.Spans.Len(), got.Events,
				want.Spans.Len(), want.Events)
		}
		for j := range want.Jobs {
			if a, b := &got.Jobs[j], &want.Jobs[j]; *a != *b {
				t.Errorf("I10: restated, job %s is %+v, not %+v", b.Name, *a, *b)
			}
		}
	})
	if all && restated < 1000 {
		t.Errorf("only %d plans were restated", restated)
	}
}
