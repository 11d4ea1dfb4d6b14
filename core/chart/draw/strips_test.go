package draw

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/unit"
)

// TestStripsStandOneBelowTheOther: each has its own scale, areas are closed and lines are not.
func TestStripsStandOneBelowTheOther(t *testing.T) {
	a := chart.NewAxis(100*unit.Second, 0)
	s := chart.Series{T: []unit.Tick{0, 50 * unit.Second}, V: []float64{10, 0}, End: 100 * unit.Second}
	all := []Strip{{Name: "first", High: 100, Y: chart.LinearScale(10, 2), Areas: []StripArea{{"busy", &s}}},
		{Name: "second", Hue: 3, High: 40, Y: chart.LinearScale(20, 2), Lines: []chart.Curve{{Style: "a", Series: s}}}}
	if got := StripsHeight(all); got != 184 {
		t.Errorf("two strips are %v px high", got)
	}
	svg := StripsSVG(nil, &a, "worth", all, 500, "says")
	for _, part := range []string{`y="22"`, `y="144"`, // 100 px and room for a name further down
		`<path data-use="busy" d="M0 100V0H`, // all of its scale, from the bottom
		`<path data-series="a" d="M0 20H`} {  // half of its own
		if !strings.Contains(svg, part) {
			t.Errorf("there is no %s in %s", part, svg)
		}
	}
	if !strings.Contains(svg, ">second<") || strings.Count(svg, "data-hue") != 1 {
		t.Errorf("the strips are not named, or both by a job, in %s", svg)
	}
	if scales := StripsGutterSVG(nil, all, 90); strings.Count(scales, "<text") != 6 {
		t.Errorf("beside them stands %s", scales)
	}
}
