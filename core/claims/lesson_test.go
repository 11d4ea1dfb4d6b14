package claims

import (
	"fmt"
	"strings"
	"testing"

	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// TestTheClassOfClaims holds the assignment on claims to the board: its scenario is seed 1 of each row's cut-down form,
// its questions quote the rows, what is right of them is what a run of the two lanes of the row says, no edge is near,
// and what is said at its end are the verdicts. No server has to find out what is right, which has no time for so many
// jobs.
func TestTheClassOfClaims(t *testing.T) {
	data, _ := scenarios.Assignment("which-claims-hold")
	a, diags := class.Parse(data)
	if a == nil {
		t.Fatal(diags)
	}
	records, err := Records()
	if err != nil {
		t.Fatal(err)
	}
	end := a.Plan[len(a.Plan)-1].Teacher
	short := []string{"1.20 times faster in all", "2.5 times Gavel", "3 times YARN-CS", "13 % less waiting"}
	fates := map[Verdict]bool{}
	for i := range a.Questions {
		q := &a.Questions[i]
		c, err := Find(q.ID)
		if err != nil {
			t.Fatal(err)
		}
		row := c.Stand(records[c.ID])
		fates[row.Verdict] = true
		says := short[i] + ": " + string(row.Verdict)
		if !strings.Contains(end, says+";") && !strings.Contains(end, says+".") {
			t.Errorf("the board says %q, and the class is told %q", says, end)
		}
		if !strings.HasPrefix(q.Text, "“"+c.Says+"”") {
			t.Errorf("%s quotes %q", q.Text, c.Says)
		}
		found := *q
		if found.Kind = class.Less; q.Option(class.Same) == nil {
			found.Kind = class.Share
		}
		doc, want := a.Document().Clone(), c.Open(1)
		doc.Scenario.Policies = want.Scenario.Policies
		if doc.ID(lab.Defaults()) != want.ID(lab.Defaults()) {
			t.Errorf("the class has another scenario than seed 1 of %s", c.ID)
		}
		asks := &class.Assignment{Questions: []class.Question{found}}
		for _, nudge := range []func(s *scenario.Scenario){func(*scenario.Scenario) {},
			func(s *scenario.Scenario) { s.RoundS++ }, func(s *scenario.Scenario) { s.RoundS-- },
			func(s *scenario.Scenario) { s.Overheads.RestartS++ }} {
			nudged := doc.Clone()
			nudge(&nudged.Scenario)
			result, _, _ := lab.Run(&message.RunRequest{Scenario: nudged.Marshal(false)})
			if right := asks.Truth(result.Runs)[q.ID]; q.Kind != class.Fixed || right != q.Right {
				t.Errorf("%s: right is %q, and a run says %q", q.ID, q.Right, right)
			}
			for _, d := range asks.Near(class.LanesOf(result.Runs)) {
				t.Errorf("%s%s: %s", q.ID, d.Path, d.Message)
			}
		}
		if less := fmt.Sprintf(" %.0f %% less", 100*(1-1/c.Published.Low)); found.Kind == class.Share &&
			(!strings.Contains(q.Text, less) || q.Options[len(q.Options)-1].ID != strings.Fields(less)[0]) {
			t.Errorf("%s: published is%s", q.ID, less)
		}
		if w := c.Browser(); q.Metric != metricOf(t, w) {
			t.Errorf("%s is of %s, the row of %s", q.ID, q.Metric, w.Value.Name)
		}
	}
	if len(a.Questions) != 4 || len(fates) < 3 {
		t.Errorf("%d claims with the fates %v", len(a.Questions), fates)
	}
	if !strings.Contains(end, fmt.Sprintf("Over %s seeds", map[int]string{10: "ten"}[Seeds])) {
		t.Errorf("%q names another number of seeds than %d", end, Seeds)
	}
}

// metricOf is the name of the metric that a row compares.
func metricOf(t *testing.T, w *World) string {
	for _, name := range class.MetricNames {
		if metricValue(name).Name == w.Value.Name {
			return name
		}
	}
	t.Fatalf("no class knows %s", w.Value.Name)
	return ""
}
