package state

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/core/scenario"
)

// TestRelativeSpeedsTakeAsLong: steps and speeds change together, and no lane's times with them. Gavel runs whole steps
// in a round, so that a step of another size may end a job a round earlier: it is compared where no single job weighs
// much.
func TestRelativeSpeedsTakeAsLong(t *testing.T) {
	d := newDesk(t)
	compared := 0
	for i := range d.s.Boot.Presets {
		name := d.s.Boot.Presets[i].Name
		doc, _ := scenario.Parse(d.s.Boot.Docs[i], scenario.FileLimits)
		doc.Scenario.Policies = []scenario.Policy{{ID: "hadar"}, {ID: "fifo"}}
		if doc.JobCount() >= 60 {
			doc.Scenario.Policies = append(doc.Scenario.Policies, scenario.Policy{ID: "gavel-las"})
			compared++
		}
		d.do(Load{Doc: doc, Sentence: "other lanes"})
		d.pass(1000)
		jct := func() (out []float64) {
			if d.s.Status() != "ready" {
				t.Fatalf("%s gives no result: %s %v", name, d.s.Status(), form(d.s).Problems())
			}
			for _, l := range d.s.Result.Lanes {
				out = append(out, l.Meta.Metrics.AvgJCTS)
			}
			return out
		}
		before, was, start := jct(), d.s.Doc.Marshal(true), d.s.History.Pos
		for row := range doc.Scenario.Throughputs.Rows {
			if r := &doc.Scenario.Throughputs.Rows[row]; edit.CanNormalise(r) {
				d.edit(edit.Normalise{Row: row})
			}
		}
		for lane, after := range jct() {
			if math.Abs(after-before[lane]) > .01*before[lane] {
				t.Errorf("%s, lane %d: mean completion %v s, before %v s", name, lane, after, before[lane])
			}
		}
		for row := range doc.Scenario.Throughputs.Rows {
			r := &d.s.Doc.Scenario.Throughputs.Rows[row]
			if _, best := edit.Fastest(r); best != 1 && r.GradientMB == 0 || edit.CanNormalise(r) {
				t.Errorf("%s: row %d has its fastest type at %v", name, row, best)
			}
		}
		for d.s.History.Pos > start {
			d.do(Undo{})
		}
		if !bytes.Equal(d.s.Doc.Marshal(true), was) {
			t.Errorf("%s: undo does not bring the same text back", name)
		}
	}
	if compared == 0 {
		t.Error("Gavel is compared on no preset")
	}
}

// TestRelativeSpeedsOfEveryTable: gangs and pairs hold steps/s as well, of one side of a pair or of both.
func TestRelativeSpeedsOfEveryTable(t *testing.T) {
	d := newDesk(t).s.Doc.Clone()
	d.Scenario.Throughputs.Rows = []scenario.Row{
		{Model: "a", Batch: 8, PerGPU: map[string]float64{"k80": 1, "p100": 0, "v100": 4}, Source: "measured",
			Gang:   map[string]map[string]float64{"v100": {"2": 6, "4": 0}},
			Spread: map[string]map[string]float64{"v100": {"2": 5}}},
		{Model: "b", PerGPU: map[string]float64{"v100": 10}}, {Model: "none", PerGPU: map[string]float64{"v100": 0}},
		{Model: "relative", PerGPU: map[string]float64{"k80": .5, "v100": 1}}}
	a, b := scenario.RowName{Model: "a", Batch: 8}, scenario.RowName{Model: "b"}
	d.Scenario.Throughputs.Pairs = []scenario.Pair{{A: a, B: b, Rates: map[string][2]float64{"v100": {3, 7}}},
		{A: b, B: a, Rates: map[string][2]float64{"v100": {7, 3}}},
		{A: a, B: a, Rates: map[string][2]float64{"v100": {2, 2}}}}
	d.Scenario.Jobs = []scenario.Job{{ID: "j1", Model: "a", Batch: 8, Steps: 1001, GPUs: 1, SLOS: 300},
		{ID: "j2", Model: "a", Batch: 8, Steps: 1, GPUs: 1}, {ID: "j3", Model: "a", Steps: 100, GPUs: 1},
		{ID: "j4", Model: "a", Batch: 8}}
	if says := (edit.Normalise{Row: 0}).Change(d); says != "a, batch 8: speeds relative to V100, steps of 2 jobs converted" {
		t.Errorf("it says %q", says)
	}
	r, p, j := &d.Scenario.Throughputs.Rows[0], d.Scenario.Throughputs.Pairs, d.Scenario.Jobs
	for what, got := range map[string][2]float64{"k80": {r.PerGPU["k80"], .25}, "p100": {r.PerGPU["p100"], 0},
		"v100": {r.PerGPU["v100"], 1}, "gang": {r.Gang["v100"]["2"], 1.5}, "no gang": {r.Gang["v100"]["4"], 0},
		"spread": {r.Spread["v100"]["2"], 1.25}, "as a": {p[0].Rates["v100"][0], .75},
		"beside a": {p[0].Rates["v100"][1], 7}, "as b": {p[1].Rates["v100"][1], .75},
		"beside b":      {p[1].Rates["v100"][0], 7},
		"beside itself": {p[2].Rates["v100"][0] + p[2].Rates["v100"][1], 1}, "steps": {j[0].Steps, 250},
		"at least one": {j[1].Steps, 1}, "another batch": {j[2].Steps, 100}, "no steps": {j[3].Steps, 0},
		"deadline": {j[0].SLOS, 300}} {
		if got[0] != got[1] {
			t.Errorf("%s: %v, want %v", what, got[0], got[1])
		}
	}
	if says := (edit.Normalise{Row: 1}).Change(d); says != "b: speeds relative to V100" {
		t.Errorf("of a row without jobs it says %q", says)
	}
	was := d.Marshal(false)
	for _, row := range []int{-1, 0, 2, 3, 4} {
		if says := (edit.Normalise{Row: row}).Change(d); says != "" || !bytes.Equal(d.Marshal(false), was) {
			t.Errorf("row %d is changed: %q", row, says)
		}
	}
	(edit.SetSpeed{Row: 0, Type: "v100", Value: 2}).Change(d)
	(edit.Normalise{Row: 0}).Change(d)
	(edit.SetSpeed{Row: 0, Type: "v100", Value: 3}).Change(d)
	if r.Source != "measured, normalised, edited" {
		t.Errorf("the source is %q", r.Source)
	}
}

// TestRelativeSpeedsOfDrawnJobs: a drawn job has a length in seconds, so its steps follow the speeds.
func TestRelativeSpeedsOfDrawnJobs(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	d.edit(edit.Generate(6))
	before := scenario.Freeze(d.s.Doc).Scenario.Jobs
	r := &d.s.Doc.Scenario.Throughputs.Rows[0]
	_, best := edit.Fastest(r)
	d.edit(edit.Normalise{Row: 0})
	if says := d.s.History.Entries[d.s.History.Pos].Sentence; !strings.HasSuffix(says,
		"; drawn jobs take as long as before") {
		t.Errorf("the history says %q", says)
	}
	converted := 0
	for i, j := range scenario.Freeze(d.s.Doc).Scenario.Jobs {
		want := before[i].Steps
		if j.Model == r.Model && j.Batch == r.Batch {
			want /= best
			converted++
		}
		if math.Abs(j.Steps-want) > 1e-5*want {
			t.Errorf("%s has %v steps, want %v", j.ID, j.Steps, want)
		}
	}
	if converted == 0 || converted == len(before) {
		t.Errorf("%d of %d jobs train the model: nothing is compared", converted, len(before))
	}
}
