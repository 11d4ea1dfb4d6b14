package state

import (
	"hadarlab/core/words"
)

// Predict covers what a change of the scenario does until the reader has said what it will be.
type Predict struct {
	On         bool
	Covered    bool
	Verdict    string // on the last prediction, "" = none yet
	Right, All int    // predictions that could be judged
	side       int    // that was picked, -1 = none
	unseen     int64  // result that stands covered, 0 = none
}

// Sides of a prediction: a lane, or neither.
const (
	SideFirst = iota
	SideSecond
	SideAlike
)

// alike is by how much means may differ to be called the same, as a share of the greater (ours).
const alike = 0.02

// TogglePredict turns predicting on or off.
type TogglePredict struct{}

// Guess says which of the first two lanes will have the shorter mean completion.
type Guess struct{ Side int }

// Uncover shows what a change does to a reader who does not want to say.
type Uncover struct{}

// toggle turns predicting on or off.
func (p *Predict) toggle() { *p = Predict{On: !p.On, side: -1} }

// guess takes a side on what is covered.
func (p *Predict) guess(side int) { p.Covered, p.side, p.unseen = false, side, 0 }

func (TogglePredict) on(s *State) []Effect {
	p := &s.Predict
	p.toggle()
	s.History.Stands().Covered = false
	if p.On {
		return []Effect{s.save(), Focus{PartPredict}}
	}
	return []Effect{s.save()}
}

func (a Guess) on(s *State) []Effect {
	p := &s.Predict
	if !p.Covered {
		return nil
	}
	p.guess(a.Side)
	s.History.Stands().Covered = false
	s.judgeGuess()
	return []Effect{s.save(), Focus{PartPredict}}
}

func (Uncover) on(s *State) []Effect {
	s.Predict.uncover()
	s.Predict.stands(0)
	s.History.Stands().Covered = false
	return []Effect{s.save(), Focus{PartPredict}}
}

// How predicting is kept for a tab.
const (
	PredictOn = 1 + iota
	PredictCovered
)

func (p *Predict) kept() int {
	switch {
	case p.Covered:
		return PredictCovered
	case p.On:
		return PredictOn
	}
	return 0
}

// resume goes on with predicting after a reload.
func (p *Predict) resume(kept int) {
	if kept > 0 {
		*p = Predict{On: true, Covered: kept == PredictCovered, side: -1}
	}
}

// predictable says that the document runs and has two lanes to compare.
func (s *State) predictable() bool { return len(s.Doc.Scenario.Policies) > 1 && !s.Diags.HasErrors() }

// cover hides what the new document does. One that is not run, or has nothing to compare, hides nothing.
func (s *State) cover() {
	s.Predict.uncover()
	s.Predict.Covered = s.Predict.On && s.predictable() && s.Learn.Lesson == nil
}

// stands says which result stands; one that is covered has not been seen, until something is said of it.
func (p *Predict) stands(result int64) {
	if p.unseen = 0; p.Covered {
		p.unseen = result
	}
}

// Unseen says that the reader has not seen a result that stands.
func (p *Predict) Unseen(result int64) bool { return p.unseen > 0 && result == p.unseen }

func (p *Predict) uncover() {
	p.Covered, p.Verdict, p.side = false, "", -1
}

// judgeGuess tells the reader who has said something how it is, as soon as it is known.
func (s *State) judgeGuess() {
	if s.Fresh() && s.Predict.judge(s.Result) {
		s.Spoken = s.Predict.Verdict
	}
}

// judge says how it is where the reader has said something; false where not.
func (p *Predict) judge(r *Result) bool {
	if !p.On || p.side < 0 || len(r.Lanes) < 2 {
		return false
	}
	side := p.side
	p.side = -1
	a, b := r.Lanes[0], r.Lanes[1]
	if a.Trace == nil || b.Trace == nil || a.Meta.Outcome != "done" || b.Meta.Outcome != "done" {
		p.Verdict = words.T("The two cannot be compared here: not both finish all jobs.")
		return true
	}
	x, y := a.Meta.Metrics.AvgJCTS, b.Meta.Metrics.AvgJCTS
	truth := SideAlike
	switch within := alike * max(x, y); {
	case x < y-within:
		truth = SideFirst
	case y < x-within:
		truth = SideSecond
	}
	u := r.Axis.Unit
	how := words.F("{0} {1}, {2} {3} on average.", a.Title, u.Say(a.mean()), b.Title, u.Say(b.mean()))
	p.All++
	if truth == side {
		p.Right++
		p.Verdict = words.F("You were right: {0}", how)
	} else {
		p.Verdict = words.F("It came otherwise: {0}", how)
	}
	return true
}
