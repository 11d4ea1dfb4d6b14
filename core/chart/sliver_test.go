package chart

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/core/unit"
)

// A gap of milliseconds at a round's end is no dip of the curve; a gap that could be seen is, and a zoom shows both.
func TestCurvesLeaveSliversOut(t *testing.T) {
	a := NewAxis(3600*unit.Second, 360*unit.Second)
	busy := Series{T: []unit.Tick{0, 359_966, 360_000, 700_000, 720_000, 1_079_900, 1_079_950, 1_080_000},
		V: []float64{7, 4, 7, 5, 6, 4, 2, 3}, End: 3600 * unit.Second}
	got := settled(busy, &a, 1)
	if want := []unit.Tick{0, 700_000, 720_000, 1_079_900, 1_080_000}; !slices.Equal(got.T, want) ||
		!slices.Equal(got.V, []float64{7, 5, 6, 4, 3}) {
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
	curves := []Curve{{Series: Series{T: []unit.Tick{0, 705_347, 720_000}, V: []float64{3, 2, 1}}},
		{Series: Series{T: []unit.Tick{0, 705_359, 713_000}, V: []float64{3, 2, 1}}}}
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
	s.Settle(a, sign)
	return s
}

func TestTicksOnAClock(t *testing.T) {
	hour := 3600 * unit.Second
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
			got = append(got, c.of.Label(nil, x))
		}
		by := " "
		if strings.Contains(c.want, "|") {
			by = "|"
		}
		if s := strings.Join(got, by); s != c.want {
			t.Errorf("%v to %v: %s, want %s", c.of.From, c.of.To, s, c.want)
		}
	}
}
