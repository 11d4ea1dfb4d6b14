//go:build !js

package picture

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/trace"
)

// ran is a preset's run under a policy.
func ran(t *testing.T, preset, policy string) *trace.Trace {
	t.Helper()
	text, _ := lab.Preset(preset)
	s, one := lab.NewBatch(), []message.PolicyRef{{ID: policy}}
	if diags := s.Start(&message.RunRequest{Scenario: text, Policies: one}); diags.HasErrors() {
		t.Fatal(diags)
	}
	for more := true; more; {
		_, more = s.Spend(100_000)
	}
	return s.Trace(0)
}

// drawn is a timeline, decoded; drawn twice it is the same.
func drawn(t *testing.T, of *trace.Trace, title string) image.Image {
	t.Helper()
	b, err := Timeline(nil, of, title)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Timeline(nil, of, title); err != nil || !bytes.Equal(again, b) {
		t.Errorf("%.20q: drawn twice it differs, %v", title, err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// TestTimelineHasTheBars: where a job holds GPUs the picture has its colour, or that of its stall, and nothing runs out
// of it at the sides.
func TestTimelineHasTheBars(t *testing.T) {
	for _, preset := range []string{"whose-round", "what-a-restart-costs", "too-much-work", "rent-by-the-hour"} {
		for _, policy := range []string{"hadar", "gavel-las", "hadare"} {
			of := ran(t, preset, policy)
			img := drawn(t, of, preset)
			l, axis := chart.NewLane(of), chart.NewAxis(of.End, of.Round)
			f := chart.NewFrame(l, plotWide)
			if got := img.Bounds().Size(); got != image.Pt(2*laneWide, at(laneTop+f.Height+laneEdge)) {
				t.Fatalf("%s: %v", preset, got)
			}
			for i := range l.Bars {
				h := &l.Holdings[l.Bars[i].Holding]
				y, high := f.Span(l.Bars[i].Row, l.Bars[i].N)
				x, end := across(axis.X(h.From)), across(axis.X(h.To))
				if end-x < 4 {
					continue
				}
				hue := hues[(l.Looks[h.Job].Hue+len(hues)-1)%len(hues)]
				if got := img.At(at(end)-3, at(laneTop+y+high)-4); got != hue && len(h.Pauses) == 0 {
					t.Errorf("%s under %s: bar %d of %s ends in %v, not %v", preset, policy, i, of.Jobs[h.Job].Name, got, hue)
				}
			}
			for y := range img.Bounds().Dy() {
				if img.At(0, y) != img.At(0, 0) || img.At(2*laneWide-1, y) != img.At(0, 0) {
					t.Fatalf("%s under %s: ink at the edge, at %d", preset, policy, y)
				}
			}
		}
	}
}

// TestTimelineTakesAnyText: titles and names of any letters and length, and a run of which nothing is known.
func TestTimelineTakesAnyText(t *testing.T) {
	for _, title := range []string{"", "漢字漢字", "\u202eevil", strings.Repeat("W", 500), "<b>&amp;</b>"} {
		of := *ran(t, "whose-round", "fifo")
		of.Jobs, of.Nodes = append([]trace.Job(nil), of.Jobs...), append([]string(nil), of.Nodes...)
		of.Jobs[0].Name, of.Nodes[0] = title, title
		drawn(t, &of, title)
	}
	drawn(t, &trace.Trace{}, "nothing")
}
