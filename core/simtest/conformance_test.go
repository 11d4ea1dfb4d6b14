package simtest

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// scenarios is how many random scenarios each policy meets; the long target raises it.
var scenarios = flag.Int("scenarios", 300, "random scenarios per policy")

// eachPolicy runs f for every registered policy on the same n random scenarios, but for those that it cannot serve, and
// says whether all policies were met: with -run there are fewer, and a test does not count on all that it expects to
// happen somewhere. Such a test is called TestPolicy…, so that -run 'TestPolicy/^ID$' runs what holds for every policy
// on one, in seconds, and no other test.
func eachPolicy(t *testing.T, n int, f func(t *testing.T, p *model.Problem, s *policy.Spec)) (all bool) {
	return eachPolicyOn(t, n, func(seed uint64) *model.Problem { return Wild(unit.Stream(seed, "conformance")) }, f)
}

// eachPolicyOn is eachPolicy on scenarios of another kind.
func eachPolicyOn(t *testing.T, n int, draw func(seed uint64) *model.Problem,
	f func(t *testing.T, p *model.Problem, s *policy.Spec)) (all bool) {
	if !strings.HasPrefix(t.Name(), "TestPolicy") {
		t.Fatal("call it TestPolicy…: tests of one policy are run by that name")
	}
	met := 0
	for _, s := range policy.All() {
		t.Run(s.ID, func(t *testing.T) {
			met++
			for seed := range n {
				p := draw(uint64(seed))
				for i := range p.Jobs {
					if s.Needs.SingleGPU {
						p.Jobs[i].Shape = model.Shape{Size: 1, Min: 1, Max: 1, Step: 1, Gangs: p.Jobs[i].Shape.Gangs}
					}
				}
				if s.Unmet(p) != nil {
					continue // refused before it runs
				}
				f(t, p, s)
				if t.Failed() {
					t.Fatalf("first failure: seed %d, %s", seed, describe(p))
				}
			}
		})
	}
	return met == len(policy.All())
}

func describe(p *model.Problem) string {
	s := fmt.Sprintf("round %v costs %+v\n", p.Round, p.Costs[0])
	for _, sl := range p.Cluster.Slots {
		s += fmt.Sprintf("  n%d: %d %s\n", sl.Node+1, sl.Cap, p.Cluster.Types[sl.Type].Name)
	}
	for i := range p.Jobs {
		j := &p.Jobs[i]
		s += fmt.Sprintf("  %s at %v: %d GPUs, %v steps, rates", j.Name, j.Arrive, j.Shape.Min, j.Work)
		for t := range p.Cluster.Types {
			s += fmt.Sprintf(" %v", p.Tables[j.Phases[0].Tables[0]].Rate(model.TypeID(t), 1, model.OneNode))
		}
		s += "\n"
	}
	return s
}

// TestPolicyInvariants runs every policy on random scenarios and checks I1 to I9; a run twice gives the
// same hash (I7), and so does one that was taken apart and put together by snapshots.
func TestPolicyInvariants(t *testing.T) {
	eachPolicy(t, *scenarios, func(t *testing.T, p *model.Problem, s *policy.Spec) { invariant(t, p, s) })
}

// invariant is what TestPolicyInvariants asks of one run.
func invariant(t *testing.T, p *model.Problem, s *policy.Spec) *trace.Trace {
	tr := Run(t, p, s.ID, nil)
	if tr.Outcome == trace.Overloaded {
		t.Errorf("the run did not end")
	}
	want := tr.Hash()
	if got := Snapshots(t, p, s.ID).Hash(); got != want {
		t.Errorf("I7: snapshots change the run: %s, was %s", got[:12], want[:12])
	}
	return tr
}

