package ui

import (
	"testing"

	"hadarlab/core/chart/data"
)

// TestEveryChartHasADrawing, and no other has one.
func TestEveryChartHasADrawing(t *testing.T) {
	for _, c := range data.Charts() {
		if sketches[c.ID].draw == nil {
			t.Errorf("nobody draws %s", c.ID)
		}
	}
	if len(sketches) != len(data.Charts()) {
		t.Errorf("%d drawings for %d charts", len(sketches), len(data.Charts()))
	}
}
