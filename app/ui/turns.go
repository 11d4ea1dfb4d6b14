package ui

import (
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/app/ui/charts"
	"hadarlab/core/trace"
)

// plotOf is the plot as it is looked at now.
func plotOf(s *state.Lab) charts.Plot {
	v := &s.View
	return charts.Plot{Result: s.Result, PlotW: v.PlotW, Narrow: v.Narrow, Zoom: v.Zoom, Rows: v.Rows}
}

// typesOf are the GPU types of the result.
func typesOf(t *trace.Trace) []string {
	if t == nil {
		return nil
	}
	return t.Types
}

// A new result changes most of the screen. Drawn in one go it would hold up a large scenario's page for
// longer than a reader's next key, so that its parts take turns, one a frame.
const lastTurn = 6

// turns is who may draw the present result.
type turns struct {
	of    charts.Plot     // that is being drawn
	at    int             // turns up to this one have come
	shown map[string]view // what waiting parts go on showing
}

// next is called once for each drawing of the screen, with what stands in it. It says whether another turn is to come.
func (t *turns) next(p charts.Plot, live bool) (more bool) {
	switch {
	case t.shown == nil || !live || small(p.Result):
		t.at = lastTurn
	case t.of.Result != p.Result || t.of.PlotW != p.PlotW || !t.of.Rows.Equal(&p.Rows):
		t.at = 0
	case t.at < lastTurn:
		t.at++
	}
	if t.of = p; t.shown == nil {
		t.shown = map[string]view{}
	}
	return t.at < lastTurn
}

// inTurn is the view that is shown of a part which is drawn from a turn on; before, that is the old one.
func (t *turns) inTurn(turn int, name string, v view) view {
	if old, ok := t.shown[name]; ok && t.at < turn {
		return old
	}
	t.shown[name] = v
	return v
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
