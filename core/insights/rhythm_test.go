package insights

import (
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/simtest"

	"hadarlab/core/figure"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// TestRhythm: rounds of 360 s; the third comes early, when nothing runs any more, and the fourth while a job holds on.
func TestRhythm(t *testing.T) {
	tr := simtest.TwoNodes().Job("j1", 0, 500).Job("j2", 0, 900).Job("j0", 0, 200).Span(2, trace.Run, 0, 200, 0, 1).
		Span(0, trace.Run, 0, 500, 0, 2).Span(1, trace.Run, 500, 900, 0, 2).Rounds(0, 360, 500, 600)
	l := chart.NewLane(tr)
	stopped := simtest.TwoNodes().Job("j1", 0, 900).Job("j2", 0, 800).Span(0, trace.Run, 0, 500, 0, 2).
		Span(1, trace.Run, 500, 800, 0, 2).Span(0, trace.Run, 800, 900, 0, 2).Rounds(0, 360, 500, 800)
	got := Rhythm(nil, stopped, chart.NewLane(stopped), 2, unit.Seconds(500), figure.UnitFor(stopped.End), "X")
	if got != "" {
		t.Errorf("of a job that ran until it was stopped: %q", got)
	}
	u := figure.UnitFor(tr.End)
	for _, c := range []struct {
		round int
		at    float64
		want  string
	}{
		{0, 0, ""}, {-1, 0, ""}, {9, 0, ""}, {1, 360, ""}, {1, 361, ""},
		{0, 200, "X last decided at " + u.At(nil, 0) + " and will decide again at " + u.At(nil,
			unit.Seconds(360)) + "."},
		{2, 500, "Nothing ran any more, so X decided before a full round had passed."},
		{3, 600, ""},
		{3, 800, "X last decided at " + u.At(nil, unit.Seconds(600)) + ", and not again before the run ended."},
	} {
		if got := Rhythm(nil, tr, l, c.round, unit.Seconds(c.at), u, "X"); got != c.want {
			t.Errorf("round %d at %v s: %q, not %q", c.round, c.at, got, c.want)
		}
	}
}
