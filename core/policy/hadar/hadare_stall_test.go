package hadar_test

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// on are the GPUs by slot that a job holds at an instant, or right before it.
func on(tr *trace.Trace, j int32, at unit.Tick, before bool) map[int32]int32 {
	n := map[int32]int32{}
	for i := range tr.Spans.Len() {
		from, to := tr.Spans.From[i], tr.Spans.To[i]
		if tr.Spans.Job[i] == j && (!before && from <= at && at < to || before && from < at && at <= to) {
			for _, sh := range tr.Spans.At(i) {
				n[int32(sh.Slot)] += sh.N
			}
		}
	}
	return n
}

// stalling are a few jobs on nodes of one and of two GPU types, with stalls shorter than a round.
func stalling(rng *rand.Rand) *model.Problem {
	nodes := []simtest.Node{{"a": 1, "b": 1}}
	for range 1 + rng.IntN(3) {
		nodes = append(nodes, []simtest.Node{{"a": 1}, {"a": 2}, {"b": 2}, {"a": 2, "b": 2}}[rng.IntN(4)])
	}
	var jobs []simtest.Job
	at := 0.0
	for range 1 + rng.IntN(5) {
		at += float64(rng.IntN(3) * 200)
		jobs = append(jobs, simtest.Job{GPUs: int32(1 + rng.IntN(2)), Arrive: at, Steps: float64(500 + rng.IntN(9000)),
			Rates: rates(0.5+9*rng.Float64(), 0.5+9*rng.Float64())})
	}
	tick := func(most int) unit.Tick { return unit.Tick(rng.IntN(most)) * unit.Second }
	return simtest.Build(360, nodes, jobs, model.Costs{Merge: tick(3) * 15, Load: tick(60), Save: tick(60)})
}

// TestStallsOfCopies is what hadar.md, Two phases, says of stalls, seen from outside: in every round that a job runs it
// first stands still, for a merge, or for the longer one of merge and move where its copies are not all where they
// were.
func TestStallsOfCopies(t *testing.T) {
	merged, moved := 0, 0
	for seed := range uint64(200) {
		p := stalling(unit.Stream(seed, "stalls of copies"))
		tr := simtest.Run(t, p, "hadare", policy.Values{"copy": []string{"request", "node"}[seed%2]})
		for k := range tr.Rounds {
			at := tr.Rounds[k].At
			for j := range int32(len(p.Jobs)) {
				costs := p.Costs[j]
				now, was := on(tr, j, at, false), on(tr, j, at, true)
				if len(now) == 0 {
					continue
				}
				want := costs.Merge
				switch {
				case len(was) == 0 && tr.Jobs[j].Start == at:
					want = max(want, costs.Load)
				case !maps.Equal(now, was):
					want = max(want, costs.Load+costs.Save)
					moved++
				default:
					merged++
				}
				for i := range tr.Spans.Len() {
					if tr.Spans.Job[i] != j || tr.Spans.From[i] > at || tr.Spans.To[i] <= at {
						continue
					}
					got := unit.Tick(0)
					if tr.Spans.Kind[i] == trace.Stall {
						got = tr.Spans.To[i] - at
					}
					if got != want {
						t.Errorf("seed %d, round %d: j%d stands still for %v s, want %v", seed, k, j+1, got.Seconds(),
							want.Seconds())
					}
				}
			}
		}
	}
	if merged == 0 || moved == 0 {
		t.Errorf("%d merges, %d moves", merged, moved)
	}
}

// TestWhoChangesGPUsIsToldItsStall: who stalls for longer than its gains count is told so, and nobody else.
func TestWhoChangesGPUsIsToldItsStall(t *testing.T) {
	told := 0
	for seed := range uint64(60) {
		p := stalling(unit.Stream(seed, "told stalls"))
		was := map[model.JobID]map[int32]int32{}
		simtest.EachDecision(t, p, "hadare", nil, 30, func(round int, r *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				now := map[int32]int32{}
				for _, g := range c.Gangs {
					now[int32(g[0].Slot)] = g[0].N
				}
				nodes := map[model.NodeID]bool{}
				for s := range was[c.Job] {
					nodes[p.Cluster.Slots[s].Node] = true
				}
				want := len(now) > 0 && len(was[c.Job]) > 0 && !maps.Equal(now, was[c.Job]) &&
					p.Costs[c.Job].Load+p.Costs[c.Job].Save > p.Costs[c.Job].Merge
				for s := range now {
					want = want && nodes[p.Cluster.Slots[s].Node]
				}
				says := false
				for _, s := range c.Sections {
					says = says || !simtest.Saying(s.Note, "changes its GPUs and stalls").IsZero()
				}
				if was[c.Job] = now; says != want {
					t.Errorf("seed %d, round %d: j%d is told so: %v, want %v", seed, round, c.Job+1, says, want)
				}
				if says {
					told++
				}
			}
		})
	}
	if told == 0 {
		t.Error("nobody is told")
	}
}

