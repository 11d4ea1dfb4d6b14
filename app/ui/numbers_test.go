package ui

import (
	"math"
	"testing"

	"hadarlab/core/message"
)

// TestEveryFigureIsOneOfARun: the table's rows are found among the figures of a run by their names.
func TestEveryFigureIsOneOfARun(t *testing.T) {
	l := &message.Lane{Outcome: "done", Bounds: &message.Bounds{MakespanS: 1, AvgJCTS: 1}}
	for i := range figures {
		if math.IsNaN(figures[i].of(l)) {
			t.Errorf("no figure %s", figures[i].name)
		}
	}
}
