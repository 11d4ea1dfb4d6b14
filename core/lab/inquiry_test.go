package lab_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// TestInquiryInSlices: a session that was stopped early explains what it has not run, in any slices and in any order,
// as one that has run it all.
func TestInquiryInSlices(t *testing.T) {
	doc := json.RawMessage(strings.Replace(sweepDoc, `"round_s":360`, `"round_s":30`, 1))
	parsed, _ := scenario.Parse(doc, scenario.FileLimits)
	for _, p := range parsed.Scenario.Policies {
		run := &message.RunRequest{Scenario: doc, Policies: []message.PolicyRef{{ID: p.ID}}}
		whole := lab.NewSession()
		whole.Start(run)
		rounds := 0
		for more := true; more; {
			var out []*message.Message
			out, more = whole.Spend(1 << 20)
			for _, m := range out {
				if m.Lane != nil {
					rounds = m.Lane.Metrics.Rounds
				}
			}
		}
		if rounds < 20 {
			t.Fatalf("%s decides %d times only", p.ID, rounds)
		}
		stopped := lab.NewSession()
		stopped.Start(run)
		stopped.Spend(3)
		stopped.Stop()
		for more := true; more; {
			_, more = stopped.Spend(1)
		}
		for i, round := range []int{rounds - 1, 2, rounds / 2, rounds - 1, rounds - 2, 0, rounds} {
			want, _ := whole.Explain(&message.ExplainRequest{Scenario: doc, Policy: message.PolicyRef{ID: p.ID},
				Round: round})
			q, diags := stopped.Inquire(&message.ExplainRequest{Scenario: doc, Policy: message.PolicyRef{ID: p.ID},
				Round: round})
			if q == nil {
				t.Fatal(diags)
			}
			helpings := 0
			for q.Spend(5) {
				helpings++
			}
			got, diags := q.Result()
			a, _ := json.Marshal(got)
			b, _ := json.Marshal(want)
			if string(a) != string(b) || (want == nil) != (round == rounds) || want == nil && !diags.HasErrors() {
				t.Errorf("%s round %d:\n%s\n%s", p.ID, round, a, b)
			}
			if i == 3 && helpings > 8 {
				t.Errorf("%s round %d takes %d helpings when it is asked for again", p.ID, round, helpings)
			}
		}
	}
}
