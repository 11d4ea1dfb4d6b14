package state

import (
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/message"
)

// clockEvery is how often a run is timed, in ms.
const clockEvery = 500

// ServerState is what the page knows of the server that it came from.
type ServerState struct {
	// Takes says that it has a queue for runs of this engine. Another engine would give other traces.
	Takes bool
	// Problem is why the last run on it gave nothing, or not all; "" = nothing to say.
	Problem string
}

// Effects on the server and the clock.
type (
	// SendToServer sends a run to the server. It answers as the engine does.
	SendToServer struct {
		ID      int64
		Request *message.RunRequest
	}
	// StopOnServer ends the run on the server. Unless all is dropped, what it has done is answered.
	StopOnServer struct{ Drop bool }
	// Clock reports back with Ticked in some ms. Ask says that the server should be asked whether it takes runs.
	Clock struct {
		Run int64
		Ms  int
		Ask bool
	}
)

// Effects of sweeps and replicates on the server.
type (
	// AskServer asks whether the server takes runs, and reports back with ServerKnown.
	AskServer struct{}
	// SendSweep sends a sweep, or replicates where nothing varies. It answers as the engine does.
	SendSweep struct {
		ID      int64
		Request *message.SweepRequest
	}
	// StopSweepOnServer ends it. Unless all is dropped, what it has done is answered.
	StopSweepOnServer struct {
		ID   int64
		Drop bool
	}
)

// ServerKnown says whether the server takes runs.
type ServerKnown struct{ Takes bool }

func (a ServerKnown) on(s *Lab) []Effect {
	s.Server.Takes = s.Server.Takes || a.Takes && !s.Embed
	return nil
}

// Ticked says what time it is, in ms from any start, and whether the server is known to take runs.
type Ticked struct {
	Run, Ms int64
	Takes   bool
}

func (a Ticked) on(s *Lab) []Effect {
	r := &s.Run
	if r.ID == 0 || a.Run != r.ID {
		return nil
	}
	r.Tick(a.Ms)
	ask := r.Long() && !r.OnServer && !r.Offered && !r.Stopping && !s.Embed
	if s.Server.Takes = s.Server.Takes || a.Takes; ask && s.Server.Takes {
		r.Offered, ask = true, false
		s.Spoken = words.T("This run takes a long time here. The server can run it.")
	}
	return []Effect{Clock{r.ID, clockEvery, ask}}
}

// RunOnServer hands the run over to the server: the one under way is stopped, and what it has done is kept.
type RunOnServer struct{}

func (RunOnServer) on(s *Lab) []Effect {
	r := &s.Run
	switch {
	case !s.Server.Takes || s.Diags.HasErrors() || r.Busy() && (r.OnServer || r.Stopping):
		return nil
	case r.ID == 0 || r.OnServer:
		return append(s.giveUp(), s.send()...)
	}
	r.Stopping, r.HandOver = true, true
	return []Effect{End{ID: r.ID, Keep: true}}
}

// send sends the document to the server.
func (s *Lab) send() []Effect {
	r := run.New(s.Seq(), s.Doc, s.History.Stands().Kept())
	s.anew(run.Begin(r, true))
	s.Spoken = words.T("The run goes on the server.")
	s.onServer = true
	return []Effect{s.save(), SendToServer{r.ID, r.Request()}, room.After{Ms: soFarMs, Action: showSoFar{r.ID}}}
}
