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

// StageSVG is a lane with its names and its axis as one picture that grows with its place, covered from a share of the
// axis on. It takes the lane, the trace, the axis, the earlier run and the titles of p.
func StageSVG(in words.Catalogue, p *Picture, upto float64) string {
	frame := chart.NewFrame(p.Lane, stageWidth)
	p.Frame = frame
	p.FitEnds()
	high := frame.Height + AxisHeight/2
	w := &svg{in: in}
	w.put(`<svg data-role="stage" viewBox="$" preserveAspectRatio="xMinYMin" role="img" aria-label="$">`,
		"0 0 "+itoa(stageGutter+stageWidth+stageEdge)+" "+px(high), p.Title+". "+p.Summary())
	w.inner(0, 0, stageGutter, frame.Height, GutterSVG(in, p.Lane, p.Trace, frame, stageGutter))
	w.inner(stageGutter, 0, stageWidth, frame.Height, p.SVG())
	axis := &svg{in: in}
	axis.put(`<svg data-role="axis-head" width="100%" height="20" aria-hidden="true">`)
	axis.ticks(p.Axis, stageWidth, 0, 17)
	w.inner(stageGutter, frame.Height, stageWidth, AxisHeight/2, axis.end())
	if upto < 1 {
		x := stageGutter + float64(upto*stageWidth)
		w.put(`<rect data-part="veil" x="$" y="0" width="$" height="$"/><path data-part="front" d="$"/>`, px(x),
			px(stageGutter+stageWidth+stageEdge-x), px(frame.Height), "M"+px(x)+" 0V"+px(frame.Height))
	}
	return w.end()
}
