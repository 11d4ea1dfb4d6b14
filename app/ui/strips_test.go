package ui

import (
	"regexp"
	"strings"
	"testing"

	"hadarlab/app/elm"
	"hadarlab/app/state"
	"hadarlab/app/ui/timeline"
	"hadarlab/core/chart/data"
	"hadarlab/core/lab"
	"hadarlab/core/trace"
	"hadarlab/scenarios"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// TestWhatIsChosenIsThere: a chart that a result does not have is neither offered nor shown as chosen, whatever was
// chosen before it came: of every preset under every chart, one tab is chosen, seen, and the one that is drawn.
func TestWhatIsChosenIsThere(t *testing.T) {
	cards, err := scenarios.Gallery()
	if err != nil {
		t.Fatal(err)
	}
	d, gone := newDesk(t), 0
	for i := range cards {
		text, _ := lab.Preset(cards[i].Preset)
		d.open(text)
		for _, c := range data.Charts() {
			d.do(state.ChooseChart{Name: c.ID})
			_, page, _ := strings.Cut(app.HTMLString((&elm.Root{}).Render()), `aria-label="Charts"`)
			chosen := regexp.MustCompile(`<button[^>]* aria-selected( [^>]*)?>`).FindAllString(page, -1)
			_, drawn, _ := strings.Cut(page, `data-chart="`)
			drawn, _, _ = strings.Cut(drawn, `"`)
			if len(chosen) != 1 || strings.Contains(chosen[0], " hidden") ||
				!strings.Contains(chosen[0], `data-test="tab-`+drawn+`"`) {
				t.Fatalf("%s with %s: chosen are %v, and %s is drawn", cards[i].Preset, c.ID, chosen, drawn)
			}
			priced := false
			for _, l := range d.h.S.Result.Lanes {
				priced = priced || len(l.Trace.Points(&trace.Price)) > 0
			}
			if c.ID == "prices" && !priced {
				if gone++; drawn == "prices" || strings.Contains(page, "sets no prices") {
					t.Errorf("%s has no prices, and they are drawn", cards[i].Preset)
				}
			}
		}
	}
	if gone == 0 {
		t.Error("every preset has prices")
	}
}

// TestStripsAreDrawn: where there are profiles, timers or shared links, their charts are drawn and say what they show.
func TestStripsAreDrawn(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct{ preset, tab, says string }{
		{"patience-for-locality", "timers", "no timer changes"},
		{"pollux-world", "worth", "of the examples bring nothing"}, {"the-elastic-job", "worth", ""},
		{"two-gangs-one-card", "links", "Under FIFO several gangs share “Network card of n2” for 93 % of the time, up to 2"}} {
		d.do(state.LoadPreset{Name: c.preset})
		d.do(state.ChooseChart{Name: c.tab})
		d.what = c.preset + " with " + c.tab
		d.draw("the page", &elm.Root{})
		if got := timeline.ChartsOf(&d.h.S.Lab).Draw().Finding.Claim; !strings.Contains(got, c.says) {
			t.Errorf("%s: the finding is %q", d.what, got)
		}
	}
}

// TestMeasuredTimeIsMarked: over the lanes of a scenario that measures some of its jobs there is a bracket, and below
// them what it is; elsewhere there is neither.
func TestMeasuredTimeIsMarked(t *testing.T) {
	d := newDesk(t)
	text, _ := lab.Preset("odd-gpus-out")
	for _, c := range []struct {
		doc  string
		want int
	}{{string(text), 0}, {strings.Replace(string(text), `"cluster"`, `"window": {"from": 1, "jobs": 3}, "cluster"`, 1), 1}} {
		d.open([]byte(c.doc))
		page := app.HTMLString((&elm.Root{}).Render())
		if got := strings.Count(page, `data-role="measured"`); got != c.want {
			t.Errorf("%d brackets, want %d", got, c.want)
		}
		if got := strings.Contains(page, "of the jobs that are measured, 2 to 4 by arrival."); got != (c.want > 0) {
			t.Errorf("it says what a bracket is: %v", got)
		}
	}
}
