package draw

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/simtest"

	"hadarlab/core/trace"
)

func TestHostileNamesStayText(t *testing.T) {
	const evil = `<img src=x onerror="alert(1)">'&`
	tr := simtest.NewTrace([3]any{evil, evil, 2}).Job(evil, 0, 600).Job("\x01", 0, 600).Span(0, trace.Run, 0, 600, 0,
		2).Rounds(0)
	l := chart.NewLane(tr)
	a := chart.NewAxis(tr.End, tr.Round)
	p := &Picture{Lane: l, Trace: tr, Axis: &a, Frame: chart.NewFrame(l, 500), Policy: evil, Title: evil}
	d := chart.Compare(tr, nil, l, nil)
	for name, svg := range map[string]string{"plot": p.SVG(), "gutter": GutterSVG(nil, l, tr, p.Frame, 92),
		"axis":    AxisSVG(nil, &a, d, 500, evil),
		"outline": p.OutlineSVG(0, 0), "escape": Escape(evil),
		"strips": StripsSVG(nil, &a, evil, []Strip{{Name: evil}}, 500, evil) +
			StripsGutterSVG(nil, []Strip{{Name: evil, Hue: 1}}, 500)} {
		if strings.Contains(svg, "<img") || strings.Contains(svg, `onerror="`) || strings.Contains(svg, "\x01") {
			t.Errorf("%s lets a name become markup", name)
		}
	}
}
