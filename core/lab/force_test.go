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
	own, _ := NewSession().Explain(&message.ExplainRequest{Scenario: text, Policy: message.PolicyRef{ID: "hadar"}, Round: 0, Job: "j3"})
	doc := forcedPreset(t, scenario.Force{Round: 0, Job: "j2", Gangs: [][]scenario.Shard{{{Node: "n4", Type: "k80", Count: 1}}}},
		scenario.Force{Round: 1, Job: "j3"}, scenario.Force{Round: 0, Job: "j5"}, scenario.Force{Round: 9999, Job: "j1"})
	s, res := finished(t, &message.RunRequest{Scenario: doc})
	for i := range plain.Runs {
		if res.Runs[i].TraceHash != plain.Runs[i].TraceHash {
			t.Errorf("lane %d changes beside a forced one", i)
		}
	}
	forced := &res.Runs[2]
	if forced.TraceHash == plain.Runs[0].TraceHash || len(forced.Force) != 4 || forced.Measured != nil {
		t.Errorf("the forced lane: %+v", forced)
	}
	want := []string{"The choice forced for j5 in round 0 had no effect: the job had not arrived.", "The choice forced for j1 in round 9999 had no effect: the run ended before that round."}
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
		if j := &e.Jobs[0]; !strings.HasPrefix(j.Sentence, c.says) || j.Reason != c.reason || e.TotalPayoff != nil {
			t.Errorf("round %d: %q, reason %s", c.round, j.Sentence, j.Reason)
		}
	}
	e, _ := s.Explain(&message.ExplainRequest{Policy: message.PolicyRef{ID: "hadar"}, Round: 0, Job: "j3"})
	if a, b := mustJSON(t, e), mustJSON(t, own); a != b {
		t.Errorf("the unforced lane is explained as\n%s\nwant\n%s", a, b)
	}

	file, diags := ParseResult([]byte(mustJSON(t, map[string]any{"engine": Engine, "scenario_id": s.ScenarioID(), "runs": res.Runs})))
	if file == nil {
		t.Fatal(diags)
	}
	_, again := finished(t, &message.RunRequest{Scenario: text, Policies: []message.PolicyRef{{ID: "hadar", Force: file.Runs[2].Force}}})
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

// TestForcedChoicesThatCannotBe: what this policy can never follow is refused before the run, each with its place.
func TestForcedChoicesThatCannotBe(t *testing.T) {
	text, _ := Preset("odd-gpus-out")
	shard := func(node, typ string, n int) message.Shard { return message.Shard{Node: node, Type: typ, Count: n} }
	for _, c := range []struct {
		policy string
		force  message.Force
		path   string
	}{
		{"hadar", message.Force{Job: "j9"}, "/scenario/policies/0/force/0/job"},
		{"hadar", message.Force{Job: "j2", Gangs: [][]message.Shard{{shard("n9", "v100", 1)}}}, "/scenario/policies/0/force/0/gangs/0"},
		{"hadar", message.Force{Job: "j1", Gangs: [][]message.Shard{{shard("n1", "v100", 1)}}}, "/scenario/policies/0/force/0/gangs/0"},
		{"hadar", message.Force{Job: "j2", Gangs: [][]message.Shard{{shard("n1", "v100", 1)}, {shard("n2", "p100", 1)}}}, "/scenario/policies/0/force/0/gangs"},
		{"hadar", message.Force{Job: "j2", Gangs: [][]message.Shard{{}}}, "/scenario/policies/0/force/0/gangs/0"},
		{"hadar", message.Force{Job: "j2", Gangs: [][]message.Shard{{shard("n1", "v100", -1)}}}, "/scenario/policies/0/force/0/gangs/0"},
		{"hadare", message.Force{Job: "j1", Gangs: [][]message.Shard{{shard("n1", "v100", 3)}, {shard("n2", "p100", 1)}}}, ""},
	} {
		_, failures, diags := Run(&message.RunRequest{Scenario: text, Policies: []message.PolicyRef{{ID: c.policy, Force: []message.Force{c.force}}}})
		switch {
		case diags.HasErrors():
			t.Error(diags)
		case c.path == "" && failures != nil:
			t.Errorf("%+v is refused: %s", c.force, failures[0].Message)
		case c.path != "" && (failures == nil || failures[0].Diagnostics[0].Path != c.path):
			t.Errorf("%+v: %+v, want a finding at %s", c.force, failures, c.path)
		}
	}
}
