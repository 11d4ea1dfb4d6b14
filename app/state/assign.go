package state

import (
	"encoding/json"

	"hadarlab/app/edit"
	"hadarlab/core/class"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"

	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/text"
)

// AssignmentDraft is an assignment that is being written.
type AssignmentDraft struct {
	A      *class.Assignment
	Diags  text.Diagnostics
	Parsed *class.Assignment // nil while there are errors
	Truth  class.Truth       // as a run of this draft has found it, nil = not run
	Opens  []edit.Variable   // the numbers of its scenario
}

// Lanes are the policies of the draft's scenario.
func (d *AssignmentDraft) Lanes() (ids []string) {
	doc, _ := scenario.Parse(d.A.Scenario, scenario.FileLimits)
	if doc == nil {
		return nil
	}
	for _, p := range doc.Scenario.Policies {
		ids = append(ids, p.ID)
	}
	return ids
}

type (
	// WriteAssignment begins an own assignment, from a shipped one or, with no id, from the scenario of the lab.
	WriteAssignment struct{ ID string }
	// FindRight runs the draft's scenario and finds what is right.
	FindRight struct{}
	// SaveAssignment hands out the draft as a file. StartOwn begins a class with it.
	SaveAssignment struct{}
	StartOwn       struct{}
)

func (a WriteAssignment) on(s *State) []Effect {
	for _, k := range ShippedAssignments() {
		if k.ID == a.ID {
			return s.writeOn(k)
		}
	}
	return s.writeOn(s.fromScenario())
}

// fromScenario is a first assignment about the scenario of the lab.
func (s *State) fromScenario() *class.Assignment {
	a := &class.Assignment{Kind: class.Kind, Version: class.Version, ID: "own", Title: s.Title(),
		Situation: words.T("Say here what students read before they predict."), Scenario: s.Doc.Marshal(false),
		Explain: words.T("Why is it so? One sentence is enough.")}
	q := class.Question{ID: "sooner", Text: words.T("Which policy ends the average job sooner?"), Kind: class.Less,
		Metric: "avg_jct_s", Within: message.Tie, Again: true}
	var titles []string
	for _, p := range s.Doc.Scenario.Policies {
		titles = append(titles, s.Boot.WholeTitle(p.ID))
	}
	titles = run.Apart(titles...)
	for i, p := range s.Doc.Scenario.Policies {
		q.Options = append(q.Options, class.Option{ID: p.ID, Text: titles[i]})
		a.Task = &class.Task{Text: words.F("Make {0} end the average job sooner by changing exactly one number.",
			titles[i]), Metric: "avg_jct_s", Winner: p.ID, Changes: 1}
	}
	q.Options = append(q.Options, class.Option{ID: class.Same, Text: words.T("About the same")})
	a.Questions = []class.Question{q}
	for i, p := range class.Phases {
		a.Plan = append(a.Plan, class.Step{Phase: p, Minutes: []float64{1, 4, 6, 4, 7, 3}[i]})
	}
	return a
}

// writeOn takes an assignment up, judged anew.
func (s *State) writeOn(a *class.Assignment) []Effect {
	d := &AssignmentDraft{A: a}
	data, err := json.Marshal(a)
	if err == nil {
		d.Parsed, d.Diags = class.Parse(data)
	}
	if d.Parsed != nil {
		d.Opens = edit.Variables(d.Parsed.Document(), s.Boot.params)
	} else if old := s.Teach.Draft; old != nil {
		d.Opens = old.Opens
	}
	s.Teach.Draft = d
	return nil
}

// changeDraft takes a copy of the draft up, changed.
func (s *State) changeDraft(change func(*class.Assignment)) []Effect {
	if s.Teach.Draft == nil {
		return nil
	}
	n := s.Teach.Draft.A.Clone()
	change(n)
	return s.writeOn(n)
}

func (FindRight) on(s *State) []Effect {
	t := &s.Teach
	if t.Draft == nil || t.Draft.Parsed == nil || s.Engine != EngineReady || t.asked != 0 {
		return nil
	}
	return s.runFor(about{draft: t.Draft, doc: t.Draft.Parsed.Document()})
}

// draftRan takes the lanes of a draft's scenario, unless it was changed meanwhile.
func (s *State) draftRan(of *AssignmentDraft) {
	t := &s.Teach
	if t.Draft != of {
		return
	}
	n := *of
	n.Truth = of.Parsed.Truth(t.lanes)
	t.Draft = &n
	s.Spoken = words.F("{0} of {1} right answers found.", itoa(len(n.Truth)), itoa(len(n.A.Questions)))
}

func (SaveAssignment) on(s *State) []Effect {
	data, err := json.MarshalIndent(s.Teach.Draft.A, "", "  ")
	if err != nil {
		return nil
	}
	return []Effect{Download{s.Teach.Draft.A.ID + ".json", "application/json", data}}
}

func (StartOwn) on(s *State) []Effect {
	if s.Teach.Draft == nil || s.Teach.Draft.Parsed == nil {
		return nil
	}
	body, _ := json.Marshal(map[string]any{"assignment": s.Teach.Draft.A}) // it has just been read
	return s.startClass(s.Teach.Draft.A.ID, body)
}

// openDraft takes an assignment from a file or a link into the editor.
func (s *State) openDraft(file string) []Effect {
	data := []byte(file)
	if packed, diags := link.Unpack(file, class.MaxBytes, class.LinkAssignment, class.LinkJoin); !diags.HasErrors() {
		data = packed
	}
	a := &class.Assignment{}
	if json.Unmarshal(data, a) != nil || a.Kind != class.Kind {
		s.Teach.Problem = words.T("It is no assignment.")
		return nil
	}
	s.Teach.Problem = ""
	return s.writeOn(a)
}
