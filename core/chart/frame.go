package chart

import (
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// Frame is where the rows of a lane lie, in px from its top.
type Frame struct {
	Width    float64 // assumed width of the plot; decides only which labels fit
	RowH     float64
	Top      []float64 // of each row
	WaitY    float64   // top of the waiting rows
	WaitRows int32     // pills are stacked on so many rows; 0 = a curve of their number instead
	DoneY    float64
	Height   float64
}

const (
	waitH     = 18 // one row of pills
	waitCurve = 34 // the curve in their place
	doneH     = 19
	// maxWaitRows is how many jobs may wait at once before a curve shows their number.
	maxWaitRows = 3
	// LabelH is the least height of a bar that carries its name.
	LabelH = 12
)

// NewFrame lays out a lane for a plot of about width px.
func NewFrame(l *Lane, width float64) *Frame {
	f := &Frame{Width: width, RowH: rowHeight(len(l.Rows)), WaitRows: max(1, l.WaitRows), Top: make([]float64, len(l.Rows))}
	gap := 8.0
	switch {
	case f.RowH < 5:
		gap = 2
	case f.RowH < 13:
		gap = 4
	}
	y := 0.0
	for _, b := range l.Bands {
		for r := b.First; r < b.First+b.Count; r++ {
			f.Top[r] = y
			y += f.RowH
		}
		y += gap
	}
	f.WaitY = y - gap + 4
	high := float64(f.WaitRows) * waitH
	if f.WaitRows > maxWaitRows {
		f.WaitRows, high = 0, waitCurve
	}
	f.DoneY = f.WaitY + high + 1
	f.Height = f.DoneY + doneH
	return f
}

// rowHeight is the height in px of one of n GPUs.
func rowHeight(n int) float64 {
	for _, c := range []struct {
		most int
		h    float64
	}{{8, 19}, {12, 16}, {20, 13}, {36, 9}, {60, 6}, {120, 4}} {
		if n <= c.most {
			return c.h
		}
	}
	return max(0.5, float64(480)/float64(n))
}

// wide is the width in px of a stretch of the axis.
func (f *Frame) wide(x0, x1 float64) float64 { return float64((x1 - x0) * f.Width) }

// GutterSVG is the names beside the rows, for a column of the given width.
func (l *Lane) GutterSVG(t *trace.Trace, f *Frame, width float64) string {
	w := &svg{}
	w.put(`<svg data-role="gutter" width="$" height="$" aria-hidden="true">`, px(width), px(f.Height))
	types := true // the types' names stand beside all nodes, or below those that have room; the marks say them already
	for _, b := range l.Bands {
		typ := t.Types[t.Slots[l.Rows[b.First].Slot].Type]
		types = types && textWidth(t.Nodes[b.Node])+textWidth(TypeTitle(typ))+6 <= width-25
	}
	for _, b := range l.Bands {
		l.gutterBand(w, t, f, b, width, types)
	}
	w.put(`<text x="0" y="$">$</text>`, px(f.WaitY+13), words.T("waiting"))
	w.put(`<text x="0" y="$">$</text>`, px(f.DoneY+14), words.T("done"))
	w.close("svg")
	return string(w.b)
}

// gutterBand names a node once, and each of its GPU types where there is room.
func (l *Lane) gutterBand(w *svg, t *trace.Trace, f *Frame, b Band, width float64, types bool) {
	bottom := -100.0
	for r := b.First; r < b.First+b.Count; {
		slot := l.Rows[r].Slot
		n := t.Slots[slot].Cap
		mid := f.Top[r] + float64(float64(n)*f.RowH/2)
		if mid-bottom >= 11 {
			bottom = mid
			typ := t.Slots[slot].Type
			w.put(`<svg x="0" y="$" width="12" height="12" viewBox="0 0 12 12">`, px(mid-6))
			w.put(`<path data-mark="1" d="$"/>`, Mark(t.Types[typ], typ))
			w.close("svg")
			base, name := mid+4.3, TypeTitle(t.Types[typ])
			below := !types && textWidth(name)+25 <= width && float64(n)*f.RowH >= 28
			if below && r == b.First {
				base -= 6
				w.put(`<text data-part="below" x="17" y="$">$</text>`, px(base+12), name)
			} else if below {
				w.put(`<text data-part="below" x="17" y="$">$</text>`, px(base), name)
			}
			if r == b.First {
				w.put(`<text data-part="node" x="17" y="$">$</text>`, px(base), fit(t.Nodes[b.Node], width-25))
			}
			if types || r > b.First && !below {
				w.put(`<text data-part="type" x="$" y="$" text-anchor="end">$</text>`, px(width-8), px(base), name)
			}
		}
		r += n
	}
}
