package state

import (
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/unit"
)

// Go moves the cursor to a moment. Why is 1 + the lane to be explained there, 0 = the one that is.
type Go struct{ To, Why int }

// Step moves the cursor by moments.
type Step struct{ By int }

// Disagreement moves the cursor to the next (1) or previous (-1) moment at which the lanes differ.
type Disagreement struct{ By int }

// GoTime moves the cursor to the moment in force at an instant.
type GoTime struct{ At unit.Tick }

func (a Go) on(s *Lab) []Effect {
	s.View.Playing = false
	s.View.explain(s.Result, a.Why-1)
	return s.moveTo(a.To)
}
func (a Step) on(s *Lab) []Effect { s.View.Playing = false; return s.moveTo(s.View.Moment + a.By) }
func (a GoTime) on(s *Lab) []Effect {
	s.View.Playing = false
	return s.moveTo(s.Result.Diff.At(a.At))
}

func (a Disagreement) on(s *Lab) []Effect {
	s.View.Playing = false
	to := s.Result.Diff.Next(s.View.Moment, a.By)
	if to < 0 {
		return nil
	}
	return s.moveTo(to)
}

// WhyHere shows what the headline speaks of: what it answers, else its job at the first disagreement, in the lane that
// it tells of.
type WhyHere struct{}

func (WhyHere) on(s *Lab) []Effect {
	effects := ShowWhy{}.on(s)
	return append(pointAt(s), effects...)
}

// pointAt looks at what the headline speaks of.
func pointAt(s *Lab) []Effect {
	if s.Result.Diff.First < 0 {
		return nil
	}
	v := &s.View
	v.Job, v.Bar, v.WhyLane, v.Playing = s.Result.TellingJob(), NoBar, s.Result.Tells, false
	if _, job, lane := Answering(s); job != "" {
		v.Job, v.WhyLane = job, lane
	}
	effects := s.moveTo(s.Result.Diff.First)
	v.seeCursor(s.Result)
	return effects
}

// ChangeOne puts the reader on the first number of GPUs, and says what to do there.
type ChangeOne struct{}

