package lab_test

import (
	"strconv"
	"testing"

	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest"
	"hadarlab/scenarios"
)

// TestInvariantsOfWhatIsShipped: every preset and assignment keeps the invariants under its own lanes, with their
// parameters and forced choices, and under every registered policy; so do the generated scenarios whose hashes are
// recorded.
func TestInvariantsOfWhatIsShipped(t *testing.T) {
	docs := map[string][]byte{}
	for _, name := range scenarios.Names {
		docs[name], _ = lab.Preset(name)
	}
	for n := range simtest.Documents {
		docs["generated "+strconv.Itoa(n)] = simtest.Document(n)
	}
	for _, id := range scenarios.Assignments {
		text, _ := scenarios.Assignment(id)
		a, diags := class.Parse(text)
		if a == nil {
			t.Fatal(id, diags)
		}
		docs["assignment "+id] = a.Document().Marshal(false)
	}
	ran := 0
	for name, text := range docs {
		doc, diags := scenario.Parse(text, scenario.FileLimits)
		if doc == nil || diags.HasErrors() {
			t.Fatal(name, diags)
		}
		refs := able(text, nil)
		for _, p := range doc.Scenario.Policies {
			refs = append(refs, p.Ref())
		}
		s := lab.NewBatch()
		if diags := s.Start(&message.RunRequest{Scenario: text, Policies: refs}); diags.HasErrors() {
			t.Fatal(name, diags)
		}
		for at, ref := range refs {
			tr := s.Trace(at)
			if tr == nil {
				t.Errorf("%s under %s does not run", name, ref.ID)
				continue
			}
			ran++
			for _, bad := range simtest.Check(s.ProblemOf(at), tr, forks(ref, s.Problem())) {
				t.Errorf("%s under %+v: %s", name, ref, bad)
			}
		}
	}
	if ran < 2000 {
		t.Errorf("only %d runs", ran)
	}
}

// forks says whether a lane's policy trains jobs in copies.
func forks(ref message.PolicyRef, p *model.Problem) bool {
	spec, _ := policy.Find(ref.ID)
	v, _ := spec.Check(ref.Params)
	return spec.Cadence(p.Public(), v).Merge
}
