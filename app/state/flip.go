package state

import (
	"hadarlab/core/message"
	"hadarlab/core/words"
)

// Flip is the search for what would change one decision: the latest that was asked for.
type Flip struct {
	at      flipKey
	id      int64 // of the request under way, 0 = none
	Tried   int
	All     int
	Result  *message.FlipResult
	Problem words.Text
}

type flipKey struct {
	result      int64
	lane, round int
	job         string
}

// Busy says whether the search goes on.
func (f *Flip) Busy() bool { return f.id != 0 }

// FlipHere is the search about a lane's decision for the selected job at the cursor, nil when nobody asked.
func (s *State) FlipHere(lane int) *Flip {
	if s.Flip.at != s.flipKey(lane) {
		return nil
	}
	return &s.Flip
}

func (s *State) flipKey(lane int) flipKey {
	return flipKey{s.Result.ID, lane, s.Result.Round(lane, s.View.Moment), s.View.Job}
}

type (
	// AskFlip searches what would change a lane's decision for the selected job at the cursor.
	AskFlip struct{ Lane int }
	// StopFlip gives the search up.
	StopFlip struct{}
)

func (a AskFlip) on(s *State) []Effect {
	l := s.ranLane(a.Lane)
	if s.Engine != EngineReady || l == nil || s.View.Job == "" {
		return nil
	}
	effects := s.stopFlip()
	s.Flip = Flip{at: s.flipKey(a.Lane), id: s.seq()}
	return append(effects, Ask{&message.Message{ID: s.Flip.id, Flip: &message.FlipRequest{Scenario: s.Result.Text,
		Policy: l.Policy, Lane: a.Lane, Round: s.Flip.at.round, Job: s.View.Job}}})
}

func (StopFlip) on(s *State) []Effect { return s.stopFlip() }

func (s *State) stopFlip() []Effect {
	id := s.Flip.id
	s.Flip = Flip{}
	if id == 0 {
		return nil
	}
	return []Effect{End{ID: id}}
}

// flipAnswered takes an answer to the search under way.
func (s *State) flipAnswered(m *message.Message) []Effect {
	f := &s.Flip
	switch {
	case m.Progress != nil:
		f.Tried, f.All = m.Progress.Finished, m.Progress.Jobs
		return nil
	case m.Flipped != nil:
		f.Result = m.Flipped
		s.Spoken = m.Flipped.Sentence
	case m.Failure != nil:
		f.Problem = m.Failure.Why()
	}
	f.id = 0
	return nil
}
