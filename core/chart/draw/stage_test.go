package draw

import (
	"fmt"
	"testing"

	"hadarlab/core/chart"
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
