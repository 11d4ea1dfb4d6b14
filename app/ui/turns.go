package ui

import (
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/app/ui/charts"
)

// plotOf is the plot as it is looked at now.
func plotOf(s *state.State) charts.Plot {
	v := &s.View
	return charts.Plot{Result: s.Result, PlotW: v.PlotW, Narrow: v.Narrow, Zoom: v.Zoom, Rows: v.Rows}
}

// A new result changes most of the screen. Drawn in one go it would hold up a large scenario's page for
// longer than a reader's next key, so that its parts take turns, one a frame.
const lastTurn = 6

// nextTurn is called once for each drawing of the screen. It says whether another turn is to come.
func (h *Host) nextTurn() (more bool) {
	p, of := plotOf(h.S), &h.drawn
	anew := of.Result != p.Result || of.PlotW != p.PlotW || !of.Rows.Equal(&p.Rows)
	*of = p
	return h.turns.Next(lastTurn, anew, !h.S.Live || small(p.Result))
}

// small says whether the result is drawn within a frame.
func small(r *run.Result) bool {
	n := 0
	for _, l := range r.Lanes {
		if l.Chart != nil {
			n += len(l.Chart.Bars)
		}
	}
	return n < 120
}
