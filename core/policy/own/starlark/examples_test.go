package starlark_test

import (
	"strings"
	"testing"

	"hadarlab/core/formula"
	"hadarlab/core/policy/own"
)

// TestEveryNameHasAnExample that a program runs without a fault, and a formula too where it may use the name.
func TestEveryNameHasAnExample(t *testing.T) {
	var names []string
	for i := range own.Facts {
		names = append(names, own.Facts[i].As)
	}
	try := func(name, example, program string) {
		if start, _, _ := strings.Cut(name, "("); !strings.Contains(example, start) {
			t.Errorf("%s does not stand in its example, %s", name, example)
		}
		if fault, line, col := run(t, program); fault != "" {
			t.Errorf("%s: %s: line %d, character %d: %s", name, example, line, col, fault)
		}
	}
	for _, f := range own.Facts {
		if _, err := formula.Read(f.Eg, names); err != nil {
			t.Errorf("%s: %s: %v", f.As, f.Eg, err)
		}
		try(f.As, f.Eg, "def key(job, cluster):\n    x = "+f.Eg+"\n    return 0\n")
	}
	for _, m := range own.Members {
		try(m.As, m.Eg, "def decide(view, plan):\n    cluster = view.cluster\n    for job in view.jobs:\n"+
			"        for slot in view.slots:\n            "+m.Eg+"\n")
	}
}
