package lab_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/policy"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/scenarios"
)

const golden = "../../scenarios/golden/"

// allPolicies asks for every registered policy that can serve the scenario, with its defaults.
func allPolicies(doc []byte) []message.PolicyRef {
	s := lab.NewBatch()
	s.Start(&message.RunRequest{Scenario: doc, Policies: []message.PolicyRef{{ID: policy.All()[0].ID}}})
	var refs []message.PolicyRef
	for _, p := range policy.All() {
		if p.Lacks(s.Problem()) == nil {
			refs = append(refs, message.PolicyRef{ID: p.ID})
		}
	}
	return refs
}

// TestGoldenHashes holds every preset under every policy to its recorded trace hash. The browser and the
// edge runtime are compared with the same files. UPDATE_GOLDEN=1 rewrites them.
func TestGoldenHashes(t *testing.T) {
	var got strings.Builder
	for _, name := range scenarios.Names {
		doc, _ := lab.Preset(name)
		res, failed, diags := lab.Run(&message.RunRequest{Scenario: doc, Policies: allPolicies(doc)})
		if diags.HasErrors() || len(failed) > 0 {
			t.Fatalf("%s: %v %v", name, failed, diags)
		}
		for _, r := range res.Runs {
			fmt.Fprintf(&got, "%s %s %s %s %.3f\n", name, r.Policy, r.TraceHash, r.Outcome, r.Metrics.AvgJCTS)
		}
	}
	compare(t, "hashes.txt", got.String())
}

// TestGeneratedHashes does the same for the generated scenarios, whose numbers have more digits.
func TestGeneratedHashes(t *testing.T) {
	var got strings.Builder
	for n := range simtest.Documents {
		doc := simtest.Document(n)
		res, failed, diags := lab.Run(&message.RunRequest{Scenario: doc, Policies: allPolicies(doc)})
		if diags.HasErrors() || len(failed) > 0 {
			t.Fatalf("%d: %v %v", n, failed, diags)
		}
		for _, r := range res.Runs {
			fmt.Fprintf(&got, "%d %s %.16s %s\n", n, r.Policy, r.TraceHash, r.Outcome)
		}
	}
	compare(t, "generated.txt", got.String())
}

