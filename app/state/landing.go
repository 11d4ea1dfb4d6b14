package state

import (
	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/scenarios"
)

// show makes a result that is laid out the one that stands.
func (s *Lab) show(r *run.Result) {
	r.Recall(s.Result, s.View.newScenario || s.Predict.Unseen(s.Result.ID))
	compare.Say(r, s.Boot.WholeTitle)
	s.Result, s.Shows = r, s.History.Stands().Opening
	s.placeCursor()
}

// placeCursor puts the cursor on the first disagreement, or, where the reader has moved it, on the same time; a preset
// that is new to the reader shows its focus.
func (s *Lab) placeCursor() {
	v, d := &s.View, s.Result.Diff
	s.View.keepZoom(s.Result)
	v.Bar = NoBar
	v.Page = 0
	if v.Pinned {
		v.Moment = d.At(v.at)
	} else {
		v.Moment = max(d.First, 0)
		s.View.rememberTime(s.Result)
	}
	fresh := v.newScenario
	v.newScenario = false
	if _, ok := s.Result.Jobs[v.Job]; !ok || fresh {
		v.Job = s.Result.TellingJob()
	}
	v.WhyLane = max(0, min(v.WhyLane, len(s.Result.Lanes)-1))
	if f := focusOf(s.Boot, s.History.Stands()); fresh && f != nil {
		s.View.look(s.Result, f)
	}
	s.takeLinkView()
}

// takeLinkView shows what a link points at, once its result stands.
func (s *Lab) takeLinkView() {
	l := s.linked
	if s.linked = nil; l == nil || s.linkDoc != s.Result.Doc {
		return
	}
	v := &s.View
	if l.Cursor >= 0 {
		v.Moment, v.Pinned = s.Result.Diff.At(l.Cursor), true
		s.View.rememberTime(s.Result)
	}
	if !l.Zoom.Whole() && l.Zoom.From < s.Result.Axis.To {
		s.View.see(s.Result, l.Zoom.From, l.Zoom.To-l.Zoom.From)
	}
	if l.Tab != "" {
		v.Tab = l.Tab
	}
	v.LogPrices = v.LogPrices || l.Log
	if _, ok := s.Result.Jobs[l.Job]; ok {
		v.Job, v.Peek = l.Job, !v.Visible.Why
	}
	s.View.explain(s.Result, l.Lane)
}

// focusOf is what is shown first of the preset that stands, nil where none does or it is changed.
func focusOf(boot *room.Boot, e *edit.Entry) *scenarios.View {
	focus, ok := boot.Focus[e.Preset]
	if !ok || e.Edited {
		return nil
	}
	return &focus
}

// showLessonTarget moves cursor, job, lane and the window to where the present step points, once the result is there.
func (s *Lab) showLessonTarget() []Effect {
	l := &s.Learn
	step := l.Present()
	if step == nil || !l.Waiting || !s.Fresh() {
		return nil
	}
	l.Waiting = false
	v := step.View
	if v == nil {
		return []Effect{Reveal{room.PartHeadline}}
	}
	if !s.View.look(s.Result, v) {
		return nil
	}
	s.View.Pinned, s.View.Playing, s.View.Bar = true, false, NoBar
	return append(s.ask(), Reveal{room.ShownParts[v.Show]})
}

// pointAt looks at what the headline speaks of.
func pointAt(s *Lab) []Effect {
	if s.Result.Diff.First < 0 {
		return nil
	}
	v := &s.View
	v.Job, v.Bar, v.WhyLane, v.Playing = s.Result.TellingJob(), NoBar, s.Result.Tells, false
	moment := s.Result.Diff.Reason()
	if a := Answering(s); a.Job != "" {
		v.Job, v.WhyLane, moment = a.Job, a.Lane, a.Moment
	}
	effects := s.moveTo(moment)
	v.seeCursor(s.Result)
	return effects
}

// judgeGuess tells the reader who has said something how it is, as soon as it is known.
func judgeGuess(s *Lab) {
	if s.Fresh() && s.Predict.Judge(s.Result) {
		s.Announcement = s.Predict.Verdict
		pointAt(s)
	}
}

// showForced brings the lane that was just forced into sight, once its result is there.
func (v *View) showForced() []Effect {
	if !v.forced {
		return nil
	}
	v.forced = false
	return []Effect{Reveal{room.PartNewForced}}
}
