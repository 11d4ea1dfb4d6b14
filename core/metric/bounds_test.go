package metric_test

import (
	"math"
	"slices"
	"testing"

	"hadarlab/core/message"
	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// TestNoPolicyBeatsTheBounds runs every policy on random scenarios: mixed gangs, copies, pairs on a GPU, spread
// gangs faster than packed ones, and gangs faster than their GPUs alone. Nor does a lane beat the bounds of another, if
// it is a schedule of the kind that those name.
func TestNoPolicyBeatsTheBounds(t *testing.T) {
	runs, tight, others := 0, 0, map[string]int{}
	for seed := range uint64(400) {
		rng := unit.Stream(seed, "bounds")
		p := simtest.Random(rng)
		if rng.IntN(2) == 0 {
			for i := range p.Jobs {
				p.Jobs[i].Shape = model.Shape{Size: 1, Min: 1, Max: 1, Gangs: p.Jobs[i].Shape.Gangs}
			}
			for a := range p.Tables {
				for b := a; b < len(p.Tables); b++ {
					for typ := range p.Cluster.Types {
						x := model.TypeID(typ)
						ra, rb := p.Tables[a].Rate(x, 1, model.OneNode), p.Tables[b].Rate(x, 1, model.OneNode)
						p.Pairs = append(p.Pairs, model.Pair{A: int32(a), B: int32(b), Type: x,
							RateA: ra * unit.Rate(0.4+float64(rng.IntN(8))/10),
							RateB: rb * unit.Rate(0.4+float64(rng.IntN(8))/10)})
					}
				}
			}
		}
		if rng.IntN(3) == 0 {
			for i := range p.Tables {
				tab := &p.Tables[i]
				for typ := range p.Cluster.Types {
					for n := int32(1); n <= tab.MaxSize(); n++ {
						x := model.TypeID(typ)
						r := tab.Rate(x, n, model.OneNode)
						some := func() unit.Rate { return r * unit.Rate(0.5+rng.Float64()) }
						tab.Set(x, n, some(), some(), some())
					}
				}
			}
		}
		for i := range p.Jobs {
			p.Jobs[i].Shape.Split = simtest.Splits[rng.IntN(len(simtest.Splits))]
		}
		var lanes []bounded
		for _, s := range append(slices.Clone(policy.All()), nil) {
			id, params := "hadare", policy.Values{"copy": "node"}
			if s != nil {
				id, params = s.ID, nil
			}
			if s != nil && s.Unmet(p) != nil {
				continue
			}
			tr := simtest.Run(t, p, id, params)
			if tr.Outcome != trace.Done {
				continue
			}
			runs++
			m, b := metric.Compute(p, tr).Metrics, metric.Bounds(p, tr)
			if b == nil || b.MakespanS > m.MakespanS || b.AvgJCTS > m.AvgJCTS || b.MakespanS <= 0 || b.AvgJCTS <= 0 {
				t.Fatalf("seed %d, %s: makespan %v, mean %v, bounds %+v", seed, id, m.MakespanS, m.AvgJCTS, b)
			}
			if b.MakespanS > 0.99*m.MakespanS {
				tight++
			}
			lanes = append(lanes, bounded{id, tr, &m, b})
		}
		for _, x := range lanes {
			for _, y := range lanes {
				beaten := x.bounds.MakespanS > y.figures.MakespanS || x.bounds.AvgJCTS > y.figures.AvgJCTS
				fits := x.covers(p, y.trace)
				if fits && beaten {
					t.Fatalf("seed %d: %s beats what no schedule of the kind %q beats: makespan %v, mean %v, bounds of %s %+v",
						seed, y.id, x.bounds.Kind, y.figures.MakespanS, y.figures.AvgJCTS, x.id, x.bounds)
				}
				if x.id != y.id && fits {
					others[x.bounds.Kind]++
				}
				if beaten {
					others["beaten by another kind"]++
				}
			}
		}
	}
	for _, kind := range []string{message.OneGang, message.OwnCopies, message.AnyCopies, message.SharedGPUs,
		"beaten by another kind"} {
		if others[kind] < 20 {
			t.Errorf("%d pairs of lanes for %q: too few to mean something", others[kind], kind)
		}
	}
	if runs < 2000 || tight < runs/20 {
		t.Errorf("%d runs, of which %d within 1 %% of the makespan bound: too few to mean something", runs, tight)
	}
}

// bounded is a run with its figures and bounds.
type bounded struct {
	id      string
	trace   *trace.Trace
	figures *message.Metrics
	bounds  *message.Bounds
}

// covers says whether another run is a schedule of the kind that the bounds name, as the page words it.
func (x *bounded) covers(p *model.Problem, of *trace.Trace) bool {
	largest := int32(0)
	for i := range x.trace.Spans.Len() {
		largest = max(largest, gangSize(x.trace, i))
	}
	for i := range of.Spans.Len() {
		j, size, nodes := &p.Jobs[of.Spans.Job[i]], gangSize(of, i), map[model.NodeID]bool{}
		for _, sh := range of.Spans.At(i) {
			nodes[p.Cluster.Slots[sh.Slot].Node] = true
		}
		one := of.Spans.Gang[i] == 0 && size >= j.Shape.Min && size <= j.Shape.Max
		alone := of.Spans.With[i] < 0
		if !(map[string]bool{
			message.OneGang:    one && alone,
			message.SharedGPUs: one,
			message.OwnCopies:  alone && len(nodes) == 1 && size <= j.Shape.Size && len(j.Phases[0].Tables) == 1,
			message.AnyCopies:  alone && len(nodes) == 1 && size <= largest && len(j.Phases[0].Tables) == 1,
		})[x.bounds.Kind] {
			return false
		}
	}
	return true
}

// gangSize is how many GPUs a span holds.
func gangSize(t *trace.Trace, span int) (n int32) {
	for _, sh := range t.Spans.At(span) {
		n += sh.N
	}
	return n
}

// TestBoundsMadeByHand: cases where a bound is the optimum, or where its relaxation is easy to work out.
func TestBoundsMadeByHand(t *testing.T) {
	two := func(a, b, steps float64) simtest.Job {
		return simtest.Job{GPUs: 1, Steps: steps, Rates: map[string]float64{"a": a, "b": b}}
	}
	mixed := func(gpus int32, rates map[string]float64, steps float64) simtest.Job {
		return simtest.Job{GPUs: gpus, Steps: steps, Rates: rates}
	}
	five := []simtest.Node{{"a": 4}, {"a": 4}, {"a": 4}, {"a": 4}, {"a": 4}}
	for _, c := range []struct {
		name           string
		p              *model.Problem
		id             string
		makespan, mean float64
		what           [2]string
	}{
		// One GPU: shortest remaining time first is optimal, and the bound says so: 100 and 150 for the jobs of
		// 100 s, 600 for that of 400 s, less arrivals.
		{"one GPU", simtest.Build(360, []simtest.Node{{"a": 1}},
			[]simtest.Job{plain(0, 1, 400), plain(50, 1, 100), plain(60, 1, 100)}, model.Costs{}),
			"srtf", 600, (600 + 100 + 190) / 3., [2]string{"fluid cluster",
				"shortest remaining time first on one machine of the cluster's worth"}},
		// Two GPUs and two alike jobs: 100 s each, alone.
		{"room for all", simtest.Build(360, []simtest.Node{{"a": 2}}, []simtest.Job{plain(0, 1, 100), plain(0, 1, 100)},
			model.Costs{}),
			"fifo", 100, 100, [2]string{"longest job at its best speed", "every job alone at its best speed"}},
		// The late job arrives at 1000 s and needs 50 s.
		{"a late arrival", simtest.Build(360, []simtest.Node{{"a": 2}},
			[]simtest.Job{plain(0, 1, 100), plain(1000, 1, 50)}, model.Costs{}),
			"fifo", 1050, 75, [2]string{"longest job at its best speed", "every job alone at its best speed"}},
		// Three late jobs on one GPU: 900 s and then 300 s.
		{"late arrivals", simtest.Build(360, []simtest.Node{{"a": 1}},
			[]simtest.Job{plain(0, 1, 100), plain(900, 1, 100), plain(900, 1, 100), plain(900, 1, 100)}, model.Costs{}),
			"fifo", 1200, (100 + 100 + 200 + 300) / 4., [2]string{"fluid cluster for the jobs from one arrival on",
				"shortest remaining time first on one machine of the cluster's worth"}},
		// One GPU of each type at 10 and 2 steps/s: 1200 steps at (20 + 4)/2.
		{"a balanced gang", balanced(simtest.Build(360, []simtest.Node{{"a": 1, "b": 1}},
			[]simtest.Job{mixed(2, map[string]float64{"a": 10, "b": 2}, 1200)}, model.Costs{})),
			"fifo", 100, 100, [2]string{"longest job at its best speed", "every job alone at its best speed"}},
		// Each type suits one job; 1000 steps at 10 steps/s each.
		{"to each its type", simtest.Build(360, []simtest.Node{{"a": 1}, {"b": 1}},
			[]simtest.Job{two(10, 1, 1000), two(1, 10, 1000)}, model.Costs{}),
			"fifo", 100, 100, [2]string{"longest job at its best speed", "every job alone at its best speed"}},
		// A gang of three must mix, and runs at three times the slower type's 6 steps/s.
		{"a gang must mix", simtest.Build(360, []simtest.Node{{"a": 2}, {"b": 1}},
			[]simtest.Job{mixed(3, map[string]float64{"a": 10, "b": 6}, 1800)}, model.Costs{}),
			"fifo", 100, 100, [2]string{"longest job at its best speed", "every job alone at its best speed"}},
		// Copies: one job on two nodes at once, 10 + 5 steps/s. Hadar may not, and is held to one gang.
		{"copies", simtest.Build(1000, []simtest.Node{{"a": 1}, {"b": 1}}, []simtest.Job{two(10, 5, 1500)},
			model.Costs{}),
			"hadare", 100, 100, [2]string{"longest job at its best speed", "every job alone at its best speed"}},
		{"no copies", simtest.Build(1000, []simtest.Node{{"a": 1}, {"b": 1}}, []simtest.Job{two(10, 5, 1500)},
			model.Costs{}),
			"hadar", 150, 150, [2]string{"longest job at its best speed", "every job alone at its best speed"}},
		// A job that asks for one GPU has one copy of one GPU on each of five nodes of four, not twenty GPUs.
		{"one GPU a copy", simtest.Build(360, five, []simtest.Job{plain(0, 1, 72000)}, model.Costs{}),
			"hadare", 14400, 14400, [2]string{"longest job at its best speed", "every job alone at its best speed"}},
		// Of five copies of 16 examples three are allowed, 12/7 steps/s and then 6: 1,225 and 350 s, see
		// TestProfiledCopiesTrainAsOneBatch of the policies.
		{"profiled copies", batches(), "hadare", 1575, 1575,
			[2]string{"longest job at its best speed", "every job alone at its best speed"}},
		// One node alone: 4/3 steps/s, and then 2.
		{"phases", kept(batches()), "hadar", 2100/(4./3) + 1050, 2100/(4./3) + 1050,
			[2]string{"longest job at its best speed", "every job alone at its best speed"}},
	} {
		tr := simtest.Run(t, c.p, c.id, nil)
		b := metric.Bounds(c.p, tr)
		near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-8*want }
		if !near(b.MakespanS, c.makespan) || !near(b.AvgJCTS, c.mean) || b.Names.AvgJCTS != c.what[1] ||
			b.Names.MakespanS != c.what[0] &&
				!(c.what[0] == "fluid cluster" && b.Names.MakespanS == "longest job at its best speed") {
			t.Errorf("%s: %+v, want makespan %v and mean %v by %v", c.name, b, c.makespan, c.mean, c.what)
		}
	}
	// Two jobs of 3600 steps at 1 step/s packed on one GPU at 0.6 each: as good as 1.2 GPUs.
	p := simtest.Build(360, []simtest.Node{{"a": 1}}, []simtest.Job{plain(0, 1, 3600), plain(0, 1, 3600)},
		model.Costs{})
	p.Pairs = []model.Pair{{A: 0, B: 1, RateA: 0.6, RateB: 0.6}}
	if b := metric.Bounds(p, simtest.Run(t, p, "gandiva", nil)); math.Abs(b.MakespanS-6000) > 1e-3 {
		t.Errorf("packed: %+v, want 6000 s", b)
	}
	if b := metric.Bounds(p, simtest.Run(t, p, "fifo", nil)); math.Abs(b.MakespanS-7200) > 1e-3 ||
		math.Abs(b.AvgJCTS-5400) > 1e-3 {
		t.Errorf("one after the other: %+v, want 7200 s and 5400 s", b)
	}
}

