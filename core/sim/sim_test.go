package sim_test

import (
	"math"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// script is a policy written as a function of the decision's number.
type script struct {
	n  *int
	do func(n int, v sim.View, p *sim.Plan, w *sim.Why)
}

func (s script) Clone() sim.Policy { return s }
func (s script) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	s.do(*s.n, v, p, w)
	*s.n++
}

// play runs a script on p at the given cadence and checks the invariants but for reasons, which
// scripts do not give.
func play(t *testing.T, p *model.Problem, c sim.Cadence, do func(n int, v sim.View, p *sim.Plan,
	w *sim.Why)) *trace.Trace {
	t.Helper()
	n := 0
	r := simtest.StartWith(t, p, script{&n, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
		do(n, v, p, w)
		for _, j := range v.Active() {
			if !p.Holds(j) {
				w.Wait(j, trace.WaitOrder, 0, 0, 0)
			}
		}
	}}, c, sim.Options{MaxEvents: 1e5})
	return simtest.Finish(t, p, r)
}

const round = 100 * unit.Second

func one(steps float64, arrive float64) simtest.Job {
	return simtest.Job{Arrive: arrive, GPUs: 1, Steps: steps, Rates: map[string]float64{"a": 1, "b": 0.5}}
}

// hold states a gang of n GPUs of slot s for j.
func hold(p *sim.Plan, j model.JobID, s model.SlotID, n int32) bool {
	p.Open(j, 0)
	p.Take(s, n)
	return p.Close()
}

var always = sim.Cadence{Every: round}

// kinds lists a job's spans as kind and length in seconds.
func kinds(t *trace.Trace, job int32) []string {
	var out []string
	for i := range t.Spans.Len() {
		if t.Spans.Job[i] == job {
			d := (t.Spans.To[i] - t.Spans.From[i]).Seconds()
			out = append(out, [...]string{"run", "stall", "hold"}[t.Spans.Kind[i]]+" "+itoa(int(d)))
		}
	}
	return out
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

func TestChargesOfTheContract(t *testing.T) {
	costs := model.Costs{Load: 20 * unit.Second, Save: 5 * unit.Second}
	p := simtest.Build(100, []simtest.Node{{"a": 1}, {"b": 2}}, []simtest.Job{one(300, 0)}, costs)
	tr := play(t, p, always, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
		p.Clear()
		switch n {
		case 0, 1, 4, 5, 6, 7, 8: // the first start costs 20 s, staying nothing, the return 25 s
			hold(p, 0, 0, 1)
		case 2: // a move costs 25 s
			hold(p, 0, 1, 1)
		case 3: // losing the GPUs costs nothing
		}
	})
	want := []string{"stall 20", "run 180", "stall 25", "run 75", "stall 25", "run 82"} // 180 + 37.5 + 82.5 steps
	if got := kinds(tr, 0); !slices.Equal(got, want) {
		t.Errorf("spans %v, want %v", got, want)
	}
	if j := tr.Jobs[0]; j.Starts != 2 || j.Preempted != 1 || j.Moved != 1 || j.Finish != 507500 {
		t.Errorf("%+v", j)
	}
}

func TestANewStallReplacesTheOldAndTheLargestCounts(t *testing.T) {
	costs := model.Costs{Load: 150 * unit.Second, Merge: 30 * unit.Second}
	p := simtest.Build(100, []simtest.Node{{"a": 1}, {"a": 1}}, []simtest.Job{one(200, 0)}, costs)
	tr := play(t, p, always, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
		p.Clear()
		hold(p, 0, model.SlotID(min(n, 1)), 1) // moves once, in the middle of its first stall
	})
	// 100 s of the first stall, then a whole new one of 150 s.
	if got, want := kinds(tr, 0), []string{"stall 100", "stall 150", "run 200"}; !slices.Equal(got, want) {
		t.Errorf("spans %v, want %v", got, want)
	}
	tr = play(t, p, sim.Cadence{Every: round, Merge: true}, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
		p.Clear()
		hold(p, 0, 0, 1)
	})
	// Start and merge fall on one instant: 150, not 180. The merge at 100 s falls into what is left of the start, 50 s,
	// and costs nothing more; from then on each costs 30.
	if got, want := kinds(tr, 0), []string{"stall 150", "run 50", "stall 30", "run 70", "stall 30", "run 70",
		"stall 30", "run 10"}; !slices.Equal(got, want) {
		t.Errorf("spans %v, want %v", got, want)
	}
}

