package class

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/core/jsondoc"
	"hadarlab/scenarios"
)

// TestTooLargeToBeMarked: an assignment of which a server finds nothing out says so, unless its answers are fixed.
func TestTooLargeToBeMarked(t *testing.T) {
	data, _ := scenarios.Assignment("which-claims-hold") // 240 jobs, three policies
	told := func(text string) bool {
		a, diags := Parse([]byte(text))
		if a == nil {
			t.Fatal(diags)
		}
		return slices.ContainsFunc(diags, func(d jsondoc.Diagnostic) bool { return d.Code == "not-marked" })
	}
	if told(string(data)) {
		t.Error("its answers are fixed, and it is told that they are not found")
	}
	found := strings.Replace(string(data), `"kind": "fixed",
      "right": "gavel-las",`, `"kind": "less",`, 1)
	if !told(found) {
		t.Error("it is not told that its answer is not found")
	}
	if told(strings.Replace(found, `"count": 240`, `"count": 133`, 1)) {
		t.Error("399 jobs times policies are too large")
	}
}
