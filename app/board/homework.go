package board

import (
	"encoding/json"

	"hadarlab/app/room"
	"hadarlab/core/class"
)

// Start is what is asked before a class begins: led now, together, or as homework.
type Start struct {
	With     Source
	ID       string // of a shipped assignment
	Title    string // of the assignment
	NowMS    int64  // it was asked then, by this page's clock
	Homework bool
	class.Hours
}

// Source is where the assignment of a class that begins comes from.
type Source string

// The sources.
const (
	Shipped Source = "shipped"
	Own     Source = "own"   // the one that is being written
	Same    Source = "again" // that of the class on the board
)

// week is how long a homework is open unless another closing time is chosen, in ms.
const week = 7 * 24 * 60 * minute

// minute is what fields for a time show, in ms.
const minute = 60_000

type (
	// AskStart asks how a class is to begin, at a time of this page's clock (Unix ms). CloseStart begins none.
	AskStart struct {
		With Source
		ID   string
		At   int64
	}
	CloseStart struct{}
	// StartAs makes what begins a homework, or a class that is led.
	StartAs struct{ Homework bool }
	// StartHours chooses when the homework opens, else when it closes: Unix ms, 0 = none is chosen.
	StartHours struct {
		Opens bool
		Ms    int64
	}
	// ChooseCloses chooses another closing time for the homework on the board.
	ChooseCloses struct{ Ms int64 }
	// SetCloses gives it that. ReleaseFeedback tells what is right of it, which closes it.
	SetCloses       struct{}
	ReleaseFeedback struct{}
)

func (a AskStart) on(m *Model) []room.Effect {
	if m.Starting != "" {
		return nil
	}
	now := a.At / minute * minute // as fields show it
	s := &Start{With: a.With, ID: a.ID, NowMS: a.At, Hours: class.Hours{OpensMS: now, ClosesMS: now + week}}
	switch b := m.Class; a.With {
	case Same:
		if b == nil || b.Assignment == nil {
			return nil
		}
		s.Title, s.Homework = b.Assignment.Title, b.State.Homework()
	case Own:
		if m.Draft == nil || m.Draft.Parsed == nil {
			return nil
		}
		s.Title = m.Draft.A.Title
	default:
		for _, k := range m.Shipped() {
			if k.ID == a.ID {
				s.Title = k.Title
			}
		}
	}
	m.Start, m.Sheet, m.Problem = s, "", ""
	return nil
}

func (CloseStart) on(m *Model) []room.Effect { m.Start = nil; return nil }

func (a StartAs) on(m *Model) []room.Effect {
	return m.start(func(s *Start) { s.Homework = a.Homework })
}

func (a StartHours) on(m *Model) []room.Effect {
	return m.start(func(s *Start) {
		if a.Opens {
			s.OpensMS = a.Ms
		} else {
			s.ClosesMS = a.Ms
		}
	})
}

// start changes what is asked.
func (m *Model) start(change func(*Start)) []room.Effect {
	if m.Start != nil {
		s := *m.Start
		change(&s)
		m.Start = &s
	}
	return nil
}

// suggests is a later closing time for the homework on the board, 0 = there is none: the present one, or tomorrow.
func (m *Model) suggests() int64 {
	const day = week / 7
	if m.Class == nil || !m.Class.State.Homework() {
		return 0
	}
	return max(m.Class.State.ClosesMS, m.ServerMS()/minute*minute+day)
}

func (a ChooseCloses) on(m *Model) []room.Effect { m.Closes = a.Ms; return nil }

func (SetCloses) on(m *Model) []room.Effect {
	closes := m.Closes
	m.Sheet, m.Closes = "", 0
	if closes == 0 {
		return nil
	}
	return SetClass{class.Settings{ClosesMS: &closes}}.on(m)
}

func (ReleaseFeedback) on(m *Model) []room.Effect {
	m.Sheet = ""
	closed := class.Closed
	return SetClass{class.Settings{Phase: &closed}}.on(m)
}

// request asks for a class with an assignment, an id or a document, as homework where that was chosen.
func (m *Model) request(assignment any) []byte {
	of := struct {
		Assignment any `json:"assignment"`
		class.Hours
	}{Assignment: assignment}
	if s := m.Start; s != nil && s.Homework {
		of.Hours = s.Hours
	}
	body, _ := json.Marshal(of) // a text, or what has been read
	return body
}
