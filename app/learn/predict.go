package learn

import (
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/message"
)

// Predict covers what a change of the scenario does until the reader has said what it will be.
type Predict struct {
	On         bool
	Covered    bool
	Verdict    string // on the last prediction, "" = none yet
	Right, All int    // predictions that could be judged
	// Old says that what stands is the picture before an edit, which is not hidden; what came of the edit is Behind it,
	// nil = not yet.
	Old    bool
	Behind *run.Result
	side   int   // that was picked, -1 = none
	unseen int64 // result that stands covered, 0 = none
}

// Sides of a prediction: a lane, or neither.
const (
	SideFirst = iota
	SideSecond
	SideAlike
)

// Toggle turns predicting on or off.
func (p *Predict) Toggle() { *p = Predict{On: !p.On, side: -1} }

// Guess takes a side on what is covered.
func (p *Predict) Guess(side int) { p.Covered, p.side, p.unseen = false, side, 0 }

// How predicting is kept for a tab.
const (
	PredictOn = 1 + iota
	PredictCovered
)

// Kept is how predicting is kept for a tab.
func (p *Predict) Kept() int {
	switch {
	case p.Covered:
		return PredictCovered
	case p.On:
		return PredictOn
	}
	return 0
}

// Resume goes on with predicting after a reload.
func (p *Predict) Resume(kept int) {
	if kept > 0 {
		*p = Predict{On: true, Covered: kept == PredictCovered, side: -1}
	}
}

// Stand says which result stands; one that is covered has not been seen, until something is said of it.
func (p *Predict) Stand(result int64) {
	if p.unseen = 0; p.Covered {
		p.unseen = result
	}
}

// Unseen says that the reader has not seen a result that stands.
func (p *Predict) Unseen(result int64) bool { return p.unseen > 0 && result == p.unseen }

// Uncover covers nothing, and forgets what was said.
func (p *Predict) Uncover() {
	*p = Predict{On: p.On, Right: p.Right, All: p.All, side: -1, unseen: p.unseen}
}

// Take is what came of the edit, which is Behind no longer.
func (p *Predict) Take() *run.Result {
	r := p.Behind
	p.Old, p.Behind = false, nil
	return r
}

// Judge says how it is where the reader has said something; false where not.
func (p *Predict) Judge(r *run.Result) bool {
	if !p.On || p.side < 0 || len(r.Lanes) < 2 {
		return false
	}
	side := p.side
	p.side = -1
	a, b := r.Lanes[0], r.Lanes[1]
	if a.Trace == nil || b.Trace == nil || a.Meta.Outcome != "done" || b.Meta.Outcome != "done" {
		p.Verdict = words.T("The two cannot be compared here, since they do not both finish all jobs.")
		return true
	}
	x, y := a.Meta.Metrics.AvgJCTS, b.Meta.Metrics.AvgJCTS
	truth := SideAlike
	switch {
	case message.Tied(x, y):
	case x < y:
		truth = SideFirst
	default:
		truth = SideSecond
	}
	u := r.Axis.Unit
	how := words.F("{0} {1}, {2} {3} on average.", a.Title, u.Say(words.Now(), a.Mean()), b.Title,
		u.Say(words.Now(), b.Mean()))
	p.All++
	if truth == side {
		p.Right++
		p.Verdict = words.F("You were right: {0}", how)
	} else {
		p.Verdict = words.F("It turned out differently: {0}", how)
	}
	if r.Finding.Because != "" {
		p.Verdict += " " + r.Finding.Because
	}
	return true
}
