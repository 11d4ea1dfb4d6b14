package lab_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/policy"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest"
	"hadarlab/core/simtest/golden"
	"hadarlab/core/trace"
	"hadarlab/scenarios"
)

const goldens = "../../scenarios/golden/"

// allPolicies asks for every registered policy that can serve the scenario, with its defaults.
func allPolicies(doc []byte) []message.PolicyRef { return able(doc, nil) }

// able asks for those of some policies that can serve the scenario; nil = of all.
func able(doc []byte, ids []string) []message.PolicyRef {
	s := lab.NewBatch()
	s.Start(&message.RunRequest{Scenario: doc, Policies: []message.PolicyRef{{ID: policy.All()[0].ID}}})
	var refs []message.PolicyRef
	for _, p := range policy.All() {
		if p.Unmet(s.Problem()) == nil && (ids == nil || slices.Contains(ids, p.ID)) {
			refs = append(refs, message.PolicyRef{ID: p.ID})
		}
	}
	return refs
}

// TestGoldenHashes holds every preset under every policy to its recorded hashes of trace and figures. The browser
// and the edge runtime are compared with those of traces. UPDATE_GOLDEN=1 rewrites them, GOLDEN_POLICY=fifo,srtf only
// the lines of these policies.
func TestGoldenHashes(t *testing.T) {
	var docs [][]byte
	for _, name := range scenarios.Names {
		doc, _ := lab.Preset(name)
		docs = append(docs, doc)
	}
	hashes(t, "hashes.txt", scenarios.Names, docs, func(r *message.Lane) (string, []string) {
		return r.TraceHash, []string{r.Outcome, fmt.Sprintf("%.3f", r.Metrics.AvgJCTS)}
	})
}

// TestGeneratedHashes does the same for the generated scenarios, whose numbers have more digits.
func TestGeneratedHashes(t *testing.T) {
	var names []string
	var docs [][]byte
	for n := range simtest.Documents {
		names, docs = append(names, strconv.Itoa(n)), append(docs, simtest.Document(n))
	}
	hashes(t, "generated.txt", names, docs, func(r *message.Lane) (string, []string) {
		return r.TraceHash[:16], []string{r.Outcome}
	})
}

// hashes holds what policies make of scenarios to a golden file, or rewrites it. A hash of a trace or of figures that
// has moved while neither the engine's minor version nor the policy's revision rose is refused in any case.
func hashes(t *testing.T, file string, names []string, docs [][]byte,
	line func(*message.Lane) (hash string, shows []string)) {
	t.Helper()
	only := onlyPolicies(t)
	var now []golden.Hash
	for i, doc := range docs {
		refs := able(doc, only)
		if len(refs) == 0 {
			continue
		}
		res, failed, diags := lab.Run(&message.RunRequest{Scenario: doc, Policies: refs})
		if diags.HasErrors() || len(failed) > 0 {
			t.Fatalf("%s: %v %v", names[i], failed, diags)
		}
		bare, _ := scenario.Parse(doc, scenario.FileLimits)
		bare.Scenario.Policies = nil
		for k := range res.Runs {
			r := &res.Runs[k]
			hash, shows := line(r)
			figures, err := golden.FiguresOf(r)
			if err != nil {
				t.Fatalf("%s under %s: %v", names[i], r.Policy, err)
			}
			now = append(now, golden.Hash{Scenario: names[i], Policy: r.Policy, Hash: hash, Figures: figures,
				Shows: shows, Engine: message.Minor(lab.Engine), Rev: max(r.Rev, 1), Content: bare.ID(nil)})
		}
	}
	path := goldens + file
	recorded, err := golden.ReadHashes(path)
	if err != nil {
		t.Fatal(err)
	}
	if moved := golden.Unexplained(recorded, now); moved != nil {
		t.Fatalf("%s is not rewritten: %d lines moved\n%s\n\n%s", file, len(moved), strings.Join(moved, "\n"),
			golden.Advice)
	}
	if only != nil {
		now = golden.Merge(recorded, now, only)
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := golden.WriteHashes(path, now); err != nil {
			t.Fatal(err)
		}
	} else if d := golden.Different(recorded, now); d != "" {
		t.Fatalf("%s, %s(make golden rewrites it; say in the commit why a hash moves)", file, d)
	}
}

// onlyPolicies are the policies whose lines are to be rewritten, nil = all.
func onlyPolicies(t *testing.T) (ids []string) {
	t.Helper()
	for id := range strings.SplitSeq(os.Getenv("GOLDEN_POLICY"), ",") {
		if id == "" {
			continue
		}
		spec, err := policy.Find(id)
		if err != nil {
			t.Fatalf("GOLDEN_POLICY: there is no policy %s (make golden POLICY=fifo, or several as POLICY=fifo,srtf)", id)
		}
		ids = append(ids, spec.ID)
	}
	return ids
}

// TestExplanationsAgreeWithTheRun replays the rounds of every preset under every policy, every one or
// some twelve of many: what the explanation says was placed is what the trace shows, from a checkpoint
// or from the start alike.
func TestExplanationsAgreeWithTheRun(t *testing.T) {
	asked := 0
	for _, name := range scenarios.Names {
		doc, _ := lab.Preset(name)
		refs := allPolicies(doc)
		s := lab.NewSession()
		s.Start(&message.RunRequest{Scenario: doc, Policies: refs})
		for more := true; more; {
			_, more = s.Spend(7)
		}
		for at, ref := range refs {
			tr := s.Trace(at)
			for round := 0; round < len(tr.Rounds); round += 1 + len(tr.Rounds)/12 {
				req := &message.ExplainRequest{Policy: ref, Round: round}
				e, diags := s.Explain(req)
				if e == nil {
					t.Fatalf("%s %s round %d: %v", name, ref.ID, round, diags)
				}
				// A cold session runs up to the round, so that not all are asked.
				if asked++; asked%4 == 0 {
					req.Scenario = doc
					cold, _ := lab.NewSession().Explain(req)
					if a, b := flat(e), flat(cold); a != b {
						t.Fatalf("%s %s round %d: a checkpoint explains otherwise\n%s\n%s", name, ref.ID, round, a, b)
					}
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
