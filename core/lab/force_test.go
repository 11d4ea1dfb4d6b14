package lab

import (
	"encoding/json"
	"strings"
	"testing"

	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// forcedPreset is a preset with a third lane, Hadar with the choices.
func forcedPreset(t *testing.T, force ...scenario.Force) []byte {
	t.Helper()
	text, _ := Preset("odd-gpus-out")
	doc, diags := scenario.Parse(text, scenario.FileLimits)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	doc.Scenario.Policies = append(doc.Scenario.Policies, scenario.Policy{ID: "hadar", Force: force})
	return doc.Marshal(false)
}

func finished(t *testing.T, req *message.RunRequest) (*Session, *message.Result) {
	t.Helper()
	s, res := NewSession(), &message.Result{}
	if diags := s.Start(req); diags.HasErrors() {
		t.Fatal(diags)
	}
	for more := true; more; {
		var out []*message.Message
		out, more = s.Spend(1 << 20)
		for _, m := range out {
			if m.Failure != nil {
				t.Fatal(m.Failure.Message)
			}
			if m.Lane != nil {
				res.Runs = append(res.Runs, *m.Lane)
			}
		}
	}
	return s, res
}

// TestForcedLane: the lane runs beside the others, says what was forced and what the policy had chosen, leaves
// the other lanes as they are, and verifies from its own result.
func TestForcedLane(t *testing.T) {
	text, _ := Preset("odd-gpus-out")
	_, plain := finished(t, &message.RunRequest{Scenario: text})
	own, _ := NewSession().Explain(&message.ExplainRequest{Scenario: text, Policy: message.PolicyRef{ID: "hadar"},
		Round: 0, Job: "j3"})
	doc := forcedPreset(t, scenario.Force{Round: 0, Job: "j2",
		Gangs: [][]scenario.Shard{{{Node: "n4", Type: "k80", Count: 1}}}},
		scenario.Force{Round: 1, Job: "j3"}, scenario.Force{Round: 0, Job: "j5"},
		scenario.Force{Round: 9999, Job: "j1"})
	s, res := finished(t, &message.RunRequest{Scenario: doc})
	for i := range plain.Runs {
		if res.Runs[i].TraceHash != plain.Runs[i].TraceHash {
			t.Errorf("lane %d changes beside a forced one", i)
		}
	}
	forced := &res.Runs[2]
	if forced.TraceHash == plain.Runs[0].TraceHash || forced.Force == nil || forced.Measured != nil {
		t.Errorf("the forced lane: %+v", forced)
	}
	want := []string{"Forced choice 3, for j5, had no effect: the job had not arrived.",
		"Forced choice 4, for j1, had no effect: the run ended before its round."}
	if strings.Join(forced.Notes, "|") != strings.Join(want, "|") {
		t.Errorf("notes %q", forced.Notes)
	}
	ref := message.PolicyRef{ID: "hadar", Force: forced.Force}
	for _, c := range []struct {
		round             int
		job, says, reason string
	}{
		{0, "j2", "j2 was put on 1 K80 of n4 by you; Hadar had chosen ", "forced"},
		{1, "j3", "j3 was made to wait by you; Hadar had chosen ", "forced"},
	} {
		e, diags := s.Explain(&message.ExplainRequest{Policy: ref, Round: c.round, Job: c.job})
		if e == nil {
			t.Fatal(diags)
		}
		if j := &e.Jobs[0]; !strings.HasPrefix(j.Sentence, c.says) || j.Reason != c.reason {
			t.Errorf("round %d: %q, reason %s", c.round, j.Sentence, j.Reason)
		}
	}
	e, _ := s.Explain(&message.ExplainRequest{Policy: message.PolicyRef{ID: "hadar"}, Round: 0, Job: "j3"})
	if a, b := mustJSON(t, e), mustJSON(t, own); a != b {
		t.Errorf("the unforced lane is explained as\n%s\nwant\n%s", a, b)
	}

	file, diags := ParseResult([]byte(mustJSON(t, map[string]any{"engine": Engine, "scenario_id": s.ScenarioID(),
		"runs": res.Runs})))
	if file == nil {
		t.Fatal(diags)
	}
	_, again := finished(t, &message.RunRequest{Scenario: text,
		Policies: []message.PolicyRef{{ID: "hadar", Force: file.Runs[2].Force}}})
	if d := file.Runs[2].Compare(&again.Runs[0]); len(d) > 0 {
		t.Errorf("the forced run differs when it is run from its result: %v", d)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestForcedChoicesThatCannotBe: what names nothing there is refused before the run; what this policy can never
// give runs, and says that it had no effect.
func TestForcedChoicesThatCannotBe(t *testing.T) {
	text, _ := Preset("odd-gpus-out")
	const void = "Forced choice 1, for j2, had no effect: under this policy and at that moment, the job could not hold those GPUs."
	for _, c := range []struct {
		policy, force string
		refused       bool
		notes         string
	}{
		{"hadar", `[{"round":0,"job":"j9","gangs":[]}]`, true, ""},
		{"hadar", `[{"round":0,"job":"j2","gangs":[[{"node":"n9","type":"v100","count":1}]]}]`, true, ""},
		{"hadar", `[{"round":0,"job":"j2","gangs":[[{"node":"n1","type":"v100","count":-1}]]}]`, true, ""},
		{"hadar", `[{"round":-1,"job":"j2","gangs":[]}]`, true, ""},
		{"hadar", `{"round":0}`, true, ""},
		{"hadar", `[{"round":0`, true, ""},
		{"hadar", `[{"round":0,"job":"j2","gangs":[[{"node":"n1","type":"v100","count":2}]]}]`, false, void},
		{"hadar", `[{"round":0,"job":"j2","gangs":[[{"node":"n1","type":"v100","count":4}]]}]`, false, void},
		{"hadar", `[{"round":0,"job":"j2","gangs":[[]]}]`, true, ""},
		{
			"hadar",
			`[{"round":0,"job":"j2","gangs":[[{"node":"n1","type":"v100","count":1}],[{"node":"n2","type":"p100","count":1}]]}]`, false, void},
		{
			"hadare",
			`[{"round":0,"job":"j2","gangs":[[{"node":"n1","type":"v100","count":3}],[{"node":"n2","type":"p100","count":1}]]}]`, false, ""},
		{
			"hadare",
			`[{"round":0,"job":"j2","gangs":[[{"node":"n1","type":"v100","count":1}],[{"node":"n1","type":"v100","count":1}]]}]`, false, void},
		{"fifo", "", false, ""},
	} {
		res, failures, diags := Run(&message.RunRequest{Scenario: text,
			Policies: []message.PolicyRef{{ID: c.policy, Force: json.RawMessage(c.force)}}})
		switch {
		case diags.HasErrors():
			t.Error(diags)
		case c.refused && (failures == nil || failures[0].Diagnostics[0].Path != "/scenario/policies/0/force"):
			t.Errorf("%s: %+v", c.force, failures)
		case !c.refused && (failures != nil || strings.Join(res.Runs[0].Notes, " ") != c.notes):
			t.Errorf("%s: %+v, notes %q", c.force, failures, res.Runs[0].Notes)
		}
	}
}

// TestForcedLeftoverNode: a node that phase 2 of HadarE gave to another job can be forced beside the copies that a job
// has, and the job then holds all of them.
func TestForcedLeftoverNode(t *testing.T) {
	text, _ := Preset("two-jobs-three-gpus")
	s := NewSession()
	e, diags := s.Explain(&message.ExplainRequest{Scenario: text, Policy: message.PolicyRef{ID: "hadare"}, Round: 0})
	if e == nil {
		t.Fatal(diags)
	}
	tried := 0
	for i := range e.Jobs {
		c := &e.Jobs[i]
		for _, k := range exported(e, i, "candidates") {
			if k["phase"] != 2.0 || !strings.HasPrefix(k["verdict"].(string), "goes to ") || len(c.Gangs) == 0 {
				continue
			}
			tried++
			var gangs [][]scenario.Shard
			for _, g := range append([][]message.Shard{k["gang"].([]message.Shard)}, c.Gangs...) {
				gangs = append(gangs, []scenario.Shard{{Node: g[0].Node, Type: g[0].Type, Count: g[0].Count}})
			}
			doc, _ := scenario.Parse(text, scenario.FileLimits)
			doc.Scenario.Policies = []scenario.Policy{{ID: "hadare",
				Force: []scenario.Force{{Round: 0, Job: c.ID, Gangs: gangs}}}}
			forced, res := finished(t, &message.RunRequest{Scenario: doc.Marshal(false)})
			if len(res.Runs[0].Notes) > 0 || res.Runs[0].Outcome != "done" {
				t.Errorf("%s on %v: %s, %q", c.ID, gangs, res.Runs[0].Outcome, res.Runs[0].Notes)
			}
			after, diags := forced.Explain(&message.ExplainRequest{Policy: doc.Scenario.Policies[0].Ref(), Round: 0,
				Job: c.ID})
			if after == nil {
				t.Fatal(diags)
			}
			if j := &after.Jobs[0]; len(j.Gangs) != len(c.Gangs)+1 || !strings.Contains(j.Sentence, " by you; ") {
				t.Errorf("%s holds %v: %q", j.ID, j.Gangs, j.Sentence)
			}
		}
	}
	if tried == 0 {
		t.Error("phase 2 gives no node to another job")
	}
}
