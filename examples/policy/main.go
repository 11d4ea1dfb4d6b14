// Command policy runs a policy of its own beside Hadarlab's on presets, as `go run . odd-gpus-out`. It is a module of
// its own: Hadarlab's packages are not promised before 1.0, so that go.mod names the checkout that it fits.
package main

import (
	"fmt"
	"io"
	"os"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/scenarios"
)

func main() {
	if err := compare(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// compare prints a line for each preset and policy.
func compare(w io.Writer, presets []string) error {
	if len(presets) == 0 {
		presets = []string{"odd-gpus-out"}
	}
	for _, name := range presets {
		doc, ok := scenarios.Preset(name)
		if !ok {
			return fmt.Errorf("there is no preset %q", name)
		}
		run := lab.NewBatch()
		diags := run.Start(&message.RunRequest{Scenario: doc,
			Policies: []message.PolicyRef{{ID: "smallest"}, {ID: "fifo"}, {ID: "hadar"}}})
		if diags.HasErrors() {
			return fmt.Errorf("%s: %s", name, diags.Errors()[0].Message)
		}
		for more := true; more; {
			var news []*message.Message
			news, more = run.Spend(100_000)
			for _, m := range news {
				switch {
				case m.Failure != nil:
					return fmt.Errorf("%s: %s", name, m.Failure.Message)
				case m.Lane != nil:
					fmt.Fprintf(w, "%-16s %-10s mean completion %8.0f s, last finish %8.0f s\n", name, m.Lane.Policy,
						m.Lane.Metrics.AvgJCTS, m.Lane.Metrics.MakespanS)
				}
			}
		}
	}
	return nil
}
