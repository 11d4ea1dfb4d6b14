package chart

import (
	"encoding/binary"
	"math"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// MaxBars is how many bars are drawn as SVG; more go to a canvas.
const MaxBars = 500

// The kinds of rectangle in a bulk buffer.
const (
	BulkBar   = 0
	BulkIdle  = 1
	BulkStall = 2
	BulkHold  = 3
	BulkMerge = 4
	BulkTie   = 5 // a line through the copies of a job, at its left; its width is that of the round
	BulkDown  = 6
)

// BulkFields is how many 32-bit floats one rectangle takes: left and right as shares of the width, top
// and height in px, kind, hue, hatch, job, rows.
const BulkFields = 9

// Bulk is the idle stretches, bars and pauses as one little-endian buffer, in the order of painting.
// Neighbours narrower than 1/columns of the width are left out.
func (p *Picture) Bulk32(columns int) []byte {
	k := &packer{a: p.Axis, columns: float64(columns), seen: make([]float64, len(p.Lane.Rows))}
	f := p.Frame
	for _, d := range p.Lane.Idles {
		if d.Waste {
			y, high := f.span(d.Row, d.N)
			k.put(d.Row, d.From, d.To, y, high, BulkIdle, 0, 0, -1, d.N)
		}
	}
	for i := range p.Lane.Downs {
		d := &p.Lane.Downs[i]
		y, high := f.span(d.Row, d.N)
		k.put(-1, d.From, d.To, y, high, BulkDown, 0, 0, -1, d.N)
	}
	clear(k.seen)
	for i := range p.Lane.Bars {
		b := &p.Lane.Bars[i]
		h := &p.Lane.Holdings[b.Holding]
		y, high := f.span(b.Row, b.N)
		if !k.put(b.Row, h.From, h.To, y, high, BulkBar, Hue(h.Job), Hatch(h.Job), h.Job, b.N) {
			continue
		}
		for _, pause := range h.Pauses {
			kind := BulkStall
			switch {
			case pause.Kind == trace.Hold:
				kind = BulkHold
			case pause.Merge:
				kind = BulkMerge
			}
			k.put(-1, pause.From, pause.To, y, high, kind, Hue(h.Job), 0, -1, b.N)
		}
	}
	for i := range p.Lane.Forks {
		if f := &p.Lane.Forks[i]; (p.Axis.X(f.To)-p.Axis.X(f.From))*k.columns >= tieRoom {
			at := p.Lane.mergeAt(f)
			y, end := p.reach(f)
			k.put(-1, at, at+f.To-f.From, y, end-y, BulkTie, Hue(f.Job), 0, -1, 1)
		}
	}
	return k.b
}

type packer struct {
	a       *Axis
	columns float64
	seen    []float64 // column up to which a row is painted
	b       []byte
}

func (k *packer) put(row int32, from, to unit.Tick, y, h float64, kind, hue, hatch int, job, rows int32) bool {
	x0, x1 := k.a.X(from), k.a.X(to)
	if row >= 0 {
		end := math.Floor(x1 * k.columns)
		if end <= k.seen[row] && (x1-x0)*k.columns < 1 {
			return false
		}
		k.seen[row] = max(k.seen[row], end)
	}
	for _, v := range [BulkFields]float64{x0, x1, y, h, float64(kind), float64(hue), float64(hatch), float64(job), float64(rows)} {
		k.b = binary.LittleEndian.AppendUint32(k.b, math.Float32bits(float32(v)))
	}
	return true
}

// Hit is the bar at an instant and a height in px, -1 = none.
func (p *Picture) Hit(at unit.Tick, y float64) int {
	for i := range p.Lane.Bars {
		b := &p.Lane.Bars[i]
		h := &p.Lane.Holdings[b.Holding]
		top, high := p.Frame.span(b.Row, b.N)
		if h.From <= at && at < h.To && top <= y && y < top+high {
			return i
		}
	}
	return -1
}

// ringRoom is the least width in px of a bar that is ringed; narrower ones are underlined.
const ringRoom = 7

// OutlineSVG rings a job's bars, and one stop of the keyboard more strongly; -1 = none. It lies over the plot.
func (p *Picture) OutlineSVG(job int32, bar int) string {
	w := &svg{}
	w.put(`<svg data-role="outline" width="100%" height="$" aria-hidden="true">`, px(p.Frame.Height))
	for i := range p.Lane.Bars {
		b := &p.Lane.Bars[i]
		h := &p.Lane.Holdings[b.Holding]
		if h.Job != job && i != bar || !p.Axis.sees(h.From, h.To) {
			continue
		}
		part := "ring"
		if i == bar {
			part = "focus"
		}
		top, high := p.Frame.span(b.Row, b.N)
		if p.box(w, h.From, h.To, top, high) < ringRoom && part == "ring" { // a ring would leave nothing of it to see
			w.put(`<line data-part="under" x2="100%" y1="$" y2="$"/></svg>`, px(high-1), px(high-1))
			continue
		}
		thin := ""
		if high < 10 {
			thin = "1"
		}
		w.put(`<rect data-part="$" data-thin="$" width="100%" height="100%" rx="2"/>`, part, thin)
		w.close("svg")
	}
	if i := bar - len(p.Lane.Bars); i >= 0 && i < len(p.Lane.Waits) && p.Frame.WaitRows > 0 {
		wait := &p.Lane.Waits[i]
		p.box(w, wait.From, wait.To, p.Frame.WaitY+float64(waitH*wait.Row), waitH)
		w.put(`<rect data-part="focus" y="1" width="100%" height="16" rx="8"/>`)
		w.close("svg")
	}
	for i := range p.Lane.Forks {
		if f := &p.Lane.Forks[i]; f.Job == job && p.Frame.wide(p.Axis.X(f.From), p.Axis.X(f.To)) >= tieRoom {
			p.tie(w, f, "fork-ring")
		}
	}
	w.close("svg")
	return string(w.b)
}

// CursorSVG is the cursor over one part of the screen: the round's band and a line at its start.
func CursorSVG(a *Axis, from, to unit.Tick, height float64, knob bool) string {
	w := &svg{}
	w.put(`<svg data-role="cursor-layer" width="100%" height="$" aria-hidden="true">`, px(height))
	x0, x1 := a.X(from), a.X(to)
	if !a.sees(from, to) && !a.has(from) {
		w.close("svg")
		return string(w.b)
	}
	w.put(`<rect data-role="cursor-band" x="$" width="$" y="0" height="100%"/>`, pct(x0), pct(x1-x0))
	if !a.has(from) {
		w.close("svg")
		return string(w.b)
	}
	w.put(`<line data-role="cursor" x1="$" x2="$" y1="0" y2="100%"/>`, pct(x0), pct(x0))
	if knob {
		w.put(`<circle data-role="cursor-knob" cx="$" cy="17" r="4.5"/>`, pct(x0))
	}
	w.close("svg")
	return string(w.b)
}
