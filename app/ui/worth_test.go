package ui

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"hadarlab/app/elm"
	"hadarlab/app/state"
	"hadarlab/app/ui/why"
	"hadarlab/core/figure"
	"hadarlab/core/lab"
	"hadarlab/scenarios"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// TestAWorthComesOut: where Why says of what a round's worth is a share, whoever divides what is printed finds what is
// printed.
func TestAWorthComesOut(t *testing.T) {
	divided := regexp.MustCompile(`worth (\d[\d.]*) ÷ (\d+) = (\d[\d.]*)`)
	d, seen := newDesk(t), 0
	for _, name := range scenarios.Names {
		text, _ := lab.Preset(name)
		if large(name) {
			continue // of many jobs
		}
		d.open(withPolicies(t, text, nil, "hadar", "hadare"))
		for at := range 4 {
			d.do(state.Go{To: at})
			for lane := range d.h.S.Result.Lanes {
				d.do(state.ExplainLane{Lane: lane})
				shown := heard(app.HTMLString(elm.Part(why.Of(&d.h.S.Lab))))
				for _, m := range divided.FindAllStringSubmatch(shown, -1) {
					x, _ := strconv.ParseFloat(m[1], 64)
					n, _ := strconv.ParseFloat(m[2], 64)
					digits := len(strings.TrimLeft(strings.Replace(m[3], ".", "", 1), "0"))
					if seen++; figure.Sig(nil, x/n, digits) != m[3] {
						t.Errorf("%s, moment %d, lane %d: %s", name, at, lane, m[0])
					}
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d worths are divided", seen)
	}
}
