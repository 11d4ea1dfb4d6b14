package ui

import (
	"fmt"
	"html"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hadarlab/app/compare"
	"hadarlab/app/elm"
	"hadarlab/app/state"
	"hadarlab/app/ui/editor"
	"hadarlab/app/ui/why"
	"hadarlab/app/words"
	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	catalogue "hadarlab/core/words"
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
			if !strings.Contains(says, heard(a.Says)) || !strings.Contains(says, heard(a.Check)) {
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

// TestTheHeadlineAnswersItsQuestion: with one GPU more and one fewer in each node of every preset, in both languages,
// what is read first below a question that names a job is about that job, and below any other who does better.
func TestTheHeadlineAnswersItsQuestion(t *testing.T) {
	file, err := os.ReadFile("../web/words/de.json")
	if err != nil {
		t.Fatal(err)
	}
	german, err := catalogue.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	defer words.Use(nil)
	d, reasons, others := newDesk(t), 0, 0
	for _, name := range scenarios.Names {
		text, _ := lab.Preset(name)
		if len(text) > 20000 {
			continue // the same code on hundreds of jobs
		}
		was, _ := scenario.Parse(text, scenario.FileLimits)
		variants := []*scenario.Document{was}
		for n, node := range was.Scenario.Cluster.Nodes {
			for typ, count := range node.GPUs {
				for _, by := range []int{-1, 1} {
					doc, _ := scenario.Parse(text, scenario.FileLimits)
					doc.Meta.Question = "" // as an edit leaves it
					if at := fmt.Sprintf("/scenario/cluster/nodes/%d/gpus/%s", n, typ); count+by > 0 &&
						doc.Alter(at, float64(count+by)) && !doc.Check().HasErrors() {
						variants = append(variants, doc)
					}
				}
			}
		}
		for _, doc := range variants {
			for _, in := range []catalogue.Catalogue{nil, german} {
				words.Use(in)
				d.open(doc.Marshal(false))
				s := &d.h.S.Lab
				head := headlineOf(s, &d.h.S.Student)
				_, says, _ := strings.Cut(app.HTMLString(elm.Part(head)), `class="question"`)
				reason, finding := strings.Index(says, `data-test="answer"`), strings.Index(says, `data-test="finding"`)
				named := compare.Named(s.Doc)
				switch about := head.Answer != nil && slices.Contains(named, head.Answer.Job); {
				case about && (reason > finding || !strings.Contains(says, "data-answered")):
					t.Errorf("%s: %q is not answered by its reason first", name, head.Question)
				case !about && (reason >= 0 && reason < finding || strings.Contains(says, "data-answered")):
					t.Errorf("%s: %q is answered by %q", name, head.Question, head.Answer.Says)
				case about:
					reasons++
				case reason >= 0:
					others++
				}
			}
		}
	}
	if reasons == 0 || others == 0 {
		t.Errorf("%d questions name their job, %d with a reason do not", reasons, others)
	}
}

// TestTheFirstScreenHasWhatItsSumsNeed: the check says at what pace a mixed gang runs, the margin how many GPUs each
// node has, and the two bars of Why have a key, in both languages.
func TestTheFirstScreenHasWhatItsSumsNeed(t *testing.T) {
	file, err := os.ReadFile("../web/words/de.json")
	if err != nil {
		t.Fatal(err)
	}
	german, err := catalogue.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	defer words.Use(nil)
	for pace, in := range map[string]catalogue.Catalogue{
		"a mixed gang runs at its slowest type’s pace":              nil,
		"eine gemischte Gang läuft im Tempo ihres langsamsten Typs": german} {
		words.Use(in)
		d := newDesk(t)
		s := &d.h.S.Lab
		if says := app.HTMLString(elm.Part(headlineOf(s, &d.h.S.Student))); !strings.Contains(says, pace) {
			t.Errorf("the check does not say %q", pace)
		}
		_, _, margin := editor.OnLane(s, 0)
		says := heard(app.HTMLString(elm.Part(margin)))
		for _, n := range s.Doc.Scenario.Cluster.Nodes {
			if !strings.Contains(says, n.ID) {
				t.Errorf("the margin does not name %s: %q", n.ID, says)
			}
		}
		d.do(state.WhyHere{})
		panel := app.HTMLString(elm.Part(why.Of(s)))
		for _, part := range []string{"worth", "cost"} {
			if key := regexp.MustCompile(`<i [^>]*data-part="` + part); !key.MatchString(panel) {
				t.Errorf("Why has no key for the bar of %s", part)
			}
		}
	}
}
