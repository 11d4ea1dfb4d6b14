package chart

import (
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// Frame is where the rows of a lane lie, in px from its top.
type Frame struct {
	Width    float64   // assumed width of the plot; decides only which labels fit
	RowH     float64   // of a row that is not folded
	Top      []float64 // of each row
	High     []float64 // of each row
	Groups   []Group   // from the top
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
	// maxGap is the most px between two nodes.
	maxGap = 8
)

// The most px that the GPUs of a folded node and those of a type share.
const (
	foldH = 16
	typeH = 40
)

// NewFrame lays out a lane for a plot of about width px, a row for each GPU.
func NewFrame(l *Lane, width float64) *Frame { return layOut(l, l.nodes(), width) }

func layOut(l *Lane, groups []Group, width float64) *Frame {
	rows, folds := 0, 0
	for i := range groups {
		if groups[i].Folded {
			folds++
		} else {
			rows += len(groups[i].Rows)
		}
	}
	f := &Frame{Width: width, RowH: rowHeight(rows), WaitRows: max(1, l.WaitRows), Top: make([]float64, len(l.Rows)), High: make([]float64, len(l.Rows)), Groups: groups}
	gap := float64(maxGap)
	switch {
	case f.RowH < 5:
		gap = 2
	case f.RowH < 13 || folds > 8:
		gap = 4
	}
	y := 0.0
	for i := range groups {
		g := &groups[i]
		g.Top = y
		high := f.RowH
		switch {
		case g.Folded && g.Node < 0:
			high = min(19, typeH/float64(len(g.Rows)))
		case g.Folded:
			high = foldH / float64(len(g.Rows))
		}
		for _, r := range g.Rows {
			f.Top[r], f.High[r] = y, high
			y += high
		}
		g.Height = y - g.Top
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

// span is the top and the height in px of n adjacent rows of a slot.
func (f *Frame) span(row, n int32) (top, high float64) {
	return f.Top[row], f.Top[row+n-1] + f.High[row+n-1] - f.Top[row]
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
	for i := range f.Groups {
		if g := &f.Groups[i]; !g.Folded {
			typ := t.Types[t.Slots[l.Rows[g.Rows[0]].Slot].Type]
			types = types && textWidth(g.name(t))+textWidth(TypeTitle(typ))+6 <= width-25
		}
	}
	for i := range f.Groups {
		if g := &f.Groups[i]; g.Folded {
			gutterFold(w, t, g, width)
		} else {
			l.gutterNode(w, t, f, g, width, types)
		}
	}
	w.put(`<text x="0" y="$">$</text>`, px(f.WaitY+13), words.T("waiting"))
	w.put(`<text x="0" y="$">$</text>`, px(f.DoneY+14), words.T("done"))
	w.close("svg")
	return string(w.b)
}

// gutterFold names what is folded, with the number of its GPUs.
func gutterFold(w *svg, t *trace.Trace, g *Group, width float64) {
	mark, mid := "M3.500 1.500 9 6l-5.500 4.500", g.Top+float64(g.Height/2)
	if g.Node < 0 {
		mark = Mark(t.Types[g.Type], g.Type)
	}
	n := itoa(len(g.Rows))
	w.put(`<svg x="0" y="$" width="12" height="12" viewBox="0 0 12 12">`, px(mid-6))
	w.put(`<path data-mark="1" d="$"/>`, mark)
	w.close("svg")
	w.put(`<text data-part="node" x="17" y="$">$</text>`, px(mid+4.3), fit(g.name(t), width-31-textWidth(n)))
	w.put(`<text data-part="total" x="$" y="$" text-anchor="end">$</text>`, px(width-8), px(mid+4.3), n)
}

// gutterNode names a node once, and each of its GPU types where there is room.
func (l *Lane) gutterNode(w *svg, t *trace.Trace, f *Frame, g *Group, width float64, types bool) {
	bottom := -100.0
	first, end := g.Rows[0], g.Rows[len(g.Rows)-1]+1
	for r := first; r < end; {
		slot := l.Rows[r].Slot
		n := t.Slots[slot].Cap
		top, high := f.span(r, n)
		mid := top + float64(high/2)
		if mid-bottom >= 11 {
			bottom = mid
			typ := t.Slots[slot].Type
			w.put(`<svg x="0" y="$" width="12" height="12" viewBox="0 0 12 12">`, px(mid-6))
			w.put(`<path data-mark="1" d="$"/>`, Mark(t.Types[typ], typ))
			w.close("svg")
			base, name := mid+4.3, TypeTitle(t.Types[typ])
			below := !types && textWidth(name)+25 <= width && high >= 28
			if below && r == first {
				base -= 6
				w.put(`<text data-part="below" x="17" y="$">$</text>`, px(base+12), name)
			} else if below {
				w.put(`<text data-part="below" x="17" y="$">$</text>`, px(base), name)
			}
			if r == first {
				w.put(`<text data-part="node" x="17" y="$">$</text>`, px(base), fit(t.Nodes[g.Node], width-25))
			}
			if types || r > first && !below {
				w.put(`<text data-part="type" x="$" y="$" text-anchor="end">$</text>`, px(width-8), px(base), name)
			}
		}
		r += n
	}
}
