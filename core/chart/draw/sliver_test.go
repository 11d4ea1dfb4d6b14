package draw

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/simtest"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Waits and idle GPUs that are slivers are not drawn, and stay in the lane.
func TestPictureLeavesSliversOut(t *testing.T) {
	tr := simtest.JobLevel()
	l := chart.NewLane(tr)
	l.Waits = []chart.Wait{{Job: 0, From: 359_966, To: 360_000, Row: 0}, {Job: 1, From: 360_000, To: 720_000, Row: 0}}
	l.Idles = []chart.Idle{{Slot: 0, N: 1, From: 359_966, To: 360_000, Waste: true, By: -1}}
	axis := chart.NewAxis(tr.End, 360*unit.Second)
	p := &Picture{Lane: l, Trace: tr, Axis: &axis, Frame: chart.NewFrame(l, 500)}
	got := p.SVG()
	if n := strings.Count(got, `data-role="wait"`); n != 1 || strings.Contains(got, `data-role="idle"`) {
		t.Errorf("%d waits drawn, want the long one alone: %s", n, got)
	}
	part := axis.Window(359*unit.Second, 361*unit.Second)
	p.Axis = &part
	if got := p.SVG(); strings.Count(got, `data-role="wait"`) != 2 || !strings.Contains(got, `data-role="idle"`) {
		t.Error("a part of two seconds leaves them out too")
	}
}

// The words for an empty slot and the number beside them do not meet.
func TestPriceCurveNamesItsEmptyEnd(t *testing.T) {
	for capacity, words := range map[int]bool{1: true, 4: true, 8: false, 16: true} {
		c := &message.Curve{Values: make([]float64, capacity+1), To: 1, Says: "j1 pays 1"}
		for k := range c.Values {
			c.Values[k] = float64(k + 1)
		}
		got := CurveSVG(nil, c, "Price", figure.ScaleFor(5, ""))
		if strings.Contains(got, ">none taken<") != words || strings.Contains(got, `text-anchor="middle">0<`) == words {
			t.Errorf("%d GPUs: %s", capacity, got)
		}
	}
}

// Shares of progress end with the run.
func TestSharesEndWithTheRun(t *testing.T) {
	tr := simtest.JobLevel()
	a := chart.NewAxis(4*tr.End, 0)
	s := chart.NewShares(tr, &a, chart.BestRates([]*trace.Trace{tr}), 40)
	got := SharesSVG(nil, &s, tr, "")
	if !strings.Contains(got, "L250 ") || strings.Contains(got, "L1000 ") {
		t.Errorf("an area ends elsewhere: %s", got)
	}
}

func TestLastTickOnAClockHasOneUnit(t *testing.T) {
	days := chart.NewAxis(20*24*3600*unit.Second, 0)
	w, part := &svg{}, days.Window(0, 48*3600*unit.Second)
	w.ticks(&part, 1000, 0, 0)
	if !strings.Contains(string(w.b), ">2 d 0 h</text>") {
		t.Errorf("the last tick has two units: %s", w.b)
	}
}
