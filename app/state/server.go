package state

import (
	"hadarlab/core/message"
	"hadarlab/core/words"
)

// clockEvery is how often a run is timed, in ms.
const clockEvery = 500

const (
	// young is how long a run lasts before it is said how long it may still take, in ms.
	young = 2000
	// slow is the estimate beyond which the server is offered, in ms: attention does not last longer.
	slow = 10_000
	// large is the jobs × policies beyond which it is offered at once. The engine holds up to 20 kB of each in this
	// tab, and the page as much again: 160 MB, of the 200 MB that a phone leaves a page.
	large = 4000
)

// ServerState is what the page knows of the server that it came from.
type ServerState struct {
	// Takes says that it has a queue for runs of this engine. Another engine would give other traces.
	Takes bool
	// Problem is why the last run on it gave nothing, or not all; "" = nothing to say.
	Problem string
}

// Effects on the server and the clock.
type (
	// SendToServer sends a run to the server. It answers as the engine does.
	SendToServer struct {
		ID      int64
		Request *message.RunRequest
	}
	// StopOnServer ends the run on the server. Unless all is dropped, what it has done is answered.
	StopOnServer struct{ Drop bool }
	// Clock reports back with Ticked in some ms. Ask says that the server should be asked whether it takes runs.
	Clock struct {
		Run int64
		Ms  int
		Ask bool
	}
)

func (SendToServer) effect() {}
func (StopOnServer) effect() {}
func (Clock) effect()        {}

// Ticked says what time it is, in ms from any start, and whether the server is known to take runs.
type Ticked struct {
	Run, Ms int64
	Takes   bool
}

func (a Ticked) on(s *State) []Effect {
	r := &s.Run
	if r.ID == 0 || a.Run != r.ID {
		return nil
	}
	r.tick(a.Ms)
	ask := r.long() && !r.OnServer && !r.Offered && !r.Stopping && !s.Embed
	if s.Server.Takes = s.Server.Takes || a.Takes; ask && s.Server.Takes {
		r.Offered, ask = true, false
		s.Spoken = words.T("This run takes long here. The server can run it.")
	}
	return []Effect{Clock{r.ID, clockEvery, ask}}
}

// large says that the run may not fit into this tab.
func (r *Run) large() bool { return r.size > large }

// long says that the run is large, or keeps people waiting.
func (r *Run) long() bool {
	return r.lasted >= young && r.left > slow || r.left == 0 && r.lasted > slow || r.large()
}

// tick tells the run what time it is, in ms from any start.
func (r *Run) tick(ms int64) {
	if r.began == 0 {
		r.began = ms
	}
	r.guess(ms - r.began)
}

// guess estimates the time left from the jobs finished in the time so far. It goes only part of the way to each new
// estimate, so that the figure does not jump.
func (r *Run) guess(lasted int64) {
	passed := float64(lasted - r.lasted)
	r.lasted = lasted
	done := r.Share()
	if done == 0 {
		return
	}
	now := float64(lasted) * (1 - done) / done
	if r.left == 0 {
		r.left = now
		return
	}
	r.left -= passed
	r.left = max(1, r.left+0.3*(now-r.left))
}

// LeftS is how long the run may still take, in s, rounded up; 0 while nobody can say, and while the run is young.
func (r *Run) LeftS() int {
	if r.lasted < young {
		return 0
	}
	return int(r.left+999) / 1000
}

// RunOnServer hands the run over to the server: the one under way is stopped, and what it has done is kept.
type RunOnServer struct{}

func (RunOnServer) on(s *State) []Effect {
	r := &s.Run
	switch {
	case !s.Server.Takes || s.Diags.HasErrors() || r.Busy() && (r.OnServer || r.Stopping):
		return nil
	case r.ID == 0 || r.OnServer:
		return append(s.giveUp(), s.send()...)
	}
	r.Stopping, r.HandOver = true, true
	return []Effect{StopRun{r.ID}}
}

// send sends the document to the server.
func (s *State) send() []Effect {
	r := newResult(s.seq(), s.Rev, s.Doc)
	s.Run = follow(r, true)
	s.Server.Problem = ""
	s.Spoken = words.T("The run goes on the server.")
	s.onServer = true
	return []Effect{s.save(), SendToServer{r.ID, r.request()}, After{soFarMs, showSoFar{r.ID}}}
}
