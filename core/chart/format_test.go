package chart

import (
	"testing"

	"hadarlab/core/unit"
)

// TestApart: a difference that reads as a small part of an hour or a day is written in the next smaller unit.
func TestApart(t *testing.T) {
	hour := 3600 * unit.Second
	for _, c := range []struct {
		span, apart unit.Tick
		want        string
	}{
		{15 * hour, 700 * unit.Second, "11.7 minutes"},
		{15 * hour, hour / 2, "0.5 hours"},
		{15 * hour, 2 * hour, "2 hours"},
		{20 * 24 * hour, 700 * unit.Second, "11.7 minutes"},
		{20 * 24 * hour, 3 * hour, "3 hours"},
		{20 * 24 * hour, 30 * hour, "1.2 days"},
		{hour, 12 * unit.Second, "0.2 minutes"},
		{60 * unit.Second, 12 * unit.Second, "12 seconds"},
	} {
		if got := UnitFor(c.span).apart(c.apart); got != c.want {
			t.Errorf("%v of %v: %q, want %q", c.apart, c.span, got, c.want)
		}
	}
}
