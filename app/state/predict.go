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
	p.Toggle()
	s.History.Stands().Covered = false
	if p.On && !s.Learn.Gallery {
		return []Effect{s.save(), room.Focus{Part: room.PartPredict}}
	}
	return []Effect{s.save()}
}

func (a Guess) on(s *Lab) []Effect {
	p := &s.Predict
	if !p.Covered {
		return nil
	}
	p.Guess(a.Side)
	s.History.Stands().Covered = false
	s.judgeGuess()
	return []Effect{s.save(), room.Focus{Part: room.PartPredict}}
}

func (Uncover) on(s *Lab) []Effect {
	s.Predict.Uncover()
	s.Predict.Stand(0)
	s.Predict.On = !s.Embed // where nothing can be changed, nothing more is to be predicted
	s.History.Stands().Covered = false
	return []Effect{s.save(), room.Focus{Part: room.PartPredict}}
}

// cover hides what the new document does. One that is not run, or has nothing to compare, hides nothing.
func (s *Lab) cover() {
	s.Predict.Uncover()
	s.Predict.Covered = s.Predict.On && s.predictable() && s.Learn.Lesson == nil
}

// judgeGuess tells the reader who has said something how it is, as soon as it is known.
func (s *Lab) judgeGuess() {
	if s.Fresh() && s.Predict.Judge(s.Result) {
		s.Spoken = s.Predict.Verdict
	}
}
