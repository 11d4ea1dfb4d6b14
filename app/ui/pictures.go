package ui

import (
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/findings"
	"hadarlab/core/trace"
)

// Plot is the time axis and what stands on it in every row: what pictures over it are drawn from, whatever is looked at
// there.
type Plot struct {
	Result *run.Result
	PlotW  int  // width class in px
	Narrow bool // the column of names beside it is narrow
	Zoom   run.Window
	Rows   chart.Arrangement
}

func plotOf(s *state.State) Plot {
	v := &s.View
	return Plot{Result: s.Result, PlotW: v.PlotW, Narrow: v.Narrow, Zoom: v.Zoom, Rows: v.Rows}
}

// drawings are what has been drawn of a plot: it is made once, and equal text costs nothing to compare.
type drawings struct {
	of     Plot
	lang   string
	time   chart.Axis // as far as it is seen
	lanes  []*draw.Picture
	charts map[string]*drawing // by tab
	texts  map[string]string   // pictures and tables as markup, by name
}

// kept are those of the latest plot.
var kept = &drawings{}

// drawn are the drawings of this plot, none when another was drawn last.
func (p *Plot) drawn() *drawings {
	if k := kept; k.of.Result == p.Result && k.of.PlotW == p.PlotW && k.of.Narrow == p.Narrow && k.of.Zoom == p.Zoom &&
		k.of.Rows.Equal(&p.Rows) && k.lang == words.Tag() {
		return k
	}
	kept = &drawings{of: *p, lang: words.Tag(), time: p.Result.View(p.Zoom),
		lanes: make([]*draw.Picture, len(p.Result.Lanes)), charts: map[string]*drawing{}, texts: map[string]string{}}
	return kept
}

// picture is how a lane is drawn, nil when it has no run.
func (p *Plot) picture(lane int) *draw.Picture {
	r := p.Result
	if lane >= len(r.Lanes) || r.Lanes[lane].Trace == nil {
		return nil
	}
	c := p.drawn()
	if c.lanes[lane] == nil {
		l := r.Lanes[lane]
		c.lanes[lane] = &draw.Picture{In: words.Now(), Lane: l.Chart, Trace: l.Trace, Axis: &c.time,
			Frame:  p.Rows.Frame(l.Chart, l.Trace, float64(p.PlotW)),
			Policy: l.Policy.ID, Title: l.Title, Bulk: len(l.Chart.Bars) > draw.MaxBars}
	}
	return c.lanes[lane]
}

// gutter is the width in px of the names beside every plot, as in the stylesheet.
func (p *Plot) gutter() float64 {
	if p.Narrow {
		return 68
	}
	return 92
}

// time is the axis of the screen, as far as it is seen.
func (p *Plot) time() *chart.Axis { return &p.drawn().time }

// once keeps a picture or a table.
func (p *Plot) once(name string, make func() string) string {
	c := p.drawn()
	if _, made := c.texts[name]; !made {
		c.texts[name] = make()
	}
	return c.texts[name]
}

func (p *Plot) plotSVG(lane int) string {
	return p.once("plot-"+itoa(lane), func() string { return p.picture(lane).SVG() })
}

func (p *Plot) axisSVG() string {
	return p.once("axis", func() string {
		return draw.AxisSVG(words.Now(), p.time(), p.Result.Diff, float64(p.PlotW))
	})
}

func (p *Plot) stripSVG() string {
	return p.once("strip", func() string {
		diff := p.Result.Diff
		return draw.StripSVG(words.Now(), p.time(), diff, float64(p.PlotW), findings.Differences(words.Now(), diff))
	})
}

// cursorSVG is the cursor at a moment over a part of the screen.
func (p *Plot) cursorSVG(moment int, height float64, knob bool) string {
	m, _ := p.Result.Moment(moment)
	return draw.CursorSVG(p.time(), m.At, m.End, height, knob)
}

// outlineSVG rings the selected job and the bar under the keyboard's focus.
func (p *Plot) outlineSVG(lane int, job string, bar int) string {
	return p.picture(lane).OutlineSVG(jobIn(p.Result, job), bar)
}

// drawing keeps the chart of a tab.
func (p *Plot) drawing(tab string, draw func() *drawing) *drawing {
	c := p.drawn()
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
	of    Plot            // that is being drawn
	at    int             // turns up to this one have come
	shown map[string]view // what waiting parts go on showing
}

// next is called once for each drawing of the screen, with what stands in it. It says whether another turn is to come.
func (t *turns) next(p Plot, live bool) (more bool) {
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
