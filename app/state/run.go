package state

import (
	"hadarlab/core/message"
	"hadarlab/core/words"
)

// debounce is how long after the last keystroke a run starts, in ms.
const debounce = 40

// Run is the run that is planned or under way.
type Run struct {
	ID       int64 // 0 = none
	Planned  int64 // sequence of a planned start, 0 = none
	Stopping bool
	Progress message.Progress
	Lanes    int // lanes of the run
	SoFar    SoFar
	partial  *Result
	work     []step           // of laying out lanes that have come, oldest first
	ended    bool             // the engine has said its last word
	Failure  *message.Failure // why the last one gave nothing
	Stopped  bool             // the last one was cancelled before it was done

	OnServer bool // it runs on the server
	Offered  bool // the server may take it over
	handOver bool // it stops because the server goes on
	size     int  // jobs × policies
	began    int64
	lasted   int64   // ms
	left     float64 // estimate in ms, 0 = unknown
	problem  string  // why the server has not done all of it
}

// Busy says whether a run is planned or under way. One that was stopped keeps nobody waiting: what it has done is shown
// when it comes.
func (r *Run) Busy() bool { return r.ID != 0 && (!r.Stopping || r.handOver) || r.Planned != 0 }

// Share is how much of the run is done, 0 to 1, by lanes and finished jobs.
func (r *Run) Share() float64 {
	if r.Lanes == 0 || r.Progress.Jobs == 0 {
		return 0
	}
	return (float64(r.Progress.Lane) + float64(r.Progress.Finished)/float64(r.Progress.Jobs)) / float64(r.Lanes)
}

// plan starts a run soon, and gives up the one under way: its answer would be of a past document.
func (s *State) plan() []Effect {
	effects := s.giveUp()
	s.Run.Failure, s.Run.Stopped = nil, false
	s.Run.Planned = 0
	s.Server.Problem = ""
	if s.Diags.HasErrors() || !s.Live {
		return effects
	}
	s.Run.Planned = s.seq()
	return append(effects, After{debounce, startPlanned{s.Run.Planned}})
}

// giveUp cancels the run under way. What it still answers is ignored.
func (s *State) giveUp() []Effect {
	if s.Run.ID == 0 {
		return nil
	}
	id, onServer := s.Run.ID, s.Run.OnServer
	s.Run.ID, s.Run.partial, s.Run.Stopping, s.Run.OnServer = 0, nil, false, false
	if onServer {
		return []Effect{StopOnServer{Drop: true}}
	}
	return []Effect{CancelRun{id}}
}

type startPlanned struct{ seq int64 }

func (a startPlanned) on(s *State) []Effect {
	if s.Run.Planned != a.seq {
		return nil // another edit came
	}
	return s.start()
}

// RunNow starts a run without waiting.
type RunNow struct{}

func (RunNow) on(s *State) []Effect {
	if s.Diags.HasErrors() || !s.Live {
		return nil
	}
	s.onServer = false
	return append(append(s.giveUp(), s.save()), s.start()...)
}

func (s *State) start() []Effect {
	s.Run.Planned = 0
	if s.Engine == EngineStarting {
		s.Run.Planned = s.seq() // it starts when the engine is ready
		return nil
	}
	id := s.seq()
	r := newResult(id, s.Rev, s.Doc)
	s.Run = Run{ID: id, Lanes: len(r.Lanes), partial: r, size: len(r.Lanes) * s.Doc.JobCount()}
	s.Server.Problem = ""
	return []Effect{StartRun{id, r.request()}, After{soFarMs, showSoFar{id}},
		Clock{Run: id, Ask: s.Run.size > large && !s.Embed}}
}

// request asks for all lanes.
func (r *Result) request() *message.RunRequest {
	req := &message.RunRequest{Scenario: r.Text}
	for _, l := range r.Lanes {
		req.Policies = append(req.Policies, l.Policy)
	}
	return req
}

// Cancel stops the run under way; what is done so far stays.
type Cancel struct{}