// Snapshots is a run that is taken apart and put together again and again.
func Snapshots(t *testing.T, p *model.Problem, id string) *trace.Trace {
	r := Start(t, p, id, nil, sim.Options{MaxEvents: 1e6})
	var st sim.State
	for n := 1; r.Step(); n++ {
		if n%7 == 0 {
			r.Snapshot(&st)
			r = Start(t, p, id, nil, sim.Options{MaxEvents: 1e6})
			r.Restore(&st)
		}
	}
	again, _ := r.Result()
	return again
}

// TestPolicyReferenceEngine replays each run's decisions in small plain steps.
func TestPolicyReferenceEngine(t *testing.T) {
	eachPolicy(t, max(10, *scenarios/10), func(t *testing.T, p *model.Problem, s *policy.Spec) { refers(t, p, s) })
}

// TestPolicySharesLinks holds invariants and reference engine where gangs share links.
func TestPolicySharesLinks(t *testing.T) {
	slowed := 0
	all := eachPolicyOn(t, max(10, *scenarios/20), func(seed uint64) *model.Problem {
		return wildLinks(unit.Stream(seed, "links"))
	}, func(t *testing.T, p *model.Problem, s *policy.Spec) {
		slowed += slower(p, invariant(t, p, s))
		refers(t, p, s)
	})
	if all && slowed < 100 {
		t.Errorf("only %d times was a gang slower beside others", slowed)
	}
}

// eachPolicyWith holds invariants and reference engine on scenarios with a feature, by itself and beside others, and
// lets seen count in each run what should happen somewhere.
func eachPolicyWith(t *testing.T, has feature, seen func(*model.Problem, *trace.Trace)) (all bool) {
	runs, referred := 0, 0
	all = eachPolicyOn(t, max(10, *scenarios/10), func(seed uint64) *model.Problem {
		return wildWith(unit.Stream(seed, fmt.Sprint("feature ", has)), has)
	}, func(t *testing.T, p *model.Problem, s *policy.Spec) {
		seen(p, invariant(t, p, s))
		if runs++; refers(t, p, s) {
			referred++
		}
	})
	t.Logf("%d runs, %d of them beside the reference engine", runs, referred)
	return all
}

// TestPolicySharesHosts: jobs share CPUs and memory.
func TestPolicySharesHosts(t *testing.T) {
	starved := 0
	if eachPolicyWith(t, hosts, func(p *model.Problem, tr *trace.Trace) { starved += hungry(p, tr) }) && starved < 100 {
		t.Errorf("only %d times was a gang slower for its host", starved)
	}
}

// TestPolicyStragglers: nodes are slow for a while, and some jobs have redundancy.
func TestPolicyStragglers(t *testing.T) {
	waits, spared := 0, 0
	if eachPolicyWith(t, spells, func(p *model.Problem, tr *trace.Trace) {
		w, s := slowRuns(p, tr)
		waits, spared = waits+w, spared+s
	}) && (waits < 500 || spared < 20) {
		t.Errorf("only %d times did a gang wait for a slow node, and %d times did redundancy spare it", waits, spared)
	}
}

// TestPolicyServesAfterRepairs: whoever came while nodes were down runs when they are back, though nobody comes or goes
// any more. No job starves that could run alone on all nodes, which are up in the end.
func TestPolicyServesAfterRepairs(t *testing.T) {
	met := 0 // jobs that came while they could not run
	all := eachPolicyOn(t, max(10, *scenarios/3), func(seed uint64) *model.Problem {
		rng := unit.Stream(seed, "repairs")
		p := Random(rng)
		for s := range p.Cluster.Slots {
			if rng.IntN(4) == 0 {
				continue
			}
			slot, from := model.SlotID(s), unit.Tick(rng.IntN(20))*p.Round/2
			p.Changes = append(p.Changes, model.CapacityChange{At: from, Slot: slot}, model.CapacityChange{
				At: from + unit.Tick(1+rng.IntN(60))*p.Round/2, Slot: slot, Cap: p.Cluster.Slots[s].Cap})
		}
		slices.SortStableFunc(p.Changes, func(a, b model.CapacityChange) int { return cmp.Compare(a.At, b.At) })
		return p
	}, func(t *testing.T, p *model.Problem, s *policy.Spec) {
		params := map[string]any{}
		if s.ID == "yarn-cs" {
			// Else a gang may wait for ever for nodes of one rack, and all others behind it.
			params["relax_s"], params["backfill"] = 1.0, true
		}
		tr := Run(t, p, s.ID, params)
		for j := range tr.Jobs {
			if !fits(p, j, tr.Jobs[j].Arrive) {
				met++
			}
			if tr.Outcome == trace.Starved && tr.Jobs[j].Finish < 0 && fits(p, j, unit.Never) {
				t.Errorf("job %s, which came at %v, starves", tr.Jobs[j].Name, tr.Jobs[j].Arrive)
			}
		}
	})
	if all && met < 1000 {
		t.Errorf("only %d jobs came while they could not run", met)
	}
}

