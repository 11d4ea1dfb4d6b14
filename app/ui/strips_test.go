package ui

import (
	"strings"
	"testing"

	"hadarlab/app/elm"
	"hadarlab/app/state"
	"hadarlab/app/ui/timeline"
)

// TestStripsAreDrawn: where there are profiles or timers, their charts are drawn and say what they show.
func TestStripsAreDrawn(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct{ preset, tab, says string }{
		{"patience-for-locality", "timers", "no timer changes"},
		{"pollux-world", "worth", "of the examples bring nothing"}, {"the-elastic-job", "worth", ""}} {
		d.do(state.LoadPreset{Name: c.preset})
		d.do(state.Tab{Name: c.tab})
		d.what = c.preset + " with " + c.tab
		d.draw("the page", &elm.Root{})
		if got := timeline.ChartsOf(&d.h.S.Lab).Draw().Finding.Claim; !strings.Contains(got, c.says) {
			t.Errorf("%s: the finding is %q", d.what, got)
		}
	}
}