func (Cancel) on(s *State) []Effect {
	if s.Run.Planned != 0 {
		s.Run.Planned = 0
		s.Run.Stopped = true
		return nil
	}
	switch {
	case s.Run.ID == 0:
		return nil
	case s.Run.Stopping:
		s.Run.handOver = false // not on the server either
		return nil
	}
	s.Run.Stopping, s.Run.Stopped = true, true
	s.Spoken = words.T("Run stopped.")
	if s.Run.OnServer {
		return []Effect{StopOnServer{}}
	}
	return []Effect{StopRun{s.Run.ID}}
}

// Answer is a message from the engine.
type Answer struct{ Message *message.Message }

func (a Answer) on(s *State) []Effect {
	m := a.Message
	switch {
	case m.Ready:
		s.Engine = EngineReady
		if s.Run.Planned != 0 {
			return s.start()
		}
		return s.ask()
	case m.ID != 0 && m.ID == s.Flip.id:
		return s.flipAnswered(m)
	case m.ID != 0 && m.ID == s.Replicates.id:
		return s.sweepAnswered(&s.Replicates.Sweep, m)
	case m.ID != 0 && m.ID == s.Vary.id:
		first := len(s.Vary.Points) == 0
		effects := s.sweepAnswered(&s.Vary.Sweep, m)
		if first && len(s.Vary.Points) > 0 {
			effects = append(effects, Reveal{PartVarySays})
		}
		if n := s.Vary.rows(); n > 1 && !s.Vary.Busy() {
			s.Vary.late = n
			effects = append(effects, After{20, drawLate{}})
		}
		return effects
	case m.ID != 0 && m.ID == s.Vary.WinnerSearch.id:
		return s.searched(m)
	case s.Asks.sent[m.ID] != nil:
		return s.answered(m)
	case m.ID == 0 || m.ID != s.Run.ID:
		return nil // of a run that was given up
	case m.Progress != nil:
		first := s.Run.Progress.Jobs == 0
		if s.Run.follow(*m.Progress); first && s.Run.OnServer { // its wait in the queue is not timed
			return []Effect{Clock{Run: m.ID}}
		}
	case m.Lane != nil:
		return s.laneDone(m)
	case m.Failure != nil:
		return s.failed(m.Failure)
	case m.Finished:
		return s.finished()
	}
	return nil
}

// next is the lane whose answer is awaited: lanes come in order.
func (r *Run) next() int {
	for i, l := range r.partial.Lanes {
		if !l.answered() {
			return i
		}
	}
	return len(r.partial.Lanes)
}

// step is a piece of work on a lane that has come. Large traces are decoded and laid out in tasks of their
// own, so that keys get in between.
type step struct {
	lane int
	lay  bool // decode otherwise
}

// atOnce is the length in bytes of a trace up to which all its work is done in one go.
const atOnce = 16 << 10

func (s *State) laneDone(m *message.Message) []Effect {
	i := s.Run.next()
	if i == len(s.Run.partial.Lanes) {
		return nil
	}
	s.Run.partial.Lanes[i].take(m.Lane, m.Body)
	idle := len(s.Run.work) == 0
	s.Run.work = append(s.Run.work, step{i, false}, step{i, true})
	if len(m.Body) <= atOnce && idle {
		s.work()
		s.work()
		return nil
	}
	if !idle {
		return nil // the chain of steps goes on by itself
	}
	return []Effect{After{1, nextStep{s.Run.ID}}}
}

// work does the oldest piece of work.
func (s *State) work() {
	w := s.Run.work[0]
	s.Run.work = s.Run.work[1:]
	l := s.Run.partial.Lanes[w.lane]
	switch {
	case l.Failure != nil:
	case w.lay:
		l.lay()
	default:
		if err := l.decode(); err == nil && s.Run.OnServer && l.Trace.Hash() != l.Meta.TraceHash {
			l.Trace, l.Failure = nil, &message.Failure{Lane: w.lane,
				Message: words.T("The server’s trace is not the one of its result.")}
		} else if err != nil {
			l.Failure, l.body = &message.Failure{Lane: w.lane,
				Message: words.F("the engine's answer cannot be read: {0}", err.Error())}, nil
		}
	}
}

type nextStep struct{ run int64 }

func (a nextStep) on(s *State) []Effect {
	switch {
	case a.run != s.Run.ID:
		return nil
	case len(s.Run.work) > 0:
		s.work()
	case s.Run.ended:
		return s.complete()
	}
	if len(s.Run.work) > 0 || s.Run.ended { // to compare the lanes is a piece of work too
		return []Effect{After{1, a}}
	}
	return nil
}

