package state

import (
	"encoding/json"
	"reflect"

	"hadarlab/app/board"
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/scenario"
)

// note keeps an action that is about to be done.
func (s *State) note(a Action) {
	if follows(a) {
		return
	}
	p := step{did: a, doc: s.Doc}
	if e := editOf(a); e != nil && s.History.Joins(edit.Key(e)) {
		p.first = s.History.Entries[s.History.Pos-1].Document()
	}
	s.Session.keep(p)
}

// follows says whether an action comes by itself once another was done.
func follows(a Action) bool {
	switch a.(type) {
	case Answer, Written, Ticked, Posted, Fetched, Copied, board.ClockRead, EngineDied, EngineLoads, ListSnapshots,
		Seen, Broke, Nothing, room.Taught:
		return true
	}
	name := reflect.TypeOf(a).Name()
	return name[0] >= 'a' // those that a room sends to itself
}

// RecordedAction is an action as data.
type RecordedAction struct {
	Did  string          `json:"did"`
	With json.RawMessage `json:"with,omitempty"`
}

// Changed is an edit as data: what it says of itself and of all the keystrokes that it goes on with, the series that
// these are, and the document that it makes; without a sentence it changes nothing. Policy is set where it is one's
// choice.
type Changed struct {
	Sentence string          `json:"sentence,omitempty"`
	Whole    string          `json:"whole,omitempty"`
	Series   string          `json:"series,omitempty"`
	Document json.RawMessage `json:"document,omitempty"`
	Policy   *edit.SetPolicy `json:"policy,omitempty"`
}

// editOf is the edit of an action, nil = it has none.
func editOf(a Action) edit.Edit {
	switch a := a.(type) {
	case Do:
		return a.Edit
	case Try:
		return a.Edit
	case Mend:
		return a.Edit
	case Typed:
		if v, problem := a.number(); problem == "" {
			return a.Edit.Of(v)
		}
		return unread{a.Edit.Of(a.Range.Min)}
	}
	return nil
}

// unread is what cannot be read as an edit: only its series counts, which is taken back.
type unread struct{ of edit.Edit }

func (u unread) Key() string { return edit.Key(u.of) }

func (unread) Change(*scenario.Document) string { return "" }

// changed is what the step's edit changes.
func (p *step) changed() Changed {
	e, d := editOf(p.did), p.doc.Clone()
	c := Changed{Sentence: e.Change(d), Series: edit.Key(e)}
	if c.Sentence == "" {
		return c
	}
	c.Document = d.Marshal(false)
	if p.first != nil {
		c.Whole = e.Change(p.first.Clone())
	}
	if of, ok := e.(edit.SetPolicy); ok {
		c.Policy = &of
	}
	return c
}

// What stands for an action that is more than data.
type (
	RecordedEdit  struct{ Edit Changed }
	RecordedTyped struct {
		Field, Name, Text string
		Range             edit.Range
		Empty             bool
		Edit              Changed
	}
	RecordedLoad struct {
		Load
		Doc json.RawMessage
	}
	RecordedMoved struct {
		Address string
		Opening int
		Open    *RecordedAction
	}
)

// record is a step as data. What opens a class, and what students are called and have handed in, is no part of it. Of
// one that cannot be made data, since it is what the page broke by, there is what it was.
func (p *step) record() (r RecordedAction) {
	r.Did = reflect.TypeOf(p.did).Name()
	defer func() { recover() }()
	var with any = p.did
	switch a := p.did.(type) {
	case Do, Try, Mend:
		with = RecordedEdit{p.changed()}
	case Typed:
		with = RecordedTyped{a.Field, a.Name, a.Text, a.Range, a.Empty, p.changed()}
	case Load:
		with = RecordedLoad{a, a.Doc.Marshal(false)}
	case Moved:
		m := RecordedMoved{Address: a.Address, Opening: a.Opening}
		if _, room := a.Open.(room.Enter); room {
			m.Address = ""
		}
		if a.Open != nil {
			open := (&step{did: a.Open, doc: p.doc}).record()
			m.Open = &open
		}
		with = m
	case room.Discreet:
		with = a.Recorded()
	}
	if b, err := json.Marshal(with); err == nil { // else there is a number that is none
		r.With = b
	}
	return r
}

// Recording is a session as a file.
type Recording struct {
	Kind     string           `json:"kind"`    // RecordingKind
	Version  int              `json:"version"` // RecordingVersion
	Engine   string           `json:"engine"`
	Language string           `json:"language"`
	Problem  string           `json:"problem,omitempty"` // what went wrong
	Document json.RawMessage  `json:"document"`          // that stood before the first action
	Actions  []RecordedAction `json:"actions"`
}

// What a recording says of itself.
const (
	RecordingKind    = "hadarlab-session"
	RecordingVersion = 1
)

// Record is what was done so far, as data.
func (s *State) Record() Recording {
	r := Recording{Kind: RecordingKind, Version: RecordingVersion, Engine: s.Boot.Engine, Language: words.Tag()}
	if s.Notice != nil && s.Notice.Broke {
		r.Problem = s.Notice.Title
	}
	doc := s.Doc
	if len(s.Session.steps) > 0 {
		doc = s.Session.steps[0].doc
	}
	r.Document = doc.Marshal(false)
	for i := range s.Session.steps {
		r.Actions = append(r.Actions, s.Session.steps[i].record())
	}
	return r
}

// SaveSession hands out what was done last, for a report of what went wrong.
type SaveSession struct{}

func (SaveSession) on(s *State) []Effect {
	b, err := json.Marshal(s.Record())
	if err != nil { // documents and texts encode
		return s.Tell(err.Error(), false)
	}
	return []Effect{room.Download{Name: s.fileName() + "-session.json", Type: "application/json", Data: b}}
}
