package board

import (
	"encoding/json"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/class"
	"hadarlab/core/jsondoc"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// Draft is an assignment that is being written.
type Draft struct {
	A      *class.Assignment
	Diags  jsondoc.Diagnostics
	Parsed *class.Assignment   // nil while there are errors
	Truth  class.Truth         // as a run of this draft has found it, nil = not run
	Near   jsondoc.Diagnostics // edges of answers that are too near to what that run found
	Opens  []edit.Variable     // the numbers of its scenario
	Titles []string            // of a race's scenarios
}

// DraftName is where this browser keeps the assignment that is being written, until it is discarded.
const DraftName = "hadarlab.assignment"

// Lanes are the policies of the draft's scenario.
func (d *Draft) Lanes() (ids []string) {
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
	// DropDraft discards the draft. PutDraftBack takes up again what was discarded, or what a file has replaced.
	DropDraft    struct{}
	PutDraftBack struct{}
)

func (a WriteAssignment) on(m *Model) []room.Effect {
	for _, k := range m.Shipped() {
		if k.ID == a.ID {
			return m.begin(k)
		}
	}
	return m.begin(m.fromScenario())
}

// FromLab is the title of the scenario in the lab, from which an assignment may begin.
func (m *Model) FromLab() string { return m.Boot.TitleOf(m.scenario()) }

// fromScenario is a first assignment about the scenario of the lab.
func (m *Model) fromScenario() *class.Assignment {
	stands := m.scenario()
	a := &class.Assignment{Kind: class.Kind, Version: class.Version, ID: "own", Title: m.Boot.TitleOf(stands),
		Situation: words.T("Say here what students read before they predict."), Scenario: stands.Marshal(false),
		Explain: words.T("Why is it so? One sentence is enough.")}
	q := class.Question{ID: "sooner", Text: words.T("Which policy ends the average job sooner?"), Kind: class.Less,
		Metric: "avg_jct_s", Within: message.Tie, Again: true}
	var titles []string
	for _, p := range stands.Scenario.Policies {
		titles = append(titles, m.Boot.WholeTitle(p.ID))
	}
	titles = run.Apart(titles...)
	for i, p := range stands.Scenario.Policies {
		q.Options = append(q.Options, class.Option{ID: p.ID, Text: titles[i]})
		a.Task = &class.Task{Text: words.F("Make {0} end the average job sooner by changing exactly one number.",
			titles[i]), Metric: "avg_jct_s", Winner: p.ID, Changes: 1}
	}
	q.Options = append(q.Options, class.Option{ID: class.Same, Text: words.T("About the same")})
	a.Questions = []class.Question{q}
	for i, p := range class.Phases {
		a.Plan = append(a.Plan, class.Step{Phase: p, Minutes: []float64{1, 4, 4, 1, 5, 7, 3}[i]})
	}
	return a
}

// writeOn takes an assignment up, judged anew, and has the browser keep it: a teacher who reloads goes on with it.
func (m *Model) writeOn(a *class.Assignment) []room.Effect {
	d := &Draft{A: a}
	data, err := json.Marshal(a)
	var effects []room.Effect
	if err == nil {
		d.Parsed, d.Diags = class.Parse(data)
		effects = append(effects, room.Store{Name: DraftName, Text: string(data)})
	}
	if a.Task != nil && a.Task.Race != nil {
		for _, raw := range a.Task.Race.Scenarios {
			title := ""
			if doc, _ := scenario.Parse(raw, scenario.FileLimits); doc != nil {
				title = m.Boot.TitleOf(doc)
			}
			d.Titles = append(d.Titles, title)
		}
	}
	if d.Parsed != nil {
		d.Opens = edit.Variables(d.Parsed.Document(), m.Boot.Params)
	} else if old := m.Draft; old != nil {
		d.Opens = old.Opens
	}
	m.Draft = d
	return effects
}

// begin takes another assignment up. The one that was being written can be put back.
func (m *Model) begin(a *class.Assignment) []room.Effect {
	if m.Draft != nil {
		m.Dropped = m.Draft.A
	}
	return m.writeOn(a)
}

func (DropDraft) on(m *Model) []room.Effect {
	if m.Draft == nil {
		return nil
	}
	m.Dropped, m.Draft = m.Draft.A, nil
	m.Announcement = words.F("“{0}” is discarded.", m.Dropped.Title)
	return []room.Effect{room.Store{Name: DraftName}}
}

func (PutDraftBack) on(m *Model) []room.Effect {
	a := m.Dropped
	if a == nil {
		return nil
	}
	m.Dropped = nil
	return m.begin(a)
}

// takeUp goes on with the assignment that the browser has kept; what another version kept may be none.
func (m *Model) takeUp(kept string) {
	if a := readDraft([]byte(kept)); a != nil && m.Draft == nil {
		m.writeOn(a)
	}
}

// readDraft reads an assignment that may have errors, nil for what is none.
func readDraft(data []byte) *class.Assignment {
	a := &class.Assignment{}
	if json.Unmarshal(data, a) != nil || a.Kind != class.Kind {
		return nil
	}
	return a
}

// changeDraft takes a copy of the draft up, changed.
func (m *Model) changeDraft(change func(*class.Assignment)) []room.Effect {
	if m.Draft == nil {
		return nil
	}
	n := m.Draft.A.Clone()
	change(n)
	return m.writeOn(n)
}

func (FindRight) on(m *Model) []room.Effect {
	if m.Draft == nil || m.Draft.Parsed == nil || m.Engine != room.EngineReady || m.asked != 0 {
		return nil
	}
	return m.runFor(pendingRun{draft: m.Draft, doc: m.Draft.Parsed.Document()})
}

// draftRan takes the lanes of a draft's scenario, unless it was changed meanwhile.
func (m *Model) draftRan(of *Draft) {
	if m.Draft != of {
		return
	}
	n := *of
	n.Truth, n.Near = of.Parsed.Truth(m.lanes), of.Parsed.Near(class.LanesOf(m.lanes))
	m.Draft = &n
	m.Announcement = words.F("{0} of {1} right answers found.", itoa(len(n.Truth)), itoa(len(n.A.Questions)))
	if len(n.Near) > 0 {
		m.Announcement += " " + words.T("An edge of an answer is too near to what is right.")
	}
}

func (SaveAssignment) on(m *Model) []room.Effect {
	data, err := json.MarshalIndent(m.Draft.A, "", "  ")
	if err != nil {
		return nil
	}
	return []room.Effect{room.Download{Name: m.Draft.A.ID + ".json", Type: "application/json", Data: data}}
}

func (StartOwn) on(m *Model) []room.Effect {
	if m.Draft == nil || m.Draft.Parsed == nil {
		return nil
	}
	return m.startClass(m.Draft.A.ID, m.request(m.Draft.A))
}

// openDraft takes an assignment from a file or a link into the editor.
func (m *Model) openDraft(file string) []room.Effect {
	data := []byte(file)
	if packed, diags := link.Unpack(file, class.MaxBytes, class.LinkAssignment, class.LinkJoin); !diags.HasErrors() {
		data = packed
	}
	a := readDraft(data)
	if a == nil {
		m.Problem = words.T("It is no assignment.")
		return nil
	}
	m.Problem = ""
	return m.begin(a)
}
