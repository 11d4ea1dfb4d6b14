package hadar_test

import (
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// holding describes who holds what during a round, as "j1 2a, j3 1a+1b".
func holding(t *trace.Trace, round int) string {
	at := unit.Tick(round) * 360 * unit.Second
	held := make([]string, len(t.Jobs))
	for i := range t.Spans.Len() {
		if t.Spans.From[i] > at || t.Spans.To[i] <= at {
			continue
		}
		var parts []string
		for _, sh := range t.Spans.At(i) {
			parts = append(parts, strconv.Itoa(int(sh.N))+t.Types[t.Slots[sh.Slot].Type])
		}
		held[t.Spans.Job[i]] = t.Jobs[t.Spans.Job[i]].Name + " " + strings.Join(parts, "+")
	}
	var out []string
	for _, h := range held {
		if h != "" {
			out = append(out, h)
		}
	}
	return strings.Join(out, ", ")
}

// TestTaskLevelAgainstJobLevel is what sets Hadar apart from schedulers on job level. a is the V100, b the P100;
// a chunk is 360 steps, so that a round of 360 s does X·W chunks.
func TestTaskLevelAgainstJobLevel(t *testing.T) {
	j := simtest.Job{GPUs: 2, Steps: 60 * 360, Rates: map[string]float64{"a": 10, "b": 6}}
	p := simtest.Build(360, []simtest.Node{{"a": 3}, {"b": 3}}, []simtest.Job{j, j, j}, model.Costs{})
	together := []string{"j1 2a, j2 2b, j3 1a+1b", "j1 2a, j2 2b, j3 1a+1b", "j1 2a, j2 2b, j3 1a+1b"}
	apart := []string{"j1 2a, j2 2b", "j1 2a, j2 2b", "j1 2a, j2 2b"}
	first := func(homogeneous bool) map[string]any {
		return map[string]any{"homogeneous": homogeneous, "utility": "effective", "order": "lifetime_density",
			"dp_value": "lifetime",
			"dp":       "beam", "beam": 256.0} // one offer a state
	}
	for name, c := range map[string]struct {
		params map[string]any
		rounds []string
		finish []float64
	}{
		"task level": {nil, append(together, "j2 2a, j3 2b", "j2 2b, j3 2a", ""),
			[]float64{3, 13. / 3, 4.6}},
		"task level, effective": {map[string]any{"utility": "effective"},
			append(together, "j2 2a, j3 2b", "j2 2b, j3 2a", ""), []float64{3, 13. / 3, 4.6}},
		"job level": {map[string]any{"homogeneous": true},
			append(apart, "j2 2b, j3 2a", "j2 2b, j3 2a", "j3 2a", ""), []float64{3, 5, 6}},
		"task level, by lives": {first(false), append(together, "j2 2a, j3 2b", "j2 2a, j3 2b", ""),
			[]float64{3, 4.2, 5}},
		"job level, by lives": {first(true), append(apart, "j2 2a, j3 2b", "j2 2a, j3 2b", "j3 2a", "j3 2a", ""),
			[]float64{3, 4.2, 6.8}},
	} {
		tr := simtest.Run(t, p, "hadar", c.params)
		for r, want := range c.rounds {
			if got := holding(tr, r); got != want {
				t.Errorf("%s, round %d: %q, want %q", name, r+1, got, want)
			}
		}
		for i, f := range simtest.Finishes(tr) {
			simtest.Near(t, name, f/360, c.finish[i], 1e-9)
		}
	}
}

// TestWideGang: a gang wider than any type.
func TestWideGang(t *testing.T) {
	p := simtest.Build(360, []simtest.Node{{"a": 2}, {"b": 2}}, []simtest.Job{
		{GPUs: 3, Steps: 90 * 360, Rates: map[string]float64{"a": 10, "b": 6}},
		{GPUs: 1, Steps: 24 * 360, Rates: map[string]float64{"a": 12, "b": 6}}}, model.Costs{})
	tr := simtest.Run(t, p, "hadar", nil)
	for r, want := range []string{"j1 1a+2b, j2 1a", "j1 1a+2b, j2 1a", "j1 2a+1b", "j1 2a+1b", "j1 2a+1b", ""} {
		if got := holding(tr, r); got != want {
			t.Errorf("round %d: %q, want %q", r+1, got, want)
		}
	}
	simtest.Near(t, "GRU", metric.Compute(p, tr).Metrics.GPUUtilization, 0.85, 1e-9)
	tr = simtest.Run(t, p, "hadar", map[string]any{"homogeneous": true})
	if tr.Outcome != trace.Starved || tr.Jobs[0].Start != -1 || tr.Jobs[1].Finish < 0 {
		t.Errorf("job level: %v, j1 starts at %v; it must never run", tr.Outcome, tr.Jobs[0].Start)
	}
}

// TestEverySwitchDecides: each of Hadar's switches changes some run, or it would be a switch for nothing.
func TestEverySwitchDecides(t *testing.T) {
	for _, c := range []struct {
		param string
		value any
	}{{"cost", "round"}, {"utility", "effective"}, {"utility", "avg_jct"}, {"utility", "makespan"}, {"utility", "ftf"},
		{"type_bounds", true},
		{"eta", 1.0}, {"horizon_s", 1e7}, {"order", "arrival"}, {"order", "lifetime_density"}, {"dp_value", "lifetime"},
		{"dp", "greedy"}, {"residual_pass", false}, {"work_conserving", true},
		{"homogeneous", true}, {"comm", "ring"}, {"comm", "none"}, {"overhead", "none"}} {
		moved := false
		for seed := uint64(0); seed < 2000 && !moved; seed++ {
			p := simtest.Random(unit.Stream(seed, "switch"))
			moved = simtest.Run(t, p, "hadar", nil).Hash() != simtest.Run(t, p, "hadar",
				map[string]any{c.param: c.value}).Hash()
		}
		if !moved {
			t.Errorf("%s=%v changed none of 2000 runs", c.param, c.value)
		}
	}
}

// TestHadarMeasuresItsPromise: three jobs of 21600 steps that could do 20 steps/s finish after 3, 4.3333 and 4.6 rounds
// (acceptance example 6.5), so the values are 20, 13.846 and 13.0435 against three times 20.
func TestHadarMeasuresItsPromise(t *testing.T) {
	j := simtest.Job{GPUs: 2, Steps: 60 * 360, Rates: map[string]float64{"v100": 10, "p100": 6}}
	p := simtest.Build(360, []simtest.Node{{"v100": 3}, {"p100": 3}}, []simtest.Job{j, j, j}, model.Costs{})
	const sum = 20 + 60/(13./3) + 60/4.6
	for utility, scale := range map[string]float64{"effective": 1, "normalised": 1. / 20} {
		r := simtest.Start(t, p, "hadar", map[string]any{"utility": utility}, sim.Options{})
		alpha := 0.0
		for round := 0; ; round++ {
			r.Explain(round)
			for r.Rounds() <= round && r.Step() {
			}
			if r.Rounds() <= round {
				break
			}
			for _, s := range r.Explained().Sections {
				for _, k := range s.Terms {
					if k.Key == "constants/alpha" {
						alpha = max(alpha, k.Value)
					}
				}
			}
		}
		simtest.Finish(t, p, r)
		got, units := map[string]float64{}, map[string]string{}
		for _, m := range r.Measured() {
			got[m.Name], units[m.Name] = m.Value, m.Unit
		}
		simtest.Near(t, "primal", got["primal value measured on this run"], scale*sum, 1e-9)
		simtest.Near(t, "bound", got["bound on the value of schedules of only the gangs asked for"], scale*60, 1e-9)
		simtest.Near(t, "ratio", got["competitive ratio measured on this run, against such schedules, at most"], 60/sum,
			1e-9)
		simtest.Near(t, "2α", got["theoretical bound of Hadar’s family on the competitive ratio, 2α"], 2*alpha, 1e-9)
		if want := map[string]string{"effective": "steps/s",
			"normalised": ""}[utility]; units["primal value measured on this run"] != want {
			t.Errorf("%s is in %q, want %q", utility, units["primal value measured on this run"], want)
		}
	}
	r := simtest.Start(t, p, "hadar", map[string]any{"utility": "makespan"}, sim.Options{})
	simtest.Finish(t, p, r)
	if r.Measured() != nil {
		t.Error("a utility that depends on the moment has no sum over the run")
	}
}

// TestMeasuredRatioOfJobsShorterThanARound: a job of 36 s beside nobody is worth what it can be.
func TestMeasuredRatioOfJobsShorterThanARound(t *testing.T) {
	p := simtest.Build(360, []simtest.Node{{"a": 1}},
		[]simtest.Job{{GPUs: 1, Steps: 36, Rates: map[string]float64{"a": 1}}}, model.Costs{})
	r := simtest.Start(t, p, "hadar", nil, sim.Options{})
	simtest.Finish(t, p, r)
	for _, m := range r.Measured() {
		if m.Name == "competitive ratio measured on this run, against such schedules, at most" {
			simtest.Near(t, m.Name, m.Value, 1, 1e-12)
			return
		}
	}
	t.Error("no ratio is measured")
}

// TestShortBeforeLong: behind a running job of 3600 s wait one of 720 s and one of 36000 s.
func TestShortBeforeLong(t *testing.T) {
	job := func(steps, arrive float64) simtest.Job {
		return simtest.Job{GPUs: 1, Steps: steps, Arrive: arrive, Rates: map[string]float64{"a": 1}}
	}
	p := simtest.Build(360, []simtest.Node{{"a": 1}}, []simtest.Job{job(3600, 0), job(720, 100), job(36000, 100)},
		model.Costs{})
	simtest.Ends(t, p, "hadar", nil, 4320, 1080, 40320)
	simtest.Ends(t, p, "hadar", map[string]any{"utility": "effective", "order": "lifetime_density",
		"dp_value": "lifetime"},
		3600, 40320, 39600)
}

// TestUnlikeUnits: one job of 360 s whose steps take a second, three of an hour with 100 steps a second.
func TestUnlikeUnits(t *testing.T) {
	quick := simtest.Job{GPUs: 1, Steps: 360000, Rates: map[string]float64{"a": 100}}
	p := simtest.Build(360, []simtest.Node{{"a": 1}},
		[]simtest.Job{{GPUs: 1, Steps: 360, Rates: map[string]float64{"a": 1}}, quick, quick, quick}, model.Costs{})
	simtest.Ends(t, p, "hadar", nil, 360, 3960, 7560, 11160)
	simtest.Ends(t, p, "hadar", map[string]any{"utility": "effective"}, 11160, 3600, 7200, 10800)
}

// TestComparativeAdvantage: A does 10 or 9 steps/s, B 10 or 1.
func TestComparativeAdvantage(t *testing.T) {
	p := simtest.Build(360, []simtest.Node{{"v100": 1}, {"k80": 1}}, []simtest.Job{
		{GPUs: 1, Steps: 36000, Rates: map[string]float64{"v100": 10, "k80": 9}},
		{GPUs: 1, Steps: 36000, Rates: map[string]float64{"v100": 10, "k80": 1}}}, model.Costs{})
	simtest.Ends(t, p, "hadar", nil, 3960, 3600)
	simtest.Ends(t, p, "hadar", map[string]any{"dp": "beam"}, 3600, 6840)
}

// TestWhyListsWhatItLost: of a job that waits the placement is listed that another job has got, with what it is worth
// there and here, before those that there is no room for; that Hadar mixes types is said where it does.
func TestWhyListsWhatItLost(t *testing.T) {
	text, _ := lab.Preset("whose-round")
	e, diags := lab.NewSession().Explain(&message.ExplainRequest{Scenario: text, Policy: message.PolicyRef{ID: "hadar"},
		Job: "j1"})
	if e == nil {
		t.Fatal(diags)
	}
	note, row := "", message.Row{}
	for _, s := range e.Jobs[0].Sections {
		note += s.Note
		if s.Table != nil && s.Table.Key == "candidates" {
			row = s.Table.Rows[0]
		}
	}
	if row.Verdict != "goes to j3, to which it is worth 0.15" || *row.Cells[2].Number < 0.119 ||
		*row.Cells[2].Number > 0.121 || len(row.Cells[0].Gang) != 2 {
		t.Errorf("the first row is %+v", row)
	}
	if !strings.Contains(note, "several types") {
		t.Errorf("of types it says %q", note)
	}
}
