package draw

import (
	"math"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// Widths in px of a lane on a wall: so few that what it says is large once it is drawn as wide as half a wall.
const (
	stageGutter = 76
	stageWidth  = 320 // one of chart.Widths: its labels are those of this class
	stageLong   = 640 // as wide as the wall, which is for flat lanes, one above the other
	stageEdge   = 6
	// There is room for so much beside each other, and for so much above each other, and no row needs more.
	stageHigh, stageOver, stageRow = 270, 228, 60
)

// stageLeast is what part of their height rows may lose before they do: the picture is drawn smaller by as much, and
// its letters with it.
const stageLeast = 0.8

// stageBars is how many bars of a lane have an element each: more cannot be told apart in a third of a wall.
const stageBars = 1500

// StageSVGs are lanes side by side, or one above the other where all of them are so flat that they fit, each with its
// names and its axis as one picture that grows with its place, all in one scale, covered from a share of the axis on.
// Their rows are so high that the pictures use their place. They take lane, trace, axis, earlier run and titles of the
// pictures.
func StageSVGs(in words.Catalogue, pictures []*Picture, upto float64) (out []string, over bool) {
	n := float64(max(len(pictures), 1))
	high, room := layStage(pictures, stageLong), stageOver/n
	if over = len(pictures) > 1 && high+AxisHeight/2 <= room; !over {
		high, room = layStage(pictures, stageWidth), stageHigh
	}
	if high > 0 {
		f := pictures[0].Frame
		rows, k := 0.0, math.Inf(1)
		for i := range f.High {
			rows += f.High[i]
			k = min(k, stageRow/f.High[i])
		}
		if k = min(k, (room-AxisHeight/2-high+rows)/rows); k > stageLeast {
			k = max(k, 1)
		}
		for _, p := range pictures {
			p.Frame.Grow(k)
		}
		high += float64((k - 1) * rows)
	}
	for _, p := range pictures {
		out = append(out, p.stage(in, high, upto))
	}
	return out, over
}

// layStage lays the pictures out in a width, and gives the height of the highest.
func layStage(pictures []*Picture, width float64) (high float64) {
	for _, p := range pictures {
		p.Frame = chart.NewFrame(p.Lane, width)
		high = max(high, p.FitEnds().Frame.Height)
	}
	return high
}

// stage is one of them, high px high but for its axis.
func (p *Picture) stage(in words.Catalogue, high, upto float64) string {
	p.Most = stageBars
	if upto < 1 {
		p.Seen = max(upto, 0.001)
	}
	w, wide := &svg{in: in}, p.Frame.Width
	w.put(`<svg data-role="stage" data-long="$" viewBox="$" preserveAspectRatio="xMinYMin" role="img" aria-label="$">`,
		yes(wide > stageWidth), "0 0 "+px(stageGutter+wide+stageEdge)+" "+px(high+AxisHeight/2),
		p.Title+". "+p.Summary())
	names := GutterSVG(in, p.Lane, p.Trace, p.Frame, stageGutter)
	if p.Frame.Shrunk() {
		names = typesSVG(in, p.Lane, p.Trace, p.Frame)
	}
	w.inner(0, 0, stageGutter, p.Frame.Height, names)
	w.inner(stageGutter, 0, wide, p.Frame.Height, p.SVG())
	axis := &svg{in: in}
	axis.put(`<svg data-role="axis-head" width="100%" height="20" aria-hidden="true">`)
	axis.ticks(p.Axis, wide, 0, 17)
	w.inner(stageGutter, high, wide, AxisHeight/2, axis.end())
	if upto < 1 {
		x := stageGutter + float64(upto*wide)
		w.put(`<rect data-part="veil" x="$" y="0" width="$" height="$"/><path data-part="front" d="$"/>`, px(x),
			px(stageGutter+wide+stageEdge-x), px(high), "M"+px(x)+" 0V"+px(high))
	}
	return w.end()
}

// typesSVG names the GPU types beside rows that are too low for the names of nodes.
func typesSVG(in words.Catalogue, l *chart.Lane, t *trace.Trace, f *chart.Frame) string {
	w, last := &svg{in: in}, ""
	w.gutter(stageGutter, f.Height)
	for i := range f.Groups {
		g := &f.Groups[i]
		name := figure.TypeTitle(t.Types[t.Slots[l.Rows[g.Rows[0]].Slot].Type])
		if name != last && !g.Folded {
			w.put(`<text data-large="1" x="0" y="$">$</text>`, px(g.Top+middle(chart.WaitH, large)), name)
		}
		last = name
	}
	w.put(`<text data-large="1" x="0" y="$">$</text>`, px(f.WaitY+middle(chart.WaitH, large)), in.T("waiting"))
	w.put(`<text data-large="1" x="0" y="$">$</text>`, px(f.DoneY+middle(chart.DoneH, large)), in.T("done"))
	return w.end()
}

// The charts of many runs are laid out so wide in px for a wall, with so much for a scale: it draws them larger.
const manyWidth, manyScale = 480, 44

// WhiskersStage is WhiskersSVG as one picture that grows with its place, for a wall, with the unit of its axis.
func WhiskersStage(in words.Catalogue, ws []chart.Whisker, unit, title string) string {
	return grown(in, float64(float64(len(ws))*whiskerRow)+20, "", whiskers(in, ws, false, unit, title))
}

// VaryStage is VarySVG as one picture that grows with its place, for a wall.
func VaryStage(in words.Catalogue, of *chart.Vary, title string) string {
	y := of.Scale()
	return grown(in, CurveHeight+42, ScaleSVG(in, &y, "", manyScale), VarySVG(in, of, -1, title))
}

// grown is a picture beside its scale, "" = it has none.
func grown(in words.Catalogue, height float64, scale, picture string) string {
	w := &svg{in: in}
	w.put(`<svg data-role="stage" viewBox="$">`, "0 0 "+itoa(manyWidth)+" "+px(height))
	left := 0.0
	if scale != "" {
		left = manyScale
		w.inner(0, 0, left, height, scale)
	}
	w.inner(left, 0, manyWidth-left, height, picture)
	return w.end()
}
