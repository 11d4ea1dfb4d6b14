package cases_test

import (
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/program/cases"
)

// TestCases: they are sound scenarios, of which FIFO finishes every job.
func TestCases(t *testing.T) {
	for _, c := range cases.All {
		res, failures, diags := lab.Run(&message.RunRequest{Scenario: []byte(c.Text),
			Policies: []message.PolicyRef{{ID: "fifo"}, {ID: "hadar"}}})
		if diags.HasErrors() || len(failures) > 0 {
			t.Fatalf("%s: %v, %v", c.ID, diags, failures)
		}
		for i := range res.Runs {
			if l := &res.Runs[i]; l.Outcome != "done" {
				t.Errorf("%s under %s: %s", c.ID, l.Policy, l.Outcome)
			}
		}
	}
	if len(cases.All) != 3 {
		t.Error(len(cases.All))
	}
}
