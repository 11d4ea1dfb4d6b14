package draw

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/simtest"

	"hadarlab/core/unit"
)

func TestStepPathWithinAWindow(t *testing.T) {
	a := chart.NewAxis(1000*unit.Second, 0)
	w := a.Window(300*unit.Second, 600*unit.Second)
	s := chart.Series{T: []unit.Tick{0, 200 * unit.Second, 400 * unit.Second, 800 * unit.Second},
		V: []float64{1, 2, 3, 4}, End: 1000 * unit.Second}
	y := chart.Scale{Max: 4}
	if d := stepPath(&s, &w, &y, 100, false); !strings.HasPrefix(d, "M0 50H") || strings.Contains(d, "V0") {
		t.Errorf("path %s", d)
	}
}

func TestGainsHatchWhatEndsOnce(t *testing.T) {
	a := simtest.TwoNodes().Job("w", 0, 100).Job("l", 100, 400).Job("only", 0, 50).Job("same", 0, 10).Rounds(0)
	b := simtest.TwoNodes().Job("w", 0, 300).Job("l", 100, 350).Job("only", 0, -1).Job("same", 0, 10).Rounds(0)
	says := func(chart.Gain) string { return "" }
	if svg := GainsSVG(chart.Gains(a, b), a, says, 0, 500, "t"); strings.Count(svg, "hatch-1") != 1 ||
		strings.Count(svg, `data-gain="loss"`) != 1 {
		t.Errorf("%s", svg)
	}
}
