package lab_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/policy"
	"hadarlab/core/policy/own/replay"
	_ "hadarlab/core/policy/own/starlark"
	"hadarlab/core/program/templates"
	"hadarlab/core/record"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/scenarios"
)

// TestFormulasAreTheQueuesOfThePresets: on every preset, jobs under the formulas that the manual gives finish when they
// do under the queues of the literature. TestFormulasAreTheQueues has random scenarios.
func TestFormulasAreTheQueuesOfThePresets(t *testing.T) {
	formulas := map[string]map[string]any{
		"fifo": {"key": "job.arrival"},
		"sjf":  {"key": "job.steps / job.speed", "skip": true},
		"srtf": {"key": "job.steps_left / job.speed", "preempt": true},
		"las":  {"key": "job.service", "preempt": true, "rounds": true},
	}
	ran := 0
	for _, name := range scenarios.Names {
		text, _ := lab.Preset(name)
		for id, params := range formulas {
			s := lab.NewBatch()
			refs := []message.PolicyRef{{ID: id}, {ID: "own", Params: params}}
			if diags := s.Start(&message.RunRequest{Scenario: text, Policies: refs}); diags.HasErrors() {
				t.Fatal(name, diags)
			}
			queue, own := s.Trace(0), s.Trace(1)
			if queue == nil {
				continue // it needs what the preset does not have
			}
			ran++
			if got, want := simtest.Finishes(own), simtest.Finishes(queue); !slices.Equal(got, want) {
				t.Errorf("%s: the formula's jobs finish at %v, those of %s at %v", name, got, id, want)
			}
		}
	}
	if ran < 3*len(scenarios.Names) {
		t.Errorf("only %d runs", ran)
	}
}

// TestTemplatesAreNear: a program that says that it is like a policy is within 5 % of its mean completion time on the
// presets that it names, and every template runs on every preset that has what it needs.
func TestTemplatesAreNear(t *testing.T) {
	for i := range templates.All {
		of := &templates.All[i]
		like := of.Like
		if like == "" {
			like = "srtf" // for what it needs
		}
		spec, _ := policy.Find(like)
		for _, name := range scenarios.Names {
			text, _ := lab.Preset(name)
			res, failures, diags := lab.Run(&message.RunRequest{Scenario: text,
				Policies: []message.PolicyRef{{ID: like}, {ID: "own", Params: of.Values()}}})
			if diags.HasErrors() {
				t.Fatal(name, diags)
			}
			near := slices.Contains(of.Near, name)
			if len(failures) > 0 {
				if failures[0].Policy != spec.ID || near {
					t.Errorf("%s on %s: %s", of.ID, name, failures[0].Message)
				}
				continue
			}
			want, got := res.Runs[0].Metrics.AvgJCTS, res.Runs[1].Metrics.AvgJCTS
			if near && (got > 1.05*want || got < 0.95*want) {
				t.Errorf("%s on %s: a mean of %v s, the policy's is %v", of.ID, name, got, want)
			}
		}
		if of.Says != "" && of.Like != "" && len(of.Near) < 3 {
			t.Errorf("%s names %d presets", of.ID, len(of.Near))
		}
	}
}

// TestRecordsOfLanes: what templates and policies that resize, move and copy decided on a preset leads to the recorded
// trace again, and on another preset to none.
func TestRecordsOfLanes(t *testing.T) {
	lanes := []message.PolicyRef{{ID: "hadare"}, {ID: "hadare", Params: map[string]any{"copy": "node"}}, {ID: "pollux"},
		{ID: "gavel-las"}, {ID: "hadar", Force: json.RawMessage(`[{"round":1,"job":"j3","gangs":[]}]`)}}
	for i := range templates.All {
		lanes = append(lanes, message.PolicyRef{ID: "own", Params: templates.All[i].Values()})
	}
	ran := map[int]int{}
	for _, name := range []string{"odd-gpus-out", "sixty-measured-jobs", "pollux-world"} {
		text, _ := lab.Preset(name)
		s := lab.NewBatch()
		if diags := s.Start(&message.RunRequest{Scenario: text, Policies: lanes}); diags.HasErrors() {
			t.Fatal(name, diags)
		}
		p := s.Problem()
		for i := range lanes {
			run := s.Sim(i)
			if run == nil {
				continue // it needs what the preset does not have
			}
			ran[i]++
			recorder := replay.NewRecorder(p, run.Cadence(), s.ScenarioID(), lanes[i].ID, nil)
			run.Observe(recorder.Decided)
			want := s.Trace(i)
			var written bytes.Buffer
			if err := recorder.Ended(want, &written); err != nil {
				t.Fatal(err)
			}
			rec, err := record.Read(&written, record.InPage)
			if err != nil {
				t.Fatal(err)
			}
			spec := replay.Spec(rec, "replay", "a test's")
			pol, err := spec.New(p.Public(), nil)
			if err != nil {
				t.Fatal(err)
			}
			again := simtest.Finish(t, p, simtest.StartWith(t, p, pol, spec.Cadence(p.Public(), nil), sim.Options{}))
			if again.Hash() != want.Hash() || rec.Trace != want.Hash() || len(rec.Decisions) != len(want.Rounds) {
				t.Errorf("%s: lane %d, %s: %d decisions lead to another trace", name, i, lanes[i].ID,
					len(rec.Decisions))
			}
		}
	}
	for i := range lanes {
		if ran[i] == 0 {
			t.Errorf("lane %d, %s, ran nowhere", i, lanes[i].ID)
		}
	}
}

// TestNothingNamesACommand: to documents, links and servers a program outside, or a file of recorded decisions, is a
// policy that there is not.
func TestNothingNamesACommand(t *testing.T) {
	for _, id := range []string{"exec", "exec:true", "exec-2", "replay", "replay:mine.jsonl", "replay-2", "recorded"} {
		_, faults := lab.Judge(message.PolicyRef{ID: id}, 0)
		if len(faults) != 1 || faults[0].Code != "policy-unknown" {
			t.Errorf("%s: %v", id, faults)
		}
	}
}
