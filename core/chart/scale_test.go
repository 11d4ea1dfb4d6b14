package chart

import (
	"math"
	"strings"
	"testing"

	"hadarlab/core/unit"
)

func TestAxisTicksAtRounds(t *testing.T) {
	a := NewAxis(2088*unit.Second, 360*unit.Second)
	if a.To != 2160*unit.Second || a.Unit.Short != "min" || len(a.Rounds) != 7 {
		t.Fatalf("axis to %v in %s with %d rounds", a.To, a.Unit.Short, len(a.Rounds))
	}
	var labels []string
	for _, tick := range a.Ticks {
		labels = append(labels, a.Label(nil, tick))
	}
	if got := strings.Join(labels, " "); got != "0 6 12 18 24 30 36" {
		t.Errorf("ticks %s", got)
	}
}

func TestAxisTicksAreFewAndOnTheAxis(t *testing.T) {
	for _, round := range []unit.Tick{0, 60 * unit.Second, 360 * unit.Second} {
		for end := unit.Tick(1); end < unit.Never/8; end *= 3 {
			a := NewAxis(end, round)
			if n := len(a.Ticks); n < 1 || n > maxTicks+1 {
				t.Fatalf("end %d, round %d: %d ticks", end, round, n)
			}
			for _, tick := range a.Ticks {
				if tick.At < 0 || tick.At > a.To {
					t.Fatalf("end %d: a tick at %d beyond %d", end, tick.At, a.To)
				}
			}
			if a.To < end {
				t.Fatalf("the axis ends at %d before %d", a.To, end)
			}
		}
	}
}

func TestAxisPlacesInvert(t *testing.T) {
	a := NewAxis(4000*unit.Second, 360*unit.Second)
	for _, at := range []unit.Tick{0, 1234567, a.To} {
		if got := a.At(a.X(at)); got < at-1 || got > at+1 {
			t.Errorf("At(X(%d)) = %d", at, got)
		}
	}
	if a.X(-5) != 0 || a.X(2*a.To) != 1 {
		t.Error("places beyond the axis are not clamped")
	}
}

func TestLinearScale(t *testing.T) {
	for _, top := range []float64{1, 2, 3, 6, 11, 48, 100, 1000, 0.3, 0} {
		s := LinearScale(top, 4)
		if s.Max < top || len(s.Ticks) < 2 || len(s.Ticks) > 7 || s.Ticks[0] != 0 {
			t.Errorf("top %v: max %v, %d ticks", top, s.Max, len(s.Ticks))
		}
		if last := s.Ticks[len(s.Ticks)-1]; math.Abs(last-s.Max) > s.Max*1e-9 {
			t.Errorf("top %v: the last tick stands at %v below %v", top, last, s.Max)
		}
	}
}

func TestLogScale(t *testing.T) {
	s := LogScale(0.0111, 10, 4)
	if s.Min != 0.01 || s.Max != 10 || len(s.Ticks) != 4 {
		t.Fatalf("from %v to %v with %d ticks", s.Min, s.Max, len(s.Ticks))
	}
	for i, want := range []float64{0, 1.0 / 3, 2.0 / 3, 1} {
		if got := s.Y(s.Ticks[i]); math.Abs(got-want) > 1e-12 {
			t.Errorf("tick %d at %v, want %v", i, got, want)
		}
	}
	if wide := LogScale(1e-12, 1e12, 4); len(wide.Ticks) > 5 {
		t.Errorf("%d ticks on a wide scale", len(wide.Ticks))
	}
	if s.Y(0) != 0 || s.Y(-1) != 0 {
		t.Error("what has no logarithm is not at the bottom")
	}
}

func TestThinKeepsExtremesAndEnds(t *testing.T) {
	a := NewAxis(100000*unit.Second, 0)
	s := Series{End: a.To}
	for i := range 50000 {
		v := float64(i % 7)
		if i == 31234 {
			v = 1000
		}
		s.add(unit.Tick(i)*2*unit.Second, v)
	}
	thin := s.Thin(&a, 100)
	if len(thin.T) > 4*101 || thin.Max() != 1000 || thin.T[0] != 0 || thin.T[len(thin.T)-1] != s.T[len(s.T)-1] {
		t.Errorf("%d points, max %v", len(thin.T), thin.Max())
	}
	for i := 1; i < len(thin.T); i++ {
		if thin.T[i] <= thin.T[i-1] {
			t.Fatal("a thinned curve goes back in time")
		}
	}
}

func TestMeanKeepsTheArea(t *testing.T) {
	a := NewAxis(100000*unit.Second, 0)
	s := Series{End: 97531 * unit.Second}
	for i := range 30000 {
		s.add(unit.Tick(i)*3*unit.Second, float64(i%11))
	}
	area := func(s *Series) float64 {
		sum := 0.0
		for i, at := range s.T {
			next := s.End
			if i+1 < len(s.T) {
				next = s.T[i+1]
			}
			sum += s.V[i] * float64(next-at)
		}
		return sum
	}
	mean := s.Mean(&a, 200)
	if len(mean.T) > 200 || math.Abs(area(&mean)/area(&s)-1) > 1e-6 {
		t.Errorf("%d points, area %v of %v", len(mean.T), area(&mean), area(&s))
	}
}