func TestAPlanEqualToThePresentCostsNothing(t *testing.T) {
	costs := model.Costs{Load: 20 * unit.Second, Save: 5 * unit.Second, Config: 7 * unit.Second}
	p := simtest.Build(100, []simtest.Node{{"a": 2}}, []simtest.Job{one(250, 0), one(250, 0)}, costs)
	for name, same := range map[string]func(p *sim.Plan, j model.JobID){
		"untouched": func(*sim.Plan, model.JobID) {},
		"kept":      func(p *sim.Plan, j model.JobID) { p.Drop(j); p.Keep(j) },
		"restated":  func(p *sim.Plan, j model.JobID) { p.Drop(j); hold(p, j, 0, 1) },
	} {
		tr := play(t, p, always, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
			for _, j := range v.Active() {
				if n == 0 {
					hold(p, j, 0, 1)
				} else {
					same(p, j)
				}
			}
		})
		if got := kinds(tr, 1); !slices.Equal(got, []string{"stall 20", "run 250"}) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestQuotaHoldsUntilTheNextDecision(t *testing.T) {
	p := simtest.Build(100, []simtest.Node{{"a": 1}}, []simtest.Job{one(150, 0)}, model.Costs{})
	var received, attained unit.Tick
	tr := play(t, p, always, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
		if n == 1 {
			received, attained = v.Received(0, 0), v.Attained(0)
			if left, _ := v.Remaining(0); left != 90 {
				t.Errorf("%v steps are left after a quota of 60, want 90", left)
			}
		}
		p.Clear()
		p.Open(0, 0)
		p.Take(0, 1)
		p.Quota(60)
		p.Close()
	})
	if got, want := kinds(tr, 0), []string{"run 60", "hold 40", "run 60", "hold 40", "run 30"}; !slices.Equal(got,
		want) {
		t.Errorf("spans %v, want %v", got, want)
	}
	if received != round || attained != round {
		t.Errorf("received %v, attained %v: holding after a quota counts", received, attained)
	}
}

func TestSeveralGangsOfAJobAddUp(t *testing.T) {
	// HadarE's copies: 3 + 2 + 1 steps/s on three nodes, 600 steps, the last round split by quotas.
	j := simtest.Job{GPUs: 4, Steps: 1500, Rates: map[string]float64{"a": 3, "b": 2, "c": 1}}
	p := simtest.Build(100, []simtest.Node{{"a": 1}, {"b": 1}, {"c": 1}}, []simtest.Job{j}, model.Costs{})
	tr := play(t, p, sim.Cadence{Every: round, Merge: true}, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
		p.Clear()
		left, _ := v.Remaining(0)
		for s := range model.SlotID(3) {
			p.OpenCopy(0, 0)
			p.Take(s, 1)
			p.Quota(min(unit.Work(3-s)*100, left*unit.Work(3-s)/6))
			if !p.Close() {
				t.Fatal("a copy of one GPU must be allowed whatever the job asked for")
			}
			p.OpenCopy(0, 0)
			p.Take(s, 1)
			if p.Close() {
				t.Fatal("two copies on one node")
			}
		}
	})
	if tr.Jobs[0].Finish != 250*unit.Second {
		t.Errorf("finishes at %v, want 250 s", tr.Jobs[0].Finish)
	}
	gangs := map[int32]bool{}
	for _, g := range tr.Spans.Gang {
		gangs[g] = true
	}
	if len(gangs) != 3 {
		t.Errorf("gangs %v, want three numbers", gangs)
	}
}

