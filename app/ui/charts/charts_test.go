package charts

import (
	"testing"

	"hadarlab/core/chart/data"
)

// TestEveryChartHasADrawing, and no other has one.
func TestEveryChartHasADrawing(t *testing.T) {
	for _, c := range data.Charts() {
		if kinds[c.ID].draw == nil {
			t.Errorf("nobody draws %s", c.ID)
		}
	}
	if len(kinds) != len(data.Charts()) {
		t.Errorf("%d drawings for %d charts", len(kinds), len(data.Charts()))
	}
}
