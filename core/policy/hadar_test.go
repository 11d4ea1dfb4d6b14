package policy_test

import (
	"strconv"
	"strings"
	"testing"

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

// TestWorkedExample65 is the acceptance example: task level against job level. a is the V100, b the P100;
// a chunk is 360 steps, so that a round of 360 s does X·W chunks.
func TestWorkedExample65(t *testing.T) {
	j := simtest.Job{GPUs: 2, Steps: 60 * 360, Rates: map[string]float64{"a": 10, "b": 6}}
	p := simtest.Build(360, []simtest.Node{{"a": 3}, {"b": 3}}, []simtest.Job{j, j, j}, model.Costs{})
	task := []string{"j1 2a, j2 2b, j3 1a+1b", "j1 2a, j2 2b, j3 1a+1b", "j1 2a, j2 2b, j3 1a+1b", "j2 2a, j3 2b", "j2 2a, j3 2b", ""}
	job := []string{"j1 2a, j2 2b", "j1 2a, j2 2b", "j1 2a, j2 2b", "j2 2a, j3 2b", "j2 2a, j3 2b", "j3 2a", "j3 2a", ""}
	for name, c := range map[string]struct {
		params map[string]any
		rounds []string
		finish []float64
	}{
		"task level": {nil, task, []float64{3, 4.2, 5}},
		"job level":  {map[string]any{"homogeneous": true}, job, []float64{3, 4.2, 6.8}},
	} {
		tr := simtest.Run(t, p, "hadar", c.params)
		for r, want := range c.rounds {
			if got := holding(tr, r); got != want {
				t.Errorf("%s, round %d: %q, want %q", name, r+1, got, want)
			}
		}
		for i, f := range finishes(tr) {
			near(t, name, f/360, c.finish[i], 1e-9)
		}
	}
}

// TestWorkedExample65WideGang: a gang wider than any type.
func TestWorkedExample65WideGang(t *testing.T) {
	p := simtest.Build(360, []simtest.Node{{"a": 2}, {"b": 2}}, []simtest.Job{
		{GPUs: 3, Steps: 90 * 360, Rates: map[string]float64{"a": 10, "b": 6}},
		{GPUs: 1, Steps: 24 * 360, Rates: map[string]float64{"a": 12, "b": 6}}}, model.Costs{})
	tr := simtest.Run(t, p, "hadar", nil)
	for r, want := range []string{"j1 1a+2b, j2 1a", "j1 1a+2b, j2 1a", "j1 2a+1b", "j1 2a+1b", "j1 2a+1b", ""} {
		if got := holding(tr, r); got != want {
			t.Errorf("round %d: %q, want %q", r+1, got, want)
		}
	}
	near(t, "GRU", metric.Compute(p, tr).Metrics.GPUUtilization, 0.85, 1e-9)
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
	}{{"cost", "round"}, {"utility", "normalised"}, {"utility", "avg_jct"}, {"utility", "makespan"}, {"utility", "ftf"}, {"type_bounds", true},
		{"eta", 1.0}, {"horizon_s", 1e7}, {"order", "arrival"}, {"dp", "greedy"}, {"residual_pass", false}, {"work_conserving", true},
		{"homogeneous", true}, {"comm", "ring"}, {"comm", "none"}, {"overhead", "none"}} {
		moved := false
		for seed := uint64(0); seed < 2000 && !moved; seed++ {
			p := simtest.Random(unit.Stream(seed, "switch"))
			moved = simtest.Run(t, p, "hadar", nil).Hash() != simtest.Run(t, p, "hadar", map[string]any{c.param: c.value}).Hash()
		}
		if !moved {
			t.Errorf("%s=%v changed none of 2000 runs", c.param, c.value)
		}
	}
}

// TestHadarMeasuresItsPromise: three jobs of 21600 steps that could do 20 steps/s finish after 3, 4.2 and 5 rounds
// (acceptance example 6.5), so the values are 20, 14.2857 and 12 against three times 20.
func TestHadarMeasuresItsPromise(t *testing.T) {
	j := simtest.Job{GPUs: 2, Steps: 60 * 360, Rates: map[string]float64{"v100": 10, "p100": 6}}
	p := simtest.Build(360, []simtest.Node{{"v100": 3}, {"p100": 3}}, []simtest.Job{j, j, j}, model.Costs{})
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
			alpha = max(alpha, r.Explained().Constants.Alpha)
		}
		simtest.Finish(t, p, r)
		got := map[string]float64{}
		for _, m := range r.Measured() {
			got[m.Name] = m.Value
		}
		near(t, "primal", got["primal value measured on this run"], scale*(20+21600/1512.+12), 1e-9)
		near(t, "bound", got["bound on every schedule's value"], scale*60, 1e-9)
		near(t, "ratio", got["competitive ratio measured on this run, at most"], 60/(20+21600/1512.+12), 1e-9)
		near(t, "2α", got["proved competitive ratio 2α"], 2*alpha, 1e-9)
	}
	r := simtest.Start(t, p, "hadar", map[string]any{"utility": "makespan"}, sim.Options{})
	simtest.Finish(t, p, r)
	if r.Measured() != nil {
		t.Error("a utility that depends on the moment has no sum over the run")
	}
}
