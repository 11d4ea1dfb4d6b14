package draw

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
)

// TestBarsOutsideTheWindow: bars of jobs that are not measured are marked, others are not.
func TestBarsOutsideTheWindow(t *testing.T) {
	tr := simtest.NewTrace([3]any{"n1", "v100", 1}).Job("before", 0, 600).Job("within", 0, 600).
		Span(0, trace.Run, 0, 300, 0, 1).Span(1, trace.Run, 300, 600, 0, 1).Rounds(0)
	marked := func() string {
		axis := chart.NewAxis(tr.End, tr.Round)
		l := chart.NewLane(tr)
		p := &Picture{Lane: l, Trace: tr, Axis: &axis, Frame: chart.NewFrame(l, 640)}
		var jobs []string
		for _, bar := range strings.Split(p.SVG(), `data-role="bar"`)[1:] {
			tag, _, _ := strings.Cut(bar, ">")
			if strings.Contains(tag, "data-out") {
				_, job, _ := strings.Cut(tag, `data-job="`)
				job, _, _ = strings.Cut(job, `"`)
				jobs = append(jobs, job)
			}
		}
		return strings.Join(jobs, " ")
	}
	if got := marked(); got != "" {
		t.Errorf("without a window %q are marked", got)
	}
	tr.Window = model.Window{From: 1, To: 2}
	if got := marked(); got != "before" {
		t.Errorf("with a window of the second job %q are marked", got)
	}
}
