package draw_test

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/trace"
	"hadarlab/core/words"
	"hadarlab/scenarios"

	course "hadarlab/core/class"
)

// TestALargeStageCanBeDrawn: a wall draws its lanes anew as they grow, so that they stay small, of many bars too.
func TestALargeStageCanBeDrawn(t *testing.T) {
	text, _ := scenarios.Assignment("which-claims-hold")
	a, diags := course.Parse(text)
	if a == nil {
		t.Fatal(diags)
	}
	s, pictures := lab.NewBatch(), []*draw.Picture{}
	if diags := s.Start(&message.RunRequest{Scenario: a.Scenario}); diags.HasErrors() {
		t.Fatal(diags)
	}
	for more := true; more; {
		var out []*message.Message
		out, more = s.Spend(1 << 20)
		for _, m := range out {
			if m.Lane == nil {
				continue
			}
			tr, err := trace.Decode(m.Body)
			if err != nil {
				t.Fatal(err)
			}
			axis := chart.NewAxis(tr.End, tr.Round)
			pictures = append(pictures, &draw.Picture{In: words.Catalogue{}, Lane: chart.NewLane(tr), Trace: tr,
				Axis: &axis, Policy: m.Lane.Policy, Title: m.Lane.Policy})
		}
	}
	lanes, _ := draw.StageSVGs(words.Catalogue{}, pictures, 1)
	for i, svg := range lanes {
		if !pictures[i].Frame.Shrunk() || !strings.Contains(svg, ">K80<") || strings.Contains(svg, ">n1<") {
			t.Errorf("%s: nodes are named where their names have no room", pictures[i].Title)
		}
		if len(svg) > 1_000_000 {
			t.Errorf("%s: %d bars are a picture of %d bytes", pictures[i].Title, len(pictures[i].Lane.Bars), len(svg))
		}
	}
}