func TestMembersShareAGangAndItsLossReratesTheRest(t *testing.T) {
	p := simtest.Build(100, []simtest.Node{{"a": 1}}, []simtest.Job{one(60, 0), one(160, 0)},
		model.Costs{Load: 10 * unit.Second})
	p.Pairs = []model.Pair{{A: 0, B: 1, Type: 0, RateA: 0.6, RateB: 0.7}}
	tr := play(t, p, always, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
		if n == 0 {
			p.Open(0, 0)
			p.Join(1)
			p.Take(0, 1)
			if !p.Close() {
				t.Fatal("a measured pair must be allowed")
			}
		}
	})
	// j1: 10 s stall, 60 steps at 0.6. j2: 70 steps beside it, then 90 alone at full speed.
	if a, b := tr.Jobs[0].Finish, tr.Jobs[1].Finish; a != 110*unit.Second || b != 200*unit.Second {
		t.Errorf("finishes %v and %v, want 110 s and 200 s", a, b)
	}
	if got := kinds(tr, 1); !slices.Equal(got, []string{"stall 10", "run 100", "run 90"}) {
		t.Errorf("%v", got)
	}
	p.Pairs = nil
	play(t, p, always, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
		p.Clear()
		p.Open(v.Active()[0], 0)
		if len(v.Active()) > 1 {
			p.Join(v.Active()[1])
			p.Take(0, 1)
			if p.Close() {
				t.Error("a pair that was never measured has no speed")
			}
			p.Open(v.Active()[0], 0)
		}
		p.Take(0, 1)
		p.Close()
	})
}

func TestPhasesAndOperatingPoints(t *testing.T) {
	p := simtest.Build(100, []simtest.Node{{"a": 1}}, []simtest.Job{one(100, 0), one(1, 1000)},
		model.Costs{Config: 10 * unit.Second})
	fast := model.NewThroughput("fast", 1, 1)
	fast.Set(0, 1, 4, 4, 4)
	p.Tables = append(p.Tables, fast)
	p.Jobs[0].Phases = []model.Phase{{Tables: []int32{0, 2}}, {From: 60, Tables: []int32{2, 0}}}
	asked := []unit.Tick{}
	tr := play(t, p, sim.Cadence{On: sim.Arrival | sim.PhaseEnd}, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
		asked = append(asked, v.Now())
		p.Clear()
		p.Open(v.Active()[0], sim.Config(n)) // point 1 of the second phase is the slow table again
		p.Take(0, 1)
		p.Close()
	})
	// 60 steps at 1/s, then a change of the operating point: 10 s, then 40 steps at 1/s.
	if tr.Jobs[0].Finish != 110*unit.Second || asked[1] != 60*unit.Second {
		t.Errorf("finishes at %v, decisions at %v", tr.Jobs[0].Finish, asked)
	}
}

func TestCapacityChangesKillAndLoseWork(t *testing.T) {
	p := simtest.Build(100, []simtest.Node{{"a": 2}}, []simtest.Job{one(200, 0), one(200, 0)},
		model.Costs{CheckpointEvery: 30 * unit.Second})
	p.Changes = []model.CapacityChange{{At: 100 * unit.Second, Slot: 0, Cap: 1},
		{At: 150 * unit.Second, Slot: 0, Cap: 2}}
	tr := play(t, p, sim.Cadence{On: sim.Arrival | sim.Capacity | sim.Finish},
		func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
			for _, j := range v.Active() {
				if !v.Holds(j) {
					hold(p, j, 0, 1)
				}
			}
		})
	// The younger job dies at 100 s, keeps 90 steps, and comes back at 150 s with 110 to go.
	if a, b := tr.Jobs[0].Finish, tr.Jobs[1].Finish; a != 200*unit.Second || b != 260*unit.Second {
		t.Errorf("finishes %v and %v, want 200 s and 260 s", a, b)
	}
}

// TestFaultTakesTheYoungestAndSaysSo: checkpoints count from the end of the last charge, the reason
// holds what was lost, and a job that finishes as its GPU fails has finished.
func TestFaultTakesTheYoungestAndSaysSo(t *testing.T) {
	costs := model.Costs{Load: 10 * unit.Second, CheckpointEvery: 30 * unit.Second}
	p := simtest.Build(100, []simtest.Node{{"a": 2}}, []simtest.Job{one(95, 0), one(200, 0)}, costs)
	p.Changes = []model.CapacityChange{{At: 75 * unit.Second, Slot: 0, Cap: 1},
		{At: 105 * unit.Second, Slot: 0, Cap: 0}, {At: 110 * unit.Second, Slot: 0, Cap: 2}}
	tr := play(t, p, sim.Cadence{On: sim.Arrival | sim.Capacity | sim.Finish},
		func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
			for _, j := range v.Active() {
				if !v.Holds(j) && !hold(p, j, 0, 1) {
					w.Wait(j, trace.WaitFull, 1, 0, 0)
				}
			}
		})
	// Trained 65 s by 75 s, 60 of them safe; back at 110 s with 140 steps to go.
	if a, b := tr.Jobs[0].Finish, tr.Jobs[1].Finish; a != 105*unit.Second || b != 260*unit.Second {
		t.Errorf("finishes %v and %v, want 105 s and 260 s", a, b)
	}
	var failed []trace.Reason
	for _, r := range tr.Reasons {
		if r.Code == trace.Failed {
			failed = append(failed, r)
		}
	}
	if len(failed) != 1 || failed[0].Job != 1 || failed[0].Slot != 0 || failed[0].Num != [3]float64{1, 5} {
		t.Errorf("reasons %+v", failed)
	}
}

