package draw

import (
	"encoding/binary"
	"math"

	"hadarlab/core/chart"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

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

// Bulk32 is the idle stretches, bars and pauses as one little-endian buffer, in the order of painting.
// Neighbours narrower than 1/columns of the width are left out. It goes in the trace's pace.
func (p *Picture) Bulk32(columns int) []byte {
	k := &packer{a: p.Axis, painted: newPainted(float64(columns), len(p.Lane.Rows))}
	f := p.Frame
	pace := p.Trace.Pace
	for _, d := range p.Lane.Idles {
		pace.Did(1)
		if d.Waste {
			y, high := f.Span(d.Row, d.N)
			k.put(d.Row, d.From, d.To, y, high, BulkIdle, 0, 0, -1, d.N)
		}
	}
	for i := range p.Lane.Downs {
		d := &p.Lane.Downs[i]
		y, high := f.Span(d.Row, d.N)
		k.put(-1, d.From, d.To, y, high, BulkDown, 0, 0, -1, d.N)
	}
	clear(k.until)
	for i := range p.Lane.Bars {
		pace.Did(1)
		b := &p.Lane.Bars[i]
		h := &p.Lane.Holdings[b.Holding]
		look := p.Lane.Looks[h.Job]
		y, high := f.Span(b.Row, b.N)
		if !k.put(b.Row, h.From, h.To, y, high, BulkBar, look.Hue, look.Hatch, h.Job, b.N) {
			continue
		}
		for _, pause := range h.Pauses {
			pace.Did(1)
			kind := BulkStall
			switch {
			case pause.Kind == trace.Hold:
				kind = BulkHold
			case pause.Merge:
				kind = BulkMerge
			}
			k.put(-1, pause.From, pause.To, y, high, kind, look.Hue, 0, -1, b.N)
		}
	}
	for i := range p.Lane.Forks {
		pace.Did(1)
		if f := &p.Lane.Forks[i]; (p.Axis.X(f.To)-p.Axis.X(f.From))*k.columns >= tieRoom {
			at := p.Lane.MergeAt(f)
			y, end := p.reach(f)
			k.put(-1, at, at+f.To-f.From, y, end-y, BulkTie, p.Lane.Looks[f.Job].Hue, 0, -1, 1)
		}
	}
	return k.b
}

// painted leaves out what is narrower than a column of the picture and lies where something is painted already. A
// picture has no more of the rest than columns for each row, however long a run is.
type painted struct {
	columns float64
	until   []float64 // column up to which a row is painted
}

func newPainted(columns float64, rows int) painted { return painted{columns, make([]float64, rows)} }

// has says whether a stretch can be left out, and notes it otherwise. Those of a row come from left to right.
func (z *painted) has(row int32, x0, x1 float64) bool {
	end := math.Floor(x1 * z.columns)
	if end <= z.until[row] && (x1-x0)*z.columns < 1 {
		return true
	}
	z.until[row] = max(z.until[row], end)
	return false
}

type packer struct {
	painted
	a *chart.Axis
	b []byte
}

func (k *packer) put(row int32, from, to unit.Tick, y, h float64, kind, hue, hatch int, job, rows int32) bool {
	x0, x1 := k.a.X(from), k.a.X(to)
	if row >= 0 && k.has(row, x0, x1) {
		return false
	}
	var b [4 * BulkFields]byte
	for i, v := range [BulkFields]float32{float32(x0), float32(x1), float32(y), float32(h), float32(kind), float32(hue),
		float32(hatch), float32(job), float32(rows)} {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(v))
	}
	k.b = append(k.b, b[:]...)
	return true
}

// Hit is the bar at an instant and a height in px, -1 = none.
func (p *Picture) Hit(at unit.Tick, y float64) int {
	for i := range p.Lane.Bars {
		b := &p.Lane.Bars[i]
		h := &p.Lane.Holdings[b.Holding]
		top, high := p.Frame.Span(b.Row, b.N)
		if h.From <= at && at < h.To && top <= y && y < top+high {
			return i
		}
	}
	return -1
}
