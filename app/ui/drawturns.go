package ui

import (
	"hadarlab/app/state"
	"hadarlab/core/chart"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// A new result changes most of the screen. Drawn in one go it would hold up a large scenario's page for
// longer than a reader's next key, so that its parts take turns, one a frame.
const lastTurn = 6

// turns is who may draw the present result.
type turns struct {
	result int64             // that is being drawn
	width  int               // at which
	rows   chart.Arrangement // and in which arrangement
	at     int               // turns up to this one have come
	shown  map[string]view   // what waiting parts go on showing
}

// nextTurn is called once for each drawing of the screen.
func (h *Host) nextTurn() {
	t := &h.turns
	id := h.S.Result.ID
	switch {
	case t.shown == nil || !h.S.Live || h.small():
		t.at = lastTurn
	case t.result != id || t.width != h.S.View.PlotW, !t.rows.Equal(&h.S.View.Rows):
		t.at = 0
	case t.at < lastTurn:
		t.at++
	}
	t.result, t.width, t.rows = id, h.S.View.PlotW, h.S.View.Rows
	if t.shown == nil {
		t.shown = map[string]view{}
	}
	if t.at < lastTurn {
		h.later(1, func() { h.Do(state.Nothing{}) })
	}
}

// inTurn is a part that is drawn from a turn on; before, it stays as it is.
func (h *Host) inTurn(turn int, name string, v view) app.UI {
	t := &h.turns
	if old, ok := t.shown[name]; ok && t.at < turn {
		return part(old)
	}
	t.shown[name] = v
	return part(v)
}

// small says whether the result is drawn within a frame.
func (h *Host) small() bool {
	n := 0
	for _, l := range h.S.Result.Lanes {
		if l.Chart != nil {
			n += len(l.Chart.Bars)
		}
	}
	return n < 120
}