// TestCheckpointInsideAStall: a checkpoint that falls into a merge holds all that was trained before it.
func TestCheckpointInsideAStall(t *testing.T) {
	p := simtest.Build(100, []simtest.Node{{"a": 1}}, []simtest.Job{one(200, 0)},
		model.Costs{Merge: 20 * unit.Second, CheckpointEvery: 35 * unit.Second})
	p.Changes = []model.CapacityChange{{At: 110 * unit.Second, Slot: 0, Cap: 0},
		{At: 150 * unit.Second, Slot: 0, Cap: 1}}
	tr := play(t, p, sim.Cadence{Every: 100 * unit.Second, Merge: true},
		func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
			if !v.Holds(0) && !hold(p, 0, 0, 1) {
				w.Wait(0, trace.WaitFull, 1, 0, 0)
			}
		})
	// Trained from 20 to 100 s; merging until the fault at 110 s, with a checkpoint at 105 s. Back at
	// 200 s, merging again, and at 300 s: 80 + 80 steps by then, 40 more after the merge.
	if f := tr.Jobs[0].Finish; f != 360*unit.Second {
		t.Errorf("finishes at %v, want 360 s", f)
	}
}

// TestBeliefs: a policy sees believed speeds, and the kernel runs on true ones.
func TestBeliefs(t *testing.T) {
	p := simtest.Build(100, []simtest.Node{{"a": 1}}, []simtest.Job{one(100, 0), one(50, 0)}, model.Costs{})
	p.Know.Tables = []model.Throughput{p.Tables[0].Scaled([]float64{4}), p.Tables[1]}
	p.Pairs = []model.Pair{{A: 0, B: 1, RateA: 0.5, RateB: 0.25}}
	p.Know.Pairs = []model.Pair{{A: 0, B: 1, RateA: 2, RateB: 0.25}}
	tr := play(t, p, sim.Cadence{On: sim.Arrival | sim.Finish}, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
		if n > 0 {
			return
		}
		on := []model.Shard{{Slot: 0, N: 1}}
		if a, b, c, d := v.Speed(0, 0).Rate(0, 1, model.OneNode), v.Rate(0, 0, on), v.Rate(0, 0, on, 1),
			v.Rate(1, 0, on, 0); a != 4 || b != 4 || c != 2 || d != 0.25 {
			t.Errorf("believed %v alone, %v on the slot, %v and %v together; want 4, 4, 2 and 0.25", a, b, c, d)
		}
		p.Open(0, 0)
		p.Join(1)
		p.Take(0, 1)
		p.Close()
	})
	// 200 s together give 100 and 50 steps.
	if a, b := tr.Jobs[0].Finish, tr.Jobs[1].Finish; a != 200*unit.Second || b != 200*unit.Second {
		t.Errorf("finishes %v and %v, want 200 s", a, b)
	}
}

func TestPlanRefusesAndUndoes(t *testing.T) {
	jobs := []simtest.Job{one(100, 0), {GPUs: 2, Steps: 100, Rates: map[string]float64{"a": 1}}}
	p := simtest.Build(100, []simtest.Node{{"a": 2}, {"b": 2}}, jobs, model.Costs{})
	play(t, p, always, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
		if n > 0 {
			return
		}
		if hold(p, 0, 0, 2) || hold(p, 1, 1, 2) || hold(p, 1, 0, 3) || hold(p, 0, 0, 0) || p.Close() {
			t.Error("wrong size, no speed, too many and nothing must all be refused")
		}
		m := p.Mark()
		if !hold(p, 0, 0, 1) || p.Free(0) != 1 || !p.Holds(0) || hold(p, 1, 0, 2) {
			t.Error("one GPU is left")
		}
		p.Undo(m)
		if p.Free(0) != 2 || p.Holds(0) || !hold(p, 1, 0, 2) || !hold(p, 0, 1, 1) {
			t.Error("undo must give everything back")
		}
		m = p.Mark()
		p.Drop(1) // holds nothing yet in reality: a new gang stays
		p.Undo(m)
		if p.Free(0) != 0 {
			t.Error("undo changed the plan")
		}
	})
}

