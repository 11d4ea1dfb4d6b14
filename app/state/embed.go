package state

import (
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/core/unit"
)

// embedded applies an action in an embed. Any that is not named here is refused.
func (s *State) embedded(a Action) []Effect {
	switch a.(type) {
	// what is shown, and what comes of it
	case GoLive, OpenLink, OpenShort, Fetched, RunNow, Cancel, Answer, EngineDied, Ticked, startPlanned, nextSlice,
		askNow, tellOutcome, showSoFar, AskFlip, StopFlip, Reworded:
	// where the reader looks
	case Go, GoTime, GoRound, Step, Walk, Play, tick, Disagreement, Select, SelectBar, SelectWait, WhyLane, WhyHere,
		ShowWhy, CloseWhy, ClosePeek, SortBy, Tab, ToggleLog, ToggleTable, Page, OnlyJob, ToggleFacts, Zoom, Pan,
		SetWindow, FitSelection, Arrange, Fold, Pin, OfBar, PlotWidth, Sight, Nothing:
	// keys and messages
	case ToggleKeys, Letters, Rekey, TakeKeys, Layout, Broke, DropOffer:
	// a link whose reader predicts first
	case Guess, Uncover:
	// what the reader takes along
	case SaveReport, SaveResult, SaveSVG, SavePNG, SaveEvents, SaveChart, SaveChrome, SaveSession, Print, Written,
		StopSaving:
	default:
		return nil
	}
	var out []Effect
	for _, e := range s.reduce(a) {
		switch e.(type) {
		case Save, room.SetAddress, Post, room.Store:
		default:
			out = append(out, e)
		}
	}
	return out
}

// GoRound moves the cursor to a round of the first lane.
type GoRound struct{ Round int }

func (a GoRound) on(s *Lab) []Effect {
	if len(s.Result.Lanes) == 0 || s.Result.Lanes[0].Trace == nil {
		return nil
	}
	rounds := s.Result.Lanes[0].Trace.Rounds
	if a.Round < 0 || a.Round >= len(rounds) {
		return nil
	}
	return GoTime{rounds[a.Round].At}.on(s)
}

// Selection is what is looked at, as the page around an embed learns it: the selected job, the round of the
// first lane (-1 = none yet) and the time of the cursor.
type Selection struct {
	Job   string
	Round int
	At    unit.Tick
}

// Selection is what is looked at now.
func (v *View) Selection(r *run.Result) Selection {
	sel := Selection{Job: v.Job, Round: -1}
	if len(r.Lanes) == 0 {
		return sel
	}
	if m, ok := r.Moment(v.Moment); ok {
		sel.At = m.At
		if l := r.Lanes[0]; l.Trace != nil {
			sel.Round = l.Trace.RoundAt(m.At)
		}
	}
	return sel
}
