package lab

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"hadarlab/core/message"
)

// TestOutlivedJobsRunWholeRounds: a job that needs more steps than it was believed to is not given a few of them a
// round for the rest of its life.
func TestOutlivedJobsRunWholeRounds(t *testing.T) {
	text, _ := Preset("odd-gpus-out")
	for _, policy := range []string{"gavel-las", "gandiva", "hadare"} {
		run := func(doc []byte) *message.Lane {
			s := NewSession()
			if diags := s.Start(&message.RunRequest{Scenario: doc,
				Policies: []message.PolicyRef{{ID: policy}}}); diags.HasErrors() {
				t.Fatal(diags)
			}
			for {
				out, more := s.Spend(1 << 20)
				for _, m := range out {
					if m.Lane != nil {
						return m.Lane
					}
				}
				if !more {
					t.Fatal("no lane")
				}
			}
		}
		truth := run(text)
		for seed := range 8 {
			doc := bytes.Replace(text, []byte(`"scenario": {`),
				fmt.Appendf(nil, `"scenario": {"seed": %d, "knowledge": {"lengths": "noisy"},`, seed), 1)
			if l := run(doc); l.Metrics.Rounds > 2*truth.Metrics.Rounds ||
				l.Metrics.MakespanS > 1.5*truth.Metrics.MakespanS {
				t.Errorf("%s, seed %d: %d rounds and %v s, with true lengths %d and %v", policy, seed, l.Metrics.Rounds,
					l.Metrics.MakespanS, truth.Metrics.Rounds, truth.Metrics.MakespanS)
			}
		}
	}
}

// TestExplanationsSayThatTheyAreOfBeliefs: where a scenario makes what policies believe wrong, an explanation says that
// its numbers are of that, and nowhere else.
func TestExplanationsSayThatTheyAreOfBeliefs(t *testing.T) {
	text, _ := Preset("odd-gpus-out")
	for knowledge, of := range map[string]string{`"rates": "noisy"`: "of speeds", `"lengths": "noisy"`: "of lengths",
		`"rates": "noisy", "lengths": "noisy"`: "of speeds and lengths", `"lengths": "true"`: ""} {
		doc := bytes.Replace(text, []byte(`"scenario": {`), []byte(`"scenario": {"knowledge": {`+knowledge+`},`), 1)
		for _, id := range []string{"hadar", "gavel-las"} {
			e, diags := NewSession().Explain(&message.ExplainRequest{Scenario: doc, Policy: message.PolicyRef{ID: id}})
			if e == nil {
				t.Fatal(diags)
			}
			note := ""
			for _, s := range e.Sections {
				if strings.Contains(s.Note, "believes") {
					note += s.Note
				}
			}
			if (of == "") != (note == "") || !strings.Contains(note, of+" is what the policy believes") && of != "" {
				t.Errorf("%s with %s: %q", id, knowledge, note)
			}
		}
	}
}
