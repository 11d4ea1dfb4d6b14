package state

import (
	"hadarlab/app/edit"
	"hadarlab/app/learn"
	"hadarlab/app/words"
)

// Kept is what is kept for this tab, so that a reload goes on where the page was: the history, what stands in it, and
// what else the reader is in the middle of.
type Kept struct {
	Steps    []edit.Entry `json:"steps"`
	Pos      int          `json:"pos"` // of the step that stands
	Lesson   *learn.Saved `json:"lesson,omitempty"`
	OnServer bool         `json:"away,omitempty"`    // the server runs it, which may still have its result
	Predict  int          `json:"predict,omitempty"` // PredictOn, PredictCovered, 0 = neither
}

// Save keeps what Restore takes up again.
type Save struct{ Kept }

func (s *Lab) save() Effect {
	k := Kept{Lesson: s.Learn.Saved(), OnServer: s.onServer, Predict: s.Predict.Kept()}
	k.Steps, k.Pos = s.History.Kept()
	return Save{k}
}

// SaveEnded says whether the browser has kept what Save gave it, where that has changed.
type SaveEnded struct{ Kept bool }

func (a SaveEnded) on(s *Lab) []Effect {
	told := s.KeepFailed == !a.Kept
	if s.KeepFailed = !a.Kept; a.Kept || told {
		return nil
	}
	return s.Tell(words.T(
		"This browser keeps nothing for this tab: edits will not survive a reload. Share a link, or save the scenario as a file."),
		true)
}
