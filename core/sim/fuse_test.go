package sim_test

import (
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// sweepOf is jobs of one sweep on one GPU, 1 step/s each alone, that arrive at and do so many steps; most of them are
// fused, the first is held for so many s, and each end costs the others refuse s.
func sweepOf(arrive, steps []float64, most int, hold, refuse float64, curve model.Gain) *model.Problem {
	var jobs []simtest.Job
	var at []unit.Tick
	for i := range steps {
		jobs = append(jobs, simtest.Job{Arrive: arrive[i], GPUs: 1, Steps: steps[i], Rates: map[string]float64{"a": 1}})
		at = append(at, unit.Seconds(arrive[i]))
	}
	p := simtest.Build(100, []simtest.Node{{"a": 1}}, jobs, model.Costs{})
	p.Fusion = &model.Fusion{Refuse: unit.Seconds(refuse)}
	first, released := model.Held(at, most, unit.Seconds(hold))
	for i := range first {
		end := len(steps)
		if i+1 < len(first) {
			end = first[i+1]
		}
		var members []model.JobID
		for j := first[i]; j < end; j++ {
			members = append(members, model.JobID(j))
		}
		p.Fusion.Arrays = append(p.Fusion.Arrays, simtest.Array(p, members, released[i], curve))
	}
	return p
}

// inTurn gives the GPU to the first that is active, as FIFO does.
func inTurn(_ int, v sim.View, p *sim.Plan, _ *sim.Why) {
	for _, j := range v.Active() {
		if p.Free(0) > 0 && !v.Holds(j) {
			p.Open(j, 0)
			p.Take(0, 1)
			p.Close()
		}
	}
}

// TestFusionByHand works the answers out on paper.
func TestFusionByHand(t *testing.T) {
	measured := model.Gain{Use: 0.3, Beta: 0.136}
	for _, c := range []struct {
		what          string
		arrive, steps []float64
		most          int
		hold, refuse  float64
		curve         model.Gain
		finish        []unit.Tick
	}{
		// The point that was measured: T_3 = max(1 + 2 · 0.136, 3 · 0.3) = 1.272 s; 100 steps take 127.2 s.
		{"three alike", []float64{0, 0, 0}, []float64{100, 100, 100}, 8, 0, 30, measured,
			[]unit.Tick{127_200, 127_200, 127_200}},
		// All come within 60 s, and the array is full as the third does, at 60 s. T_3 = 1.272: the first ends at
		// 60 + 127.2 = 187.2 s. 30 s are lost: from 217.2 s T_2 = 1.136 for 100 more steps, 113.6 s, the second ends
		// at 330.8 s. From 360.8 s the last does its other 100 steps alone: 460.8 s.
		{"three that end one by one", []float64{0, 20, 60}, []float64{100, 200, 300}, 3, 600, 30, measured,
			[]unit.Tick{187_200, 330_800, 460_800}},
		// The first is held for 50 s; the third comes too late and is held itself, until 110 s. T_2 = 1.136: the two
		// end at 50 + 113.6 = 163.6 s, both at once, so that nothing is fused anew. Then the third: 263.6 s.
		{"one that comes too late", []float64{0, 40, 60}, []float64{100, 100, 100}, 8, 50, 30, measured,
			[]unit.Tick{163_600, 163_600, 263_600}},
		// A GPU that is full: T_4 = max(1.3, 4 · 0.9) = 3.6 s; 50 steps take 180 s. T_3 = 2.7 s from 190 s, 50 more
		// take 135 s: 325 s. T_2 = 1.8 s from 335 s: 90 s, 425 s. The last 50 are done from 435 to 485 s.
		{"a full GPU", []float64{0, 0, 0, 0}, []float64{200, 150, 100, 50}, 8, 0, 10, model.Gain{Use: 0.9, Beta: 0.1},
			[]unit.Tick{485_000, 425_000, 325_000, 180_000}},
		// Held in vain: nobody else comes within 600 s.
		{"one alone", []float64{5}, []float64{100}, 8, 600, 30, measured, []unit.Tick{705_000}},
	} {
		p := sweepOf(c.arrive, c.steps, c.most, c.hold, c.refuse, c.curve)
		tr := play(t, p, sim.Cadence{On: sim.Arrival | sim.Finish}, inTurn)
		for j, want := range c.finish {
			// 1 / 1.272 steps/s is rounded down, so that the last step is done within the next tick
			if got := tr.Jobs[j].Finish; got != want && got != want+1 {
				t.Errorf("%s: job %d finishes at %d ms, want %d", c.what, j+1, got, want)
			}
		}
	}
}

// TestFaultOfAnArray: members lose what was done since the last checkpoint, and one that has ended stays so. With
// T_2 = 1.136 s the first ends at 113.6 s; the other is alone from 143.6 s, done with 100 steps, which are saved. At
// 193.6 s, 50 steps on, the GPU fails until 200 s: 100 of 200 steps are left, it ends at 300 s.
func TestFaultOfAnArray(t *testing.T) {
	p := sweepOf([]float64{0, 0}, []float64{100, 200}, 8, 0, 30, model.Gain{Use: 0.3, Beta: 0.136})
	for i := range p.Costs {
		p.Costs[i].CheckpointEvery = unit.Seconds(1000)
	}
	p.Changes = []model.CapacityChange{{At: 193_600, Slot: 0, Cap: 0}, {At: 200_000, Slot: 0, Cap: 1}}
	tr := play(t, p, sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}, inTurn)
	if a, b := &tr.Jobs[0], &tr.Jobs[1]; a.Finish != 113_600 || b.Finish != 300_000 || a.Preempted != 0 ||
		b.Preempted != 1 {
		t.Errorf("they finish at %d and %d ms, preempted %d and %d times", a.Finish, b.Finish, a.Preempted, b.Preempted)
	}
}

// TestUnfused: each job trains for itself, held by nobody.
func TestUnfused(t *testing.T) {
	p := sweepOf([]float64{0, 20}, []float64{100, 100}, 8, 600, 30, model.Gain{Use: 0.3, Beta: 0.136})
	n := 0
	r, err := sim.New(p.Under(map[string]any{model.FusionName: false}), script{&n, inTurn},
		sim.Cadence{On: sim.Arrival | sim.Finish}, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for r.Step() {
	}
	if tr, _ := r.Result(); tr.Jobs[0].Finish != 100_000 || tr.Jobs[1].Finish != 200_000 ||
		tr.Jobs[1].Start != 100_000 {
		t.Errorf("they finish at %d and %d ms", tr.Jobs[0].Finish, tr.Jobs[1].Finish)
	}
}

// TestWhatIsSaidOfAnArray: why its members are held, how many it has from when on, and all rows of the trace alike.
func TestWhatIsSaidOfAnArray(t *testing.T) {
	p := sweepOf([]float64{0, 20, 60}, []float64{100, 200, 300}, 3, 600, 30, model.Gain{Use: 0.3, Beta: 0.136})
	tr := play(t, p, sim.Cadence{Every: unit.Seconds(10)}, inTurn)
	var sizes []float64
	for i := range tr.Reasons {
		if r := &tr.Reasons[i]; r.Code == trace.Fused {
			sizes = append(sizes, r.Num[0])
		}
	}
	if len(sizes) != 3 || sizes[0] != 3 || sizes[2] != 1 {
		t.Errorf("arrays of %v", sizes)
	}
	for j := range tr.Jobs {
		if r := &tr.Jobs[j]; r.Starts != 1 || r.Start != 60_000 {
			t.Errorf("%s starts %d times, first at %d", r.Name, r.Starts, r.Start)
		}
	}
}
