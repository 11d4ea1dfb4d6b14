package simtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// drawForces draws up to three choices for decisions of a run with so many rounds: to wait, a gang of the
// job's size on GPUs anywhere, or copies where the policy forks. Some cannot be applied.
func drawForces(rng *rand.Rand, p *model.Problem, rounds int, forks bool) (out []sim.Force) {
	for range 1 + rng.IntN(3) {
		f := sim.Force{Round: rng.IntN(rounds), Job: model.JobID(rng.IntN(len(p.Jobs)))}
		var used []int32 = make([]int32, len(p.Cluster.Slots))
		if rng.IntN(4) > 0 {
			gangs, size := 1, p.Jobs[f.Job].Shape.Min
			if forks {
				gangs, size = 1+rng.IntN(2), 1+rng.Int32N(3)
			}
			for range gangs {
				if g := drawGang(rng, p, used, size); g != nil {
					f.Gangs = append(f.Gangs, g)
				}
			}
		}
		out = append(out, f)
	}
	return out
}

// drawGang takes n GPUs one by one, of slots in order.
func drawGang(rng *rand.Rand, p *model.Problem, used []int32, n int32) (g []model.Shard) {
	for range n {
		s := rng.IntN(len(p.Cluster.Slots))
		if used[s] == p.Cluster.Slots[s].Cap {
			continue
		}
		used[s]++
		at := slices.IndexFunc(g, func(sh model.Shard) bool { return sh.Slot == model.SlotID(s) })
		if at < 0 {
			at = len(g)
			g = append(g, model.Shard{Slot: model.SlotID(s)})
		}
		g[at].N++
	}
	slices.SortFunc(g, func(a, b model.Shard) int { return int(a.Slot - b.Slot) })
	return g
}

// past is all that a trace says of the time before its decision k, in an order of its own.
func past(t *trace.Trace, k int) (out []string) {
	end := t.Rounds[k].At
	for i := range t.Spans.Len() {
		s := &t.Spans
		if s.From[i] < end {
			out = append(out, fmt.Sprint(s.Job[i], s.Gang[i], s.With[i], s.Kind[i], s.From[i], min(s.To[i], end),
				s.Rate[i], s.At(i)))
		}
	}
	slices.Sort(out)
	out = append(out, fmt.Sprint(t.Rounds[:k+1]), fmt.Sprint(t.Reasons[:t.Rounds[k].Reason]))
	return out
}

// TestPolicyForcedChoices forces random choices upon every policy: the past stays, the invariants hold, the run
// ends as before and does not hang on what was forced, a snapshot changes nothing, the reference engine
// agrees, and every choice has its reason.
func TestPolicyForcedChoices(t *testing.T) {
	applied, void := 0, 0
	all := eachPolicy(t, max(20, *scenarios/5), func(t *testing.T, p *model.Problem, s *policy.Spec) {
		values, _ := s.Check(nil)
		pub := p.Public()
		cadence := s.Cadence(pub, values)
		fresh := func(forces []sim.Force) sim.Policy {
			pol, err := s.New(pub, values)
			if err != nil {
				t.Fatal(err)
			}
			if forces == nil {
				return pol
			}
			return sim.Forced(pol, forces)
		}
		options := sim.Options{MaxEvents: 1e6}
		own := Finish(t, p, StartWith(t, p, fresh(nil), cadence, options))
		rng := unit.Stream(uint64(len(own.Rounds)), "forced choices")
		forces := drawForces(rng, p, len(own.Rounds), cadence.Merge)
		first := slices.MinFunc(forces, func(a, b sim.Force) int { return a.Round - b.Round }).Round

		rec := &Recorder{Policy: fresh(forces)}
		forced := Finish(t, p, StartWith(t, p, rec, cadence, options))
		if forced.Outcome != own.Outcome && own.Outcome != trace.Starved { // what never starts may be forced to
			t.Errorf("the outcome is %v, unforced %v", forced.Outcome, own.Outcome)
		}
		if a, b := past(own, first), past(forced, first); !slices.Equal(a, b) {
			t.Errorf("the past before decision %d differs:\n%v\n%v", first, a, b)
		}
		for _, c := range forces {
			if c.Round >= len(forced.Rounds) {
				continue
			}
			yes, no := reasonsOf(forced, c)
			applied, void = applied+yes, void+no
			if yes+no == 0 {
				t.Errorf("the choice %+v has no reason", c)
			}
		}
		r := StartWith(t, p, fresh(forces), cadence, options)
		var st sim.State
		for n := 1; r.Step(); n++ {
			if n%5 == 0 {
				r.Snapshot(&st)
				r = StartWith(t, p, fresh(forces), cadence, options)
				r.Restore(&st)
			}
		}
		if again, _ := r.Result(); again.Hash() != forced.Hash() {
			t.Error("I7: snapshots change the forced run")
		}
		if forced.End > 6*3600*unit.Second {
			return // the reference is slow
		}
		finish := Reference(p, rec, forced.End+refStep, cadence.Merge)
		for j := range finish {
			near := func(at unit.Tick) bool {
				return finish[j] >= 0 && at-refStep <= finish[j] &&
					finish[j] <= at+refStep
			}
			switch at := forced.Jobs[j].Finish; {
			case at < 0 || near(at):
			case finish[j] < at && slices.ContainsFunc(rec.At, near): // a decision took or moved its GPUs at its end
			default:
				t.Errorf("job %s finishes at %d, reference %d", forced.Jobs[j].Name, at, finish[j])
			}
		}
		if t.Failed() {
			t.Logf("forces %+v", forces)
		}
	})
	if all && (applied < 200 || void < 50) {
		t.Errorf("%d choices were applied and %d had no effect: too few of one to trust the test", applied, void)
	}
}

