package ui

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"hadarlab/app/elm"
	"hadarlab/app/ui/charts"
	"hadarlab/app/ui/numbers"
	"hadarlab/app/ui/timeline"
	"hadarlab/core/figure"
	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// TestWhatLanesPayIsSaid: wherever a lane rents nodes, the headline says what each lane pays, and so do the first
// figures of the two that it compares. Nowhere else is there a word of rent.
func TestWhatLanesPayIsSaid(t *testing.T) {
	d := newDesk(t)
	rent, _ := lab.Preset("rent-by-the-hour")
	dear, _ := scenario.Parse(rent, scenario.FileLimits)
	dear.Scenario.Cloud.Groups[0].USDPerH = 98.32
	unused, _ := scenario.Parse(rent, scenario.FileLimits)
	unused.Scenario.Jobs = unused.Scenario.Jobs[:1] // for which the machine that is there is enough
	cases := [][]byte{rent, dear.Marshal(false), withPolicies(t, rent, nil, "hadar", "las"), unused.Marshal(false)}
	for _, name := range scenarios.Names {
		if text, _ := lab.Preset(name); !large(name) {
			cases = append(cases, text)
		}
	}
	paid, free := 0, 0
	for _, text := range cases {
		d.open(text)
		s := &d.h.S.Lab
		title, claim := s.Doc.Meta.Title, headlineOf(s, &d.h.S.Student).Finding.Claim
		firsts := heard(app.HTMLString(elm.Part(numbers.FirstOf(s))))
		if s.Doc.Scenario.Cloud == nil {
			if strings.Contains(claim+firsts, "Rent") {
				t.Errorf("%s: it says %q and %q", title, claim, firsts)
			}
			continue
		}
		a, b := s.Result.Pair()
		for _, l := range s.Result.Ran() {
			usd := l.Meta.Metrics.RentUSD
			if says := l.Title + " " + figure.Sig(nil, usd, 3); !strings.Contains(claim, says) {
				t.Errorf("%s: the headline is %q, without %q", title, claim, says)
			}
			says := figure.Fixed(nil, usd, 2)
			if usd >= 100 {
				says = figure.Fixed(nil, usd, 0)
			}
			if (l == a || l == b) && !strings.Contains(firsts, says) {
				t.Errorf("%s: the first figures are %q, without %q", title, firsts, says)
			}
			if paid++; usd == 0 {
				free++
			}
		}
		most := 0.0
		for _, l := range s.Result.Ran() {
			most = max(most, l.Meta.Metrics.RentUSD)
		}
		drawn := (&charts.Chart{Plot: timeline.PlotOf(s), Tab: "cloud"}).Draw().Pictures
		for i := 0; most > 0 && i < len(s.Result.Lanes); i++ { // dearer is further to the right
			l, at := s.Result.Lanes[i], 0.0
			_, mark, _ := strings.Cut(drawn[len(drawn)-1].SVG, `"step" data-series-of="`+charts.LaneStyle(i)+`"`)
			fmt.Sscanf(mark, ` cx="%f`, &at)
			if want := 5 + 86*l.Meta.Metrics.RentUSD/most; math.Abs(at-want) > 0.01 {
				t.Errorf("%s: %s stands at %v %%, not %v %%", title, l.Title, at, want)
			}
		}
	}
	if paid < 10 || free == 0 {
		t.Errorf("%d lanes in clouds, %d of them pay nothing", paid, free)
	}
}
