package ui

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"hadarlab/app/elm"
	"hadarlab/app/state"
	"hadarlab/core/lab"
	"hadarlab/core/scenario"
)

// TestTheSliderStandsUnderItsAxis: at every round, whatever part of the axis is seen and however long rounds are, the
// slider's thumb is where the cursor is on the axis, or neither is seen; and as many rounds are counted as last.
func TestTheSliderStandsUnderItsAxis(t *testing.T) {
	knob := regexp.MustCompile(`data-role="cursor-knob" cx="([^"]*)"`)
	thumb := regexp.MustCompile(`data-part="thumb" cx="([^"]*)"`)
	where := func(of *regexp.Regexp, page string) string {
		if m := of.FindStringSubmatch(page); m != nil {
			return m[1]
		}
		return "out of sight"
	}
	text, _ := lab.Preset("two-jobs-three-gpus")
	for _, roundS := range []float64{60, 360, 600} {
		for _, horizonS := range []float64{0, 700, 720} {
			d := newDesk(t)
			d.open(withPolicies(t, text, func(d *scenario.Document) {
				d.Scenario.RoundS, d.Scenario.HorizonS = roundS, horizonS
			}, "hadare", "fifo"))
			r := d.h.S.Result
			rounds := fmt.Sprintf("/%d<", len(r.Diff.Moments))
			if horizonS == 720 && roundS == 360 {
				rounds = "/2<"
			}
			stood := 0
			for _, zoom := range []state.Action{state.ZoomBy{}, state.SetWindow{From: 0.2, To: 0.6},
				state.SetWindow{From: 0.5, To: 0.55}} {
				for i := range r.Diff.Moments {
					d.do(zoom)
					d.do(state.Go{To: i})
					page := app.HTMLString((&elm.Root{}).Render())
					want, got := where(knob, page), where(thumb, page)
					if got != want {
						t.Fatalf("rounds of %v s until %v s, %+v: in round %d the thumb is at %s, the cursor at %s", roundS,
							horizonS, zoom, i+1, got, want)
					}
					if got != "out of sight" {
						stood++
					}
					if !regexp.MustCompile(`Round \d+` + rounds).MatchString(page) {
						t.Fatalf("rounds of %v s until %v s: %q is not on the page", roundS, horizonS, rounds)
					}
				}
			}
			if stood == 0 {
				t.Error("the thumb is never seen")
			}
		}
	}
}