// reasonsOf counts the reasons of a choice in its decision.
func reasonsOf(t *trace.Trace, c sim.Force) (applied, void int) {
	end := int32(len(t.Reasons))
	if c.Round+1 < len(t.Rounds) {
		end = t.Rounds[c.Round+1].Reason
	}
	for _, r := range t.Reasons[t.Rounds[c.Round].Reason:end] {
		if r.Job != int32(c.Job) {
			continue
		}
		switch r.Code {
		case trace.Forced:
			applied++
		case trace.ForceVoid:
			void++
		}
	}
	return applied, void
}

// TestForcedGangIsHeld: the job holds exactly the forced gang from the decision on, who stood in the way
// waits and says for whom, and the policy goes on afterwards.
func TestForcedGangIsHeld(t *testing.T) {
	p := Build(60, []Node{{"a": 2}, {"b": 2}}, []Job{
		{GPUs: 2, Steps: 6000, Rates: map[string]float64{"a": 10, "b": 1}},
		{GPUs: 2, Steps: 6000, Rates: map[string]float64{"a": 10, "b": 1}},
		{GPUs: 1, Steps: 100, Rates: map[string]float64{"a": 1}},
	}, model.Costs{})
	for _, c := range []struct {
		name  string
		force sim.Force
		holds map[int32][]model.Shard // by job at 0 s
		waits map[int32]int32         // job → for whom
	}{
		{"swapped", sim.Force{Job: 1, Gangs: [][]model.Shard{{{Slot: 0, N: 2}}}},
			map[int32][]model.Shard{1: {{Slot: 0, N: 2}}}, map[int32]int32{0: 1}},
		{"one each", sim.Force{Job: 0, Gangs: [][]model.Shard{{{Slot: 0, N: 1}, {Slot: 1, N: 1}}}},
			map[int32][]model.Shard{0: {{Slot: 0, N: 1}, {Slot: 1, N: 1}}}, map[int32]int32{1: 0}},
		{"waits", sim.Force{Job: 0}, map[int32][]model.Shard{1: {{Slot: 1, N: 2}}}, map[int32]int32{0: 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec, _ := policy.Find("fifo")
			v, _ := spec.Check(nil)
			pol, _ := spec.New(p.Public(), v)
			tr := Finish(t, p, StartWith(t, p, sim.Forced(pol, []sim.Force{c.force}), spec.Cadence(p.Public(), v),
				sim.Options{}))
			holds := map[int32][]model.Shard{}
			for i := range tr.Spans.Len() {
				if tr.Spans.From[i] == 0 {
					holds[tr.Spans.Job[i]] = tr.Spans.At(i)
				}
			}
			if fmt.Sprint(holds) != fmt.Sprint(c.holds) {
				t.Errorf("at 0 s jobs hold %v, want %v", holds, c.holds)
			}
			waits := map[int32]int32{}
			for _, r := range tr.Reasons[:tr.Rounds[1].Reason] {
				if r.Code == trace.WaitForced {
					waits[r.Job] = r.Other
				}
			}
			if fmt.Sprint(waits) != fmt.Sprint(c.waits) {
				t.Errorf("jobs wait for %v, want %v", waits, c.waits)
			}
			if tr.Rounds[1].At != 60*unit.Second || tr.Outcome != trace.Done {
				t.Errorf("the next decision is at %v, the outcome %v", tr.Rounds[1].At, tr.Outcome)
			}
		})
	}
}
