package worker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"hadarlab/core/text"
	"hadarlab/core/words"
	"hadarlab/worker/queue"
)

// postRun queues a run, or simulates a small one and streams it: at the edge, where nothing outlives
// its request, and for clients that ask for a stream. What has been run before is answered at once.
func (s *server) postRun(w http.ResponseWriter, r *http.Request) {
	owner, ok := s.admit(w, r, 1)
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
func (s *server) postQueued(w http.ResponseWriter, r *http.Request, owner string, of kind, b *runBody) {
	x, ok := s.plan(w, r, owner, of, b)
	if !ok || x.grid != nil && !s.sweepFits(w, r, x) || x.grid == nil && !s.fits(w, r, x, false) {
		return
	}
	there, err := s.findRun(r.Context(), x.id)
	switch {
	case err == nil:
		if l := there.look(); l.State == done && l.whole() {
			s.accepted(w, r, there, queue.Secret())
			return
		}
	case !errors.Is(err, ErrNotFound) && !errors.Is(err, errDamaged): // a damaged row is written anew
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
func (s *server) accepted(w http.ResponseWriter, r *http.Request, x *run, token string) {
	w.Header().Set("Location", x.path())
	w.Header().Set("Cache-Control", "no-store")
	writeJSON(w, r, http.StatusAccepted, map[string]string{"id": x.id, "state": x.look().State, "cancel_token": token})
}

// clientHeader carries the token by which a client is told from others. The server issues it with GET /api/v1/client,
// and with the first answer to a POST; who sends it back takes turns of its own.
const clientHeader = "Hadarlab-Client"

// getClient answers with a token, the one that was sent where it counts. Without a queue nobody needs one.
func (s *server) getClient(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	token := r.Header.Get(clientHeader)
	if s.Runner != nil && !s.Runner.clients.Knows(token, s.Now()) {
		var wait time.Duration
		if token, wait = s.Runner.clients.Issue(network(s.Address(r)), s.Now()); wait > 0 {
			tooMany(w, r, wait)
			return
		}
	}
	writeJSON(w, r, http.StatusOK, map[string]string{"client": token})
}

// admit draws on the client's bucket, and says whose turn the request takes; if it is not ok the problem has been
// answered.
func (s *server) admit(w http.ResponseWriter, r *http.Request, cost float64) (owner string, ok bool) {
	if s.Runner == nil {
		return "", true
	}
	a := s.Runner.clients.Admit(r.Header.Get(clientHeader), network(s.Address(r)), cost, s.Now())
	if a.Token != "" {
		w.Header().Set(clientHeader, a.Token)
	}
	if a.Wait == 0 {
		return a.Owner, true
	}
	tooMany(w, r, a.Wait)
	return "", false
}

// admitNetwork draws on what all new clients of a network share: who joins a class has no token yet.
func (s *server) admitNetwork(w http.ResponseWriter, r *http.Request) bool {
	if s.Runner == nil {
		return true
	}
	wait := s.Runner.clients.Newcomer(network(s.Address(r)), s.Now())
	if wait > 0 {
		tooMany(w, r, wait)
	}
	return wait == 0
}

// tooMany tells a client when to come again.
func tooMany(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	later(w, wait)
	problem(w, r, http.StatusTooManyRequests, "too many requests from this client",
		text.Error("", "too-many-requests", words.Say("the server takes only so many requests of a client in a while"),
			words.Say("send it again when Retry-After has passed; who sends back the header {0} is not counted with others",
				clientHeader)))
}

// readWaits is how many requests may wait to be read.
const readWaits = 1000

// reads waits until it is this client's turn to have a request read: parsing takes a processor as simulation does, and
// those who send much would keep all others from being answered. If it is not ok the problem has been answered.
func (s *server) reads(w http.ResponseWriter, r *http.Request, owner string) (done func(), ok bool) {
	if s.Runner == nil {
		return func() {}, true
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	if err := s.Runner.reading.Acquire(ctx, owner, readWaits); err != nil {
		s.refuseWork(w, r, err)
		return nil, false
	}
	return s.Runner.reading.Release, true
}

// readKept reads what a client sends to be kept, for which it pays by size, and waits until it is its turn to have it
// parsed. If it is not ok the problem has been answered.
func (s *server) readKept(w http.ResponseWriter, r *http.Request, limit int64) (body []byte, done func(), ok bool) {
	owner, ok := s.admit(w, r, 1+float64(max(0, r.ContentLength))/(16<<10))
	if !ok {
		return nil, nil, false
	}
	if body, ok = readJSON(w, r, limit); !ok {
		return nil, nil, false
	}
	done, ok = s.reads(w, r, owner)
	return body, done, ok
}

// later tells when to come again, in whole seconds.
func later(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))))
}

// refuseWork answers what the queue or the slots would not take.
func (s *server) refuseWork(w http.ResponseWriter, r *http.Request, err error) {
	again := words.Say("send it again in a while, or run it in the page")
	later(w, 10*time.Second)
	switch {
	case r.Context().Err() != nil: // nobody is left to tell
	case errors.Is(err, queue.ErrFull):
		problem(w, r, http.StatusServiceUnavailable, "too many runs are waiting",
			text.Error("", "queue-full",
				words.Say("{0} runs, or {1} MiB of them, are waiting, which is the most", s.Runner.Queue,
					s.Runner.QueueBytes>>20), again))
	case errors.Is(err, queue.ErrGreedy):
		problem(w, r, http.StatusTooManyRequests, "too many runs of this client, or of its network, are waiting",
			text.Error("", "queue-full",
				words.Say("one client has {0} places at most, and a network, or all without a token, a part of those that are free",
					s.Runner.QueueEach), again))
	case errors.Is(err, queue.ErrBusy):
		problem(w, r, http.StatusServiceUnavailable, "the server is busy with other requests",
			text.Error("", "busy", words.Say("its turn to be read did not come in time"), again))
	case errors.Is(err, queue.ErrClosed), errors.Is(err, queue.ErrLeaving):
		problem(w, r, http.StatusServiceUnavailable,
			"the server, or this run, is being stopped; send it again in a while")
	default:
		w.Header().Del("Retry-After")
		s.fail(w, r, err)
	}
}

// wantsStream tells whether the client names the event stream among what it takes.
func wantsStream(r *http.Request) bool {
	for _, item := range list(r, "Accept") {
		if t, _, _ := strings.Cut(item, ";"); strings.EqualFold(strings.TrimSpace(t), "text/event-stream") {
			return true
		}
	}
	return false
}

// fits refuses what is too large by jobs × policies, which is known beforehand.
func (s *server) fits(w http.ResponseWriter, r *http.Request, x *run, inline bool) bool {
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
	problem(w, r, http.StatusRequestEntityTooLarge, fmt.Sprintf("%d jobs under %d policies are too many to run here",
		x.size/lanes, lanes),
		text.Error("/scenario/scenario/jobs", "too-large",
			words.Say("{0} is {1}, the most is {2}", "jobs × policies", x.size, most), fix))
	return false
}