func (ChangeOne) on(s *Lab) []Effect {
	return append(s.Tell(words.T("Press + or −, or change any other number: the lanes follow at once."), false),
		room.Focus{Part: room.PartGPUs})
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

// Sight says which panels beside the timeline the window shows. The brief reason gives way to the whole one.
type Sight struct{ Why, Numbers bool }

func (a Sight) on(s *Lab) []Effect {
	if s.View.Sight = a; a.Why {
		s.View.Peek = false
	}
	return nil
}

// explain has the Why panel explain a lane, if there is such a one.
func (v *View) explain(r *run.Result, lane int) {
	if lane >= 0 && lane < len(r.Lanes) {
		v.WhyLane = lane
	}
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
	return []Effect{room.After{Ms: pace(r), Action: tick{number}}}
}

// pace is the time between two moments in ms: all of them in some 25 s, but no faster than the eye.
func pace(r *run.Result) int {
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

// during is the moment at which a stretch begins. It may do so a few ms before the moment that it belongs to, since the
// lanes' rounds do not end together.
func during(r *run.Result, from, to, round unit.Tick) int {
	i, all := r.Diff.At(from), r.Diff.Moments
	if i+1 < len(all) && all[i+1].At < to && all[i+1].At-from <= round/20 {
		i++
	}
	return i
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
		s.Spoken = l.Title + ", " + p.Describe(next)
	}
	return effects
}

// The simple turns of the view.
type (
	// WhyLane chooses the lane that the Why panel explains.
	WhyLane struct{ Lane int }
	// Tab chooses a chart.
	Tab struct{ Name string }
	// ToggleLog draws prices by their logarithm, or as they are.
	ToggleLog struct{}
	// ToggleTable opens or closes a table: 0 beside the timeline, 1 beside the chart, 2 beside the varied number.
	ToggleTable struct{ Which int }
	// Page turns the timeline's table.
	Page struct{ By int }
	// OnlyJob makes the timeline's table one of the selected job, or of all.
	OnlyJob struct{}
	// JobPage turns the page of the editor's jobs.
	JobPage struct{ To int }
	// ToggleFacts lists all metrics or the main ones.
	ToggleFacts struct{}
	// ToggleEditor opens or closes the editor.
	ToggleEditor struct{}
	// ToggleCommands opens or closes the list of commands.
	ToggleCommands struct{}
	// Search says what is typed in it, and which of what is found is marked.
	Search struct {
		Text string
		At   int
	}
	// ToggleKeys opens or closes the list of keys.
	ToggleKeys struct{}
	// PlotWidth says how wide the plot and the column of names beside it are, in px.
	PlotWidth struct{ Px, Names int }
)

func (a WhyLane) on(s *Lab) []Effect { s.View.explain(s.Result, a.Lane); return nil }
func (a Tab) on(s *Lab) []Effect     { s.View.Tab = a.Name; return nil }
func (ToggleLog) on(s *Lab) []Effect { s.View.LogPrices = !s.View.LogPrices; return nil }
func (a ToggleTable) on(s *Lab) []Effect {
	if s.View.Tables[a.Which] = !s.View.Tables[a.Which]; a.Which == 0 && s.View.Tables[0] {
		return []Effect{Reveal{room.PartSpans}} // it is below the lanes
	}
	return nil
}
func (a Page) on(s *Lab) []Effect  { s.View.Page = min(max(0, s.View.Page+a.By), 1<<20); return nil }
func (OnlyJob) on(s *Lab) []Effect { s.View.OnlyJob, s.View.Page = !s.View.OnlyJob, 0; return nil }
func (a JobPage) on(s *Lab) []Effect {
	s.View.JobPage = min(max(0, a.To), max(0, len(s.Doc.Scenario.Jobs)-1)/JobRows)
	return nil
}
func (ToggleFacts) on(s *Lab) []Effect { s.View.AllFacts = !s.View.AllFacts; return nil }
func (ToggleKeys) on(s *Lab) []Effect  { s.View.Keys = !s.View.Keys; return nil }

func (ToggleCommands) on(s *Lab) []Effect {
	s.View.Commands, s.View.Query, s.View.Found = !s.View.Commands, "", 0
	return nil
}
func (a Search) on(s *Lab) []Effect { s.View.Query, s.View.Found = a.Text, a.At; return nil }

// Dialog says whether one lies over the page.
func (s *Lab) Dialog() bool {
	return s.Share.Open || s.Import != nil && s.Import.Open || s.View.Keys || s.View.Commands ||
		s.Learn.Gallery
}

// Letters switches the keys that are single characters.
type Letters struct{ Off bool }

func (a Letters) on(s *Lab) []Effect {
	s.View.LettersOff = a.Off
	off := ""
	if a.Off {
		off = "off"
	}
	return []Effect{room.Store{Name: LettersName, Text: off}}
}

// ShowDeadlines shows or hides the columns of tenants and deadlines, or those of the ranges of sizes.
type ShowDeadlines struct{ Ranges bool }

func (a ShowDeadlines) on(s *Lab) []Effect {
	at := &s.View.Deadlines
	if a.Ranges {
		at = &s.View.Ranges
	}
	*at = !*at
	return nil
}

func (ToggleEditor) on(s *Lab) []Effect {
	s.View.Editing = !s.View.Editing
	if s.View.Editing {
		s.View.Peek = false
		return []Effect{room.Focus{Part: room.PartEditor}, room.Measure{}}
	}
	return []Effect{room.Focus{Part: room.PartOpenEditor}, room.Measure{}}
}

// firstWidth is the class of the first paint: what the first screen has in a window of 1280 px.
const firstWidth = 800

func (a PlotWidth) on(s *Lab) []Effect {
	w := chart.Widths[0]
	for _, c := range chart.Widths {
		if c <= a.Px {
			w = c
		}
	}
	s.View.PlotW, s.View.Narrow = w, a.Names < 80
	return nil
}
