package chart_test

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// TestSpellsAreDrawnOverTheirNode: from when to when, over which rows, and in the words of the gangs that are there
// meanwhile and of no others. A run without spells has no mark of one.
func TestSpellsAreDrawnOverTheirNode(t *testing.T) {
	tr := simtest.TwoNodes().Job("on", 0, 1000).Job("off", 0, 1000).Span(0, trace.Run, 0, 1000, 1, 3).
		Span(1, trace.Run, 0, 1000, 0, 2).Rounds(0)
	axis := chart.NewAxis(tr.End, tr.Round)
	svg := func(l *chart.Lane) string {
		p := draw.Picture{Lane: l, Trace: tr, Axis: &axis, Frame: chart.NewFrame(l, 900)}
		return p.SVG()
	}
	if strings.Contains(svg(chart.NewLane(tr)), `data-role="slow"`) {
		t.Error("a spell is drawn, and there is none")
	}
	second := func(s int) unit.Tick { return unit.Tick(s) * unit.Second }
	tr.Speeds = []trace.Speed{{At: second(100), Node: 1, Speed: 0.25}, {At: second(400), Node: 1, Speed: 0.5},
		{At: second(500), Node: 1, Speed: 1}, {At: second(900), Node: 1, Speed: 0.75}}
	l := chart.NewLane(tr)
	want := []chart.Slow{{Node: 1, Row: 3, N: 3, From: second(100), To: second(400), Speed: 0.25},
		{Node: 1, Row: 3, N: 3, From: second(400), To: second(500), Speed: 0.5},
		{Node: 1, Row: 3, N: 3, From: second(900), To: second(1000), Speed: 0.75}}
	if !slices.Equal(l.Slows, want) {
		t.Errorf("spells %+v, want %+v", l.Slows, want)
	}
	drawn := svg(l)
	if n := strings.Count(drawn, `data-role="slow"`); n != 3 {
		t.Errorf("%d spells are drawn, want 3", n)
	}
	p := draw.Picture{Lane: l, Trace: tr, Axis: &axis, Frame: chart.NewFrame(l, 900)}
	for i := range l.Bars {
		says := strings.Contains(p.Describe(i), "n2 at 25")
		if on := l.Holdings[l.Bars[i].Holding].Job == 0; says != on {
			t.Errorf("a bar on the slow node: %v; it says: %s", on, p.Describe(i))
		}
	}
}
