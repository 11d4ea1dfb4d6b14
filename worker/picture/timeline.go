//go:build !js

package picture

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	idraw "image/draw"
	"image/png"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"

	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// Measures of a timeline in px. It is drawn with two of its own for each, so that it stays sharp on paper.
const (
	laneWide, laneGutter, laneEdge = 1200, 132, 12
	laneTop                        = 84 // below the title and the axis
	plotWide                       = laneWide - laneGutter - 2*laneEdge
	nameHigh                       = 16 // between two names beside the rows
)

var (
	ground = color.RGBA{0xf4, 0xf5, 0xf7, 0xff}
	faint  = color.RGBA{0xd8, 0xdc, 0xe1, 0xff}
	amber  = color.RGBA{0x9a, 0x67, 0x00, 0xff}
	cream  = color.RGBA{0xff, 0xf3, 0xd6, 0xff}
	veil   = color.NRGBA{0xff, 0xff, 0xff, 0x8c} // over what a job holds and does not use
)

// sheet is a timeline that is being drawn, in px.
type sheet struct {
	*faces
	img *image.RGBA
}

func at(v float64) int { return int(math.Round(v * 2)) }

// fill paints a rectangle, at least one px of the picture wide.
func (s *sheet) fill(x, y, wide, high float64, c color.Color) {
	r := image.Rect(at(x), at(y), max(at(x+wide), at(x)+1), max(at(y+high), at(y)+1))
	idraw.Draw(s.img, r, image.NewUniform(c), image.Point{}, idraw.Over)
}

// framed paints one with an edge where it is large enough.
func (s *sheet) framed(x, y, wide, high float64, c, edge color.Color) {
	if wide < 2 || high < 3 {
		s.fill(x, y, wide, high, c)
		return
	}
	s.fill(x, y, wide, high, edge)
	s.fill(x+0.5, y+0.5, wide-1, high-1, c)
}

// write puts a text whose middle is at a height; it says whether that went into a width.
func (s *sheet) write(face font.Face, c color.Color, x, middle, wide float64, text string) bool {
	if text == "" || known(face, text) != text || font.MeasureString(face, text).Ceil() > at(wide) {
		return false
	}
	d := font.Drawer{Dst: s.img, Src: image.NewUniform(c), Face: face, Dot: fixed.P(at(x), at(middle)+9)}
	d.DrawString(text)
	return true
}

// dark is the edge of a colour.
func dark(c color.RGBA) color.RGBA {
	return color.RGBA{c.R / 3 * 2, c.G / 3 * 2, c.B / 3 * 2, 0xff}
}

// Timeline draws a run as a PNG, for documents that take no SVG: nodes and their GPUs over time, who holds them, who
// waits and who is done, in the layout and colours of draw.FileSVG. What it has no room for stays unnamed.
func Timeline(in words.Catalogue, t *trace.Trace, title string) ([]byte, error) {
	f, err := loaded()
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	l, axis := chart.NewLane(t), chart.NewAxis(t.End, t.Round)
	frame := chart.NewFrame(l, plotWide)
	s := &sheet{f, image.NewRGBA(image.Rect(0, 0, at(laneWide), at(laneTop+frame.Height+laneEdge)))}
	s.fill(0, 0, laneWide, laneTop+frame.Height+laneEdge, paper)
	s.write(s.bold, ink, laneEdge, 20, laneWide-2*laneEdge, fit(s.bold, title, at(laneWide-2*laneEdge)))
	s.ground(in, t, l, &axis, frame)
	s.rects(t, l, &axis, frame)
	s.waits(t, l, &axis, frame)
	s.dones(t, l, &axis, frame)
	var out bytes.Buffer
	err = png.Encode(&out, s.img)
	return out.Bytes(), err
}

// across is where an instant lies, as a share of the plot.
func across(share float64) float64 { return laneEdge + laneGutter + float64(share*plotWide) }