// fits says whether a job could run alone on the GPUs of one type that are in service at an instant.
func fits(p *model.Problem, j int, at unit.Tick) bool {
	up := make([]int32, len(p.Cluster.Slots))
	for s := range up {
		up[s] = p.Cluster.Slots[s].Cap
	}
	for _, c := range p.Changes {
		if c.At <= at {
			up[c.Slot] = c.Cap
		}
	}
	gpus := make([]int32, len(p.Cluster.Types))
	for s, slot := range p.Cluster.Slots {
		gpus[slot.Type] += up[s]
	}
	size := p.Jobs[j].Shape.Size
	return slices.ContainsFunc(p.Cluster.BySpeed, func(t model.TypeID) bool {
		return gpus[t] >= size && p.Tables[p.Jobs[j].Phases[0].Tables[0]].Rate(t, size, model.OneRack) > 0
	})
}

// TestPolicyRents holds invariants and reference engine where nodes can be had for money.
func TestPolicyRents(t *testing.T) {
	rents, gone := 0, 0
	all := eachPolicyOn(t, max(10, *scenarios/3), func(seed uint64) *model.Problem {
		return wildCloud(unit.Stream(seed, "clouds"))
	}, func(t *testing.T, p *model.Problem, s *policy.Spec) {
		for _, r := range invariant(t, p, s).Reasons {
			switch r.Code {
			case trace.NodeReleased:
				rents++
			case trace.NodeGone:
				gone++
			}
		}
		refers(t, p, s)
	})
	if all && (rents < 100 || gone < 100) {
		t.Errorf("only %d nodes were released, and %d vanished", rents, gone)
	}
}

// refers holds a run's finishes to the reference engine's, and says whether it is short enough for that.
func refers(t *testing.T, p *model.Problem, s *policy.Spec) bool {
	pub := p.Public()
	v, _ := s.Check(nil)
	pol, err := s.New(pub, v)
	if err != nil {
		t.Fatal(err)
	}
	rec := &Recorder{Policy: pol}
	c := s.Cadence(pub, v)
	tr := Finish(t, p, StartWith(t, p, rec, c, sim.Options{MaxEvents: 1e6}))
	if tr.End > 6*3600*unit.Second {
		return false // the reference is slow
	}
	if p.Cloud != nil { // what comes and goes is held to the rules by checkCloud
		q := *p
		q.Changes, p = nil, &q
		for _, c := range tr.Capacity {
			q.Changes = append(q.Changes, model.CapacityChange{At: c.At, Slot: model.SlotID(c.Slot), Cap: c.Cap})
		}
	}
	finish := Reference(p, rec, tr.End+refStep, c.Merge)
	for j := range finish {
		if d := finish[j] - tr.Jobs[j].Finish; tr.Jobs[j].Finish >= 0 &&
			(finish[j] < 0 || d > refStep || -d > refStep) {
			t.Errorf("job %s finishes at %d, reference %d", tr.Jobs[j].Name, tr.Jobs[j].Finish, finish[j])
		}
	}
	return true
}

