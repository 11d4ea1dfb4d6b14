package ui

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"hadarlab/app/elm"
	"hadarlab/app/state"
	"hadarlab/core/lab"
)

// TestRoundsAreSaidToBeWhose: the page counts the decisions of the compared lanes together, and the command line those
// of one policy; where the two do not differ by one alone, nothing may say so.
func TestRoundsAreSaidToBeWhose(t *testing.T) {
	text, _ := lab.Preset("gang-that-waits")
	d := newDesk(t)
	d.open(text)
	r, apart := d.h.S.Result, 0
	for i := range r.Diff.Moments {
		for lane := range r.Lanes {
			if round := r.Round(lane, i); round >= 0 && round != i {
				apart++
			}
		}
	}
	if apart == 0 {
		t.Fatal("every round of the page is the policy's of that number")
	}
	d.do(state.Go{To: 5})
	shown := app.HTMLString((&elm.Root{}).Render())
	if !strings.Contains(shown, "Why: s3 in round 6") || !strings.Contains(shown, "--round 4 --job s3") {
		t.Error("the panel is not about s3 in the page's round 6, the fifth of yarn-cs")
	}
	if strings.Contains(shown, "Rounds count from 0 there and from 1 here") ||
		!strings.Contains(shown, "the policy’s own decisions") {
		t.Error("rounds are not said to be whose they are")
	}
}

// TestPartedLanesAreNamed: of three lanes those that are compared are shaded, and named, wherever they stand.
func TestPartedLanesAreNamed(t *testing.T) {
	for preset, want := range map[string]string{"gang-that-waits": "they differ",
		"what-lengths-are-worth": "A and C differ"} {
		text, _ := lab.Preset(preset)
		d := newDesk(t)
		d.open(text)
		r := d.h.S.Result
		one, base := r.Pair()
		if preset == "what-lengths-are-worth" && one.Title+", "+base.Title != "SRTF, Gittins index" {
			t.Fatalf("compared are %s and %s", one.Title, base.Title)
		}
		at := r.Diff.Next(r.Diff.First, 1)
		if at < 0 {
			t.Fatalf("%s: the lanes part once only", preset)
		}
		d.do(state.Go{To: at})
		shown := app.HTMLString((&elm.Root{}).Render())
		if !strings.Contains(shown, want) {
			t.Errorf("%s: round %d is not told by %q", preset, at, want)
		}
		lanes := strings.Split(shown, `data-test="lane"`)[1:]
		for i, l := range r.Lanes {
			if got := strings.Contains(lanes[i], `data-role="parted"`); got != (l == one || l == base) {
				t.Errorf("%s: lane %d is shaded: %t", preset, i, got)
			}
		}
	}
}

// TestAFormulaSaysOfWhichParametersItIs: with backfill somebody passes, which the formula of YARN-CS denies.
func TestAFormulaSaysOfWhichParametersItIs(t *testing.T) {
	text, _ := lab.Preset("gang-that-waits")
	d := newDesk(t)
	d.open([]byte(strings.Replace(string(text), `{"id": "yarn-cs"}`,
		`{"id": "yarn-cs", "params": {"backfill": true}}`, 1)))
	_, said, _ := strings.Cut(app.HTMLString((&elm.Root{}).Render()), "In the formula")
	said, _, _ = strings.Cut(said, "</details>")
	if !strings.Contains(said, "nobody passes") || !strings.Contains(said, "that of the default parameters") {
		t.Errorf("the formula is told so: %q", said)
	}
}
