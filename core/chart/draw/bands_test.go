package draw

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/unit"
)

// TestBands: 0 to 10 s and 0 to 1 on a plot of 1000 by CurveHeight, so that 5 s at 0.5 ± 0.25 is at 500, 56, between
// 28 and 84. What a title says stays text.
func TestBands(t *testing.T) {
	a := chart.Axis{To: 10 * unit.Second}
	y := chart.Scale{Max: 1, Ticks: []float64{0, 1}}
	got := BandsSVG(nil, &a, &y, []Band{{"a", []unit.Tick{0, 5 * unit.Second}, []float64{0, 0.5},
		[]float64{0, 0.25}}}, 600, `"<b>`)
	for _, want := range []string{`data-band="a" d="M0 112L500 28L500 84L0 112Z"`, `data-series="a" d="M0 112L500 56"`,
		`aria-label="&quot;&lt;b&gt;"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}