// TestReferenceEndsAPhaseOfCopies: copies on three nodes reach the end of their job's first phase together, between two
// of the reference engine's steps. If it took the phase to end later than the kernel does, it would have less done at
// the next decision, and the quotas stated there would not be all that is left to it.
func TestReferenceEndsAPhaseOfCopies(t *testing.T) {
	p := Build(30, []Node{{"a": 1}, {"a": 1}, {"a": 3}},
		[]Job{{GPUs: 1, Steps: 1956.5, Rates: map[string]float64{"a": 7.3}}}, model.Costs{})
	later := model.NewThroughput("later", 1, p.Tables[0].MaxSize())
	for n := int32(1); n <= later.MaxSize(); n++ {
		r := float64(n) * 8.7
		later.Set(0, n, unit.Rate(r), unit.Rate(r), unit.Rate(r))
	}
	p.Tables = append(p.Tables, later)
	p.Jobs[0].Phases = append(p.Jobs[0].Phases, model.Phase{From: 978.25, Tables: []int32{1}})
	for i := range p.Tables { // believed to be twice as fast, no copy uses up its first quota
		p.Know.Tables = append(p.Know.Tables, p.Tables[i].Scaled([]float64{2}))
	}
	spec, _ := policy.Find("hadare")
	v, _ := spec.Check(nil)
	pol, err := spec.New(p.Public(), v)
	if err != nil {
		t.Fatal(err)
	}
	rec := &Recorder{Policy: pol}
	c := spec.Cadence(p.Public(), v)
	tr := Finish(t, p, StartWith(t, p, rec, c, sim.Options{MaxEvents: 1e6}))
	if len(rec.Stated) < 2 || len(rec.Stated[1]) != 3 {
		t.Fatalf("the second decision states %+v, want three copies", rec.Stated)
	}
	finish := Reference(p, rec, tr.End+refStep, c.Merge)
	if d := finish[0] - tr.Jobs[0].Finish; finish[0] < 0 || d > refStep || -d > refStep {
		t.Errorf("it finishes at %d, reference %d", tr.Jobs[0].Finish, finish[0])
	}
}

// TestPolicyScaledTimes: four times as long everywhere, parameters in seconds too, gives four times the
// completion times (I11). Policies that fork jobs are exempt: they hand out whole steps by largest
// remainder, which does not scale. Both runs are 5040 times as long as the problem drawn: then the
// instants that policies compute by dividing by small numbers are whole milliseconds, and as floats
// scale by 4 without rounding, what ties in one run ties in the other.
func TestPolicyScaledTimes(t *testing.T) {
	const long = 5040
	eachPolicy(t, max(10, *scenarios/10), func(t *testing.T, p *model.Problem, s *policy.Spec) {
		if v, _ := s.Check(nil); s.Cadence(p.Public(), v).Merge {
			return
		}
		// Whole steps a round scale exactly only when rates are whole numbers a second, stalls whole
		// seconds and beliefs the truth.
		p.Pairs, p.Know = nil, model.Knowledge{HideLengths: p.Know.HideLengths}
		for i := range p.Tables {
			for typ := range p.Cluster.Types {
				one := int32(p.Tables[i].Rate(model.TypeID(typ), 1, model.OneNode))
				for n := int32(1); n <= p.Tables[i].MaxSize(); n++ {
					r := unit.Rate(2 * n * one)
					p.Tables[i].Set(model.TypeID(typ), n, r, r, r)
				}
			}
		}
		for i := range p.Costs {
			c := &p.Costs[i]
			c.Load, c.Save, c.Merge = c.Load/1000*1000, c.Save/1000*1000, c.Merge/1000*1000
		}
		run := func(k int) *trace.Trace {
			params := map[string]any{}
			for _, q := range s.Params {
				if v, ok := q.Default.(float64); ok && v > 0 && (q.Unit == "s" || q.Unit == "GPU-s") {
					params[q.Name] = min(v, 400) * float64(k)
				}
			}
			return Run(t, Scale(p, k), s.ID, params)
		}
		a, b := run(long), run(4*long)
		for j := range a.Jobs {
			d := b.Jobs[j].Finish - 4*a.Jobs[j].Finish
			if slack := unit.Tick(4 * (a.Events + 1)); a.Jobs[j].Finish >= 0 && (d > slack || -d > slack) {
				t.Errorf("I11: job %s finishes at %d, four times as long at %d", a.Jobs[j].Name, a.Jobs[j].Finish,
					b.Jobs[j].Finish)
			}
		}
	})
}

