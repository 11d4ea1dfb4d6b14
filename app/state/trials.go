package state

import (
	"strconv"

	"hadarlab/app/compare"
	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/message"
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

// tryNext asks for the next case of a test.
func (s *Comparisons) tryNext() []Effect {
	next := s.Trials.Next()
	if next == nil {
		s.Announcement = words.F("The program is tested: it comes through {0} of {1} cases.",
			strconv.Itoa(s.Trials.Sound()), strconv.Itoa(len(s.Trials.Cases)))
		return nil
	}
	s.Trials.ID = s.Seq()
	return []Effect{room.Ask{Request: &message.Message{ID: s.Trials.ID, Sweep: next}}}
}

// tried takes news of the case under way.
func (s *Comparisons) tried(m *message.Message) []Effect {
	if s.Trials.Answered(m) {
		return s.tryNext()
	}
	return nil
}
