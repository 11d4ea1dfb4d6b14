package state

import (
	"hadarlab/app/room"
)

// looks says whether an action is one that an embed takes. Any that is not named here is refused.
func looks(a Action) bool {
	switch a.(type) {
	// what is shown, and what comes of it
	case GoLive, OpenLink, OpenShort, Fetched, RunNow, Cancel, Answer, EngineDied, EngineLoads, Ticked, startPlanned,
		nextSlice, askNow, tellOutcome, showSoFar, AskFlip, StopFlip, Reworded:
	// where the reader looks
	case Go, GoTime, GoRound, Step, Walk, Play, tick, Disagreement, Select, SelectBar, SelectWait, ExplainLane, WhyHere,
		ShowWhy, CloseWhy, ClosePeek, SortBy, ChooseChart, ToggleLog, ToggleTable, TurnPage, ToggleOnlyJob, ToggleFacts,
		ZoomBy, Pan, SetWindow, FitSelection, Arrange, Fold, Pin, OfBar, PlotWidth, Seen, Nothing:
	// keys and messages
	case ToggleKeys, Letters, Rekey, TakeKeys, Layout, Broke, DropOffer:
	// a link whose reader predicts first
	case Guess, Uncover:
	// what the reader takes along
	case SaveReport, SaveResult, SaveSVG, SavePNG, SaveEvents, SaveChart, SaveChrome, SaveSession, Print, Written,
		StopSaving:
	default:
		return false
	}
	return true
}

// untouched are the effects without those on the address, and on what is kept in the browser or on the server.
func untouched(effects []Effect) (out []Effect) {
	for _, e := range effects {
		switch e.(type) {
		case Save, room.SetAddress, Post, room.Store:
		default:
			out = append(out, e)
		}
	}
	return out
}
