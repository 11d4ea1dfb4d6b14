package lab_test

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

func TestEveryPresetHasItsCard(t *testing.T) {
	cards, err := scenarios.Gallery()
	if err != nil {
		t.Fatal(err)
	}
	if len(cards) != len(scenarios.Names) {
		t.Fatalf("%d cards for %d presets", len(cards), len(scenarios.Names))
	}
	for i, c := range cards {
		if c.Preset != scenarios.Names[i] {
			t.Errorf("card %d is of %s, the preset there is %s", i, c.Preset, scenarios.Names[i])
		}
		if c.Goal == "" || c.Surprise == "" || c.Teacher == "" || len(c.Ideas) == 0 || len(c.Misconceptions) == 0 || c.Level < 1 || c.Level > 3 {
			t.Errorf("%s: the card is incomplete: %+v", c.Preset, c)
		}
	}
}

// TestLessonsSayWhatTheEngineDoes runs what each step shows and holds it to the figures of its text.
func TestLessonsSayWhatTheEngineDoes(t *testing.T) {
	lessons, err := scenarios.Lessons()
	if err != nil || len(lessons) < 3 {
		t.Fatalf("%d lessons, %v", len(lessons), err)
	}
	for _, l := range lessons {
		if l.ID == "" || l.Goal == "" || l.Minutes < 1 || len(l.Steps) < 3 || l.Steps[0].Open == "" {
			t.Errorf("lesson %q is incomplete", l.ID)
		}
		var doc []byte
		for i, s := range l.Steps {
			at := func(format string, a ...any) {
				t.Helper()
				t.Errorf("%s, step %d: "+format, append([]any{l.ID, i + 1}, a...)...)
			}
			if s.Title == "" || s.Text == "" {
				at("title or text is missing")
			}
			if s.Open != "" {
				var ok bool
				if doc, ok = lab.Preset(s.Open); !ok {
					at("there is no preset %s", s.Open)
				}
			}
			if a := s.Ask; a != nil && (a.Question == "" || len(a.Options) < 2 || a.Answer < 0 || a.Answer >= len(a.Options) || a.Because == "") {
				at("the question is incomplete")
			}
			if c := s.Change; c != nil {
				doc = changed(t, doc, c)
				if res, failed, diags := lab.Run(&message.RunRequest{Scenario: doc}); res == nil || len(failed) > 0 || c.Say == "" {
					at("the change cannot be run: %v %v", failed, diags)
				}
			}
			if v := s.View; v != nil {
				choice(t, doc, v.Lane, v.Round, v.Job)
			}
			for _, f := range s.Facts {
				if f.Field == "finish" {
					if got := finish(t, doc, f.Policy, f.Job); got != f.Value {
						at("%s ends at %g s under %s, the text relies on %g", f.Job, got, f.Policy, f.Value)
					}
					continue
				}
				c := choice(t, doc, f.Policy, f.Round, f.Job)
				got := math.NaN()
				switch {
				case f.Field == "payoff" && c.Payoff != nil:
					got = *c.Payoff
				case f.Field == "payoff" && len(c.Candidates) > 0:
					got = c.Candidates[0].Payoff
				case f.Field == "gangs":
					got = float64(len(c.Gangs))
				case f.Field == "gpus":
					got = 0
					for _, g := range c.Gangs {
						for _, sh := range g {
							got += float64(sh.Count)
						}
					}
				}
				if !(math.Abs(got-f.Value) <= 5e-4*max(1, math.Abs(f.Value))) {
					at("%s of %s in round %d of %s is %g, the text relies on %g", f.Field, f.Job, f.Round, f.Policy, got, f.Value)
				}
			}
		}
	}
}

// changed sets a value of the document.
func changed(t *testing.T, doc []byte, c *scenarios.Change) []byte {
	t.Helper()
	var root any
	if err := json.Unmarshal(doc, &root); err != nil {
		t.Fatal(err)
	}
	at, path := root, strings.Split(c.Path, "/")[1:]
	for i, name := range path {
		switch v := at.(type) {
		case []any:
			n, err := strconv.Atoi(name)
			if err != nil || n >= len(v) {
				t.Fatalf("%s leads nowhere", c.Path)
			}
			at = v[n]
		case map[string]any:
			if i == len(path)-1 {
				v[name] = c.Value
				break
			}
			if v[name] == nil {
				v[name] = map[string]any{}
			}
			at = v[name]
		default:
			t.Fatalf("%s leads nowhere", c.Path)
		}
	}
	b, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// choice is what a policy decided for a job in a round.
func choice(t *testing.T, doc []byte, policy string, round int, job string) *message.JobChoice {
	t.Helper()
	ref := message.PolicyRef{ID: policy}
	parsed, _ := scenario.Parse(doc, scenario.FileLimits)
	for _, lane := range parsed.Scenario.Policies {
		if lane.ID == policy {
			ref.Params = lane.Params
		}
	}
	e, diags := lab.NewSession().Explain(&message.ExplainRequest{Scenario: doc, Policy: ref, Round: round, Job: job})
	if e == nil {
		t.Fatalf("%s, round %d, %s: %v", policy, round, job, diags)
	}
	for i := range e.Jobs {
		if strings.EqualFold(e.Jobs[i].ID, job) {
			return &e.Jobs[i]
		}
	}
	t.Fatalf("%s decides nothing for %s in round %d", policy, job, round)
	return nil
}

// finish is when a job ends under a policy, in s.
func finish(t *testing.T, doc []byte, policy, job string) float64 {
	t.Helper()
	res, _, diags := lab.Run(&message.RunRequest{Scenario: doc})
	if res == nil {
		t.Fatal(diags)
	}
	for i := range res.Runs {
		for _, j := range res.Runs[i].Jobs {
			if res.Runs[i].Policy == policy && j.ID == job && j.FinishS != nil {
				return *j.FinishS
			}
		}
	}
	t.Fatalf("%s does not end under %s", job, policy)
	return 0
}
