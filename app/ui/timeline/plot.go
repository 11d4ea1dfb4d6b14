package timeline

import (
	"hadarlab/app/state"
	"hadarlab/app/ui/charts"
)

// PlotOf is the plot as it is looked at now.
func PlotOf(s *state.Lab) charts.Plot {
	v := &s.View
	return charts.Plot{Result: s.Result, PlotW: v.PlotW, Narrow: v.Narrow, Zoom: v.Zoom, Rows: v.Rows}
}

// LastTurn is how many turns the screen takes: a new result changes most of it. Drawn in one go it would hold up a
// large scenario's page for longer than a reader's next key, so that its parts take turns, one a frame; the lanes come
// first.
const LastTurn = 6