func (s *State) failed(f *message.Failure) []Effect {
	if f.Lane >= 0 && f.Lane < len(s.Run.partial.Lanes) {
		s.Run.partial.Lanes[f.Lane].Failure = f // the other lanes go on
		return nil
	}
	if s.Run.OnServer { // it ends with what it has given, if anything
		s.Run.problem = words.T("The server cannot be reached.")
		if f.Message != "" {
			s.Run.problem = words.F("The server refused: {0}.", f.Why().Local())
		}
		return s.finished()
	}
	if s.Run.Stopping { // the engine was ended by force; lanes that had come stay
		for len(s.Run.work) > 0 {
			s.work()
		}
		return s.complete()
	}
	s.Run = Run{Failure: f}
	s.Spoken = words.F("Run failed: {0}", f.Why().Local())
	return nil
}

func (s *State) finished() []Effect {
	if s.Run.ended = true; len(s.Run.work) > 0 {
		return nil // complete follows the last piece of work
	}
	return s.complete()
}

// complete makes what has come the result that stands.
func (s *State) complete() []Effect {
	r, problem := s.Run.partial, s.Run.problem
	stopped := r.Cut() // a cancel may have come too late
	over := stopped && s.Run.handOver
	s.Run = Run{Stopped: stopped}
	s.Server.Problem = problem
	if stopped && !r.any() {
		s.Spoken = words.T("Run stopped. The earlier result stays.")
		if problem != "" {
			s.Spoken = problem
		}
		if over {
			return s.send()
		}
		return nil
	}
	for _, l := range r.Lanes {
		if l.Trace == nil && l.Failure == nil {
			l.Failure = &message.Failure{Message: words.T("Stopped before it began.")}
		}
	}
	was := s.Result.means()
	r.finish(s)
	if s.Predict.unseen = 0; s.Predict.Covered {
		s.Predict.unseen = r.ID
	}
	s.Asks.drop()
	effects := append(s.stopFlip(), s.outcome(was)...)
	s.Spoken = words.F("Run finished. {0}", r.Finding.Claim)
	if stopped {
		s.Spoken = words.T("Run stopped. What was simulated is shown.")
	}
	effects = append(append(append(effects, s.ask()...), s.pointOut()...), s.showForced()...)
	if s.judgeGuess(); s.Predict.Covered {
		s.Spoken = words.T("The run is done. Say what it shows, and see.")
	}
	if over {
		effects = append(effects, s.send()...)
	}
	return effects
}

// Cut says whether a lane was stopped before it was done, or before it began.
func (r *Result) Cut() bool {
	for _, l := range r.Lanes {
		if l.Failure == nil && (l.Trace == nil || l.stopped()) {
			return true
		}
	}
	return false
}

func (r *Result) any() bool {
	for _, l := range r.Lanes {
		if l.Trace != nil {
			return true
		}
	}
	return false
}

// EngineDied says that the engine crashed. It is being restarted when Again is set.
type EngineDied struct {
	Message string
	Again   bool
}

func (a EngineDied) on(s *State) []Effect {
	s.Engine = EngineStarting
	if !a.Again {
		s.Engine = EngineBroken
	}
	s.Asks.forget()
	s.Flip = Flip{Rev: s.Flip.Rev + 1}
	s.Replicates.engineDied(a.Message)
	s.Vary.engineDied(a.Message)
	s.Vary.WinnerSearch.engineDied(a.Message)
	if s.Run.ID != 0 && !s.Run.OnServer {
		s.Run = Run{Failure: &message.Failure{Lane: -1, Message: a.Message}}
		s.Spoken = words.F("Run failed: {0}", a.Message)
	}
	if s.Engine == EngineBroken && s.Run.Planned != 0 {
		s.Run = Run{Failure: &message.Failure{Lane: -1, Message: a.Message}}
	}
	return nil
}

// GoLive says that the program runs in the browser. A saved document or a link replaces the first preset.
type GoLive struct{}

func (GoLive) on(s *State) []Effect { s.Live = true; return nil }