// ground draws the axis, and the nodes with their names.
func (s *sheet) ground(in words.Catalogue, t *trace.Trace, l *chart.Lane, axis *chart.Axis, f *chart.Frame) {
	last := -math.MaxFloat64
	for i := range f.Groups {
		g := &f.Groups[i]
		s.fill(laneEdge+laneGutter, laneTop+g.Top, plotWide, g.Height, ground)
		if middle := laneTop + g.Top + float64(g.Height/2); middle-last >= nameHigh {
			s.write(s.normal, ink, laneEdge, middle, laneGutter-8, fit(s.normal, g.Name(t), at(laneGutter-8)))
			last = middle
		}
	}
	for i, tick := range axis.Ticks {
		x := across(axis.X(tick.At))
		s.fill(x, laneTop-8, 0.5, f.Height+8, faint)
		says := axis.Label(in, tick)
		if i == len(axis.Ticks)-1 {
			says += " " + axis.Unit.Short
		}
		wide := float64(font.MeasureString(s.normal, says).Ceil()) / 2
		s.write(s.normal, soft, min(x-wide/2, laneWide-laneEdge-wide), laneTop-20, wide, says)
	}
	s.write(s.normal, soft, laneEdge, laneTop+f.WaitY+chart.WaitH/2, laneGutter, in.T("waiting"))
	s.write(s.normal, soft, laneEdge, laneTop+f.DoneY+chart.DoneH/2, laneGutter, in.T("done"))
}

// rects draws what is held, idle, stalled and away, and then the names of who holds it.
func (s *sheet) rects(t *trace.Trace, l *chart.Lane, axis *chart.Axis, f *chart.Frame) {
	p := draw.Picture{Lane: l, Trace: t, Axis: axis, Frame: f}
	bulk := p.Bulk32(at(plotWide))
	each := func(do func(x, y, wide, high float64, kind, job int, hue color.RGBA)) {
		for b := bulk; len(b) > 0; b = b[4*draw.BulkFields:] {
			var v [draw.BulkFields]float64
			for i := range v {
				v[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
			}
			x := across(v[0])
			do(x, laneTop+v[2], across(v[1])-x, v[3], int(v[4]), int(v[7]), hues[(int(v[5])+len(hues)-1)%len(hues)])
		}
	}
	each(func(x, y, wide, high float64, kind, _ int, hue color.RGBA) {
		switch kind {
		case draw.BulkBar:
			s.framed(x, y, wide, high, hue, dark(hue))
		case draw.BulkIdle:
			s.framed(x, y, wide, high, cream, amber)
		case draw.BulkDown:
			s.fill(x, y, wide, high, faint)
		case draw.BulkMerge:
			s.fill(x, y, wide, high, dark(hue))
		case draw.BulkTie:
			s.fill(x, y, 1, high, dark(hue))
		default: // a stall, or held until the next decision
			s.fill(x, y, wide, high, veil)
		}
	})
	each(func(x, y, wide, high float64, kind, job int, hue color.RGBA) {
		if kind == draw.BulkBar && high >= chart.LabelH {
			s.write(s.bold, on(hue), x+4, y+float64(high/2), wide-6, t.Jobs[job].Name)
		}
	})
}

// on is what is read on a colour.
func on(hue color.RGBA) color.RGBA {
	if hue == hues[0] {
		return paper
	}
	return ink
}

// waits draws who waits, or how many where they are too many.
func (s *sheet) waits(t *trace.Trace, l *chart.Lane, axis *chart.Axis, f *chart.Frame) {
	if f.WaitRows == 0 {
		q := l.Queue(nil)
		most := max(q.Max(), 1)
		for k := range at(plotWide) {
			share := float64(k) / float64(at(plotWide))
			high := float64(chart.WaitCurveH * q.At(axis.At(share)) / most)
			s.fill(across(share), laneTop+f.WaitY+chart.WaitCurveH-high, 0.5, high, amber)
		}
		return
	}
	for _, w := range l.Waits {
		x, y := across(axis.X(w.From)), laneTop+f.WaitY+float64(chart.WaitH*w.Row)+1
		wide := across(axis.X(w.To)) - x
		s.framed(x, y, wide, chart.WaitH-2, cream, hues[(l.Looks[w.Job].Hue+len(hues)-1)%len(hues)])
		s.write(s.normal, ink, x+4, y+chart.WaitH/2-1, wide-6, t.Jobs[w.Job].Name)
	}
}

// dones draws who is done when.
func (s *sheet) dones(t *trace.Trace, l *chart.Lane, axis *chart.Axis, f *chart.Frame) {
	for i, d := range l.Dones {
		x, y := across(axis.X(d.At)), laneTop+f.DoneY
		end := float64(laneWide - laneEdge)
		if i+1 < len(l.Dones) {
			end = across(axis.X(l.Dones[i+1].At))
		}
		s.fill(x, y+2, 1, chart.DoneH-2, ink)
		s.write(s.bold, ink, x+4, y+chart.DoneH/2+1, end-x-6, t.Jobs[d.Job].Name)
	}
}
