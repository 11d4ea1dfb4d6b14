package ui

import (
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/findings"
	"hadarlab/core/trace"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// cache keeps the drawn text of the standing result: it is made once, and equal text costs nothing to
// compare.
type cache struct {
	result int64
	width  int
	lang   string
	zoom   run.Window
	rows   chart.Arrangement
	time   chart.Axis // as far as it is seen
	lanes  []*draw.Picture
	charts map[string]*drawing // by tab
	texts  map[string]string   // pictures and tables as markup, by name
}

// fresh empties the cache when the result or the width class has changed.
func (h *Host) fresh() *cache {
	c := &h.cache
	r := h.S.Result
	if c.lanes != nil && c.result == r.ID && c.width == h.S.View.PlotW && c.lang == words.Tag() &&
		c.zoom == h.S.View.Zoom && c.rows.Equal(&h.S.View.Rows) && len(c.lanes) == len(r.Lanes) {
		return c
	}
	*c = cache{result: r.ID, width: h.S.View.PlotW, lang: words.Tag(), zoom: h.S.View.Zoom, rows: h.S.View.Rows,
		time: r.View(h.S.View.Zoom), lanes: make([]*draw.Picture, len(r.Lanes)), charts: map[string]*drawing{},
		texts: map[string]string{}}
	return c
}

// picture is how a lane is drawn, nil when it has no run.
func (h *Host) picture(lane int) *draw.Picture {
	c, r := h.fresh(), h.S.Result
	if lane >= len(r.Lanes) || r.Lanes[lane].Trace == nil {
		return nil
	}
	if c.lanes[lane] == nil {
		l := r.Lanes[lane]
		c.lanes[lane] = &draw.Picture{In: words.Now(), Lane: l.Chart, Trace: l.Trace, Axis: &c.time,
			Frame:  h.S.View.Rows.Frame(l.Chart, l.Trace, float64(c.width)),
			Policy: l.Policy.ID, Title: l.Title, Bulk: len(l.Chart.Bars) > draw.MaxBars}
	}
	return c.lanes[lane]
}

// time is the axis of the screen, as far as it is seen.
func (h *Host) time() *chart.Axis { return &h.fresh().time }

// once keeps a picture or a table.
func (h *Host) once(name string, make func() string) string {
	c := h.fresh()
	if _, made := c.texts[name]; !made {
		c.texts[name] = make()
	}
	return c.texts[name]
}

func (h *Host) plotSVG(lane int) string {
	return h.once("plot-"+itoa(lane), func() string { return h.picture(lane).SVG() })
}

func (h *Host) axisSVG() string {
	return h.once("axis", func() string {
		return draw.AxisSVG(words.Now(), h.time(), h.S.Result.Diff, float64(h.S.View.PlotW))
	})
}

func (h *Host) stripSVG() string {
	return h.once("strip", func() string {
		diff := h.S.Result.Diff
		return draw.StripSVG(words.Now(), h.time(), diff, float64(h.S.View.PlotW), findings.Differences(words.Now(),
			diff))
	})
}

// cursorSVG is the cursor over a part of the screen.
func (h *Host) cursorSVG(height float64, knob bool) string {
	r := h.S.Result
	m, _ := r.Moment(h.S.View.Moment)
	return draw.CursorSVG(h.time(), m.At, m.End, height, knob)
}

// outlineSVG rings the selected job and the bar under the keyboard's focus.
func (h *Host) outlineSVG(lane int, job string, bar int) string {
	j, ok := h.S.Result.Jobs[job]
	if !ok {
		j = -1
	}
	return h.picture(lane).OutlineSVG(j, bar)
}

// drawing keeps the chart of a tab.
func (h *Host) drawing(tab string, draw func() *drawing) *drawing {
	c := h.fresh()
	if c.charts[tab] == nil {
		c.charts[tab] = draw()
	}
	return c.charts[tab]
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