// TestAMergeCutsNoStartShort: a start of 500 s is longer than the round of 360 s. It stands still until 500 s, also
// where a merge of 20 s falls into it, and has done 220 steps at 720 s; each merge after that costs 20 s.
func TestAMergeCutsNoStartShort(t *testing.T) {
	for merge, end := range map[unit.Tick]float64{0: 1500, 20: 720 + 20 + 340 + 20 + 340 + 20 + 100} {
		p := lone(model.Costs{Load: 500 * unit.Second, Merge: merge * unit.Second},
			simtest.Job{GPUs: 1, Steps: 1000, Rates: rates(1)})
		simtest.Ends(t, p, "hadare", nil, end)
	}
}

// TestStallsInSumsAreThoseOfTheRun: for as long as the sum of a job's time says, its only gang stands still, under
// Hadar and HadarE, unless another figure is told beside it.
func TestStallsInSumsAreThoseOfTheRun(t *testing.T) {
	sums, stalls := 0, 0
	for seed := range uint64(120) {
		id := []string{"hadar", "hadare"}[seed%2]
		p := stalling(unit.Stream(seed, "stalls in sums"))
		tr := simtest.Run(t, p, id, nil)
		simtest.EachDecision(t, p, id, nil, 40, func(round int, _ *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				if simtest.HeldAfter(c) == 0 || len(c.Gangs) > 1 {
					continue
				}
				said, told := -1.0, false
				for _, s := range c.Sections {
					told = told || !simtest.Saying(s.Note, "changes its GPUs and stalls").IsZero()
					for _, f := range s.Formula {
						if x := simtest.Saying(f, "so far + stall + steps left"); !x.IsZero() {
							said = x.Args()[1].(sim.Digits).Value
						}
					}
				}
				got, at := 0.0, tr.Rounds[round].At
				for i := range tr.Spans.Len() {
					if tr.Spans.Job[i] == int32(c.Job) && tr.Spans.Kind[i] == trace.Stall && tr.Spans.From[i] <= at &&
						at < tr.Spans.To[i] {
						got = (tr.Spans.To[i] - at).Seconds()
					}
				}
				if sums++; got > 0 {
					stalls++
				}
				if said != got && !told {
					t.Errorf("seed %d, %s, round %d: j%d stalls for %v s, its sum says %v", seed, id, round, c.Job+1, got, said)
				}
			}
		})
	}
	if sums == 0 || stalls == 0 {
		t.Errorf("%d sums, %d stalls", sums, stalls)
	}
}

// TestEndsLeaveLaterMergesOut: of 1000 steps at one a second 340 are done in a round, after a merge of 20 s. The sum of
// the job's time has one of the three merges, and says so; without merges it is the time that the job takes.
func TestEndsLeaveLaterMergesOut(t *testing.T) {
	for _, c := range []struct {
		merge unit.Tick
		end   float64
		left  bool
	}{{20, 1060, true}, {0, 1000, false}} {
		p := lone(model.Costs{Merge: c.merge * unit.Second}, simtest.Job{GPUs: 1, Steps: 1000, Rates: rates(1)})
		simtest.Ends(t, p, "hadare", nil, c.end)
		simtest.EachDecision(t, p, "hadare", nil, 1, func(_ int, _ *sim.Run, d *sim.Detail) {
			said := false
			for _, s := range d.Of(0).Sections {
				for _, f := range s.Formula {
					if x := simtest.Saying(f, "from arrival to end"); !x.IsZero() && len(x.Args()) == 5 {
						said = true
						simtest.Near(t, "end", x.Args()[4].(sim.Digits).Value, 1000+float64(c.merge), 1e-9)
						if left := strings.Contains(x.Pattern(), "without the merges of later rounds"); left != c.left {
							t.Errorf("a merge of %d s: later ones are left out: %v", c.merge, left)
						}
					}
				}
			}
			if !said {
				t.Error("no sum of its time")
			}
		})
	}
}
