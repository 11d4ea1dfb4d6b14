package state

import (
	"hadarlab/app/room"
)

// TogglePredict turns predicting on or off.
type TogglePredict struct{}

// Guess says which of the first two lanes will have the shorter mean completion.
type Guess struct{ Side int }

// Uncover shows what a change does to a reader who does not want to say.
type Uncover struct{}

func (TogglePredict) on(s *Lab) []Effect {
	p := &s.Predict
	behind := p.Take()
	p.Toggle()
	s.History.Stands().Covered = false
	effects := append(s.take(behind), s.save())
	if p.On && !s.Learn.Gallery {
		effects = append(effects, room.Focus{Part: room.PartPredict})
	}
	return effects
}

func (a Guess) on(s *Lab) []Effect {
	p := &s.Predict
	if !p.Covered {
		return nil
	}
	p.Guess(a.Side)
	s.History.Stands().Covered = false
	effects := s.take(p.Take())
	judgeGuess(s)
	return append(append([]Effect{s.save(), room.Focus{Part: room.PartPredict}}, effects...), s.ask()...)
}

func (Uncover) on(s *Lab) []Effect {
	behind := s.Predict.Take()
	s.Predict.Uncover()
	s.Predict.Stand(0)
	s.Predict.On = !s.Embed // where nothing can be changed, nothing more is to be predicted
	s.History.Stands().Covered = false
	return append(s.take(behind), s.save(), room.Focus{Part: room.PartPredict})
}

// cover hides what the new document does. One that is not run, or has nothing to compare, hides nothing. Behind an edit
// the old picture stays, where it was one of the document that was edited.
func (s *Lab) cover() {
	s.Predict.Uncover()
	s.Predict.Covered = s.Predict.On && s.predictable() && !s.Learn.Going()
}
