package state

import (
	"hadarlab/app/words"
	"hadarlab/core/scenario"
)

// clockEvery is how often a run is timed, in ms.
const clockEvery = 500

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
	ask := !s.Doc.Recorded() && r.Long() && !r.OnServer && !r.Offered && !r.Stopping && !s.Embed
	if s.Server.Takes = s.Server.Takes || a.Takes; ask && s.Server.Takes {
		r.Offered, ask = true, false
		s.Announcement = words.T("This run takes a long time here. The server can run it.")
	}
	return []Effect{Clock{r.ID, clockEvery, ask}}
}

// RunOnServer hands the run over to the server: the one under way is stopped, and what it has done is kept.
type RunOnServer struct{}

func (RunOnServer) on(s *Lab) []Effect {
	r := &s.Run
	switch {
	case s.Doc.Recorded():
		return s.Tell(scenario.RecordsStay().In(words.Now()), false)
	case !s.Server.Takes || s.Diags.HasErrors() || r.Busy() && (r.OnServer || r.Stopping):
		return nil
	case r.ID == 0 || r.OnServer:
		return append(s.giveUp(), s.send()...)
	}
	r.Stopping, r.HandOver = true, true
	return []Effect{End{ID: r.ID, Keep: true}}
}
