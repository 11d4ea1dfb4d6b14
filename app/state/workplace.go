package state

import (
	"hadarlab/app/room"
	"hadarlab/app/student"
	"hadarlab/core/scenario"
)

// workplace is the lab as a student's desk.
type workplace struct{ s *Lab }

// Work is what stands in the lab.
func (w workplace) Work() student.Work {
	s := w.s
	return student.Work{Doc: s.Doc, Lanes: s.Result.Lanes, Faults: s.Faults(), Ran: s.Fresh() && !s.Run.Busy(),
		Resumed: s.Resumed, First: s.History.Pos == 0 && len(s.History.Entries) == 1, Opening: s.at.Opening}
}

// Base is what that was made from.
func (w workplace) Base() *scenario.Document { return w.s.History.Base().Document() }

// Open puts a scenario into the lab.
func (w workplace) Open(t student.Sheet) []room.Effect {
	return Load{Doc: t.Doc, Sentence: t.Sentence, Toast: t.Toast, Opens: t.Begins, Came: t.Begins,
		Alone: t.Alone}.on(w.s)
}

// Came says that the browser stands at the class.
func (w workplace) Came(opening int, again bool) []room.Effect {
	if again {
		return Moved{Opening: opening}.on(w.s)
	}
	w.s.at = visit{Opening: opening}
	return nil
}
