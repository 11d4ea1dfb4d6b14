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
	w.close("svg")
	return string(w.b)
}

// GutterSVG is the names beside the rows, for a column of the given width.
func GutterSVG(in words.Catalogue, l *chart.Lane, t *trace.Trace, f *chart.Frame, width float64) string {
	w := &svg{in: in}
	w.put(`<svg data-role="gutter" width="$" height="$" aria-hidden="true">`, px(width), px(f.Height))
	types := true // the types' names stand beside all nodes, or below those that have room; the marks say them already
	for i := range f.Groups {
		if g := &f.Groups[i]; !g.Folded {
			typ := t.Types[t.Slots[l.Rows[g.Rows[0]].Slot].Type]
			types = types && textWidth(g.Name(t))+textWidth(figure.TypeTitle(typ))+6 <= width-25
		}
	}
	bottom := -100.0 // middle of the last name
	for i := range f.Groups {
		if g := &f.Groups[i]; g.Folded {
			gutterFold(w, t, g, width)
		} else {
			bottom = gutterNode(w, l, t, f, g, width, bottom, types)
		}
	}
	w.put(`<text x="0" y="$">$</text>`, px(f.WaitY+13), in.T("waiting"))
	w.put(`<text x="0" y="$">$</text>`, px(f.DoneY+14), in.T("done"))
	w.close("svg")
	return string(w.b)
}

// gutterFold names what is folded, with the number of its GPUs.
func gutterFold(w *svg, t *trace.Trace, g *chart.Group, width float64) {
	mark, mid := "M3.500 1.500 9 6l-5.500 4.500", g.Top+float64(g.Height/2)
	if g.Node < 0 {
		mark = chart.Mark(t.Types, t.Types[g.Type])
	}
	n := itoa(len(g.Rows))
	w.put(`<svg x="0" y="$" width="12" height="12" viewBox="0 0 12 12">`, px(mid-6))
	w.put(`<path data-mark="1" d="$"/>`, mark)
	w.close("svg")
	w.put(`<text data-part="node" x="17" y="$">$</text>`, px(mid+4.3), fit(g.Name(t), width-31-textWidth(n)))
	w.put(`<text data-part="total" x="$" y="$" text-anchor="end">$</text>`, px(width-8), px(mid+4.3), n)
}

// gutterNode names a node once, and each of its GPU types, where there is room below the name above, which stands at
// bottom. It answers with where the last name stands.
func gutterNode(w *svg, l *chart.Lane, t *trace.Trace, f *chart.Frame, g *chart.Group, width, bottom float64,
	types bool) float64 {
	first, end := g.Rows[0], g.Rows[len(g.Rows)-1]+1
	for r := first; r < end; {
		slot := l.Rows[r].Slot
		n := t.Slots[slot].Cap
		top, high := f.Span(r, n)
		mid := top + float64(high/2)
		if mid-bottom >= chart.NameH {
			bottom = mid
			typ := t.Slots[slot].Type
			w.put(`<svg x="0" y="$" width="12" height="12" viewBox="0 0 12 12">`, px(mid-6))
			w.put(`<path data-mark="1" d="$"/>`, chart.Mark(t.Types, t.Types[typ]))
			w.close("svg")
			base, name := mid+4.3, figure.TypeTitle(t.Types[typ])
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
	return bottom
}

// NameSVG is a lane's name beside its picture.
func NameSVG(name string, width, height float64) string {
	w := &svg{}
	w.put(`<svg data-role="gutter" width="$" height="$" aria-hidden="true">`, px(width), px(height))
	w.put(`<text data-part="node" x="0" y="$">$</text>`, px(float64(height/2)+4), fit(name, width-6))
	w.close("svg")
	return string(w.b)
}
