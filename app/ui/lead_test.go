package ui

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"hadarlab/app/elm"
	"hadarlab/app/state"
	"hadarlab/app/ui/why"
	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

var spaces = regexp.MustCompile(`[\s\x{a0}]+`)

// heard is what markup says, by one space a gap.
func heard(markup string) string {
	return strings.TrimSpace(spaces.ReplaceAllString(html.UnescapeString(tags.ReplaceAllString(markup, "")), " "))
}

// TestWhyBeginsWithTheAnswer: whoever asks "Why here?" finds the answer of the first screen first, in its words and
// numbers, before any table, figure or part that unfolds.
func TestWhyBeginsWithTheAnswer(t *testing.T) {
	d, checks, findings := newDesk(t), 0, 0
	for _, name := range scenarios.Names {
		text, _ := lab.Preset(name)
		d.open(text)
		d.do(state.WhyHere{})
		s := &d.h.S.Lab
		if s.Result.Diff.First < 0 {
			continue
		}
		panel := app.HTMLString(elm.Part(why.Of(s)))
		_, panel, _ = strings.Cut(panel, `class="pad">`)
		for _, end := range []string{"<table", "<details", "<svg", `<div class="other"`} {
			panel, _, _ = strings.Cut(panel, end)
		}
		says := heard(panel)
		head := headlineOf(s, &d.h.S.Student)
		if a := head.Answer; a != nil {
			checks++
			if !strings.Contains(says, heard(a.Says)) || !strings.HasSuffix(says, heard(a.Check)) {
				t.Errorf("%s: Why begins with %q, the answer is %q and %q", name, says, a.Says, a.Check)
			}
			continue
		}
		findings++
		if want := heard(head.Finding.Claim + " " + head.Finding.Because); !strings.HasPrefix(says, want) {
			t.Errorf("%s: Why begins with %q, the answer is %q", name, says, want)
		}
	}
	if checks == 0 || findings == 0 {
		t.Errorf("%d answers with a check, %d findings", checks, findings)
	}
}

// TestTheAnswerIsAboutTheJobThatIsNamed: the opening question asks why j1 waits; with one V100 more, where the lanes
// part over another job, the answer is still about j1, with its sum, and "Why here?" goes there.
func TestTheAnswerIsAboutTheJobThatIsNamed(t *testing.T) {
	d := newDesk(t)
	text, _ := lab.Preset("whose-round")
	for _, more := range []float64{3, 4} {
		doc, _ := scenario.Parse(text, scenario.FileLimits)
		if was := 3.0; more != was && !doc.Alter("/scenario/cluster/nodes/0/gpus/v100", more) {
			t.Fatal("there is no such number")
		}
		d.open(doc.Marshal(false))
		s := &d.h.S.Lab
		a := headlineOf(s, &d.h.S.Student).Answer
		if a == nil || a.Job != "j1" || !strings.HasPrefix(a.Says, "j1 waits") || a.Check == "" {
			t.Fatalf("%v V100: %+v", more, a)
		}
		if d.do(state.WhyHere{}); s.View.Job != "j1" || why.Of(s).Answer == nil {
			t.Errorf("%v V100: Why looks at %s", more, s.View.Job)
		}
	}
}

// TestBarsOfWhyHaveAKey: the two bars of a weighed placement are named by their colours.
func TestBarsOfWhyHaveAKey(t *testing.T) {
	d := newDesk(t)
	d.do(state.WhyHere{})
	panel := app.HTMLString(elm.Part(why.Of(&d.h.S.Lab)))
	for _, part := range []string{"worth", "cost"} {
		if key := regexp.MustCompile(`<i [^>]*data-part="` + part); !key.MatchString(panel) {
			t.Errorf("Why has no key for the bar of %s", part)
		}
	}
}
