package ui

import (
	"hadarlab/app/run"
	"hadarlab/app/ui/timeline"
)

// nextTurn is called once for each drawing of the screen. It says whether another turn is to come.
func (h *Host) nextTurn() (more bool) {
	p, of := timeline.PlotOf(&h.S.Lab), &h.drawn
	anew := of.Result != p.Result || of.PlotW != p.PlotW || !of.Rows.Equal(&p.Rows)
	*of = p
	return h.turns.Next(timeline.LastTurn, anew, !h.S.Live || small(p.Result))
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