// compare holds a text to a golden file.
func compare(t *testing.T, name, got string) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(golden+name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden + name)
	if err != nil {
		t.Fatal(err)
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf(
				"%s: line %d differs (make golden rewrites the file; say in the commit why a hash moves)\n got %q\nwant %q", name, i+1, at(g, i), at(w, i))
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// TestExplanationsAgreeWithTheRun replays the rounds of every preset under every policy, every one or
// some twelve of many: what the explanation says was placed is what the trace shows, from a checkpoint
// or from the start alike.
func TestExplanationsAgreeWithTheRun(t *testing.T) {
	for _, name := range scenarios.Names {
		doc, _ := lab.Preset(name)
		for at, ref := range allPolicies(doc) {
			s := lab.NewSession()
			s.Start(&message.RunRequest{Scenario: doc, Policies: allPolicies(doc)})
			for more := true; more; {
				_, more = s.Spend(7)
			}
			tr := s.Trace(at)
			for round := 0; round < len(tr.Rounds); round += 1 + len(tr.Rounds)/12 {
				req := &message.ExplainRequest{Policy: ref, Round: round}
				e, diags := s.Explain(req)
				if e == nil {
					t.Fatalf("%s %s round %d: %v", name, ref.ID, round, diags)
				}
				req.Scenario = doc
				cold, _ := lab.NewSession().Explain(req)
				if a, b := flat(e), flat(cold); a != b {
					t.Fatalf("%s %s round %d: a checkpoint explains otherwise\n%s\n%s", name, ref.ID, round, a, b)
				}
				held := heldAfter(tr, round)
				for _, j := range e.Jobs {
					if (len(j.Gangs) > 0) != held[j.ID] {
						t.Errorf("%s %s round %d: %s %s, the trace says holding: %v", name, ref.ID, round, j.ID,
							j.Action, held[j.ID])
					}
					if j.Sentence == "" || strings.Contains(j.Sentence, "no reason") {
						t.Errorf("%s %s round %d: no reason for %s: %q", name, ref.ID, round, j.ID, j.Sentence)
					}
				}
			}
		}
	}
}

// flat is the whole explanation as text.
func flat(e *message.Explanation) string {
	b, err := json.Marshal(e)
	return fmt.Sprint(string(b), err)
}

// heldAfter says which jobs hold GPUs just after a decision.
func heldAfter(t *trace.Trace, round int) map[string]bool {
	held := map[string]bool{}
	for i := range t.Spans.Len() {
		if t.Spans.From[i] <= t.Rounds[round].At && t.Spans.To[i] > t.Rounds[round].At {
			held[t.Jobs[t.Spans.Job[i]].Name] = true
		}
	}
	return held
}

func TestLanesFailAlone(t *testing.T) {
	doc, _ := lab.Preset(scenarios.Names[0])
	res, failed, diags := lab.Run(&message.RunRequest{Scenario: doc,
		Policies: []message.PolicyRef{{ID: "hadar"}, {ID: "nope"},
			{ID: "hadar", Params: map[string]any{"cost": "free", "beam": 0.5, "spin": true}}, {ID: "gavel"}}})
	if diags.HasErrors() || len(res.Runs) != 2 || res.Runs[1].Policy != "gavel-las" || len(failed) != 2 {
		t.Fatalf("%v %v", failed, diags)
	}
	if failed[0].Lane != 1 || failed[1].Lane != 2 || len(failed[1].Diagnostics) != 3 {
		t.Errorf("%+v", failed)
	}
	for _, d := range failed[1].Diagnostics {
		if d.Fix.IsZero() || !strings.HasPrefix(d.Path, "/scenario/policies/2/params/") {
			t.Errorf("%+v names no place or fix", d)
		}
	}
}

func TestStopAnswersWithWhatThereIs(t *testing.T) {
	doc, _ := lab.Preset("odd-gpus-out")
	s := lab.NewSession()
	s.Start(&message.RunRequest{Scenario: doc})
	if out, more := s.Spend(5); !more || out[0].Progress == nil {
		t.Fatalf("%+v", out)
	}
	s.Stop()
	lanes := 0
	for more := true; more; {
		var out []*message.Message
		out, more = s.Spend(5)
		for _, m := range out {
			if m.Lane == nil {
				continue
			}
			lanes++
			if m.Lane.Outcome != "stopped" {
				t.Errorf("lane %d: %s", m.Lane.Lane, m.Lane.Outcome)
			}
			if _, err := trace.Decode(m.Body); err != nil {
				t.Errorf("a stopped lane's trace: %v", err)
			}
		}
	}
	if lanes != 2 {
		t.Errorf("%d lanes answered, want both", lanes)
	}
}

func TestExplainRefusals(t *testing.T) {
	doc, _ := lab.Preset(scenarios.Names[0])
	for name, req := range map[string]*message.ExplainRequest{
		"/round":                  {Scenario: doc, Policy: message.PolicyRef{ID: "hadar"}, Round: 99},
		"/job":                    {Scenario: doc, Policy: message.PolicyRef{ID: "hadar"}, Job: "nobody"},
		"/scenario/policies/0/id": {Scenario: doc, Policy: message.PolicyRef{ID: "nope"}},
		"":                        {Policy: message.PolicyRef{ID: "hadar"}},
	} {
		e, diags := lab.NewSession().Explain(req)
		if e != nil || len(diags) == 0 || diags[0].Path != name || diags[0].Fix.IsZero() {
			t.Errorf("%s: %+v %v", name, e, diags)
		}
	}
}
