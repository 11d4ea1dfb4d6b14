package state

import (
	"hadarlab/app/room"
	"hadarlab/app/run"
)

// Runs is the run that is followed.
type Runs struct {
	*room.Shared
	Run      run.Run
	Server   ServerState
	onServer bool // the document as it stands was sent to the server, which keeps its result
}

// ServerState is what the page knows of the server that it came from.
type ServerState struct {
	// Takes says that it has a queue for runs of this engine. Another engine would give other traces.
	Takes bool
	// Problem is why the last run on it gave nothing, or not all; "" = nothing to say.
	Problem string
}

// giveUp cancels the run under way. What it still answers is ignored.
func (s *Runs) giveUp() []Effect {
	if s.Run.ID == 0 {
		return nil
	}
	id, onServer := s.Run.ID, s.Run.OnServer
	s.become(run.Run{})
	if onServer {
		return []Effect{StopOnServer{Drop: true}}
	}
	return []Effect{End{ID: id}}
}

// anew begins with a run, or with none; what went wrong with the one before is forgotten.
func (s *Runs) anew(r run.Run) {
	s.become(r)
	s.Server.Problem = ""
}

// become makes a run the one that is followed. Work on the one before is given up.
func (s *Runs) become(r run.Run) {
	s.Run.GiveUp()
	s.Run = r
}
