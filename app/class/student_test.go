package class

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/class"
	"hadarlab/scenarios"
)

// TestKept: what a browser keeps is taken up by the class that it is of, and by no other.
func TestKept(t *testing.T) {
	k := `{"code":"7KQM3XPA","token":"x","n":3,"name":"quiet heron"}`
	s := NewStudent("7KQM3XPA", "", k)
	if s == nil || s.Me.Name != "quiet heron" || s.Address() != "/#class=7KQM3XPA" ||
		s.JoinAddress() != "/join#7KQM3XPA" {
		t.Fatalf("%+v", s)
	}
	if again := NewStudent(s.Code, "", string(s.Kept())); again == nil || again.Token != "x" || again.Me.N != 3 {
		t.Errorf("kept again: %+v", again)
	}
	for _, other := range []string{"", "null", "[]", `{"code":"7KQM3XPA"}`, `{"code":"OTHER","token":"x"}`} {
		if s := NewStudent("7KQM3XPA", "", other); s != nil {
			t.Errorf("%s is taken for %+v", other, s)
		}
	}
	if NewStudent("", "1z.a.b", k) != nil || NewStudent("", "1z.a.b", `{"packed":"1z.a.c","name":"x"}`) != nil {
		t.Error("an assignment in a link is taken up by another")
	}
}

// TestReportIsText: what students write stands in their reports as they wrote it, and as nothing else.
func TestReportIsText(t *testing.T) {
	doc, _ := scenarios.Assignment("hadar-vs-gavel")
	a, diags := class.Parse(doc)
	if a == nil {
		t.Fatal(diags)
	}
	s := &Student{Assignment: a, Entries: []class.Entry{{Kind: class.Sentence, Body: class.Body{
		Text: "# <script>alert(1)</script>\n[x](javascript:1) *b*"}}}}
	report := s.Report(func(path string) string { return path })
	if strings.Contains(report, "<script") || strings.Contains(report, "\n# <") || !strings.Contains(report, `\[x](`) {
		t.Errorf("the report is\n%s", report)
	}
	if b, err := json.Marshal(s.HandIn("e")); err != nil || !strings.Contains(string(b), `"kind":"hand-in"`) {
		t.Errorf("%s, %v", b, err)
	}
}

// TestVotes: one answers again in the phase of the plan that asks for it, and not once it is told; in a plan of before
// in the discussion after the run, or late.
func TestVotes(t *testing.T) {
	doc, _ := scenarios.Assignment("hadar-vs-gavel")
	for name, c := range map[string]struct {
		plan []class.Phase
		in   []class.Phase
	}{
		"today": {class.Phases, []class.Phase{class.VoteAgain}},
		"before": {[]class.Phase{"lobby", "predict", "run", "discuss", "change", "closed"},
			[]class.Phase{"discuss", "change"}},
	} {
		a, _ := class.Parse(doc)
		a.Plan = nil
		for _, p := range c.plan {
			a.Plan = append(a.Plan, class.Step{Phase: p})
		}
		s := &Student{Assignment: a}
		for _, p := range c.plan {
			s.State = class.State{Phase: p}
			if s.Votes() != slices.Contains(c.in, p) {
				t.Errorf("%s: in %s it is %v that one answers again", name, p, s.Votes())
			}
			asks := PhaseSays(a, p)
			if says := strings.Contains(asks, "answer again"); says && !s.Votes() || says != (p == c.in[0]) {
				t.Errorf("%s: in %s it says %q", name, p, asks)
			}
		}
	}
}

// TestOutcome: a student is told when the two are about the same, and when a win is one by when rounds begin.
func TestOutcome(t *testing.T) {
	doc, _ := scenarios.Assignment("hadar-vs-gavel")
	a, _ := class.Parse(doc)
	s := &Student{Assignment: a}
	for _, c := range []struct {
		path     string
		a, b     float64
		has, not string
	}{
		{"/scenario/jobs/2/gpus", 844, 838, "about the same, within 2 %, and that is no win.", "It does what"},
		{"/scenario/jobs/2/gpus", 900, 838, "It does what the task asks.", "round"},
		{"/scenario/jobs/2/arrival_s", 900, 838, "wins by less than one round", "not do"},
		{"/scenario/jobs/2/arrival_s", 1900, 838, "It does what the task asks.", "round"},
		{"/scenario/jobs/2/arrival_s", 838, 900, "It does not do what the task asks yet.", "same"},
	} {
		to := 1.0
		e := &class.Entry{Body: class.Body{Changes: []class.Edit{{Path: c.path, To: &to}}, Lanes: []class.Lane{
			{Policy: "hadar", Outcome: "done", Figures: class.Figures{AvgJCTS: c.a}},
			{Policy: "gavel-las", Outcome: "done", Figures: class.Figures{AvgJCTS: c.b}}}}}
		if says := s.Outcome(e); !strings.Contains(says, c.has) || strings.Contains(says, c.not) {
			t.Errorf("%s, %v and %v: %s", c.path, c.a, c.b, says)
		}
	}
	if says := s.WinMeans(); !strings.Contains(says, "more than 2 %") {
		t.Error(says)
	}
}
