package draw

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
)

// TestGhostsStandOnTheSameGPUs: an earlier run is outlined on the rows that its GPUs have now, at its own times; what
// stood on GPUs that are gone is not, nor what stands there still.
func TestGhostsStandOnTheSameGPUs(t *testing.T) {
	was := simtest.NewTrace([3]any{"n0", "v100", 2}, [3]any{"n1", "v100", 1}).Job("a", 0, 600).Job("b", 0, 600).
		Job("c", 0, 600).Span(0, trace.Run, 0, 600, 0, 2).Span(1, trace.Run, 0, 300, 1, 1).
		Span(2, trace.Run, 300, 600, 1, 1).Rounds(0)
	now := simtest.NewTrace([3]any{"n0", "v100", 1}, [3]any{"n1", "v100", 1}).Job("a", 0, 600).Job("b", 0, 600).
		Job("c", 0, 600).Span(0, trace.Run, 0, 600, 0, 1).Span(2, trace.Run, 300, 600, 1, 1).Rounds(0)
	l := chart.NewLane(now)
	a := chart.Axis{To: was.End}
	p := &Picture{Lane: l, Trace: now, Axis: &a, Frame: chart.NewFrame(l, 500),
		Was: &Ghost{chart.NewLane(was), was}}
	w := &svg{}
	p.ghosts(w)
	got := string(w.b)
	top, high := p.Frame.Span(1, 1)
	second := `<rect x="0.000%" y="` + px(top) + `" width="50.000%" height="` + px(high) + `" rx="2"/>`
	if strings.Count(got, "<rect") != 1 || !strings.Contains(got, second) {
		t.Errorf("the ghosts are %s, of them %s", got, second)
	}
	if p.Was = (&Ghost{chart.NewLane(now), now}); p.Ghosts() {
		t.Error("a run that is the same has ghosts")
	}
}
