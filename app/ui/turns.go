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
	more = h.turns.Next(timeline.LastTurn, anew, !h.S.Live || small(p.Result))
	h.apart = more && (h.apart || h.shown != h.S.Shows)
	h.shown = h.S.Shows
	return more
}

// status is the word for the page's main element: until all parts have had their turn nothing is ready.
func (h *Host) status(more bool) string {
	if s := h.S.Status(); !more || s != "ready" {
		return s
	}
	return "running"
}

// elsewhere says whether parts that are not up to date are of another scenario than the one that is open, "" = none
// are: "awaited" until its result is there, "drawing" until all parts have had their turn.
func (h *Host) elsewhere() string {
	switch s := h.S; {
	case h.apart:
		return "drawing"
	case !s.Fresh() && s.Shows != s.History.Stands().Opening:
		return "awaited"
	}
	return ""
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
