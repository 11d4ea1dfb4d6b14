package state

import (
	"hadarlab/core/chart"
	"hadarlab/core/message"
	"hadarlab/core/unit"
)

// soFarMs is how long a run lasts before its curves are shown; those of quicker ones would only flicker.
const soFarMs = 250

// SoFar is what is known of a run under way.
type SoFar struct {
	chart.SoFar
	Shown bool
}

// showSoFar shows the curves of a run that is still under way.
type showSoFar struct{ run int64 }

func (a showSoFar) on(s *State) []Effect {
	if a.run == s.Run.ID {
		s.Run.SoFar.Shown = true
	}
	return nil
}

// progress takes up the engine's word on how far it is.
func (r *Run) progress(p message.Progress) {
	r.Progress = p
	r.SoFar.Jobs = p.Jobs
	r.SoFar.Add(p.Lane, unit.Seconds(p.TimeS), p.Finished)
}
