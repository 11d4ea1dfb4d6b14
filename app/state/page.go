package state

import (
	"hadarlab/app/board"
	"hadarlab/app/room"
	"hadarlab/app/student"
	"hadarlab/app/words"
	"hadarlab/core/message"
)

// State is the page: what its rooms share, the rooms, and what was done last.
type State struct {
	room.Shared
	Lab
	Student student.Model
	Board   board.Model
	Session Session
}

// action is one of the page's own.
type action interface{ on(s *State) []Effect }

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
	if effects, own := s.Imports.answered(a.Message, s.Doc); own {
		return effects
	}
	return s.answered(a.Message)
}

// EngineLoads says that the engine for programs is being fetched.
type EngineLoads struct{}

func (EngineLoads) on(s *State) []Effect {
	s.Engine = room.EngineLoading
	return nil
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
