package draw

import (
	"fmt"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
)

// TestNoWordIsCutByTheVeil: whatever share of a lane is seen on a wall, its words stand before the border or behind it.
func TestNoWordIsCutByTheVeil(t *testing.T) {
	for name, tr := range crowded() {
		l := chart.NewLane(tr)
		axis := chart.NewAxis(tr.End, tr.Round)
		words := 0
		for _, upto := range []float64{0.05, 0.17, 0.25, 0.4, 0.6, 0.85} {
			p := &Picture{Lane: l, Trace: tr, Axis: &axis, Frame: chart.NewFrame(l, stageWidth), Seen: upto}
			border := float64(upto * stageWidth)
			for _, b := range boxes(t, p.SVG(), stageWidth) {
				if words++; b.says != "a bracket" && b.x0 < border-0.5 && b.x1 > border+0.5 {
					t.Errorf("%s, %v seen: %q from %v to %v is cut at %v", name, upto, b.says, b.x0, b.x1, border)
				}
			}
		}
		if words == 0 && fmt.Sprint(l.Bars) != "[]" && len(l.Bars) < 20 {
			t.Errorf("%s: no words at all", name)
		}
	}
}

// TestAWallIsUsed: lanes of one to four nodes of a GPU take most of a wall’s height as they are drawn over its width,
// and never more.
func TestAWallIsUsed(t *testing.T) {
	for nodes := 1; nodes <= 4; nodes++ {
		var slots [][3]any
		for i := range nodes {
			slots = append(slots, [3]any{"n" + itoa(i), "v100", 1})
		}
		tr := simtest.NewTrace(slots...).Job("a", 0, 600).Span(0, trace.Run, 0, 600, 0, 1).Rounds(0)
		axis := chart.NewAxis(tr.End, 60000)
		pictures := []*Picture{{Lane: chart.NewLane(tr), Trace: tr, Axis: &axis}, {Lane: chart.NewLane(tr), Trace: tr,
			Axis: &axis}}
		drawn, over := StageSVGs(nil, pictures, 1)
		var width, height float64
		_, box, _ := strings.Cut(drawn[0], `viewBox="0 0 `)
		if _, err := fmt.Sscanf(box, "%g %g", &width, &height); err != nil {
			t.Fatal(err)
		}
		at, all, room := 847.0, 1, 640.0 // px: a picture's width, how many lie above each other, and their place
		if over {
			at, all = 1760, 2
		}
		if used := float64(all) * height * at / width; used < 0.6*room || used > room {
			t.Errorf("%d nodes take %.0f px of %v", nodes, used, room)
		}
	}
}
