package ui

import (
	"strings"
	"testing"

	"hadarlab/app/state"
)

// TestStripsAreDrawn: where there are profiles, the chart of goodput is drawn and says what it shows.
func TestStripsAreDrawn(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct{ preset, tab, says string }{
		{"pollux-world", "worth", "of the examples bring nothing"}, {"the-elastic-job", "worth", ""}} {
		d.do(state.LoadPreset{Name: c.preset})
		d.do(state.Tab{Name: c.tab})
		d.what = c.preset + " with " + c.tab
		d.draw("the page", &Lab{})
		page := &Charts{Plots: Plots{H: d.h, PlotW: 600}, Tab: c.tab}
		if got := page.draw(d.h.S.Result).finding.Claim; !strings.Contains(got, c.says) {
			t.Errorf("%s: the finding is %q", d.what, got)
		}
	}
}
