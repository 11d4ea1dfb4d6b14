package charts

import (
	"strconv"

	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/insights"
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

// drawings are what has been drawn of a plot: it is made once, and equal text costs nothing to compare.
type drawings struct {
	of     Plot
	lang   string
	time   chart.Axis // as far as it is seen
	lanes  []*draw.Picture
	charts map[string]*Drawing // by tab
	texts  map[string]string   // other pictures, by name
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
		lanes: make([]*draw.Picture, len(p.Result.Lanes)), charts: map[string]*Drawing{}, texts: map[string]string{}}
	return kept
}

// Picture is how a lane is drawn, nil when it has no run.
func (p *Plot) Picture(lane int) *draw.Picture {
	r := p.Result
	if lane >= len(r.Lanes) || r.Lanes[lane].Trace == nil {
		return nil
	}
	c := p.drawn()
	if c.lanes[lane] == nil {
		l := r.Lanes[lane]
		c.lanes[lane] = &draw.Picture{In: words.Now(), Lane: l.Chart, Trace: l.Trace, Axis: &c.time,
			Frame:  p.Rows.Frame(l.Chart, l.Trace, float64(p.PlotW)),
			Policy: l.Policy.ID, Title: l.Title, Bulk: l.Chart.Many()}
		c.lanes[lane].FitEnds()
		if w := l.Before; w != nil && w.Chart != nil && !c.lanes[lane].Bulk {
			c.lanes[lane].Was = &draw.Ghost{Lane: w.Chart, Trace: w.Trace}
		}
		if a, b := r.Pair(); a != nil && (l == a || l == b) {
			c.lanes[lane].Diff = r.Diff
			if other := a; !c.lanes[lane].Bulk {
				if l == a {
					other = b
				}
				c.lanes[lane].Same = chart.Same(l.Chart, other.Chart)
			}
		}
	}
	return c.lanes[lane]
}

// Gutter is the width in px of the names beside every plot, as in the stylesheet.
func (p *Plot) Gutter() float64 {
	if p.Narrow {
		return 68
	}
	return 92
}

// Time is the axis of the screen, as far as it is seen.
func (p *Plot) Time() *chart.Axis { return &p.drawn().time }

// once keeps a picture.
func (p *Plot) once(name string, make func() string) string {
	c := p.drawn()
	if _, made := c.texts[name]; !made {
		c.texts[name] = make()
	}
	return c.texts[name]
}

// PlotSVG is a lane that ran.
func (p *Plot) PlotSVG(lane int) string {
	return p.once("plot-"+strconv.Itoa(lane), func() string { return p.Picture(lane).SVG() })
}

// AxisSVG is the time axis, and where the compared lanes part.
func (p *Plot) AxisSVG() string {
	return p.once("axis", func() string {
		says, diff := "", p.Result.Diff
		if len(p.Result.Lanes) > 1 {
			says = insights.Differences(words.Now(), diff)
		}
		return draw.AxisSVG(words.Now(), p.Time(), diff, float64(p.PlotW), says)
	})
}

// CursorSVG is the cursor at a moment over a part of the screen.
func (p *Plot) CursorSVG(moment int, height float64, knob bool) string {
	m, _ := p.Result.Moment(moment)
	return draw.CursorSVG(p.Time(), m.At, m.End, height, knob)
}

// SliderSVG is the slider's way and thumb, at a moment.
func (p *Plot) SliderSVG(moment int) string {
	m, _ := p.Result.Moment(moment)
	return draw.SliderSVG(p.Time(), m.At)
}

// OutlineSVG rings the selected job and the bar under the keyboard's focus.
func (p *Plot) OutlineSVG(lane int, job string, bar int) string {
	return p.Picture(lane).OutlineSVG(p.Result.JobNumber(job), bar)
}
