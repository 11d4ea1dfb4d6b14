// Package runs is simulation on request: one run, replicates, or a sweep, answered as a stream or worked on in the
// background by a Runner, where there is one. It never simulates by itself; core/lab does. Runs are counted in events,
// since at the edge no clock bounds work.
//
// Flow: request → API (gate, limits) → run → Runner.ask → queue.Table … hands (a pool of this program, or the receiver
// of a message) → Runner.simulate → store. A run is found again by its id, which follows from what decides it.
package runs

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
	"hadarlab/worker/answer"
	"hadarlab/worker/gate"
	"hadarlab/worker/queue"
	"hadarlab/worker/shared"
	"hadarlab/worker/vault"
)

// API answers what is asked about runs.
type API struct {
	answer.Faults
	Gate *gate.Gate
	// Shared finds the scenarios that requests name by their id.
	Shared *shared.API
	// Runner works on runs in the background; nil = every run is answered inline.
	Runner *Runner
	// Yield lets others run between two slices of a simulation.
	Yield func()
	// RunBytes bounds the body of POST /api/v1/runs.
	RunBytes int64
	// RunSize is the largest jobs × policies answered inline, Recorded the most bytes that such a run may record, and
	// RunSlices how many slices of SliceEvents events it may take.
	RunSize, Recorded, RunSlices int
	Now                          func() time.Time
}

// Routes are the methods and paths of the interface that this answers.
func (s *API) Routes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"POST /api/v1/runs":                  s.postRun,
		"GET /api/v1/runs/{id}":              s.onRun(runs, s.getRun),
		"DELETE /api/v1/runs/{id}":           s.onRun(runs, s.deleteRun),
		"GET /api/v1/runs/{id}/events":       s.onRun(runs, s.runEvents),
		"GET /api/v1/runs/{id}/result":       s.onRun(runs, s.getResult),
		"GET /api/v1/runs/{id}/trace/{lane}": s.onRun(runs, s.getTrace),
		"POST /api/v1/sweeps":                s.postSweep,
		"GET /api/v1/sweeps/{id}":            s.onRun(sweeps, s.getRun),
		"DELETE /api/v1/sweeps/{id}":         s.onRun(sweeps, s.deleteRun),
		"GET /api/v1/sweeps/{id}/events":     s.onRun(sweeps, s.runEvents),
		"GET /api/v1/sweeps/{id}/result":     s.onRun(sweeps, s.getResult),
	}
}

// postRun queues a run, or simulates a small one and streams it: at the edge, where nothing outlives
// its request, and for clients that ask for a stream. What has been run before is answered at once.
func (s *API) postRun(w http.ResponseWriter, r *http.Request) {
	owner, ok := s.Gate.Admit(w, r, 1)
	if !ok {
		return
	}
	if s.Runner == nil || wantsStream(r) {
		s.postInline(w, r, owner)
		return
	}
	b, ok := s.readRun(w, r, owner, runs, s.RunBytes)
	if ok {
		s.postQueued(w, r, owner, runs, b)
	}
}

// postQueued answers 202 with the run's id: of the run itself, of the same run that somebody has asked for before, or
// of its cached result. What it costs to find out whether it can run is spent in the queue.
func (s *API) postQueued(w http.ResponseWriter, r *http.Request, owner string, of kind, b *runBody) {
	x, ok := s.plan(w, r, owner, of, b)
	if !ok || x.grid != nil && !s.sweepFits(w, r, x) || x.grid == nil && !s.fits(w, r, x, false) {
		return
	}
	there, err := s.findRun(r.Context(), x.id)
	switch {
	case err == nil:
		if l := there.snapshot(); l.State == done && l.whole() {
			s.accepted(w, r, there, queue.Secret())
			return
		}
	case !errors.Is(err, vault.ErrNotFound) && !errors.Is(err, vault.ErrDamaged): // a damaged row is written anew
		s.failRun(w, r, err)
		return
	}
	x, token, err := s.Runner.ask(r.Context(), x, owner, b)
	if err != nil {
		s.refuseWork(w, r, err)
		return
	}
	s.accepted(w, r, x, token)
}

// accepted answers with the run's id, and with the token that lets this client, and nobody else, go back on it.
func (s *API) accepted(w http.ResponseWriter, r *http.Request, x *run, token string) {
	w.Header().Set("Location", x.path())
	w.Header().Set("Cache-Control", "no-store")
	answer.JSON(w, r, http.StatusAccepted,
		map[string]string{"id": x.id, "state": x.snapshot().State, "cancel_token": token})
}

// refuseWork answers what the queue or the slots would not take.
func (s *API) refuseWork(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case gate.Refuse(w, r, err):
	case errors.Is(err, queue.ErrFull):
		answer.Later(w, 10*time.Second)
		answer.Refuse(w, r, http.StatusServiceUnavailable, "too many runs are waiting",
			jsondoc.Error("", "queue-full",
				words.Say("{0} runs, or {1} MiB of them, are waiting, which is the most", s.Runner.Queue,
					s.Runner.QueueBytes>>20), gate.Again))
	case errors.Is(err, queue.ErrGreedy):
		answer.Later(w, 10*time.Second)
		answer.Refuse(w, r, http.StatusTooManyRequests, "too many runs of this client, or of its network, are waiting",
			jsondoc.Error("", "queue-full",
				words.Say("one client has {0} places at most, and a network, or all without a token, a part of those that are free",
					s.Runner.QueueEach), gate.Again))
	default:
		s.Fail(w, r, err)
	}
}

// wantsStream tells whether the client names the event stream among what it takes.
func wantsStream(r *http.Request) bool {
	for _, item := range answer.List(r, "Accept") {
		if t, _, _ := strings.Cut(item, ";"); strings.EqualFold(strings.TrimSpace(t), "text/event-stream") {
			return true
		}
	}
	return false
}

// fits refuses what is too large by jobs × policies, which is known beforehand.
func (s *API) fits(w http.ResponseWriter, r *http.Request, x *run, inline bool) bool {
	most, fix := s.RunSize, words.Say("run it in the page, or natively with `hadarlab run`")
	switch {
	case !inline:
		most = s.Runner.Size
	case s.Runner != nil:
		fix = words.Say("send it without Accept: text/event-stream to queue it, or run it in the page")
	}
	if x.size <= most {
		return true
	}
	lanes := len(x.at.Lanes)
	answer.Refuse(w, r, http.StatusRequestEntityTooLarge, fmt.Sprintf("%d jobs under %d policies are too many to run here",
		x.size/lanes, lanes),
		jsondoc.Error("/scenario/scenario/jobs", "too-large",
			words.Say("{0} is {1}, the most is {2}", "jobs × policies", x.size, most), fix))
	return false
}
