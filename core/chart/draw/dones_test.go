package draw

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
)

// TestEndsAreToldWithTheirTimes: an end has its time wherever name and time fit on either side of its mark or in a
// lower row, of which there is a second only where one does not do, and a third only where it holds all; where nothing
// of that fits it has its name.
func TestEndsAreToldWithTheirTimes(t *testing.T) {
	for _, c := range []struct {
		ends  []float64 // minutes, of a run that takes 36
		width float64
		rows  int
		want  int // of the ends have their time
	}{
		{[]float64{6, 16, 17, 29}, 800, 1, 4},  // 16 has room at its left
		{[]float64{20, 28, 32, 34}, 800, 1, 4}, // and so has 32
		{[]float64{15, 16, 17}, 800, 2, 3},     // one of them has none
		{[]float64{6, 16, 17, 29}, 240, 2, 4},
		{[]float64{14, 15, 16, 17, 18, 19, 20}, 240, 2, 4},
		{[]float64{20.4, 28, 32.4, 34}, 240, 3, 4}, // as on a phone
	} {
		b := simtest.NewTrace([3]any{"n1", "v100", len(c.ends) + 1})
		for i, end := range c.ends {
			b.Job("j"+itoa(i+1), 0, int(60*end)).Span(i, trace.Run, 0, int(60*end), 0, 1)
		}
		tr := b.Rounds(0)
		l := chart.NewLane(tr)
		axis := chart.NewAxis(36*60*1000, 0)
		p := (&Picture{Lane: l, Trace: tr, Axis: &axis, Frame: chart.NewFrame(l, c.width)}).FitEnds()
		rows := 1 + int((p.Frame.Height-p.Frame.DoneY-chart.DoneH)/doneRow)
		timed := 0
		for _, s := range boxes(t, p.SVG(), c.width) {
			if s.y0 > p.Frame.DoneY && strings.Contains(s.says, " ") {
				timed++
			}
		}
		if rows != c.rows || timed != c.want {
			t.Errorf("ends at %v in %v px: %d have their times in %d rows, not %d in %d", c.ends, c.width, timed, rows,
				c.want, c.rows)
		}
	}
}
