package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/words"
)

// Widths in px of a lane on a wall: so few that what it says is large once it is drawn as wide as half a wall.
const (
	stageGutter = 76
	stageWidth  = 320 // one of chart.Widths: its labels are those of this class
	stageEdge   = 6
)

// StageSVGs are lanes side by side, each with its names and its axis as one picture that grows with its place, all in
// one scale, covered from a share of the axis on. They take lane, trace, axis, earlier run and titles of the pictures.
func StageSVGs(in words.Catalogue, pictures []*Picture, upto float64) []string {
	high := 0.0
	for _, p := range pictures {
		p.Frame = chart.NewFrame(p.Lane, stageWidth)
		p.FitEnds()
		high = max(high, p.Frame.Height)
	}
	out := make([]string, len(pictures))
	for i, p := range pictures {
		out[i] = p.stage(in, high, upto)
	}
	return out
}

// stage is one of them, high px high but for its axis.
func (p *Picture) stage(in words.Catalogue, high, upto float64) string {
	if upto < 1 {
		p.Seen = max(upto, 0.001)
	}
	w := &svg{in: in}
	w.put(`<svg data-role="stage" viewBox="$" preserveAspectRatio="xMinYMin" role="img" aria-label="$">`,
		"0 0 "+itoa(stageGutter+stageWidth+stageEdge)+" "+px(high+AxisHeight/2), p.Title+". "+p.Summary())
	w.inner(0, 0, stageGutter, p.Frame.Height, GutterSVG(in, p.Lane, p.Trace, p.Frame, stageGutter))
	w.inner(stageGutter, 0, stageWidth, p.Frame.Height, p.SVG())
	axis := &svg{in: in}
	axis.put(`<svg data-role="axis-head" width="100%" height="20" aria-hidden="true">`)
	axis.ticks(p.Axis, stageWidth, 0, 17)
	w.inner(stageGutter, high, stageWidth, AxisHeight/2, axis.end())
	if upto < 1 {
		x := stageGutter + float64(upto*stageWidth)
		w.put(`<rect data-part="veil" x="$" y="0" width="$" height="$"/><path data-part="front" d="$"/>`, px(x),
			px(stageGutter+stageWidth+stageEdge-x), px(high), "M"+px(x)+" 0V"+px(high))
	}
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
