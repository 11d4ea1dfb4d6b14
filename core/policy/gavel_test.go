package policy_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// shared is where the reference material lies beside a checkout that has it.
const shared = "../../../shared/"

// physical imports a Gavel trace on 8 V100, 16 P100 and 24 K80, four a node.
func physical(t testing.TB, trace string) []byte {
	t.Helper()
	f, err := os.Open(shared + "traces/" + trace)
	if err != nil {
		t.Skipf("the reference traces are not beside this checkout: %v", err)
	}
	defer f.Close()
	rates, err := os.ReadFile(shared + "facts/gavel_throughputs.json")
	if err != nil {
		t.Skipf("the reference throughputs are not beside this checkout: %v", err)
	}
	doc, rep, diags := scenario.ImportGavelCSV(f, rates, scenario.ImportOptions{})
	if diags.HasErrors() || rep.Dropped > 0 {
		t.Fatalf("%+v %v", rep, diags)
	}
	return doc.Marshal(false)
}

func run(t testing.TB, doc []byte, id string, params map[string]any) *message.Lane {
	t.Helper()
	res, failed, diags := lab.Run(&message.RunRequest{Scenario: doc, Policies: []message.PolicyRef{{ID: id, Params: params}}})
	if diags.HasErrors() || len(failed) > 0 {
		t.Fatalf("%v %v", failed, diags)
	}
	return &res.Runs[0]
}

// TestGavelAgainstPublishedRuns compares average completion times with the original simulator. The
// programmes' optima are degenerate, so that a solver may move them by 5 %.
func TestGavelAgainstPublishedRuns(t *testing.T) {
	for _, c := range []struct {
		trace string
		reset float64
		want  float64
	}{
		{"gavel_physical_continuous.csv", 1920, 14622.8},
		{"gavel_physical_continuous.csv", 0, 14266.8},
		{"gavel_physical_static.csv", 1920, 35659.0},
	} {
		got := run(t, physical(t, c.trace), "gavel-las", map[string]any{"min_reset_s": c.reset})
		off := got.Metrics.AvgJCTS/c.want - 1
		t.Logf("%s, reset %v s: %.1f s, published %.1f s, %+.2f %%", c.trace, c.reset, got.Metrics.AvgJCTS, c.want, 100*off)
		if got.Outcome != "done" || math.Abs(off) > 0.05 {
			t.Errorf("off by more than 5 %%")
		}
	}
}

// BenchmarkPhysical is the 96-job trace under each policy, from document to figures.
func BenchmarkPhysical(b *testing.B) {
	doc := physical(b, "gavel_physical_continuous.csv")
	var ids []struct{ ID string }
	list, _ := json.Marshal(lab.Policies())
	if err := json.Unmarshal(list, &ids); err != nil {
		b.Fatal(err)
	}
	for _, p := range ids {
		b.Run(p.ID, func(b *testing.B) {
			for b.Loop() {
				run(b, doc, p.ID, nil)
			}
		})
	}
}
