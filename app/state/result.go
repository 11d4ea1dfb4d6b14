package state

import (
	"cmp"
	"maps"
	"strings"

	"hadarlab/app/compare"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// engineReady begins with what waits for the engine.
func (s *Lab) engineReady() []Effect {
	if s.Run.Planned != 0 {
		return s.start(s.Doc, s.History.Stands().Kept())
	}
	return s.ask()
}

// answered takes an answer of the engine's. One to a run that was given up is nobody's.
func (s *Lab) answered(m *message.Message) []Effect {
	if m.ID == 0 || s.Asks.answered(m) {
		return nil
	}
	if effects, own := s.Comparisons.answered(m); own {
		return effects
	}
	switch {
	case m.ID == s.Flip.id:
		s.Announcement = cmp.Or(s.Flip.answered(m), s.Announcement)
	case m.ID == s.Run.ID:
		return s.ran(s.heard(m))
	}
	return nil
}

// heard takes news of the run; whole says that all of it has come and is laid out.
func (s *Runs) heard(m *message.Message) (effects []Effect, whole bool) {
	switch {
	case m.Progress != nil:
		first := s.Run.Progress.Jobs == 0
		if s.Run.Follow(*m.Progress); first && s.Run.OnServer { // its wait in the queue is not timed
			return []Effect{Clock{Run: m.ID}}, false
		}
	case m.Lane != nil:
		switch {
		case !s.Run.TakeLane(m.Lane, m.Body):
		case len(m.Body) > readAtOnce: // the answer itself took its time
			return s.soon(), false
		default:
			return s.goOn()
		}
	case m.Failure != nil:
		return s.failed(m.Failure)
	case m.Finished:
		return s.finished()
	}
	return nil, false
}

// ran makes what has come the result that stands, once it is whole.
func (s *Lab) ran(effects []Effect, whole bool) []Effect {
	if whole {
		return s.complete()
	}
	return effects
}

type nextSlice struct{ run int64 }

func (a nextSlice) on(s *Lab) []Effect {
	if a.run != s.Run.ID {
		return nil
	}
	return s.ran(s.goOn())
}

// goOn does a slice of the work on what has come, which is all where there is little, and another one soon.
func (s *Runs) goOn() (effects []Effect, whole bool) {
	switch done, more := s.Run.GoOn(); {
	case done:
		return nil, true
	case more:
		return s.soon(), false
	}
	return nil, false
}

// readAtOnce is how many bytes of a trace are read in the task in which they come.
const readAtOnce = 1 << 20

func (s *Runs) soon() []Effect { return []Effect{room.After{Ms: 1, Action: nextSlice{s.Run.ID}}} }

func (s *Runs) failed(f *message.Failure) (effects []Effect, whole bool) {
	if s.Run.LaneFailed(f) {
		return nil, false // the other lanes go on
	}
	if s.Run.OnServer { // it ends with what it has given, if anything
		s.Run.Problem = words.T("The server cannot be reached.")
		if f.Message != "" {
			s.Run.Problem = words.F("The server refused: {0}.", f.Why().In(words.Now()))
		}
		return s.finished()
	}
	if s.Run.Stopping { // the engine was ended by force; lanes that had come stay
		return s.finished()
	}
	s.become(run.Run{Failure: f})
	s.Announcement = words.F("Run failed: {0}", f.Why().In(words.Now()))
	return nil, false
}

func (s *Runs) finished() (effects []Effect, whole bool) {
	if s.Run.End() {
		return s.goOn()
	}
	return nil, false
}

// complete makes what has come the result that stands.
func (s *Lab) complete() []Effect {
	r, problem := s.Run.Partial, s.Run.Problem
	stopped := r.Cut() // a cancel may have come too late
	over := stopped && s.Run.HandOver
	s.Run = run.Run{Stopped: stopped}
	s.Server.Problem = problem
	if stopped && len(r.Ran()) == 0 {
		s.Announcement = words.T("Run stopped. The earlier result stays.")
		if problem != "" {
			s.Announcement = problem
		}
		if over {
			return s.send()
		}
		return nil
	}
	for _, l := range r.Lanes {
		if l.Trace == nil && l.Failure == nil {
			l.Failure = &message.Failure{Message: words.T("Stopped before there was something to show.")}
		}
	}
	var effects []Effect
	if s.Predict.Old {
		s.Predict.Behind = r
	} else if effects = s.take(r); stopped {
		s.Announcement = words.T("Run stopped. What was simulated is shown.")
	}
	if s.Predict.Covered {
		s.Announcement = words.T("The run is done. Say what it shows, and see.")
	}
	if over {
		effects = append(effects, s.send()...)
	}
	return effects
}

// take makes a whole result the one that stands; nil = there is none.
func (s *Lab) take(r *run.Result) []Effect {
	if r == nil {
		return nil
	}
	was := compare.Means(s.Result)
	s.show(r)
	s.Predict.Stand(r.ID)
	s.Asks.drop()
	effects := append(s.Flip.stop(), s.outcome(was)...)
	s.Announcement = words.F("Run finished. {0}", r.Finding.Claim)
	judgeGuess(s)
	return append(append(append(effects, s.ask()...), s.showLessonTarget()...), s.View.showForced()...)
}

// calm is how long after a run its outcome is told, in ms: not between two keystrokes or two steps of a number.
const calm = 600

// outcome tells in a while what the reader's edit did to the means, which were something else.
func (s *Lab) outcome(was string) []Effect {
	says := compare.Means(s.Result)
	if says == "" || says == was || s.edited != s.Result.Doc {
		return nil
	}
	return []Effect{room.After{Ms: calm, Action: tellOutcome{s.edited}}}
}

type tellOutcome struct{ of *scenario.Document }

// What the window shows need not be told; a lesson's text tells what a step does, and a prediction's verdict what a
// change did.
func (a tellOutcome) on(s *Lab) []Effect {
	if a.of != s.Doc || s.View.Visible.Numbers || s.Learn.Going() || s.Predict.On {
		return nil
	}
	shows, says := room.PartNumbers, compare.Means(s.Result) // in the language that is spoken by now
	if t := s.Toast; t != nil {
		if !t.Undo || t.Lesson != nil {
			return nil // it is about something else
		}
		says = strings.TrimSuffix(t.Text, ".") + ". " + says
		if t.Shows != room.NoPart {
			shows = t.Shows
		}
	}
	said := s.Announcement // the run's end: who does better was told with it
	effects := s.Tell(says, true)
	s.Toast.Shows, s.Announcement = shows, said
	return effects
}

// engineDied says of everything that was asked for that it will not be answered.
func (s *Lab) engineDied(why string) {
	maps.DeleteFunc(s.Asks.known, func(_ askKey, e Explained) bool { return e == Explained{} })
	clear(s.Asks.sent)
	s.Flip = Flip{}
	s.Comparisons.engineDied(why)
	if s.Run.ID != 0 && !s.Run.OnServer {
		s.become(run.Run{Failure: &message.Failure{Lane: -1, Message: why}})
		s.Announcement = words.F("Run failed: {0}", why)
	}
	if s.Engine == room.EngineBroken && s.Run.Planned != 0 {
		s.become(run.Run{Failure: &message.Failure{Lane: -1, Message: why}})
	}
}
