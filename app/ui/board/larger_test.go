package board

import (
	"strings"
	"testing"

	teach "hadarlab/app/class"
	"hadarlab/core/class"
	"hadarlab/scenarios"
)

// TestLargerSaysWhatSeedsChange: where an assignment lists its jobs their lengths vary, else others are drawn.
func TestLargerSaysWhatSeedsChange(t *testing.T) {
	for _, id := range scenarios.Assignments {
		text, _ := scenarios.Assignment(id)
		a, _ := class.Parse(text)
		q, doc, diags := a.Larger(class.Larger{Replicates: 20})
		if doc == nil {
			t.Fatal(diags)
		}
		says := largerAbout(&teach.Board{}, nil, &class.LargerRun{Larger: q})
		if drawn := doc.Scenario.Generator != nil; drawn == strings.Contains(says, "length of every job varies") {
			t.Errorf("%s: drawn jobs %v, and the board says %q", id, drawn, says)
		}
	}
}
