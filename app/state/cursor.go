package state

import (
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/core/unit"
)

// Go moves the cursor to a moment. Why is 1 + the lane to be explained there, 0 = the one that is.
type Go struct{ To, Why int }

func (a Go) on(s *Lab) []Effect {
	s.View.Playing = false
	s.View.explain(s.Result, a.Why-1)
	return s.moveTo(a.To)
}

// Step moves the cursor by moments.
type Step struct{ By int }

func (a Step) on(s *Lab) []Effect { s.View.Playing = false; return s.moveTo(s.View.Moment + a.By) }

// Disagreement moves the cursor to the next (1) or previous (-1) moment at which the lanes differ.
type Disagreement struct{ By int }

func (a Disagreement) on(s *Lab) []Effect {
	s.View.Playing = false
	to := s.Result.Diff.Next(s.View.Moment, a.By)
	if to < 0 {
		return nil
	}
	return s.moveTo(to)
}

// GoTime moves the cursor to the moment in force at an instant.
type GoTime struct{ At unit.Tick }

func (a GoTime) on(s *Lab) []Effect {
	s.View.Playing = false
	return s.moveTo(s.Result.Diff.At(a.At))
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

func (s *Lab) moveTo(i int) []Effect {
	if len(s.Result.Diff.Moments) == 0 {
		return nil
	}
	i = min(max(i, 0), len(s.Result.Diff.Moments)-1)
	if i == s.View.Moment {
		return nil
	}
	s.View.Moment, s.View.Pinned = i, true
	s.View.rememberTime(s.Result)
	return s.ask()
}

// Play starts or pauses the walk through the moments.
type Play struct{}

func (Play) on(s *Lab) []Effect {
	if s.View.Playing = !s.View.Playing; !s.View.Playing {
		return nil
	}
	if s.View.Moment == len(s.Result.Diff.Moments)-1 {
		s.moveTo(0)
	}
	return s.View.playOn(s.Result, s.Seq())
}

// playOn goes to the next moment soon, with a number that was not given before.
func (v *View) playOn(r *run.Result, number int64) []Effect {
	v.played = number
	return []Effect{room.After{Ms: momentMs(r), Action: tick{number}}}
}

// momentMs is the time between two moments in ms: all of them in some 25 s, but no faster than the eye.
func momentMs(r *run.Result) int {
	return min(900, max(80, 25000/max(1, len(r.Diff.Moments))))
}

type tick struct{ seq int64 }

func (a tick) on(s *Lab) []Effect {
	if !s.View.Playing || a.seq != s.View.played {
		return nil
	}
	if s.View.Moment >= len(s.Result.Diff.Moments)-1 {
		s.View.Playing = false
		return nil
	}
	effects := s.moveTo(s.View.Moment + 1)
	return append(effects, s.View.playOn(s.Result, s.Seq())...)
}
