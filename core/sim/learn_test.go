package sim_test

import (
	"math"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// TestSplitsByHand works out when a job ends on one GPU of type a and one of type b (or c), of which a gang of two
// alone does 2, 6 (and 4) steps/s, so that a step at even shares takes them 1/2, 1/6 (and 1/4) s.
func TestSplitsByHand(t *testing.T) {
	const s = unit.Second
	run := func(what string, split *model.Split, steps, want float64, spans []string, gangs ...[]int32) {
		p := simtest.Build(100, []simtest.Node{{"a": 1, "b": 1, "c": 1}},
			[]simtest.Job{{GPUs: 2, Steps: steps, Rates: map[string]float64{"a": 1, "b": 3, "c": 2}}}, model.Costs{})
		p.Jobs[0].Shape.Split = split
		tr := play(t, p, always, func(n int, _ sim.View, p *sim.Plan, _ *sim.Why) {
			p.Clear()
			if !on(p, 0, gangs[min(n, len(gangs)-1)]...) {
				t.Error("refused")
			}
		})
		finishes(t, what, tr, want)
		if got := kinds(tr, 0); spans != nil && !slices.Equal(got, spans) {
			t.Errorf("%s: spans %v, want %v", what, got, spans)
		}
	}
	ab, ac := []int32{1, 1}, []int32{1, 0, 1}
	learned := func(x model.Split) *model.Split {
		x.Learned, x.Band, x.Check = true, 0.2, 60*s
		return &x
	}
	run("even: as a, 2 steps/s", nil, 100, 50, nil, ab)
	// Shares 1/2 and 3/2 take 1/4 s both: 4 steps/s.
	run("perfect", &model.Split{}, 100, 25, nil, ab)
	// b may have 5/4, so that a has 3/4: (3/4)/2 = 3/8 s a step, 100 take 37.5 s.
	run("most", &model.Split{Most: 1.25}, 100, 37.5, nil, ab)
	// a must have 0.8: 0.8/2 = 0.4 s.
	run("least", &model.Split{Least: 0.8}, 100, 40, nil, ab)
	// 0.6 of a's 1/2 s do not shrink: 0.3 s even without a share. With shares 0 and 2, b takes (0.6 + 0.4·2)/6 = 0.233
	// s.
	run("overhead", &model.Split{Overhead: 0.6}, 100, 30, nil, ab)
	// With 0.2: (0.2 + 0.8·x)/2 = (0.2 + 0.8·(2 − x))/6 gives x = 0.375, 0.25 s.
	run("overhead that does not bind", &model.Split{Overhead: 0.2}, 100, 25, nil, ab)

	// 60 s at 2 are 120 steps. a took 1/2, b 1/6, mean 1/3: 2/3 and 2 of 8/3, so 1/2 and 3/2. 5 s for the change, then
	// 4 steps/s: 480 steps take 120 s more. The check 60 s on finds both at 1/4 s.
	run("learned", learned(model.Split{Change: 5 * s}), 600, 185, []string{"run 60", "stall 5", "run 120"}, ab)
	// Overhead 1/2: after 60 s (120 steps) 1/2 and 3/2, which take (1/2 + 1/4)/2 = 3/8 and (1/2 + 3/4)/6 = 5/24 s: 8/3
	// steps/s for 60 s, 160 steps. The mean is 7/24: candidates 1/2 · 7/9 = 7/18 and 3/2 · 7/5 = 21/10, of 112/45, so
	// 5/16 and 27/16, which take 21/64 and 43/192 s. Mean 53/192: a is 10/53 above, b as much below, less than 1/5. The
	// other 720 steps at 64/21 take 236.25 s.
	run("learned with overhead", learned(model.Split{Overhead: 0.5}), 1000, 356.25,
		[]string{"run 60", "run 60", "run 236"}, ab)
	// b at most 5/4: the check would give it 3/2. 60 s at 2 (120 steps), then 8/3: 480 steps in 180 s; no more checks
	// move it.
	run("learned within bounds", learned(model.Split{Most: 1.25}), 600, 240, []string{"run 60", "run 180"}, ab)
	// To 100 s 120 + 40 · 4 = 280 steps. Then a and c: 60 s at 2; 1/2 and 1/4 s, mean 3/8: 3/4 and 3/2 of 9/4, so 2/3
	// and 4/3, 1/3 s; 40 s at 3: 240 steps. From 200 s a and b again, learned anew: 120 steps to 260 s, and 360 at 4
	// in 90 s.
	run("types change", learned(model.Split{}), 1000, 350, nil, ab, ac, ab)
	// What was learned stays with a job that waits: 280 steps to 100 s, nothing to 200 s, and 720 at 4 steps/s in 180
	// s.
	tr := play(t, p2(1000, learned(model.Split{})), always, func(n int, v sim.View, p *sim.Plan, _ *sim.Why) {
		if p.Clear(); n != 1 {
			on(p, 0, 1, 1)
		}
		gang := []model.Shard{{Slot: 0, N: 1}, {Slot: 1, N: 1}}
		if told := v.Rate(0, 0, gang); told != 4 {
			t.Errorf("told %v steps/s, want what it settles at, 4", told)
		}
	})
	finishes(t, "stopped in between", tr, 380)
	// A quota of 60 steps, used up at 30 s: it holds to 100 s, and the other 30 s of training before the check end at
	// 130 s. 120 steps, the other 480 take 120 s.
	tr = play(t, p2(600, learned(model.Split{})), always, func(n int, _ sim.View, p *sim.Plan, _ *sim.Why) {
		p.Clear()
		p.Open(0, 0)
		p.Take(0, 1)
		p.Take(1, 1)
		if n == 0 {
			p.Quota(60)
		}
		p.Close()
	})
	finishes(t, "quota", tr, 250)
	if got, want := kinds(tr, 0), []string{"run 30", "hold 70", "run 30", "run 120"}; !slices.Equal(got, want) {
		t.Errorf("spans %v, want %v", got, want)
	}
}

// TestChecksThatMoveNextToNothing: a gang of a alone does 2 steps/s, of b 3998, and half of a step is overhead. 120
// steps by 60 s, at 1/2 and 1/3998 s; shares in proportion to the speeds are 0.001 and 1.999. 5 s for the change. A
// step then takes a (1/2 + 0.0005)/2 = 0.25025 s and b next to nothing, so that the check at 125 s would have a give
// away all but 0.0000015: less than a thousandth, so nothing moves, nothing stalls, and no further check comes. The
// other 600 steps take 150.15 s.
func TestChecksThatMoveNextToNothing(t *testing.T) {
	p := p2(720, &model.Split{Learned: true, Overhead: 0.5, Band: 0.2, Check: 60 * unit.Second,
		Change: 5 * unit.Second})
	p.Tables[0].Set(1, 2, 3998, 3998, 3998)
	tr := play(t, p, always, func(_ int, v sim.View, p *sim.Plan, _ *sim.Why) {
		told := float64(v.Rate(0, 0, []model.Shard{{Slot: 0, N: 1}, {Slot: 1, N: 1}}))
		if math.Abs(told*0.25025-1) > unit.Rounding {
			t.Errorf("told %v steps/s, want what it settles at, 1/0.25025", told)
		}
		p.Clear()
		on(p, 0, 1, 1)
	})
	finishes(t, "next to nothing", tr, 215.15)
	if got, want := kinds(tr, 0), []string{"run 60", "stall 5", "run 150"}; !slices.Equal(got, want) {
		t.Errorf("spans %v, want %v", got, want)
	}
}

// p2 is a job on one GPU of each of two types.
func p2(steps float64, split *model.Split) *model.Problem {
	p := simtest.Build(100, []simtest.Node{{"a": 1, "b": 1}},
		[]simtest.Job{{GPUs: 2, Steps: steps, Rates: map[string]float64{"a": 1, "b": 3}}}, model.Costs{})
	p.Jobs[0].Shape.Split = split
	return p
}

// TestLearningGoesOnWithAnotherPhase: a settled split is looked at again when speeds change.
func TestLearningGoesOnWithAnotherPhase(t *testing.T) {
	p := p2(1000, &model.Split{Learned: true, Band: 0.2, Check: 60 * unit.Second})
	later := model.NewThroughput("later", 2, 2)
	later.Set(0, 2, 6, 6, 6)
	later.Set(1, 2, 2, 2, 2)
	p.Tables = append(p.Tables, later)
	p.Jobs[0].Phases = append(p.Jobs[0].Phases, model.Phase{From: 600, Tables: []int32{1}})
	tr := play(t, p, always, func(_ int, _ sim.View, p *sim.Plan, _ *sim.Why) {
		p.Clear()
		on(p, 0, 1, 1)
	})
	// 120 steps to 60 s; 480 at 4 to 180 s, with the check at 120 s that settles it. From 180 s 1/2 ÷ 6 = 1/12 and 3/2
	// ÷ 2 = 3/4 s, 4/3 steps/s: 80 steps to 240 s. Then mean 5/12: candidates 5/2 and 5/6 of 10/3, so 3/2 and 1/2 and
	// 4 steps/s: 320 steps in 80 s.
	finishes(t, "another phase", tr, 320)
}

// TestLearnedSplitsSeeSlowNodes works out what a check makes of a slow node and of a host that is short of CPUs. Each
// node has one GPU; every gang is of two.
func TestLearnedSplitsSeeSlowNodes(t *testing.T) {
	learned := &model.Split{Learned: true, Band: 0.2, Check: 60 * unit.Second}
	run := func(what string, p *model.Problem, split *model.Split, spans []string, want float64) {
		p.Jobs[0].Shape.Split = split
		tr := play(t, p, always, func(_ int, v sim.View, p *sim.Plan, _ *sim.Why) {
			p.Clear()
			on(p, 0, 1, 1)
		})
		finishes(t, what, tr, want)
		if got := kinds(tr, 0); !slices.Equal(got, spans) {
			t.Errorf("%s: spans %v, want %v", what, got, spans)
		}
	}
	nodes := func(b string, steps float64, spells ...model.SpeedChange) *model.Problem {
		p := simtest.Build(100, []simtest.Node{{"a": 1}, {b: 1}},
			[]simtest.Job{{GPUs: 2, Steps: steps, Rates: map[string]float64{"a": 1, "b": 3}}}, model.Costs{})
		p.Speeds = spells
		return p
	}
	// Types at 2 and 6 steps/s. 120 steps by 60 s, then shares 1/2 and 3/2, 1/4 s a step and 4 steps/s; the check at
	// 120 s settles it. At 200 s, with 680 done, the b's node has a third of its speed: 3/2 ÷ 2 = 3/4 s, 4/3 steps/s,
	// 80 by 260 s. Mean 1/2: candidates 1/2 · 2 and 3/2 · 2/3, so 1 and 1, 1/2 s: 280 by 400 s, when the spell ends.
	// The a still takes 1/2 s, but the b 1/6: the gang is no faster, and looks again. 120 by 460 s; then 1/2 and 3/2:
	// the other 240 of 1400 take 60 s.
	run("a spell and its end", nodes("b", 1400, spell(1, 200, 400, 1./3)...), learned,
		[]string{"run 60", "run 140", "run 60", "run 200", "run 60"}, 520)
	// Both of a type, 2 steps/s. From 100 s on the second is half as fast: 200 steps, and 60 at 1 step/s by 160 s. It
	// took 1 s, the other 1/2, mean 3/4: 3/2 and 3/4 of 9/4, so 4/3 and 2/3, 2/3 s: the other 300 take 200 s. A split
	// by known speeds stays even, and does 360 at 1 step/s.
	run("one type", nodes("a", 560, spell(1, 100, 1000, 0.5)...), learned,
		[]string{"run 100", "run 60", "run 200"}, 360)
	run("one type, balanced", nodes("a", 560, spell(1, 100, 1000, 0.5)...), &model.Split{},
		[]string{"run 100", "run 360"}, 460)
	// An image model at 12 steps/s on 6 CPUs a GPU, of which the second node has 3: half as fast there, 6 steps/s, 360
	// by 60 s. Then 4/3 and 2/3 as above, 1/9 s: 900 in 100 s.
	run("a host short of CPUs", hosted(false, []model.Host{{CPUs: 6}, {CPUs: 3}}, []int32{1, 1}, []*model.Need{image},
		1260), learned, []string{"run 60", "run 100"}, 160)
	// Both at once: the first node is at half its speed from 100 s on, when 360 + 360 are done. It takes 4/3 ÷ 6 = 2/9
	// s, the other 1/9: 90 by the check at 120 s. Mean 1/6: candidates 4/3 · 3/4 and 2/3 · 3/2, so 1 and 1: 1/6 s, 450
	// in 75 s.
	p := hosted(false, []model.Host{{CPUs: 6}, {CPUs: 3}}, []int32{1, 1}, []*model.Need{image}, 1260)
	p.Speeds = spell(0, 100, 1000, 0.5)
	run("host and spell", p, learned, []string{"run 60", "run 40", "run 20", "run 75"}, 195)
}

// TestWhatIsLearnedIsOfTheseGPUs: where a node is slow for a while, a gang on other GPUs of the same types learns anew,
// and one on the same goes on with what it knows. The first node's GPU is half as fast from the start.
func TestWhatIsLearnedIsOfTheseGPUs(t *testing.T) {
	for _, c := range []struct {
		what string
		then []int32
		want float64
	}{
		// 60 steps by 60 s at 1 step/s, then 2/3 and 4/3: 2/3 s, 60 by 100 s; nothing to 200 s; 280 in 186.667 s.
		{"the same", []int32{1, 1}, 386.667},
		// From 200 s on nodes 1 and 3: 60 by 260 s, the other 220 in 146.667 s.
		{"others", []int32{1, 0, 1}, 406.667},
	} {
		p := simtest.Build(100, []simtest.Node{{"a": 1}, {"a": 1}, {"a": 1}},
			[]simtest.Job{{GPUs: 2, Steps: 400, Rates: map[string]float64{"a": 1}}}, model.Costs{})
		p.Speeds = spell(0, 0, 10_000, 0.5)
		p.Jobs[0].Shape.Split = &model.Split{Learned: true, Band: 0.2, Check: 60 * unit.Second}
		tr := play(t, p, always, func(n int, v sim.View, p *sim.Plan, _ *sim.Why) {
			p.Clear()
			switch {
			case n == 0:
				on(p, 0, 1, 1)
			case n > 1:
				on(p, 0, c.then...)
			}
		})
		finishes(t, c.what, tr, c.want)
	}
}

// TestLearningGoesOnWithAnotherShare: over two nodes 1 GB passes 1 GB/s for half of what a step averages, so that a
// step takes its GPUs 1/2 and 1/6 s, and 1/2 s more for the exchange: 2 and 3 steps/s.
func TestLearningGoesOnWithAnotherShare(t *testing.T) {
	job := simtest.Job{GPUs: 2, Steps: 470 + 600./7 + 160, Rates: map[string]float64{"a": 2, "b": 6}}
	other := job
	other.Arrive, other.Steps = 200, 10_000
	p := simtest.Build(100, []simtest.Node{{"a": 2}, {"b": 2}}, []simtest.Job{job, other}, model.Costs{})
	simtest.Linked(p, model.Net{Node: model.Link{BytesPerS: 1e12}, NIC: model.Link{BytesPerS: 1e9}, Oversubscription: 1,
		Congestion: 1}, 0.5e9, 0.5e9)
	p.Jobs[0].Shape.Split = &model.Split{Learned: true, Band: 0.05, Check: 60 * unit.Second}
	// 120 steps by 60 s at 2. 1/2 and 1/3 s, mean 5/12: 5/6 and 5/4 of 25/12, so 4/5 and 6/5, 2/5 s, 5/2 steps/s: 350
	// by 200 s, settled. Then another gang halves its share: 4/3 and 12/7 steps/s; 4/5 and 6/5 take 3/5 and 7/10 s,
	// 600/7 steps in the 60 s until a check. Mean 13/20: 4/5 · 13/12 and 6/5 · 13/14, scaled 7/8 and 9/8, 21/32 s: the
	// other 160 take 105 s.
	tr := play(t, p, always, func(_ int, v sim.View, p *sim.Plan, _ *sim.Why) {
		p.Clear()
		for _, j := range v.Active() {
			on(p, j, 1, 1)
		}
	})
	finishes(t, "another share", tr, 365)
	if got, want := kinds(tr, 0), []string{"run 60", "run 140", "run 60", "run 105"}; !slices.Equal(got, want) {
		t.Errorf("spans %v, want %v", got, want)
	}
}

// TestMovesDoNotEscapeAStall: moves cost nothing here, and a gang that stands still for its shares at 60 s does so
// until 120 s wherever it is. The view says so at 100 s, of the gang that it has, of another and of any. 120 steps by
// 60 s, the other 480 at 4 steps/s take 120 s.
func TestMovesDoNotEscapeAStall(t *testing.T) {
	p := simtest.Build(100, []simtest.Node{{"a": 1, "b": 1}, {"a": 1, "b": 1}},
		[]simtest.Job{{GPUs: 2, Steps: 600, Rates: map[string]float64{"a": 1, "b": 3}}}, model.Costs{})
	p.Jobs[0].Shape.Split = &model.Split{Learned: true, Band: 0.2, Check: 60 * unit.Second, Change: 60 * unit.Second}
	tr := play(t, p, always, func(n int, v sim.View, p *sim.Plan, _ *sim.Why) {
		here, there := []model.Shard{{Slot: 0, N: 1}, {Slot: 1, N: 1}}, []model.Shard{{Slot: 2, N: 1}, {Slot: 3, N: 1}}
		want := []unit.Tick{0, 20 * unit.Second, 0}[n]
		for _, gang := range [][]model.Shard{here, there, nil} {
			if got := v.Charge(0, gang); got != want {
				t.Errorf("decision %d: %v would stall for %v, want %v", n, gang, got, want)
			}
		}
		if p.Clear(); n == 0 {
			on(p, 0, 1, 1)
		} else {
			on(p, 0, 0, 0, 1, 1)
		}
	})
	finishes(t, "moved", tr, 240)
	if got, want := kinds(tr, 0), []string{"run 60", "stall 40", "stall 20", "run 120"}; !slices.Equal(got, want) {
		t.Errorf("spans %v, want %v", got, want)
	}
}
