package ui

import (
	"strings"
	"testing"

	"hadarlab/app/elm"
	"hadarlab/core/lab"
	"hadarlab/core/scenario"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// TestMeansOfOtherJobsAreNotCompared: where one lane finishes more jobs than the other, a mean and a last finish are
// of other jobs, and no difference of them is told; of how many jobs they are is.
func TestMeansOfOtherJobsAreNotCompared(t *testing.T) {
	text, _ := lab.Preset("odd-gpus-out")
	d := newDesk(t)
	seen := map[bool]int{}
	for at := 400.0; at < 4000; at += 400 {
		d.open(withPolicies(t, text, func(doc *scenario.Document) { doc.Scenario.HorizonS = at }, "hadar", "gavel-las"))
		r := d.h.S.Result
		dones := [2]int{len(r.Lanes[0].Chart.Dones), len(r.Lanes[1].Chart.Dones)}
		_, firsts, _ := strings.Cut(d.page(), `data-test="firsts"`)
		firsts, _, _ = strings.Cut(firsts, "</section>")
		alike := dones[0] == dones[1]
		if seen[alike]++; strings.Contains(firsts, `class="diff"`) != alike {
			t.Errorf("%v jobs are complete at %v s: %s", dones, at, heard(firsts))
		}
		some := dones[0] < len(r.Lanes[0].Trace.Jobs)
		if !alike && some != strings.Contains(heard(firsts), "jobs that are complete") {
			t.Errorf("of which jobs the figures are is not told: %s", heard(firsts))
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("seen: %v", seen)
	}
}

// page is the whole page.
func (d *desk) page() string { return app.HTMLString(&elm.Root{}) }
