package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// gpusOf lists how many GPUs of which type a group has.
func gpusOf(g *chart.Group, l *chart.Lane, t *trace.Trace) string {
	s := ""
	for i := 0; i < len(g.Rows); {
		typ, n := t.Slots[l.Rows[g.Rows[i]].Slot].Type, 0
		for i < len(g.Rows) && t.Slots[l.Rows[g.Rows[i]].Slot].Type == typ {
			i, n = i+1, n+1
		}
		if s != "" {
			s += ", "
		}
		s += itoa(n) + " × " + figure.TypeTitle(t.Types[typ])
	}
	return s
}

// FoldsSVG lies over the names beside the rows: a field for each node, which says what the node has.
func FoldsSVG(in words.Catalogue, l *chart.Lane, t *trace.Trace, f *chart.Frame, width float64) string {
	w := &svg{in: in}
	w.put(`<svg data-role="folds" width="$" height="$" aria-hidden="true">`, px(width), px(f.WaitY))
	for i := range f.Groups {
		g := &f.Groups[i]
		title, node := in.F("Fold {0}", g.Name(t)), g.Name(t)
		switch {
		case g.Node < 0:
			title, node = g.Name(t), ""
		case g.Folded:
			title = in.F("Unfold {0}", g.Name(t))
		}
		w.put(`<rect data-node="$" width="100%" y="$" height="$" rx="2"><title>`, node, px(g.Top), px(g.Height))
		w.text(title + ": " + gpusOf(g, l, t))
		w.put(`</title></rect>`)
	}
	return w.end()
}

// markEnd is where names begin, in px: behind a type's mark. nameGap is what they keep free of the plot, and lineHigh
// how far apart a node's name and its type's below it stand.
const (
	markEnd  = 17
	nameGap  = 8
	lineHigh = 16
)

// GutterSVG is the names beside the rows, for a column of the given width.
func GutterSVG(in words.Catalogue, l *chart.Lane, t *trace.Trace, f *chart.Frame, width float64) string {
	w := &svg{in: in}
	w.gutter(width, f.Height)
	g := gutter{w: w, t: t, width: width, size: large, types: true, bottom: -100}
	for i := range f.Groups {
		of, next := &f.Groups[i], f.WaitY
		if i+1 < len(f.Groups) {
			next = f.Groups[i+1].Top
		}
		g.size = min(g.size, sizeIn(next-of.Top))
		if !of.Folded {
			typ := t.Types[t.Slots[l.Rows[of.Rows[0]].Slot].Type]
			g.types = g.types && wide(of.Name(t), g.size)+wide(figure.TypeTitle(typ), g.size)+6 <= width-markEnd-nameGap
		}
	}
	for i := range f.Groups {
		if of := &f.Groups[i]; of.Folded {
			g.fold(of)
		} else {
			g.node(l, f, of)
		}
	}
	w.put(`<text data-large="1" x="0" y="$">$</text>`, px(f.WaitY+middle(chart.WaitH, large)), in.T("waiting"))
	w.put(`<text data-large="1" x="0" y="$">$</text>`, px(f.DoneY+middle(chart.DoneH, large)), in.T("done"))
	return w.end()
}

// gutter is the names that are being written.
type gutter struct {
	w      *svg
	t      *trace.Trace
	width  float64
	size   float64 // of all names: large where every one has room
	types  bool    // the types' names stand beside all nodes, or below those that have room; the marks say them already
	bottom float64 // middle of the last name
}

// mark is a type's mark, or that of a fold.
func (g *gutter) mark(d string, mid float64) {
	g.w.put(`<svg x="0" y="$" width="12" height="12" viewBox="0 0 12 12"><path data-mark="1" d="$"/></svg>`, px(mid-6), d)
}

// text is a name, or part of what stands beside it.
func (g *gutter) text(part string, x, mid float64, anchor, says string) {
	g.w.put(`<text data-part="$" data-large="$" x="$" y="$" text-anchor="$">$</text>`, part, marked(g.size), px(x),
		px(mid+middle(0, g.size)), anchor, says)
}

// fold names what is folded, with the number of its GPUs.
func (g *gutter) fold(of *chart.Group) {
	mark, mid := "M3.500 1.500 9 6l-5.500 4.500", of.Top+float64(of.Height/2)
	if of.Node < 0 {
		mark = chart.Mark(g.t.Types, g.t.Types[of.Type])
	}
	n := itoa(len(of.Rows))
	g.mark(mark, mid)
	g.text("node", markEnd, mid, "", tail(of.Name(g.t), (g.width-markEnd-nameGap-6-wide(n, g.size))*small/g.size))
	g.text("total", g.width-nameGap, mid, "end", n)
}

// node names a node once, and each of its GPU types, where there is room below the name above.
func (g *gutter) node(l *chart.Lane, f *chart.Frame, of *chart.Group) {
	first, end := of.Rows[0], of.Rows[len(of.Rows)-1]+1
	for r := first; r < end; {
		slot := l.Rows[r].Slot
		n := g.t.Slots[slot].Cap
		top, high := f.Span(r, n)
		mid := top + float64(high/2)
		if mid-g.bottom >= g.size+1 {
			typ := g.t.Types[g.t.Slots[slot].Type]
			g.mark(chart.Mark(g.t.Types, typ), mid)
			name := figure.TypeTitle(typ)
			below := !g.types && wide(name, g.size) <= g.width-markEnd-nameGap && high >= 2*lineHigh
			g.bottom = mid
			if r == first {
				if below {
					mid -= lineHigh / 2
					g.bottom = mid + lineHigh
				}
				g.text("node", markEnd, mid, "", tail(g.t.Nodes[of.Node], (g.width-markEnd-nameGap)*small/g.size))
			}
			if below {
				g.text("below", markEnd, g.bottom, "", name)
			} else if g.types || r > first {
				g.text("type", g.width-nameGap, mid, "end", name)
			}
		}
		r += n
	}
}

// NameSVG is a lane's name beside its picture.
func NameSVG(name string, width, height float64) string {
	w := &svg{}
	w.gutter(width, height)
	w.put(`<text data-part="node" data-large="1" x="0" y="$">$</text>`, px(middle(height, large)),
		fitAt(name, width-6, large))
	return w.end()
}
