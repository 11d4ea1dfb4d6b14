package state

import (
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// debounce is how long after the last keystroke a run starts, in ms.
const debounce = 40

// plan starts a run soon, and gives up the one under way: its answer would be of a past document.
func (s *Lab) plan() []Effect {
	effects := s.giveUp()
	s.anew(run.Run{})
	if s.Diags.HasErrors() || !s.Live {
		return effects
	}
	s.Run.Planned = s.Seq()
	return append(effects, room.After{Ms: debounce, Action: startPlanned{s.Run.Planned}})
}

type startPlanned struct{ seq int64 }

func (a startPlanned) on(s *Lab) []Effect {
	if s.Run.Planned != a.seq {
		return nil // another edit came
	}
	return s.start(s.Doc, s.History.Stands().Kept())
}

// RunNow starts a run without waiting.
type RunNow struct{}

func (RunNow) on(s *Lab) []Effect {
	if s.Diags.HasErrors() || !s.Live {
		return nil
	}
	s.onServer = false
	return append(append(s.giveUp(), s.save()), s.start(s.Doc, s.History.Stands().Kept())...)
}

// start runs a document, of which the history keeps a text.
func (s *Runs) start(d *scenario.Document, kept []byte) []Effect {
	s.Run.Planned = 0
	if s.Engine == room.EngineStarting {
		s.Run.Planned = s.Seq() // it starts when the engine is ready
		return nil
	}
	r := run.New(s.Seq(), d, kept)
	s.anew(run.Begin(r, false))
	return []Effect{room.Ask{Request: &message.Message{ID: r.ID, Run: r.Request()}},
		room.After{Ms: soFarMs, Action: showSoFar{r.ID}}, Clock{Run: r.ID, Ask: s.Run.Large() && !s.Embed}}
}

// send sends the document to the server.
func (s *Lab) send() []Effect {
	r := run.New(s.Seq(), s.Doc, s.History.Stands().Kept())
	s.anew(run.Begin(r, true))
	s.Announcement = words.T("The run goes on the server.")
	s.onServer = true
	return []Effect{s.save(), SendToServer{r.ID, r.Request()}, room.After{Ms: soFarMs, Action: showSoFar{r.ID}}}
}

// soFarMs is how long a run lasts before its curves are shown; those of quicker ones would only flicker.
const soFarMs = 250

// showSoFar shows the curves of a run that is still under way.
type showSoFar struct{ run int64 }

func (a showSoFar) on(s *Lab) []Effect {
	if a.run == s.Run.ID {
		s.Run.SoFar.Shown = true
	}
	return nil
}

// Cancel stops the run under way; what is done so far stays.
type Cancel struct{}

func (Cancel) on(s *Lab) []Effect {
	if s.Run.Planned != 0 {
		s.Run.Planned = 0
		s.Run.Stopped = true
		return nil
	}
	switch {
	case s.Run.ID == 0:
		return nil
	case s.Run.Drawing():
		s.Run.Drop()
		return nil
	case s.Run.Stopping:
		s.Run.HandOver = false // not on the server either
		return nil
	}
	s.Run.Stopping, s.Run.Stopped = true, true
	s.Announcement = words.T("Run stopped.")
	if s.Run.OnServer {
		return []Effect{StopOnServer{}}
	}
	return []Effect{End{ID: s.Run.ID, Keep: true}}
}
