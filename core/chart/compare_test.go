package chart

import (
	"math"
	"testing"

	"hadarlab/core/simtest"

	"hadarlab/core/message"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

func TestWindowKeepsUnitAndEnds(t *testing.T) {
	a := NewAxis(10*3600*unit.Second, 360*unit.Second)
	w := a.Window(3600*unit.Second, 3700*unit.Second)
	if w.Unit != a.Unit || w.From != 3600*unit.Second || w.To != 3700*unit.Second || len(w.Ticks) < 3 {
		t.Fatalf("%+v", w)
	}
	for i := 1; i < len(w.Ticks); i++ {
		if w.Label(nil, w.Ticks[i]) == w.Label(nil, w.Ticks[i-1]) {
			t.Errorf("two ticks are called %s", w.Label(nil, w.Ticks[i]))
		}
	}
	if w := a.Window(-5, unit.Never); w.From != a.From || w.To != a.To || len(w.Ticks) != len(a.Ticks) {
		t.Errorf("beyond both ends is %v to %v", w.From, w.To)
	}
	if w := a.Window(unit.Never, unit.Never); w.To != a.To || w.From >= w.To {
		t.Errorf("beyond the end is %v to %v", w.From, w.To)
	}
}

// A curve that steps before, in and after the window enters with its value and ends at the edge.
func TestCurveWithinAWindow(t *testing.T) {
	a := NewAxis(1000*unit.Second, 0)
	w := a.Window(300*unit.Second, 600*unit.Second)
	s := Series{T: []unit.Tick{0, 200 * unit.Second, 400 * unit.Second, 800 * unit.Second}, V: []float64{1, 2, 3, 4},
		End: 1000 * unit.Second}
	in := s.Within(&w)
	if len(in.T) != 2 || in.V[0] != 2 || in.V[1] != 3 || in.End != 600*unit.Second {
		t.Errorf("%+v", in)
	}
}

func TestPausesKeepTheirPlaceInACutBar(t *testing.T) {
	a := NewAxis(1000*unit.Second, 0)
	w := a.Window(500*unit.Second, 1000*unit.Second)
	if x, wide := w.Part(600*unit.Second, 700*unit.Second, 0, 1000*unit.Second); x != 0.2 || wide != 0.2 {
		t.Errorf("a fifth after a fifth of what is seen is at %v, %v wide", x, wide)
	}
	if x, wide := w.Part(400*unit.Second, 600*unit.Second, 0, 1000*unit.Second); x != 0 || wide != 0.2 {
		t.Errorf("half outside is at %v, %v wide", x, wide)
	}
}

func TestGainsNameWinnersAndLosers(t *testing.T) {
	a := simtest.TwoNodes().Job("w", 0, 100).Job("l", 100, 400).Job("only", 0, 50).Job("same", 0, 10).Job("never", 0,
		-1).Rounds(0)
	b := simtest.TwoNodes().Job("w", 0, 300).Job("l", 100, 350).Job("only", 0, -1).Job("same", 0, 10).Job("never", 0,
		-1).Rounds(0)
	g := Gains(a, b)
	want := []Gain{{2, unit.Never, false}, {0, 200 * unit.Second, true}, {3, 0, true}, {1, -50 * unit.Second, true}}
	if len(g) != len(want) {
		t.Fatalf("%+v", g)
	}
	for i := range want {
		if g[i] != want[i] {
			t.Errorf("%d: %+v, want %+v", i, g[i], want[i])
		}
	}
}

func TestRatiosCountThoseWorseThanFair(t *testing.T) {
	r := NewRatios([]float64{1.5, 0, 0.5, 1}, "A", "a")
	if len(r.V) != 3 || r.V[0] != 0.5 || r.Job[2] != 0 || r.Worse() != 1 {
		t.Errorf("%+v", r)
	}
	if s := RatioScale([]Ratios{r}); s.Y(1) <= 0 || s.Y(1) >= 1 || s.Y(1.5) >= 1 {
		t.Errorf("1 stands at %v, the worst at %v", s.Y(1), s.Y(1.5))
	}
}

// Two jobs run side by side for half of the time, then one alone at half of its speed.
func TestSharesOfProgress(t *testing.T) {
	tr := simtest.TwoNodes().Job("x", 0, 1000).Job("y", 0, 500).Span(0, trace.Run, 0, 500, 0, 1).
		Span(1, trace.Run, 0, 500, 0, 1).Span(0, trace.Run, 500, 1000, 0, 1).Rounds(0)
	tr.Spans.Rate[0], tr.Spans.Rate[1], tr.Spans.Rate[2] = 4, 100, 2
	a := Axis{To: 1000 * unit.Second}
	s := NewShares(tr, &a, BestRates([]*trace.Trace{tr}), 10)
	for c, want := range []float64{0.5, 0.5, 0.5, 0.5, 0.5, 1, 1, 1, 1, 1} {
		if math.Abs(s.V[0][c]-want) > 1e-12 {
			t.Errorf("column %d: %v, want %v", c, s.V[0][c], want)
		}
	}
	if math.Abs(s.Mean[0]-0.75) > 1e-12 || math.Abs(s.Mean[1]-0.25) > 1e-12 || s.Mean[2] != 0 {
		t.Errorf("means %v", s.Mean)
	}
}

func TestSpendingAddsUp(t *testing.T) {
	m := &message.Metrics{BusyGPUS: 60, StallRestartGPUS: 10, IdleFitsGPUS: 30}
	s := Spending(m)
	sum := 0.0
	for _, v := range s {
		sum += v
	}
	if math.Abs(sum-1) > 1e-12 || s[0] != 0.6 {
		t.Errorf("%v", s)
	}
}
