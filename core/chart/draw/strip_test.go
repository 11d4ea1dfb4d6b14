package draw

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/unit"
)

// TestNumbersOverNarrowMoments: a narrow moment has its number where those of its neighbours leave room, and only
// there.
func TestNumbersOverNarrowMoments(t *testing.T) {
	a := chart.NewAxis(20*60*unit.Second, 0)
	d := &chart.Diff{First: -1}
	for at := unit.Tick(0); at < 20*60; {
		wide := unit.Tick(60)
		if n := len(d.Moments); n == 11 || n == 15 || n == 16 { // the last two lie beside each other
			wide = 6
		}
		d.Moments = append(d.Moments, chart.Moment{At: at * unit.Second, End: (at + wide) * unit.Second})
		at += wide
	}
	for width, want := range map[float64]bool{800: true, 500: false} {
		svg := AxisSVG(nil, &a, d, width)
		if got := strings.Contains(svg, ">12<"); got != want {
			t.Errorf("at %v px the number of a narrow moment stands: %t", width, got)
		}
		if !strings.Contains(svg, ">13<") || strings.Contains(svg, ">16<") && strings.Contains(svg, ">17<") {
			t.Errorf("at %v px numbers are left out or collide: %s", width, svg)
		}
	}
}
