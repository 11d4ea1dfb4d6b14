package draw

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/unit"
)

func TestSoFarDrawsEachLane(t *testing.T) {
	c := chart.SoFar{Jobs: 9}
	c.Add(1, unit.Second, 1)
	if svg := SoFarSVG(nil, &c); strings.Count(svg, "data-series=") != 2 || !strings.Contains(svg, `data-series="b"`) {
		t.Error(svg)
	}
}