func TestKeepIsAllOrNothing(t *testing.T) {
	p := simtest.Build(100, []simtest.Node{{"a": 1}}, []simtest.Job{one(150, 0), one(150, 0)}, model.Costs{})
	play(t, p, always, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
		if n == 0 {
			hold(p, 0, 0, 1)
			if p.Keep(1) {
				t.Error("a job that holds nothing cannot keep it")
			}
			return
		}
		if len(v.Active()) < 2 {
			hold(p, v.Active()[0], 0, 1)
			return
		}
		m := p.Mark()
		p.Clear()
		if !hold(p, 1, 0, 1) || p.Keep(0) {
			t.Error("the GPU has been given away")
		}
		p.Undo(m)
		if p.Free(0) != 0 || !p.Keep(0) {
			t.Error("undo must restore what is held")
		}
	})
}

func TestOutcomes(t *testing.T) {
	p := simtest.Build(100, []simtest.Node{{"a": 1}}, []simtest.Job{one(150, 0)}, model.Costs{})
	idle := func(int, sim.View, *sim.Plan, *sim.Why) {}
	if tr := play(t, p, always, idle); tr.Outcome != trace.Starved || tr.End != round {
		t.Errorf("a policy that never places: %v at %v, want starved after two decisions", tr.Outcome, tr.End)
	}
	if tr := play(t, p, sim.Cadence{On: sim.Arrival}, idle); tr.Outcome != trace.Starved {
		t.Errorf("nothing is to come: %v", tr.Outcome)
	}
	q := *p
	q.Horizon = 120 * unit.Second
	tr := play(t, &q, always, func(n int, v sim.View, p *sim.Plan, w *sim.Why) { hold(p, 0, 0, 1) })
	if tr.Outcome != trace.Horizon || tr.End != q.Horizon || tr.Jobs[0].Finish != -1 {
		t.Errorf("%v at %v", tr.Outcome, tr.End)
	}
	wake := func(n int, v sim.View, p *sim.Plan, w *sim.Why) { p.WakeAt(0) }
	if tr := play(t, p, always, wake); tr.Outcome != trace.Starved {
		t.Errorf("a policy that is always awake and never places: %v", tr.Outcome)
	}
	// Stalls longer than a round: moves for ever, trains never.
	p = simtest.Build(100, []simtest.Node{{"a": 1}, {"a": 1}}, []simtest.Job{one(150, 0)},
		model.Costs{Load: 120 * unit.Second})
	swap := func(n int, v sim.View, p *sim.Plan, w *sim.Why) { p.Clear(); hold(p, 0, model.SlotID(n%2), 1) }
	if tr := play(t, p, always, swap); tr.Outcome != trace.Starved {
		t.Errorf("moves without training: %v", tr.Outcome)
	}
}

// TestWarmStepsDoNotAllocate: once the run's memory has grown to size, steps, decisions and their
// differences take none.
func TestWarmStepsDoNotAllocate(t *testing.T) {
	jobs := make([]simtest.Job, 40)
	for i := range jobs {
		jobs[i] = one(20000+float64(i), float64(i/4))
		jobs[i].GPUs = int32(1 + i%2)
	}
	p := simtest.Build(100, []simtest.Node{{"a": 4}, {"a": 4, "b": 2}, {"b": 4}}, jobs, model.Costs{Load: unit.Second})
	n := 0
	rotate := script{&n, func(n int, v sim.View, p *sim.Plan, w *sim.Why) {
		p.Clear()
		active := v.Active()
		for i := range active {
			j := active[(i+n)%len(active)]
			for s := range model.SlotID(4) {
				if hold(p, j, s, v.Shape(j).Min) {
					break
				}
			}
			if p.Holds(j) {
				w.Chose(j, 1, 2, 3)
			} else {
				w.Wait(j, trace.WaitFull, 1, 2, 3)
			}
		}
	}}
	r := simtest.StartWith(t, p, rotate, always, sim.Options{Reserve: 1 << 16})
	for range 200 {
		r.Step()
	}
	if got := testing.AllocsPerRun(500, func() {
		if !r.Step() {
			t.Fatal("the run ended before the measurement")
		}
	}); got != 0 {
		t.Errorf("%v allocations a step", got)
	}
}

