package state

import (
	"hadarlab/app/compare"
	"hadarlab/app/room"
)

type (
	// TestProgram runs a lane's program on the scenario and on small cases beside it.
	TestProgram struct{ Lane int }
	// StopTest ends that; what has run is shown.
	StopTest struct{}
)

func (a TestProgram) on(s *Lab) []Effect {
	if a.Lane >= len(s.Doc.Scenario.Policies) || s.Diags.HasErrors() || s.Engine != room.EngineReady {
		return nil
	}
	src, _ := s.Doc.Scenario.Policies[a.Lane].Params["program"].(string)
	if src == "" {
		return nil
	}
	effects := StopTest{}.on(s)
	s.Trials = compare.NewTrials(s.Doc, a.Lane, src)
	return append(effects, s.tryNext()...)
}

func (StopTest) on(s *Lab) []Effect {
	id := s.Trials.ID
	if id == 0 {
		return nil
	}
	s.Trials.ID = 0 // what it still answers is ignored
	return []Effect{End{ID: id}}
}
