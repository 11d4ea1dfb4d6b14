package ui

import (
	"strings"
	"testing"

	"hadarlab/app/elm"
	"hadarlab/app/state"
	"hadarlab/app/ui/editor"
	"hadarlab/core/lab"
	"hadarlab/core/scenario"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// TestTheFirstScreenSaysWhoNeedsOneType: beside the first lane stand the jobs that can use one GPU type only, also
// those beyond the list of lengths, by the jobs' types or by their models' speeds, where others can use more.
func TestTheFirstScreenSaysWhoNeedsOneType(t *testing.T) {
	d := newDesk(t)
	margin := func() string {
		_, _, margin := editor.OnLane(&d.h.S.Lab, 0)
		_, says, _ := strings.Cut(heard(app.HTMLString(elm.Part(margin))), "Length in steps")
		return says
	}
	text, _ := lab.Preset("the-only-gpu-that-fits")
	for _, c := range []struct {
		change func(d *scenario.Scenario)
		says   string
	}{
		{func(*scenario.Scenario) {}, "A100 only: b1, b2"},
		{func(s *scenario.Scenario) { s.Jobs[0].Types = []string{"v100"} }, "A100 only: b1, b2 V100 only: s1"},
		{func(s *scenario.Scenario) {
			s.Jobs[4].Types, s.Jobs[5].Types = nil, nil
			delete(s.Throughputs.Rows[1].PerGPU, "v100")
		}, "A100 only: b1, b2"},
		{func(s *scenario.Scenario) { s.Jobs[4].Types, s.Jobs[5].Types = nil, nil }, ""},
		{func(s *scenario.Scenario) { // for all
			for i := range s.Jobs {
				s.Jobs[i].Types = []string{"a100"}
			}
		}, ""},
		{func(s *scenario.Scenario) {
			for i := range s.Jobs[:5] {
				s.Jobs[i].Types = []string{"v100"}
			}
			s.Jobs[5].Types = nil
			s.Jobs = append(s.Jobs, s.Jobs[0])
			s.Jobs[6].ID = "s7"
		}, "V100 only: s1, s2, s3, s4, b1, and 1 more"},
	} {
		doc, _ := scenario.Parse(text, scenario.FileLimits)
		c.change(&doc.Scenario)
		d.open(doc.Marshal(false))
		says := margin()
		if named := strings.Contains(says, "only"); named != (c.says != "") || !strings.HasSuffix(says, c.says) {
			t.Errorf("it says %q, not %q", says, c.says)
		}
	}
	d.do(state.LoadPreset{Name: "odd-gpus-out"})
	if says := margin(); strings.Contains(says, "only") {
		t.Errorf("each job can use each type, and it says %q", says)
	}
}
