// Package room is what the rooms of the page, the lab, the board and a student's way through a class, have in common:
// what an action and an effect are, effects that more than one of them asks for, what the page is born with, and what
// all of them show. A room is a package with a model, actions of its own, and a reducer; it knows no other room's
// model. The page (app/state) composes them and gives each action to the room that it belongs to.
package room

import (
	"strings"

	"hadarlab/app/share"
	"hadarlab/core/class"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// Action is something that happened, as data. Its type is declared in the room that it happens in, with what it does
// there.
type Action any

// Effect is something to be done outside the state, by the page's host.
type Effect any

// Model is what a room knows. Reduce applies an action that belongs to it; any other is not its own.
type Model interface {
	Reduce(Action) (effects []Effect, own bool)
}

// Shared is what all rooms have in common.
type Shared struct {
	Boot         *Boot
	Defaults     scenario.Defaults
	Live         bool // the program runs; false in the markup made at build time
	Embed        bool // the page is shown inside another, to look at only
	Engine       EngineState
	Room         Room    // that is shown
	Notice       *Notice // why something could not be opened
	Toast        *Toast
	Announcement string    // for readers of the live region
	Teaching     *Teaching // nil = it is not here
	Untaught     bool      // it could not be had
	fetching     bool      // it is on its way
	numbers      int64
}

// Seq is a number that was not given before.
func (s *Shared) Seq() int64 {
	s.numbers++
	return s.numbers
}

// Notify says why something could not be opened.
func (s *Shared) Notify(n Notice) []Effect {
	s.Notice, s.Announcement = &n, n.Title
	return nil
}

// Tell shows a short report for some seconds.
func (s *Shared) Tell(text string, undo bool) []Effect {
	s.Toast = &Toast{Text: text, Undo: undo, number: s.Seq()}
	s.Announcement = text
	return []Effect{s.DropLater(8000)}
}

// DropLater takes the report that is shown away in some ms.
func (s *Shared) DropLater(ms int) Effect { return After{ms, dropToast{s.Toast.number}} }

// Actions on what is shared.
type (
	// CloseToast takes the report away, CloseNotice the notice.
	CloseToast  struct{}
	CloseNotice struct{}
	dropToast   struct{ number int64 }
)

// Reduce applies an action on what is shared.
func (s *Shared) Reduce(a Action) ([]Effect, bool) {
	switch a := a.(type) {
	case CloseToast:
		s.Toast = nil
	case CloseNotice:
		s.Notice = nil
	case dropToast:
		if s.Toast != nil && s.Toast.number == a.number {
			s.Toast = nil
		}
	default:
		return nil, false
	}
	return nil, true
}

// EngineState says whether the engine can be asked.
type EngineState int

const (
	EngineStarting EngineState = iota
	EngineReady
	EngineLoading // the larger one is being fetched; what it is asked meanwhile waits
	EngineBroken
)

// Notice is a message about something that could not be opened.
type Notice struct {
	Title string
	Diags jsondoc.Diagnostics
	Raw   string // what arrived, to look at
	Trace bool   // it may be a trace of another format than was told
	Broke bool   // the page itself is at fault
}

// Toast is a short report with an undo.
type Toast struct {
	Text      string
	Undo      bool
	Back      bool              // undo goes back behind a whole lesson
	Lesson    *scenarios.Lesson // that it leads to, nil = none
	Forgotten *share.Snapshot   // that can be kept again, nil = none
	Shows     Part              // what it is about
	number    int64
}

// Room is a screen of a class; Lab is none.
type Room uint8

// The rooms. A student works in the lab, with a strip above it; the board and the page that begins a class stand in
// its place.
const (
	Lab Room = iota
	Student
	Board
	Teach
	Wall // what a whole class sees
)

// At is the room that a fragment of the address names, with what follows its name: a class's code, with the key of
// a board behind it, or an assignment in the link itself.
func At(fragment string) (room Room, arg string) {
	name, arg, _ := strings.Cut(fragment, "=")
	switch name {
	case "class":
		return Student, arg
	case class.LinkAssignment:
		return Student, fragment
	case "board", class.LinkHandIn:
		return Board, strings.TrimPrefix(fragment, "board=")
	case "teach":
		return Teach, arg
	case "wall":
		return Wall, arg
	}
	return Lab, ""
}

// Discreet is an action that is recorded as less than it is: what opens a class, and what students are called and have
// handed in, is told to nobody.
type Discreet interface{ Recorded() any }

// Enter goes to a room. Kept is what the browser keeps for it.
type Enter struct {
	Room
	Arg, Kept string
	Drafts    string // that it keeps, too
	Start     bool   // the page begins with it
	Opening   int    // that the browser remembers
}

// Recorded is which room it was.
func (a Enter) Recorded() any { return Enter{Room: a.Room} }
