package runs

import (
	"net/http"
	"time"

	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/words"
	"hadarlab/worker/answer"
)

const (
	// sweepFactor is how much larger and longer than a run a sweep may be.
	sweepFactor = 10
	// sweepBytes bounds the text that a sweep reads: the length of its scenario, once for each of its runs.
	sweepBytes = 64 << 20
)

// sweep is what the server asks of a lab.Sweep.
type sweep interface {
	Spend(events int) (more bool)
	Stop()
	Bound(bytes int)
	Full() bool
	Jobs() int
	Progress() message.SweepProgress
	Result() (*message.SweepResult, jsondoc.Diagnostics)

	Parts() int
	Part(i int) (*lab.Session, jsondoc.Diagnostics)
	Kept(lanes []message.Lane) []message.Lane
	Put(lanes []message.Lane)
	OnPart(f func(lanes []message.Lane))
	Resume(parts [][]message.Lane, jobs int)
}

func newSweep(req *message.SweepRequest) (sweep, jsondoc.Diagnostics) {
	w, diags := lab.OpenSweep(req)
	if w == nil {
		return nil, diags
	}
	return w, diags
}

// postSweep queues a grid of runs. Its result is that of `hadarlab sweep --format json`.
func (s *API) postSweep(w http.ResponseWriter, r *http.Request) {
	owner, ok := s.Gate.Admit(w, r, 1)
	if !ok {
		return
	}
	if b, ok := s.readRun(w, r, owner, sweeps, s.RunBytes); ok && s.hasQueue(w, r, sweeps) {
		s.postQueued(w, r, owner, sweeps, b)
	}
}

// hasQueue refuses several runs of a policy where there is no queue: they are never answered inline.
func (s *API) hasQueue(w http.ResponseWriter, r *http.Request, of kind) bool {
	if s.Runner == nil {
		answer.Refuse(w, r, http.StatusNotImplemented,
			"this server has no queue, and several runs of a policy take too long for one request",
			jsondoc.Error("", "no-queue", words.Say("sweeps and replicates are not run here"),
				words.Say("run it with the native server (hadarlab serve) or the command line (hadarlab {0})", of)))
	}
	return s.Runner != nil
}

// sweepFits refuses what is too large by figures that are known beforehand. Numbers of generated jobs may be varied:
// those are counted as the sweep comes to them.
func (s *API) sweepFits(w http.ResponseWriter, r *http.Request, x *run) bool {
	what, size, most := s.Runner.hands.tooLarge(x)
	if what == "" {
		return true
	}
	answer.Refuse(w, r, http.StatusRequestEntityTooLarge, "the "+string(x.kind)+" is too large to run here",
		jsondoc.Error("/vary", "too-large", words.Say("{0} is {1}, the most is {2}", what, size, most),
			words.Say("take fewer values, replicates or policies, or run it with the command line: hadarlab {0}",
				x.kind)))
	return false
}

// resultSize is about how many bytes the result of a sweep or of replicates has.
func (x *run) resultSize() int {
	const lane, job = 1280, 128
	size := x.at.Sweep.Runs * lane
	if x.kind == runs { // replicates keep their jobs
		size += x.each * x.size * job
	}
	return size
}

// sweepWork works the sweep off.
func (x *run) sweepWork() work {
	sweep := x.sweep
	return work{spend: func(events int) bool {
		more := sweep.Spend(events)
		res, faults := sweep.Result()
		x.takeSweep(sweep.Progress(), res.Stopped, faults)
		return more
	}, stop: sweep.Stop, full: sweep.Full, jobs: sweep.Jobs}
}

// takeSweep notes how far the sweep is.
func (x *run) takeSweep(p message.SweepProgress, cut bool, faults jsondoc.Diagnostics) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.at.Sweep, x.at.cut, x.at.Errors = &p, cut, faults.Errors()
	if time.Since(x.told) >= tellEvery {
		x.tell()
	}
}

// swept is the result so far, nil if there is none.
func (x *run) swept() any {
	res, _ := x.sweep.Result()
	switch {
	case len(res.Points) == 0:
		return nil
	case x.kind == sweeps:
		return res
	}
	return message.Result{Engine: res.Engine, ScenarioID: res.ScenarioID, Runs: res.Points[0].Runs,
		Summary: res.Points[0].Summary}
}
