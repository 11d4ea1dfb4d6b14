// Package state is everything the page knows, as one value with a pure reducer: an action changes the
// state and answers with effects, which others carry out. State composes the rooms: the lab, which is here, the student
// and the board, which are packages of their own, as the parts of the lab are that know their own values only: edit,
// run, compare, learn and share. It knows neither the browser nor how things look, and it never simulates: results come
// from the engine as messages.
//
// Flow: event → Action → State.Reduce → the Reduce of its room → Effects → engine, storage, clipboard … → Action.
package state

import (
	"hadarlab/app/board"
	"hadarlab/app/room"
	"hadarlab/app/student"
	"hadarlab/app/words"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// State is the page: what its rooms share, the rooms, and what was done last.
type State struct {
	room.Shared
	Lab
	Student student.Model
	Board   board.Model
	Session Session
}

// Action and Effect are what the page is told and what it asks for.
type (
	Action = room.Action
	Effect = room.Effect
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

// action is one of the page's own.
type action interface{ on(s *State) []Effect }

// Reduce applies an action.
func (s *State) Reduce(a Action) []Effect {
	s.note(a)
	if effects, ok := s.Shared.Reduce(a); ok {
		return effects
	}
	if s.Embed {
		return s.embedded(a)
	}
	return s.reduce(a)
}

// reduce gives an action to the room that it belongs to.
func (s *State) reduce(a Action) []Effect {
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

// GoLive says that the program runs in the browser. A saved document or a link replaces the first preset.
type GoLive struct{}

func (GoLive) on(s *State) []Effect { s.Live = true; return nil }

// EmbedOn makes the page a view to look at, inside another page: nothing that is shown can be changed,
// and neither the address nor anything kept in the browser is touched.
type EmbedOn struct{}

func (EmbedOn) on(s *State) []Effect { s.Embed = true; return nil }

// Nothing changes nothing.
type Nothing struct{}

func (Nothing) on(*State) []Effect { return nil }

// Broke says that something in the page went wrong.
type Broke struct{ Why string }

func (a Broke) on(s *State) []Effect {
	s.Notice = &room.Notice{Title: words.F("Something in the page went wrong: {0}. Your scenario is kept.", a.Why),
		Broke: true}
	return nil
}

// Answer is a message from the engine.
type Answer struct{ Message *message.Message }

func (a Answer) on(s *State) []Effect {
	if a.Message.Ready {
		s.Engine = room.EngineReady
		return append(append(s.engineReady(), s.Student.EngineReady()...), s.Board.EngineReady()...)
	}
	if effects, own := s.Board.Answered(a.Message); own {
		return effects
	}
	if s.Student.Answered(a.Message) {
		return nil
	}
	return s.answered(a.Message)
}

// EngineDied says that the engine crashed. It is being restarted when Again is set.
type EngineDied struct {
	Message string
	Again   bool
}

func (a EngineDied) on(s *State) []Effect {
	s.Engine = room.EngineStarting
	if !a.Again {
		s.Engine = room.EngineBroken
	}
	s.engineDied(a.Message)
	s.Student.EngineDied()
	s.Board.EngineDied()
	return nil
}
