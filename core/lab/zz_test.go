package lab_test

import (
	"fmt"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	_ "hadarlab/core/policy/own/starlark"
	"hadarlab/core/program"
	"hadarlab/scenarios"
)

func TestZZ(t *testing.T) {
	for _, name := range scenarios.Names {
		text, _ := lab.Preset(name)
		for i := range program.Templates {
			of := &program.Templates[i]
			if of.Says == "" {
				continue
			}
			like := of.Like
			if like == "" {
				like = "fifo"
			}
			res, fails, diags := lab.Run(&message.RunRequest{Scenario: text, Policies: []message.PolicyRef{{ID: like}, {ID: "own", Params: of.Values()}}})
			if diags.HasErrors() {
				fmt.Println(name, diags)
				continue
			}
			for _, f := range fails {
				fmt.Println(name, of.ID, f.Policy, f.Message)
			}
			if len(res.Runs) == 2 {
				a, b := res.Runs[0].Metrics, res.Runs[1].Metrics
				if res.Runs[0].Outcome == res.Runs[1].Outcome {
					fmt.Printf("%-28s %-9s %.3f\n", name, of.ID, b.AvgJCTS/a.AvgJCTS)
				} else {
					fmt.Println(name, of.ID, "unfinished", res.Runs[0].Outcome, res.Runs[1].Outcome)
				}
			}
		}
	}
}
