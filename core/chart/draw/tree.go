package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// The height in px of a node, of a rack's name above its nodes and of the name of the run above all; the distance of
// the lines between nodes, and the width of a GPU at most.
const (
	leafH    = 26
	rackH    = 20
	treeTop  = 22
	lineGap  = 9
	maxCell  = 44
	maxLeafs = 100
)

// Tree is a cluster at an instant, drawn: a row a node.
type Tree struct {
	In    words.Catalogue
	Tree  *chart.Tree
	Lane  *chart.Lane
	Trace *trace.Trace
	Racks *chart.Racks
	Lines int32 // that are left room for
}

// top is where a node's row begins. A rack's name stands above its first node.
func (t *Tree) top(leaf int) int {
	y := treeTop + leaf*leafH
	if len(t.Racks.Names) > 1 {
		y += rackH
		for i := 1; i <= leaf; i++ {
			if t.Tree.Leaves[i].Rack != t.Tree.Leaves[i-1].Rack {
				y += rackH
			}
		}
	}
	return y
}

// shown is how many nodes are drawn.
func (t *Tree) shown() int { return min(len(t.Tree.Leaves), maxLeafs) }

// Height is that of the picture in px.
func (t *Tree) Height() float64 { return float64(t.top(t.shown()-1) + leafH + 4) }

// SVG has a row a node: beside it the lines of the gangs that need others, in the colours of their jobs, dashed where
// they leave the rack, then who holds which GPU. The GPUs of job here are ringed.
func (t *Tree) SVG(here int32, width float64, title string) string {
	w, looks := &svg{in: t.In}, t.Lane.Looks
	w.put(`<svg data-role="tree" width="100%" height="$" role="img" aria-label="$">`, px(t.Height()), title)
	left := float64(t.Lines*lineGap) + 12
	cell := max(2, min(maxCell, (width-left)/float64(max(1, t.Tree.GPUs))))
	mid := func(leaf int32) string { return itoa(t.top(int(leaf)) + leafH/2) }
	last := int32(t.shown() - 1)
	for i := range t.Tree.Links {
		k := &t.Tree.Links[i]
		if k.Leaves[0] > last {
			continue
		}
		far, x := "", float64(k.Line*lineGap)+4
		if k.Tier == model.Network {
			far = "1"
		}
		h := &t.Lane.Holdings[k.Holding]
		d := "M" + px(x) + " " + mid(k.Leaves[0]) + "V" + mid(min(k.Leaves[len(k.Leaves)-1], last))
		for _, leaf := range k.Leaves {
			if leaf <= last {
				d += "M" + px(x) + " " + mid(leaf) + "H" + px(left)
			}
		}
		w.put(`<path data-role="wire" data-job="$" data-hue="$" data-far="$" d="$"/>`, t.Trace.Jobs[h.Job].Name,
			itoa(looks[h.Job].Hue), far, d)
	}
	for i := range t.Tree.Leaves[:last+1] {
		for _, s := range t.Tree.Leaves[i].Seats {
			t.seat(w, &s, left+float64(float64(s.Row)*cell), float64(t.top(i)+3), float64(float64(s.N)*cell)-2, here)
		}
	}
	return w.end()
}

func (t *Tree) seat(w *svg, s *chart.Seat, x, y, wide float64, here int32) {
	role, job, hue, hatch, says, mark := "left", "", "", 0, t.In.T("free"), ""
	switch {
	case s.Holding == chart.SeatDown:
		role, says = "down", t.In.T("away")
	case s.Holding >= 0:
		h := &t.Lane.Holdings[s.Holding]
		look := t.Lane.Looks[h.Job]
		role, job, hue, hatch = "seat", t.Trace.Jobs[h.Job].Name, itoa(look.Hue), look.Hatch
		says = job
		if h.With >= 0 {
			says += ", " + t.Trace.Jobs[h.With].Name
		}
		if h.Job == here || h.With == here {
			mark = "1"
		}
	}
	w.put(`<svg data-role="$" data-job="$" data-hue="$" data-here="$" x="$" y="$" width="$" height="$">`, role, job, hue,
		mark, px(x), px(y), px(max(1, wide)), itoa(leafH-6))
	w.put(`<title>$</title><rect data-part="box" width="100%" height="100%" rx="2"/>`, says+", "+
		figure.Count(t.In, int(s.N), "{0} GPU", "{0} GPUs"))
	if hatch > 0 {
		w.put(`<rect fill="url(#hatch-$)" width="100%" height="100%"/>`, itoa(hatch))
	}
	if role == "seat" {
		w.label(&label{share: 1, width: wide, high: leafH - 6, name: says, rest: " " + itoa(s.N), plate: true})
	}
	w.close("svg")
}

// GutterSVG names the run, the racks and their nodes beside SVG.
func (t *Tree) GutterSVG(name string, width float64) string {
	w := &svg{in: t.In}
	w.gutter(width, t.Height())
	w.put(`<text data-part="node" x="0" y="14">$</text>`, fit(name, width-6))
	racks := len(t.Racks.Names) > 1
	x := 14
	if racks {
		x = 26
	}
	stem := func(x, from, to int) {
		w.put(`<path data-role="stem" d="M$"/>`, itoa(x)+" "+itoa(from)+"V"+itoa(to)+"h6")
	}
	from := treeTop - 4
	for i := range t.shown() {
		leaf := &t.Tree.Leaves[i]
		top := t.top(i)
		if racks && (i == 0 || leaf.Rack != t.Tree.Leaves[i-1].Rack) {
			stem(4, treeTop-4, top-7)
			w.put(`<text x="14" y="$">$</text>`, itoa(top-3), fit(t.Racks.Names[leaf.Rack], width-20))
			from = top
		}
		stem(x-10, from, top+leafH/2)
		w.put(`<text data-part="node" x="$" y="$">$</text>`, itoa(x), itoa(top+leafH/2+4),
			tail(t.Trace.Nodes[t.Lane.Bands[leaf.Band].Node], width-float64(x)-6))
	}
	return w.end()
}
