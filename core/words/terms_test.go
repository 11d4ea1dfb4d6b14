package words_test

import (
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
)

// TestTermsInGerman: every number that a policy shows of a decision or of a run has a German name. They are data of the
// engine, so they are looked for where they arise.
func TestTermsInGerman(t *testing.T) {
	german, seen := catalogue(t), 0
	known := func(policy string, terms []message.NamedValue) {
		for _, term := range terms {
			seen++
			if term.Name == "" || strings.HasPrefix(term.Name, "price of a ") || strings.HasPrefix(term.Name,
				"weight of ") {
				continue // for exports only, or patterns
			}
			if german[term.Name] == "" {
				lacks(t, "%s: German lacks the number %q", policy, term.Name)
				german[term.Name] = "told"
			}
			if term.Unit != "" && term.Unit != unit.Worth && term.Unit != unit.Instant && german[term.Unit] == "" {
				lacks(t, "%s: German lacks the unit %q", policy, term.Unit)
				german[term.Unit] = "told"
			}
		}
	}
	for _, preset := range lab.Presets()[:3] {
		text, _ := lab.Preset(preset.ID)
		doc, _ := scenario.Parse(text, scenario.FileLimits)
		for i := range doc.Scenario.Jobs {
			doc.Scenario.Jobs[i].SLOS = 4000
		}
		for _, p := range lab.Policies() {
			s, ref := lab.NewSession(), message.PolicyRef{ID: p.ID}
			if s.Start(&message.RunRequest{Scenario: doc.Marshal(false),
				Policies: []message.PolicyRef{ref}}).HasErrors() {
				t.Fatalf("%s cannot start", p.ID)
			}
			for more := true; more; {
				var out []*message.Message
				out, more = s.Spend(1 << 20)
				for _, m := range out {
					if m.Lane != nil {
						known(p.ID, m.Lane.Measured)
					}
				}
			}
			for round := range 6 {
				e, _ := s.Explain(&message.ExplainRequest{Policy: ref, Round: round})
				if e == nil {
					break
				}
				for _, s := range e.Sections {
					known(p.ID, s.Terms)
				}
				for i := range e.Jobs {
					for _, s := range e.Jobs[i].Sections {
						known(p.ID, s.Terms)
					}
				}
			}
		}
	}
	if seen < 200 {
		t.Errorf("only %d numbers were seen", seen)
	}
}

// TestGermanTellsCompletionFromRunTime: a job's completion time counts from its arrival, its run time (Laufzeit) does
// not.
func TestGermanTellsCompletionFromRunTime(t *testing.T) {
	for key, says := range catalogue(t) {
		if strings.Contains(key, "completion") && !strings.Contains(key, "run time") &&
			strings.Contains(says, "Laufzeit") {
			t.Errorf("%q is told of the run time: %q", key, says)
		}
	}
}