// BenchmarkKernel measures kernel events a second under FIFO on a busy cluster.
func BenchmarkKernel(b *testing.B) {
	jobs := make([]simtest.Job, 20000)
	for i := range jobs {
		jobs[i] = one(100+float64(i%37), float64(i)*2)
	}
	p := simtest.Build(100, []simtest.Node{{"a": 32}, {"a": 32}}, jobs, model.Costs{})
	b.ReportAllocs()
	events := int64(0)
	for b.Loop() {
		r := simtest.Start(b, p, "fifo", nil, sim.Options{Reserve: 1 << 16})
		for r.Step() {
		}
		t, _ := r.Result()
		events += t.Events
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

// TestBalancedGang: of a batch of B = 64 the two GPUs do 1 and 3 examples a unit of time. Gangs of one type, with 32
// examples a GPU, then make 1/32 and 3/32 steps a unit, and the mixed one runs at the slower pace. Balanced batches
// end together: after 16, at the mean of the two rates.
func TestBalancedGang(t *testing.T) {
	j := simtest.Job{GPUs: 2, Steps: 100, Rates: map[string]float64{"a": 1. / 64, "b": 3. / 64}}
	p := simtest.Build(100, []simtest.Node{{"a": 3, "b": 3}}, []simtest.Job{j}, model.Costs{})
	mixed := []model.Shard{{Slot: 0, N: 1}, {Slot: 1, N: 1}}
	rate := func(gang []model.Shard, split *model.Split) unit.Rate {
		return sim.GangRate(&p.Tables[0], &p.Cluster, gang, split)
	}
	balanced := &model.Split{}
	if got := rate(mixed, nil); got != 1./32 {
		t.Errorf("even: %v steps a unit of time, want 1/32", got)
	}
	if got := rate(mixed, balanced); got != 1./16 {
		t.Errorf("balanced: %v steps a unit of time, want 1/16", got)
	}
	three := []model.Shard{{Slot: 1, N: 3}}
	if rate(three, balanced) != rate(three, nil) {
		t.Error("a gang of one type has nothing to balance")
	}
	p.Tables[0].Set(0, 2, 0, 0, 0)
	if got := rate(mixed, balanced); got != 0 {
		t.Errorf("it runs at %v on GPUs on which it cannot run", got)
	}
}

// TestBatchController follows the controller that balances batches (dynamic batching, arXiv 2305.12213): a worker with
// batch b that takes time t is to have b·mean(t)/t, unless that is within a fifth of b. Speeds are 1 and 3, B = 64.
// Kept in proportion, the batches are 16 and 48 at once, where both take 16; kept by an equal shift, as the paper's
// code does, they come near to that and stop in the dead band.
func TestBatchController(t *testing.T) {
	const total = 64.0
	speed := [2]float64{1, 3}
	step := func(b [2]float64) (next [2]float64, moved bool) {
		mean := (b[0]/speed[0] + b[1]/speed[1]) / 2
		for i := range b {
			c := b[i] * mean / (b[i] / speed[i])
			if next[i] = b[i]; c-b[i] >= 0.2*c || b[i]-c >= 0.2*c {
				next[i], moved = c, true
			}
		}
		return next, moved
	}
	c, _ := step([2]float64{32, 32})
	if share := [2]float64{total * c[0] / (c[0] + c[1]), total * c[1] / (c[0] + c[1])}; math.Abs(share[0]-16) > 1e-9 ||
		math.Abs(share[1]-48) > 1e-9 {
		t.Errorf("in proportion %v, want 16 and 48", share)
	}
	b := [2]float64{32, 32}
	for n, want := range [][2]float64{{11, 53}, {19, 46}} {
		next, moved := step(b)
		shift := (total - next[0] - next[1]) / 2
		b = [2]float64{math.Ceil(next[0] + shift), math.Ceil(next[1] + shift)}
		if !moved || math.Abs(b[0]-want[0]) > 1 || math.Abs(b[1]-want[1]) > 1 {
			t.Errorf("shift %d: %v, want about %v", n+1, b, want)
		}
	}
	if next, moved := step(b); moved {
		t.Errorf("from %v to %v, outside of the dead band", b, next)
	}
}
