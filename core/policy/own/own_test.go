package own_test

import (
	"strings"
	"testing"

	"hadarlab/core/policy"
	"hadarlab/core/policy/own"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// TestWithoutAnEvaluator: a build that has none, as the edge's, reads programs, and refuses to run them in a sentence;
// formulas it runs.
func TestWithoutAnEvaluator(t *testing.T) {
	if own.Programs != nil {
		t.Fatal("this test's own build has an evaluator")
	}
	spec, _ := policy.Find("own")
	p := simtest.Random(unit.Stream(1, "own"))
	for src, want := range map[string]string{"": "", "def key(job, cluster):\n    return 1\n": "not run here"} {
		v, bad := spec.Check(map[string]any{"program": src})
		if len(bad) > 0 {
			t.Fatal(bad)
		}
		_, err := spec.New(p.Public(), v)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", src, err)
		}
	}
	if _, bad := spec.Check(map[string]any{"program": strings.Repeat("#", 20_000)}); len(bad) != 1 {
		t.Error("a program of any length is taken")
	}
}
