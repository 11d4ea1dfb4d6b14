package state

import (
	"strings"

	"hadarlab/core/class"
)

// Room is a screen of a class; LabRoom is none.
type Room uint8

// The rooms. A student works in the lab, with a strip above it; the board and the page that begins a class stand in
// its place.
const (
	LabRoom Room = iota
	StudentRoom
	BoardRoom
	TeachRoom
)

// RoomAt is the room that a fragment of the address names, with what follows its name: a class's code, with the key of
// a board behind it, or an assignment in the link itself.
func RoomAt(fragment string) (room Room, arg string) {
	name, arg, _ := strings.Cut(fragment, "=")
	switch name {
	case "class":
		return StudentRoom, arg
	case class.LinkAssignment:
		return StudentRoom, fragment
	case "board", class.LinkHandIn:
		return BoardRoom, strings.TrimPrefix(fragment, "board=")
	case "teach":
		return TeachRoom, arg
	}
	return LabRoom, ""
}

// EnterRoom goes to a room. Kept is what the browser keeps for it.
type EnterRoom struct {
	Room
	Arg, Kept string
	Drafts    string // that it keeps, too
	Start     bool   // the page begins with it
	Opening   int    // that the browser remembers
}

func (a EnterRoom) on(s *State) []Effect {
	if a.Room == StudentRoom {
		return s.enterClass(a)
	}
	s.Room = a.Room
	return s.enterBoard(a)
}

// Effects between a class's page and its server.
type (
	// Call asks the server, with a token where there is one, and reports what Then makes of its answer; status 0 = it
	// was not reached.
	Call struct {
		Method, Path, Token string
		Body                []byte
		Then                func(status int, body []byte) Action
	}
	// Follow reports every message about a class whose path this is, and with another status than 200 that there are
	// none; status 0 = the server is not reached, and is tried again. Each call ends the one before, "" ends it.
	Follow struct {
		Path string
		Then func(status int, body []byte) Action
	}
)

func (Call) effect()   {}
func (Follow) effect() {}
