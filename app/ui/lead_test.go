package ui

import (
	"html"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/ui/why"
	"hadarlab/app/words"
	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
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

// TestWhyIsNeverLeftUnanswered: a preset's question that asks why is answered by the engine's own sentence about a job
// that it names, with a sum where two jobs are weighed, else with what the policy goes by; "Why here?" goes there.
func TestWhyIsNeverLeftUnanswered(t *testing.T) {
	d, weighed, bare := newDesk(t), 0, 0
	for _, name := range scenarios.Names {
		d.do(state.LoadPreset{Name: name})
		s := &d.h.S.Lab
		if !compare.AsksWhy(s.Doc) {
			continue
		}
		a := headlineOf(s, &d.h.S.Student).Answer
		if a == nil || !slices.Contains(compare.Named(s.Doc), a.Job) || !strings.Contains(a.Says, ":") {
			t.Errorf("%s: %q is answered by %+v", name, compare.Question(s.Doc), a)
			continue
		}
		if a.Check != "" {
			weighed++
		} else if bare++; a.By == "" || !strings.HasSuffix(heard(app.HTMLString(a.Render())), "goes by: "+a.By+".") {
			t.Errorf("%s: nothing says what %s goes by", name, s.Result.Lanes[a.Lane].Title)
		}
		if d.do(state.WhyHere{}); s.View.Job != a.Job || s.View.Moment != a.Moment || why.Of(s).Answer == nil {
			t.Errorf("%s: Why looks at %s in round %d", name, s.View.Job, s.View.Moment+1)
		}
	}
	if weighed == 0 || bare == 0 {
		t.Errorf("%d answers with a sum, %d without", weighed, bare)
	}
}

// TestWhatAPolicyGoesByIsSaid: beneath the answer about a policy that weighs no two jobs stands the key by which it
// orders them, or what else it decides by, whichever policy does better than first come, first served. HadarE's
// reasons here have no title.
func TestWhatAPolicyGoesByIsSaid(t *testing.T) {
	d, by := newDesk(t), map[string]string{}
	text, _ := lab.Preset("the-only-gpu-that-fits")
	for _, p := range d.h.S.Boot.Policies {
		doc, _ := scenario.Parse(text, scenario.FileLimits)
		doc.Meta.Question = "Why does b1 wait?"
		doc.Scenario.Policies = []scenario.Policy{{ID: "fifo"}, {ID: p.ID}}
		if p.ID == "own" {
			doc.Scenario.Policies[1].Params = map[string]any{"key": "job.steps / 2", "skip": true}
		}
		d.open(doc.Marshal(false))
		a := headlineOf(&d.h.S.Lab, &d.h.S.Student).Answer
		if a == nil || a.Check != "" {
			continue
		}
		if by[d.h.S.Result.Lanes[a.Lane].Policy.ID] = a.By; a.By == "" && p.ID != "hadare" {
			t.Errorf("%s: nothing says what it goes by", p.ID)
		}
	}
	for id, want := range map[string]string{"venn-style": "Who can use only what is scarcest goes first",
		"sjf": "The shortest goes first", "fifo": "Who came first", "own": "The least goes first, by job.steps / 2"} {
		if by[id] != want {
			t.Errorf("%s goes by %q, want %q", id, by[id], want)
		}
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

// TestWhyLandsWhereAJobBecameFaster: where a lane is done with a job sooner because it runs faster on the same GPUs,
// "Why here?" goes to the decision that made it faster, which says what it has, and not to the one at its end.
func TestWhyLandsWhereAJobBecameFaster(t *testing.T) {
	d := newDesk(t)
	text, _ := lab.Preset("who-feeds-the-gpus")
	for _, swapped := range []bool{false, true} {
		doc, _ := scenario.Parse(text, scenario.FileLimits)
		if swapped {
			slices.Reverse(doc.Scenario.Policies)
		}
		d.open(doc.Marshal(false))
		d.do(state.WhyHere{})
		s := &d.h.S.Lab
		if s.View.Job != "j1" || s.View.Moment != 0 || s.Result.Diff.First == 0 {
			t.Fatalf("Why looks at %s in round %d", s.View.Job, s.View.Moment+1)
		}
		says := heard(app.HTMLString(elm.Part(why.Of(s))))
		for _, part := range []string{s.Result.Finding.Because, "it is 2.4 times as fast under FIFO (tuned)",
			"18 of its 24 CPUs", "j2 has 4 CPUs, j3 has 2 CPUs"} {
			if !strings.Contains(says, heard(part)) {
				t.Errorf("Why does not say %q: %s", part, says)
			}
		}
	}
}

// TestTheAnswerIsToTheQuestion: edited at random, each preset asks which policy is better and why. What answers that
// says first which, with the headline's figure, and then why, under one of the two lanes that are compared. A question
// that is only why is answered by that alone, of a job that it names; in English and in German.
func TestTheAnswerIsToTheQuestion(t *testing.T) {
	file, err := os.ReadFile("../web/words/de.json")
	if err != nil {
		t.Fatal(err)
	}
	defer words.Use(nil)
	for _, german := range []bool{false, true} {
		if german {
			if err := words.Load(file); err != nil {
				t.Fatal(err)
			}
		}
		d, rng, both, alone := newDesk(t), unit.Stream(29, "the answer"), 0, 0
		for _, name := range scenarios.Names {
			d.do(state.LoadPreset{Name: name})
			for n := range 6 {
				if n > 1 && len(d.h.S.Doc.Scenario.Jobs) > 50 {
					break // a large one differs in nothing that sentences know
				}
				if n > 0 {
					d.do(state.Do{Edit: anEdit(&d.h.S.Lab, rng)})
				}
				s := &d.h.S.Lab
				head := headlineOf(s, &d.h.S.Student)
				a, r := head.Answer, s.Result
				if !s.Fresh() || a == nil {
					continue
				}
				asks, says := head.Question, heard(app.HTMLString(a.Render()))
				if !compare.AsksWhich(s.Doc) {
					alone++
					about := append(compare.Named(s.Doc), r.TellingJob())
					if !slices.Contains(about, a.Job) || a.Which != "" {
						t.Errorf("%s: %q is answered by %q", name, asks, says)
					}
					continue
				}
				both++
				x, y := r.Pair()
				lane := r.Lanes[a.Lane]
				reason, _ := Lead(a.Says)
				want := heard(r.Finding.Claim + " " + lane.Title + ": " + reason)
				if !strings.HasPrefix(says, want) || lane != x && lane != y {
					t.Errorf("%s, edit %d: %q is answered by %q, not by %q, of %s and %s", name, n, asks, says, want,
						x.Title, y.Title)
				}
			}
		}
		if both < 5 || alone == 0 {
			t.Errorf("%d answers to both, %d only to why", both, alone)
		}
	}
}

// anEdit is another number, or a job, a node or a lane more.
func anEdit(s *state.Lab, rng *rand.Rand) edit.Edit {
	switch n := rng.IntN(6); {
	case n == 0 && len(s.Doc.Scenario.Jobs) > 0: // or they are drawn
		return edit.AddJob{CopyOf: rng.IntN(len(s.Doc.Scenario.Jobs))}
	case n == 1:
		return edit.AddNode{}
	case n < 4 && len(s.Doc.Scenario.Policies) < 4:
		return edit.AddLane{ID: []string{"hadar", "srtf"}[n-2]}
	}
	all := edit.Variables(s.Doc, s.Boot.Params)
	v := all[rng.IntN(len(all))]
	return edit.Alter{Pointer: v.Path, Value: min(max(v.Value+1, v.Range.Min), v.Range.Max), What: v.Name}
}

// TestNumbersKeepTheirUnits: whatever the page and Why say, no line ends between a number and its unit; what is drawn
// has no lines.
func TestNumbersKeepTheirUnits(t *testing.T) {
	drawn := regexp.MustCompile(`(?s)<(text|title|select|textarea)[ >].*?</(text|title|select|textarea)>|<[^<>]*>`)
	breaks := regexp.MustCompile(`.{0,40}\d (%|s|min|h|d)([^\pL].{0,20}|$)`)
	d := newDesk(t)
	for _, name := range scenarios.Names {
		d.do(state.LoadPreset{Name: name})
		d.do(state.WhyHere{})
		d.h.turns = elm.Turns{}
		says := html.UnescapeString(drawn.ReplaceAllString(app.HTMLString(&elm.Root{}), "\n"))
		if at := breaks.FindString(says); at != "" {
			t.Errorf("%s: a line may end within %q", name, at)
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
