package state

import (
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/chart/draw"
	"hadarlab/core/unit"
)

// Select selects a job everywhere; empty selects none.
type Select struct{ Job string }

func (a Select) on(s *Lab) []Effect {
	v := &s.View
	v.Job, v.Bar = a.Job, NoBar
	if v.Peek = a.Job != "" && !v.Editing; v.Peek {
		return []Effect{See{}}
	}
	return nil
}

// SelectWait selects a job that waits, and explains its lane.
type SelectWait struct {
	Lane int
	Job  string
}

func (a SelectWait) on(s *Lab) []Effect {
	s.View.explain(s.Result, a.Lane)
	return Select{a.Job}.on(s)
}

// SelectBar selects the job of a bar, or of a wait, and puts the keyboard's focus there. With Explain the cursor moves
// to the bar's start and the Why panel to its lane.
type SelectBar struct {
	At      BarAt
	Explain bool
}

func (a SelectBar) on(s *Lab) []Effect {
	if a.At.Lane < 0 || a.At.Lane >= len(s.Result.Lanes) {
		return nil
	}
	l := s.Result.Lanes[a.At.Lane]
	if l.Chart == nil || a.At.Index < 0 || a.At.Index >= l.Chart.Stops() {
		return nil
	}
	job, from, to := l.Chart.Stop(a.At.Index)
	s.View.Bar, s.View.Job = a.At, l.Trace.Jobs[job].Name
	if !a.Explain {
		return nil
	}
	s.View.WhyLane, s.View.Playing, s.View.Peek = a.At.Lane, false, true
	effects := []Effect{See{}}
	if m, ok := s.Result.Moment(s.View.Moment); ok && from <= m.At && m.At < to {
		return effects // the cursor is inside the bar already
	}
	return append(effects, s.moveTo(during(s.Result, from, to, l.Trace.Round))...)
}

// during is the moment at which a stretch begins. It may do so a few ms before the moment that it belongs to, since the
// lanes' rounds do not end together.
func during(r *run.Result, from, to, round unit.Tick) int {
	i, all := r.Diff.At(from), r.Diff.Moments
	if i+1 < len(all) && all[i+1].At < to && all[i+1].At-from <= round/20 {
		i++
	}
	return i
}

// FindJob selects a job by its name and brings its first bar into view, in the lane that Why explains if it runs there.
type FindJob struct{ Job string }

func (a FindJob) on(s *Lab) []Effect {
	for i := range s.Result.Lanes {
		lane := (s.View.WhyLane + i) % len(s.Result.Lanes)
		l := s.Result.Lanes[lane]
		if l.Chart == nil {
			continue
		}
		for k := range l.Chart.Bars {
			if job, from, to := l.Chart.Stop(k); l.Trace.Jobs[job].Name == a.Job {
				effects := SelectBar{At: BarAt{lane, k}, Explain: true}.on(s)
				if axis := s.Result.View(s.View.Zoom); (to-from)*100 < axis.To-axis.From { // a hairline
					s.View.see(s.Result, from-8*(to-from), 20*(to-from))
				}
				s.View.seeCursor(s.Result)
				return append(effects, Reveal{room.PartBar})
			}
		}
	}
	return Select{Job: a.Job}.on(s)
}

// Walk moves the bar under the keyboard's focus, which is read out.
type Walk struct{ DX, DY int }

func (a Walk) on(s *Lab) []Effect {
	if len(s.Result.Lanes) == 0 {
		return nil
	}
	at := s.View.Bar
	if at == NoBar {
		at = BarAt{s.View.WhyLane, -1}
	}
	l := s.Result.Lanes[at.Lane]
	if l.Chart == nil {
		return nil
	}
	next := l.Chart.Walk(at.Index, a.DX, a.DY, s.View.Rows.Rows(l.Chart, l.Trace))
	if next == at.Index && a.DY != 0 { // on to the neighbouring lane
		if n := at.Lane + a.DY; n >= 0 && n < len(s.Result.Lanes) && s.Result.Lanes[n].Chart != nil {
			at.Lane, l = n, s.Result.Lanes[n]
			next = l.Chart.Walk(-1, 0, 0, s.View.Rows.Rows(l.Chart, l.Trace))
		}
	}
	at.Index = next
	effects := SelectBar{At: at}.on(s)
	if s.View.Bar == at {
		p := draw.Picture{In: words.Now(), Lane: l.Chart, Trace: l.Trace, Axis: &s.Result.Axis}
		s.Announcement = l.Title + ", " + p.Describe(next)
	}
	return effects
}

// WhyHere shows what the headline speaks of: what it answers, else its job at the first disagreement, or where it
// became faster on the same GPUs, in the lane that it tells of.
type WhyHere struct{}

func (WhyHere) on(s *Lab) []Effect {
	effects := ShowWhy{}.on(s)
	return append(pointAt(s), effects...)
}

// ShowWhy puts the reader before the Why panel. On the first screen that lies over the lanes then, until CloseWhy.
type ShowWhy struct{}

func (ShowWhy) on(s *Lab) []Effect {
	s.View.Peek, s.View.WhyOpen = false, true
	return []Effect{room.Focus{Part: room.PartWhy}}
}

// CloseWhy takes the Why panel off the lanes, or from below them, and goes back to what it was about.
type CloseWhy struct{}

func (CloseWhy) on(s *Lab) []Effect {
	s.View.WhyOpen = false
	return []Effect{Reveal{Part: room.PartHeadline}}
}

// ClosePeek takes the brief reason away.
type ClosePeek struct{}

func (ClosePeek) on(s *Lab) []Effect { s.View.Peek = false; return nil }

// ExplainLane chooses the lane that the Why panel explains.
type ExplainLane struct{ Lane int }

func (a ExplainLane) on(s *Lab) []Effect { s.View.explain(s.Result, a.Lane); return nil }

// SortBy sorts by a number, largest first, then the other way round, then as the policy has it. It holds for all
// decisions, until it is changed.
type SortBy struct{ By string }

func (a SortBy) on(s *Lab) []Effect {
	o := Sort{By: a.By}
	if now := s.View.Sort; now == o {
		o.Ascending = true
	} else if now.By == a.By {
		o = Sort{}
	}
	s.View.Sort = o
	s.Announcement = o.Describe()
	return nil
}

// Seen says what the window shows now. The brief reason gives way to the whole one.
type Seen struct{ VisiblePanels }

func (a Seen) on(s *Lab) []Effect {
	if s.View.Visible = a.VisiblePanels; a.Why {
		s.View.Peek = false
	}
	return nil
}
