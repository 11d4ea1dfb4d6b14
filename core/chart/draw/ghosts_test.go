package draw

import (
	"strconv"
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

// TestNoLineCrossesTheWordFree: the word of a free stretch stands within one row, however many rows are free, so that
// neither lines between rows nor the edges of earlier bars, which are edges of rows, go through it.
func TestNoLineCrossesTheWordFree(t *testing.T) {
	for free := range 4 {
		now := simtest.NewTrace([3]any{"n0", "v100", free + 2}).Job("a", 0, 300).Job("b", 0, 600).
			Span(0, trace.Run, 0, 300, 0, int32(free+1)).Span(1, trace.Run, 0, 600, 0, 1).Rounds(0)
		l := chart.NewLane(now)
		a := chart.Axis{To: now.End}
		p := &Picture{Lane: l, Trace: now, Axis: &a, Frame: chart.NewFrame(l, 500)}
		_, rest, found := strings.Cut(p.SVG(), `data-role="rest"`)
		if !found {
			t.Fatalf("%d free GPUs are not said to be free: %s", free+1, p.SVG())
		}
		_, text, _ := strings.Cut(rest, "<text")
		_, text, _ = strings.Cut(text, ` y="`)
		text, _, _ = strings.Cut(text, `"`)
		base, err := strconv.ParseFloat(text, 64)
		if row := p.Frame.High[0]; err != nil || base > row {
			t.Errorf("of %d free rows of %v px, free stands at %v: %v", free+1, row, base, err)
		}
	}
}
