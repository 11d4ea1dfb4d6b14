package chart

import (
	"testing"

	"hadarlab/core/simtest"
)

// TestWalkFollowsTheScreen: down goes to the bar below on the screen, whatever the rows' numbers.
func TestWalkFollowsTheScreen(t *testing.T) {
	tr := simtest.Mixed()
	l := NewLane(tr)
	job := func(bar int) string { return tr.Jobs[l.Holdings[l.Bars[bar].Holding].Job].Name }
	walk := func(a Arrangement) (s string) {
		order := a.Rows(l, tr)
		for at, next := -1, 0; ; at = next {
			if next = l.Walk(at, 0, 1, order); next == at {
				return s
			}
			s += job(next)
		}
	}
	for want, a := range map[string]Arrangement{"aabc": {}, "caab": {Pinned: []string{"n3"}}, "abac": {Types: true}} {
		if got := walk(a); got != want {
			t.Errorf("%v: down from the top passes %s, not %s", a, got, want)
		}
	}
}
