package draw

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/simtest"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// TestCDFMarksItsSteps: each completion has a mark, and a click beside one finds its job.
func TestCDFMarksItsSteps(t *testing.T) {
	tr := simtest.TwoNodes().Job("late", 600, 1200).Job("long", 0, 1000).Job("open", 0, -1).
		Span(1, trace.Run, 0, 1000, 0, 1).Rounds(0)
	c := []chart.CDF{chart.NewCDF(tr, "P", "a")}
	a := chart.CDFAxis(c)
	if j := Nearest(&a, c, a.X(1000*unit.Second), 0, 500); j != 1 {
		t.Errorf("the nearest step is job %d's", j)
	}
	if n := strings.Count(CDFSVG(nil, &a, c, tr, 500, "title"), `data-role="step"`); n != 2 {
		t.Errorf("%d steps are marked", n)
	}
}
