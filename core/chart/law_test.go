package chart

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// wholeScale says what is wrong with a scale: ticks and places are numbers, ticks ascend and are few, places stay on
// it.
func wholeScale(s *Scale, values ...float64) string {
	if !(s.Max > s.Min) || math.IsInf(s.Max-s.Min, 0) {
		return "it has no length"
	}
	if len(s.Ticks) > 20 {
		return "its ticks are many"
	}
	for i, t := range s.Ticks {
		if math.IsNaN(t) || math.IsInf(t, 0) || i > 0 && t <= s.Ticks[i-1] {
			return "its ticks do not ascend"
		}
	}
	for _, v := range append(values, 0, -1, s.Min, s.Max, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()) {
		if y := s.Y(v); !(y >= 0 && y <= 1) {
			return "a place is beyond it"
		}
	}
	return ""
}

// TestScalesTakeAnyRange: lowest and highest may be equal, zero, tiny, huge, or no number at all.
func TestScalesTakeAnyRange(t *testing.T) {
	values := []float64{0, math.SmallestNonzeroFloat64, 1e-310, 1e-300, 1e-12, 0.1, 0.3, 1, 2, 3, 7, 9.999999999, 10,
		10.000000001, 99, 100, 1e3, 1e9, 1e15,
		1e22, 1e300, math.MaxFloat64, -1, math.Inf(1), math.Inf(-1), math.NaN()}
	for e := -30; e <= 30; e++ {
		values = append(values, pow10(e))
	}
	for _, lo := range values {
		linear := LinearScale(lo, 4)
		if bad := wholeScale(&linear, lo); bad != "" {
			t.Errorf("linear to %v: %s: %+v", lo, bad, linear)
		}
		for _, hi := range values {
			log := LogScale(lo, hi, 4)
			if bad := wholeScale(&log, lo, hi); bad != "" {
				t.Errorf("logarithmic from %v to %v: %s: %+v", lo, hi, bad, log)
			}
			for _, zero := range []bool{false, true} {
				whisker := WhiskerScale([]Whisker{{Mean: lo, Low: math.NaN(), High: hi}}, zero)
				if bad := wholeScale(&whisker, lo, hi); bad != "" {
					t.Errorf("whiskers from %v to %v: %s: %+v", lo, hi, bad, whisker)
				}
			}
			vary := Vary{X: []float64{lo, hi}, Lines: []VaryLine{{Y: []float64{lo, hi}, Cut: []bool{false, false}}}}
			x := vary.Axis()
			for _, v := range vary.X {
				if at := Place(&x, v); !(at >= 0 && at <= 1) {
					t.Errorf("varied from %v to %v: %v lies at %v", lo, hi, v, at)
				}
			}
		}
	}
	if none := WhiskerScale(nil, false); wholeScale(&none) != "" {
		t.Errorf("no whiskers: %+v", none)
	}
}

// TestAxesTakeAnyRange: an axis of no time and one of more than a run can last have ticks and places too.
func TestAxesTakeAnyRange(t *testing.T) {
	ends := []unit.Tick{-unit.Never, -1, 0, 1, 2, 999, 360 * unit.Second, 1 << 40, 1 << 60, unit.Never / 2, unit.Never}
	for _, end := range ends {
		for _, round := range []unit.Tick{0, 1, 360 * unit.Second, 1 << 50} {
			whole := NewAxis(end, round)
			for _, a := range []Axis{whole, whole.Window(end, end), whole.Window(0, 0), whole.Window(0, end/2),
				whole.Window(end/3, unit.Never)} {
				if a.To <= a.From || len(a.Ticks) > 4*maxTicks || len(a.Rounds) > maxRounds+2 {
					t.Fatalf("end %d, round %d: from %d to %d with %d ticks and %d rounds", end, round, a.From, a.To,
						len(a.Ticks), len(a.Rounds))
				}
				for _, at := range append(ends, a.From, a.To) {
					if x := a.X(at); !(x >= 0 && x <= 1) {
						t.Fatalf("end %d, round %d: %d lies at %v", end, round, at, x)
					}
				}
				for _, x := range []float64{0, 0.5, 1, -1, 2, math.NaN(), math.Inf(1)} {
					if at := a.At(x); at < a.From || at > a.To {
						t.Fatalf("end %d, round %d: the place %v is %d", end, round, x, at)
					}
				}
			}
		}
	}
}

// decides is a run that decides at these instants, and ends with the last of them or a while after it.
func decides(at []unit.Tick, after unit.Tick) *trace.Trace {
	t := &trace.Trace{Round: 360 * unit.Second, End: after}
	if len(at) > 0 {
		t.End += at[len(at)-1]
	}
	for _, a := range at {
		t.Rounds = append(t.Rounds, trace.Decision{At: a})
	}
	return t
}

// TestMomentsAscend: whatever two runs decide when, moments ascend strictly, each lasts, and each names the rounds that
// are in force at it. A decision in the shadow of another one of its own run is a moment of its own, and one where both
// runs end is none, as the last of a run that a horizon cuts between two rounds.
func TestMomentsAscend(t *testing.T) {
	check := func(name string, a, b []unit.Tick, after unit.Tick) {
		t.Helper()
		d, runs := &Diff{}, [2]*trace.Trace{decides(a, after), decides(b, after)}
		d.findMoments(runs[0], runs[1])
		for i, m := range d.Moments {
			if i > 0 && m.At >= max(runs[0].End, runs[1].End) {
				t.Fatalf("%s: moment %d is at %d, where both runs have ended: %v", name, i, m.At, d.Moments)
			}
			if m.End <= m.At || i > 0 && m.At != d.Moments[i-1].End {
				t.Fatalf("%s: moment %d lasts from %d to %d: %v", name, i, m.At, m.End, d.Moments)
			}
			for r, rounds := range [][]unit.Tick{a, b} {
				in := len(rounds) - 1
				for in >= 0 && rounds[in] > m.At {
					in--
				}
				if int(m.Round[r]) != in {
					t.Fatalf("%s: at %d run %d is in its round %d, not %d", name, m.At, r, in, m.Round[r])
				}
			}
		}
		if name == "" {
			return
		}
		var at []unit.Tick
		for _, m := range d.Moments {
			at = append(at, m.At/unit.Second)
		}
		if want := []unit.Tick{0, 352, 360, 720}; !slices.Equal(at, want) {
			t.Errorf("%s: moments at %v s, want %v", name, at, want)
		}
	}
	s := unit.Second
	check("two decisions before a round", []unit.Tick{0, 352 * s, 355 * s, 712 * s},
		[]unit.Tick{0, 360 * s, 720 * s}, s)
	rng := rand.New(unit.Source(1, "moments"))
	draw := func() (out []unit.Tick) {
		at := unit.Tick(rng.IntN(2)) * 7 * s
		for range rng.IntN(12) {
			out = append(out, at)
			at += 1 + unit.Tick(rng.IntN([]int{3, 3000, 20000, 400000}[rng.IntN(4)]))
		}
		return out
	}
	for range 20000 {
		check("", draw(), draw(), unit.Tick(rng.IntN(2))*s)
	}
}