// TestPolicyRenaming: swapping two jobs that are alike but for their names changes no multiset of results (I12).
func TestPolicyRenaming(t *testing.T) {
	eachPolicy(t, max(10, *scenarios/10), func(t *testing.T, p *model.Problem, s *policy.Spec) {
		twin := p.Jobs[0]
		twin.Name = "twin"
		q := *p
		q.Jobs = slices.Insert(slices.Clone(p.Jobs), 1, twin)
		q.Costs = slices.Insert(slices.Clone(p.Costs), 1, p.Costs[0])
		if f := p.Know.LengthFactor; f != nil {
			q.Know.LengthFactor = slices.Insert(slices.Clone(f), 1, f[0])
		}
		r := q
		r.Jobs = slices.Clone(q.Jobs)
		r.Jobs[0].Name, r.Jobs[1].Name = r.Jobs[1].Name, r.Jobs[0].Name
		r.Jobs[0].Doc, r.Jobs[1].Doc = r.Jobs[1].Doc, r.Jobs[0].Doc
		a, b := Run(t, &q, s.ID, nil), Run(t, &r, s.ID, nil)
		for j := range a.Jobs {
			if a.Jobs[j].Finish != b.Jobs[j].Finish {
				t.Errorf("I12: job %d finishes at %d, renamed at %d", j, a.Jobs[j].Finish, b.Jobs[j].Finish)
			}
		}
	})
}

// TestFoundByLongRuns: scenarios of longer runs that broke something once.
func TestFoundByLongRuns(t *testing.T) {
	for _, c := range []struct {
		seed uint64
		id   string
	}{
		{377, "hadare"}, // a copy's quota of 0 in the next round turned the span before it into a hold
	} {
		Run(t, Random(unit.Stream(c.seed, "conformance")), c.id, nil)
	}
}

// Scale multiplies every time of p by k: arrivals, work, rounds, costs, capacity changes and spells. Rates stay.
func Scale(p *model.Problem, k int) *model.Problem {
	q := *p
	q.Round *= unit.Tick(k)
	q.Jobs, q.Costs, q.Changes = slices.Clone(p.Jobs), slices.Clone(p.Costs), slices.Clone(p.Changes)
	q.Speeds = slices.Clone(p.Speeds)
	for i := range q.Speeds {
		q.Speeds[i].At *= unit.Tick(k)
	}
	for i := range q.Changes {
		q.Changes[i].At *= unit.Tick(k)
	}
	for i := range q.Jobs {
		q.Jobs[i].Arrive *= unit.Tick(k)
		q.Jobs[i].Work *= unit.Work(k)
		q.Jobs[i].SLO *= unit.Tick(k)
		q.Jobs[i].Phases = slices.Clone(q.Jobs[i].Phases)
		for n := range q.Jobs[i].Phases {
			q.Jobs[i].Phases[n].From *= unit.Work(k)
		}
	}
	longer := func(c *model.Costs) {
		for _, t := range [...]*unit.Tick{&c.Save, &c.Load, &c.Config, &c.Merge, &c.CheckpointEvery} {
			*t *= unit.Tick(k)
		}
	}
	longer(&q.DefaultCosts)
	for i := range q.Costs {
		longer(&q.Costs[i])
	}
	return &q
}
