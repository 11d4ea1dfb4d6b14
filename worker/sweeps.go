package worker

import (
	"net/http"
	"time"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/text"
	"hadarlab/core/words"
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
	Result() (*message.SweepResult, text.Diagnostics)

	Parts() int
	Part(i int) (*lab.Session, text.Diagnostics)
	Kept(lanes []message.Lane) []message.Lane
	Put(lanes []message.Lane)
	OnPart(f func(lanes []message.Lane))
	Resume(parts [][]message.Lane, jobs int)
}

func newSweep(req *message.SweepRequest) (sweep, text.Diagnostics) {
	w, diags := lab.OpenSweep(req)
	if w == nil {
		return nil, diags
	}
	return w, diags
}

// postSweep queues a grid of runs. Its result is that of `hadarlab sweep --format json`.
func (s *server) postSweep(w http.ResponseWriter, r *http.Request) {
	owner, ok := s.admit(w, r, 1)
	if !ok {
		return
	}
	if b, ok := s.readRun(w, r, owner, sweeps, s.RunBytes); ok && s.hasQueue(w, r, sweeps) {
		s.postQueued(w, r, owner, sweeps, b)
	}
}

// hasQueue refuses several runs of a policy where there is no queue: they are never answered inline.
func (s *server) hasQueue(w http.ResponseWriter, r *http.Request, of kind) bool {
	if s.Runner == nil {
		problem(w, r, http.StatusNotImplemented,
			"this server has no queue, and several runs of a policy take too long for one request",
			text.Error("", "no-queue", words.Say("sweeps and replicates are not run here"),
				words.Say("run it with the native server (hadarlab serve) or the command line (hadarlab {0})", of)))
	}
	return s.Runner != nil
}

// sweepFits refuses what is too large by figures that are known beforehand. Numbers of generated jobs may be varied:
// those are counted as the sweep comes to them.
func (s *server) sweepFits(w http.ResponseWriter, r *http.Request, x *run) bool {
	refuse := func(what string, size, most int) bool {
		problem(w, r, http.StatusRequestEntityTooLarge, "the "+string(x.kind)+" is too large to run here",
			text.Error("/vary", "too-large", words.Say("{0} is {1}, the most is {2}", what, size, most),
				words.Say("take fewer values, replicates or policies, or run it with the command line: hadarlab {0}",
					x.kind)))
		return false
	}
	if q := s.Runner; q.Send != nil {
		if x.each > q.Parts {
			return refuse("points × replicates", x.each, q.Parts)
		}
		if kept := x.resultSize(); kept > MaxRun {
			return refuse("bytes of the result", kept, MaxRun)
		}
		return x.size <= q.Size || refuse("jobs × policies", x.size, q.Size)
	}
	if read := x.each * len(x.grid.Scenario); read > sweepBytes {
		return refuse("points × replicates × bytes of the scenario", read, sweepBytes)
	}
	if all, most := x.each*x.size, s.Runner.mostJobs(x.kind); all > most {
		return refuse("jobs × policies × replicates × points", all, most)
	}
	return true
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

// mostJobs is the largest jobs × policies × replicates × points.
func (q *Runner) mostJobs(of kind) int {
	if of == sweeps && q.Send == nil {
		return sweepFactor * q.Size
	}
	return q.Size
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
func (x *run) takeSweep(p message.SweepProgress, cut bool, faults text.Diagnostics) {
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
