package chart

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// A gap of milliseconds at a round's end is no dip of the curve; a gap that could be seen is, and a zoom shows both.
func TestCurvesLeaveSliversOut(t *testing.T) {
	a := NewAxis(3600*unit.Second, 360*unit.Second)
	busy := Series{T: []unit.Tick{0, 359_966, 360_000, 700_000, 720_000, 1_079_900, 1_079_950, 1_080_000},
		V: []float64{7, 4, 7, 5, 6, 4, 2, 3}, End: 3600 * unit.Second}
	got := settled(busy, &a, 1)
	if want := []unit.Tick{0, 700_000, 720_000, 1_079_900, 1_080_000}; !slices.Equal(got.T, want) || !slices.Equal(got.V, []float64{7, 5, 6, 4, 3}) {
		t.Errorf("the curve steps at %v to %v, want at %v", got.T, got.V, want)
	}
	if w := a.Window(359*unit.Second, 361*unit.Second); len(settled(busy, &w, 1).T) != len(busy.T) {
		t.Error("a part of two seconds does not show a gap of 34 ms")
	}
	free := NewAxis(3600*unit.Second, 0)
	if len(settled(busy, &free, 1).T) != len(busy.T) {
		t.Error("without rounds something counts as near")
	}
	queue := Series{T: []unit.Tick{0, 359_966, 360_000, 365_000}, V: []float64{1, 5, 1, 0}, End: 3600 * unit.Second}
	if got := settled(queue, &a, -1); !slices.Equal(got.T, []unit.Tick{0, 365_000}) {
		t.Errorf("the queue steps at %v", got.T)
	}
	if got := settled(queue, &a, 1); len(got.T) != len(queue.T) {
		t.Error("a peak counts as a dip")
	}
}

// Rows that read alike and are a sliver apart are one.
func TestStepTimesReadApart(t *testing.T) {
	a := NewAxis(3600*unit.Second, 360*unit.Second)
	curves := []Curve{{Series: Series{T: []unit.Tick{0, 705_347, 720_000}, V: []float64{3, 2, 1}}}, {Series: Series{T: []unit.Tick{0, 705_359, 713_000}, V: []float64{3, 2, 1}}}}
	if got := StepTimes(curves, &a); !slices.Equal(got, []unit.Tick{0, 705_359, 713_000, 720_000}) {
		t.Errorf("rows at %v", got)
	}
	free := NewAxis(3600*unit.Second, 0)
	if got := StepTimes(curves, &free); len(got) != 5 {
		t.Errorf("rows at %v", got)
	}
}

// settled is a copy of a curve without slivers.
func settled(s Series, a *Axis, sign float64) Series {
	s.T, s.V = slices.Clone(s.T), slices.Clone(s.V)
	s.settle(a, sign)
	return s
}

// Waits and idle GPUs that are slivers are not drawn, and stay in the lane.
func TestPictureLeavesSliversOut(t *testing.T) {
	tr := jobLevel()
	l := NewLane(tr)
	l.Waits = []Wait{{Job: 0, From: 359_966, To: 360_000, Row: 0}, {Job: 1, From: 360_000, To: 720_000, Row: 0}}
	l.Idles = []Idle{{Slot: 0, N: 1, From: 359_966, To: 360_000, Waste: true, By: -1}}
	axis := NewAxis(tr.End, 360*unit.Second)
	p := &Picture{Lane: l, Trace: tr, Axis: &axis, Frame: NewFrame(l, 500)}
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

func TestTicksOnAClock(t *testing.T) {
	whole := NewAxis(20*hour, 0)
	days := NewAxis(20*24*hour, 0)
	minutes := NewAxis(hour, 0)
	for _, c := range []struct {
		of   Axis
		want string
	}{
		{whole, "0 3 6 9 12 15 18"},
		{whole.Window(0, 2*hour), "0:00 0:15 0:30 0:45 1:00 1:15 1:30 1:45 2:00"},
		{whole.Window(hour, 4*hour), "1 1.5 2 2.5 3 3.5 4"},
		{whole.Window(2*hour, 2*hour+80*unit.Second), "2 2.003 2.006 2.008 2.011 2.014 2.017 2.019 2.022"},
		{days.Window(0, 48*hour), "0 d 0 h|0 d 6 h|0 d 12 h|0 d 18 h|1 d 0 h|1 d 6 h|1 d 12 h|1 d 18 h|2 d 0 h"},
		{days.Window(24*hour, 28*hour), "1 1.021 1.042 1.062 1.083 1.104 1.125 1.146 1.167"},
		{minutes.Window(0, 2*60*unit.Second), "0:00 0:15 0:30 0:45 1:00 1:15 1:30 1:45 2:00"},
	} {
		var got []string
		for _, x := range c.of.Ticks {
			got = append(got, x.Label)
		}
		by := " "
		if strings.Contains(c.want, "|") {
			by = "|"
		}
		if s := strings.Join(got, by); s != c.want {
			t.Errorf("%v to %v: %s, want %s", c.of.From, c.of.To, s, c.want)
		}
	}
	w := &svg{}
	part := days.Window(0, 48*hour)
	w.ticks(&part, 1000, 0, 0)
	if !strings.Contains(string(w.b), ">2 d 0 h</text>") {
		t.Errorf("the last tick has two units: %s", w.b)
	}
}

// The words for an empty slot and the number beside them do not meet.
func TestPriceCurveNamesItsEmptyEnd(t *testing.T) {
	for capacity, words := range map[int]bool{1: true, 4: true, 8: false, 16: true} {
		got := PriceCurveSVG(1e-5, 5, PricePosition{Node: "n", Type: "v100", Capacity: capacity, Count: 1, Price: 1e-5}, "j1 pays 1")
		if strings.Contains(got, ">none taken<") != words || strings.Contains(got, `text-anchor="middle">0<`) == words {
			t.Errorf("%d GPUs: %s", capacity, got)
		}
	}
}

// Shares of progress end with the run.
func TestSharesEndWithTheRun(t *testing.T) {
	tr := jobLevel()
	a := NewAxis(4*tr.End, 0)
	s := NewShares(tr, &a, BestRates([]*trace.Trace{tr}), 40)
	got := SharesSVG(&s, tr, "")
	if !strings.Contains(got, "L250 ") || strings.Contains(got, "L1000 ") {
		t.Errorf("an area ends elsewhere: %s", got)
	}
}
