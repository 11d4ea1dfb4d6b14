// Package state is everything the page knows, as one value with a pure reducer: an action changes the
// state and answers with effects, which others carry out. State composes the rooms: the lab, which is here, the student
// and the board, which are packages of their own, as the parts of the lab are that know their own values only: edit,
// run, compare, learn and share. It knows neither the browser nor how things look, and it never simulates: results come
// from the engine as messages.
//
// Flow: event → Action → State.Reduce → the Reduce of its room → Effects → engine, storage, clipboard … → Action.
//
// A file uses only files below it. At the bottom are the effects, and what the lab knows: its parts (lab_*.go), which
// know their own values only, and Lab itself. Above it is what the lab does, a file a subject: run begins and ends a
// run, result takes its answers, landing shows what stands, history changes the document, open and links replace it,
// start is how it begins … On top is the page: its own actions (page), what was done last (session, recording), what an
// embed takes (embed), and this file.
package state

import (
	"hadarlab/app/board"
	"hadarlab/app/room"
	"hadarlab/app/student"
	"hadarlab/core/scenario"
)

// New is the state at the start: the first preset with its result.
func New(b *room.Boot) (*State, error) {
	s := &State{Shared: room.Shared{Boot: b, Defaults: b.Defaults()}}
	s.Student = student.New(&s.Shared, workplace{&s.Lab})
	s.Board = board.New(&s.Shared, func() *scenario.Document { return s.Doc })
	var err error
	s.Lab, err = newLab(&s.Shared, &s.Student)
	return s, err
}

// Reduce applies an action.
func (s *State) Reduce(a Action) []Effect {
	s.note(a)
	if effects, ok := s.Shared.Reduce(a); ok {
		return effects
	}
	if !s.Embed {
		return s.reduce(a)
	}
	if !looks(a) {
		return nil
	}
	return untouched(s.reduce(a))
}

// reduce gives an action to the room that it belongs to.
func (s *State) reduce(a Action) []Effect {
	if came, ok := a.(room.Taught); ok {
		s.Take(came)
		return append(taught(&s.Lab), board.Taught(&s.Board)...)
	}
	if own, ok := a.(action); ok {
		return own.on(s)
	}
	for _, r := range []room.Model{&s.Lab, &s.Student, &s.Board} {
		if effects, own := r.Reduce(a); own {
			return effects
		}
	}
	panic("state: nobody takes this action")
}
