package chart

import (
	"testing"

	"hadarlab/core/unit"
)

func TestSoFarStaysSmallAndExactAtItsEnd(t *testing.T) {
	c := SoFar{Jobs: 5000}
	for i := range 5000 {
		c.Add(1, unit.Tick(i+1)*unit.Second, i+1)
	}
	s := &c.Lanes[1]
	if len(s.T) > soFarPoints || len(s.T) < soFarPoints/4 {
		t.Errorf("%d points are kept", len(s.T))
	}
	if s.Max() != 5000 || s.End != 5000*unit.Second || s.T[0] != 0 {
		t.Errorf("from %d to %d, %v jobs", s.T[0], s.End, s.Max())
	}
	for i := 1; i < len(s.T); i++ {
		if s.T[i] <= s.T[i-1] || s.V[i] != s.T[i].Seconds() {
			t.Fatalf("point %d is %v jobs at %v s", i, s.V[i], s.T[i].Seconds())
		}
	}
}