// batches is a job of two phases, whose copies have 16 examples each and 48 at most.
func batches() *model.Problem {
	p := simtest.Build(360, []simtest.Node{{"a": 1}, {"a": 1}, {"a": 1}, {"a": 1}, {"a": 1}},
		[]simtest.Job{plain(0, 1, 4200)}, model.Costs{})
	simtest.Profiled(p, 0, []model.Perf{{AlphaC: 0.1, BetaC: 0.05, Gamma: 1}},
		model.Batches{Init: 8, Max: 48, Low: 1, High: 64}, []float64{8, math.Inf(1)},
		model.Shape{Size: 1, Min: 1, Max: 1, Step: 1, Gangs: 5})
	return p
}

// kept leaves jobs the batch that they ask for.
func kept(p *model.Problem) *model.Problem {
	for i := range p.Jobs {
		for k := range p.Jobs[i].Phases {
			of := &p.Jobs[i].Phases[k]
			of.Tables = []int32{of.Tables[0], of.Tables[0]}
		}
	}
	return p
}

// TestNoCopiesBeatTheBounds runs copies of profiled jobs, whose noise changes with the batch and from phase to phase.
func TestNoCopiesBeatTheBounds(t *testing.T) {
	tight := 0
	for seed := range uint64(300) {
		rng := unit.Stream(seed, "copies")
		var nodes []simtest.Node
		for range 1 + rng.IntN(6) {
			nodes = append(nodes, simtest.Node{"a": int32(1 + rng.IntN(4)), "b": int32(rng.IntN(3))})
		}
		var jobs []simtest.Job
		at := 0.0
		for range 1 + rng.IntN(4) {
			at += float64(rng.IntN(200))
			jobs = append(jobs, simtest.Job{Arrive: at, GPUs: int32(1 + rng.IntN(4)),
				Steps: float64(500 + rng.IntN(5000)), Rates: map[string]float64{"a": 1, "b": 2}})
		}
		p := simtest.Build(60, nodes, jobs, model.Costs{})
		for i := range p.Jobs {
			if rng.IntN(4) == 0 {
				continue // without a profile
			}
			perf := make([]model.Perf, len(p.Cluster.Types))
			for k := range perf {
				perf[k] = model.Perf{AlphaC: 0.05 + rng.Float64(), BetaC: 0.05 * rng.Float64(), AlphaR: rng.Float64(),
					AlphaN: 1 + rng.Float64(), Gamma: 1 + 3*rng.Float64()}
			}
			b := model.Batches{Init: int32(4 + rng.IntN(12)), Low: 1, High: int32(8 + rng.IntN(40))}
			b.Max = b.Init * int32(2+rng.IntN(30))
			phi := []float64{1 + 400*rng.Float64(), 4000 * rng.Float64(), math.Inf(1)}[:1+rng.IntN(3)]
			simtest.Profiled(p, i, perf, b, phi, model.Shape{Size: p.Jobs[i].Shape.Size, Min: 1, Max: 6, Step: 1,
				Gangs: int32(len(nodes))})
			of := []int32{b.Init, 2 * b.Init, b.Max + 1}
			for k := range p.Jobs[i].Phases {
				for _, id := range p.Jobs[i].Phases[k].Tables {
					noise := model.NewNoise(of,
						[]float64{9000 * rng.Float64(), 9000 * rng.Float64(), 9000 * rng.Float64()})
					p.Tables[id].SetTraining(model.Training{Noise: noise, Init: b.Init, Max: b.Max})
				}
			}
		}
		for _, copies := range []string{"request", "node"} {
			tr := simtest.Run(t, p, "hadare", policy.Values{"copy": copies})
			if tr.Outcome != trace.Done {
				continue
			}
			m, b := metric.Compute(p, tr).Metrics, metric.Bounds(p, tr)
			if b == nil || b.MakespanS > m.MakespanS || b.AvgJCTS > m.AvgJCTS {
				t.Fatalf("seed %d, %s: makespan %v, mean %v, bounds %+v", seed, copies, m.MakespanS, m.AvgJCTS, b)
			}
			if b.MakespanS > 0.7*m.MakespanS {
				tight++
			}
		}
	}
	if tight < 60 {
		t.Errorf("only %d bounds come near", tight)
	}
}

// balanced lets all jobs split their batches by the speeds of their GPUs.
func balanced(p *model.Problem) *model.Problem {
	for i := range p.Jobs {
		p.Jobs[i].Shape.Split = &model.Split{}
	}
	return p
}
