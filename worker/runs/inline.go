package runs

import (
	"context"
	"errors"
	"net/http"

	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/words"
	"hadarlab/worker/answer"
	"hadarlab/worker/queue"
)

const (
	// SliceEvents is how many events are simulated between two yields.
	SliceEvents = 1000
	// inlineBytes bounds the body of an inline run, which is small and may wait in memory.
	inlineBytes = 1 << 20
)

// postInline answers a small run as one stream: progress, one lane a policy, then the result. A run is small by jobs ×
// policies, known beforehand, and by events and recorded bytes, counted: never by the clock, which stands still during
// work in the edge runtime. Where there are slots and none is free it is queued as any other, and its stream is that of
// the queue: so as many are taken as may wait.
func (s *API) postInline(w http.ResponseWriter, r *http.Request, owner string) {
	b, ok := s.readRun(w, r, owner, runs, min(s.RunBytes, inlineBytes))
	if !ok {
		return
	}
	if b.seeds() > 1 {
		if s.Runner != nil {
			s.postQueued(w, r, owner, runs, b)
		} else if _, ok := s.plan(w, r, owner, runs, b); ok {
			s.hasQueue(w, r, runs)
		}
		return
	}
	queues := false
	var slot *turn
	if s.Runner != nil {
		var err error
		if slot, err = s.Runner.hands.slot(r.Context(), owner); errors.Is(err, queue.ErrBusy) {
			queues = true
		} else if err != nil {
			s.refuseWork(w, r, err)
			return
		}
		defer slot.giveUp()
	}
	x, ok := s.plan(w, r, owner, runs, b)
	if !ok || !s.fits(w, r, x, true) {
		return
	}
	if there, err := s.findRun(r.Context(), x.id); err == nil {
		if l := there.snapshot(); l.State == done {
			w.Header().Set("Location", x.path())
			s.replay(w, r, l)
			return
		}
	} // else it is run anew, even if the store cannot be read
	if queues {
		s.streamQueued(w, r, owner, x, b)
		return
	}
	x.turn = slot
	session, first, more, ok := s.begin(w, r, x)
	if ok {
		w.Header().Set("Location", x.path())
		s.stream(w, r, session, x, first, more)
	}
}

// begin starts a session on the run. If the scenario is invalid, or no policy can run on it, the
// problem has been answered.
func (s *API) begin(w http.ResponseWriter, r *http.Request,
	x *run) (session *lab.Session, first []*message.Message, more, ok bool) {
	session = lab.NewBatch()
	session.Bound(s.Recorded)
	if diags := session.Start(x.req); diags.HasErrors() {
		answer.Invalid(w, r, diags.Errors())
		return nil, nil, false, false
	}
	// Faults of policies show in the first slice.
	first, more = session.Spend(SliceEvents)
	if faults := allFailed(first); !more && faults != nil {
		answer.Invalid(w, r, faults)
		return nil, nil, false, false
	}
	return session, first, more, true
}

// allFailed returns the findings of a request in which every lane failed on its policy, else nil.
func allFailed(msgs []*message.Message) (faults []jsondoc.Diagnostic) {
	for _, m := range msgs {
		if m.Lane != nil || m.Failure != nil && len(m.Failure.Diagnostics) == 0 {
			return nil
		}
		if m.Failure != nil {
			faults = append(faults, m.Failure.Diagnostics...)
		}
	}
	return faults
}

// replay streams a run that is done as if it ran now.
func (s *API) replay(w http.ResponseWriter, r *http.Request, l snapshot) {
	out := answer.Stream(w)
	for i := range l.failures {
		out.Send("failure", l.failures[i])
	}
	for i := range l.lanes {
		out.Send("progress", endedLane(i, l.lanes[i]).Progress)
		out.Send("lane", l.lanes[i])
	}
	out.SendBytes("result", l.result)
}

// stream sends what the session's first slice gave, runs it to its end and sends the rest. Lanes go out
// as they finish, without traces.
func (s *API) stream(w http.ResponseWriter, r *http.Request, session *lab.Session, x *run, msgs []*message.Message,
	more bool) {
	out := answer.Stream(w)
	defer func() {
		if p := recover(); p != nil { // the status has gone out: the stream itself must say it
			s.Log.Error("panic in a run", "run", x.id, "panic", p)
			defer func() { _ = recover() }() // it may be the stream that panics
			out.Send("failure", message.Failure{Lane: -1, Message: "the run failed; the server has logged why"})
		}
	}()

	cut := ""
	for slice := 1; ; slice++ {
		x.take(msgs)
		for _, m := range msgs {
			switch {
			case m.Progress != nil:
				out.Send("progress", m.Progress)
			case m.Failure != nil:
				out.Send("failure", m.Failure)
			case m.Lane != nil:
				out.Send("lane", m.Lane)
			}
		}
		if !more {
			break
		}
		s.Yield()
		if s.Runner != nil {
			s.Runner.hands.pause(r.Context(), x, SliceEvents, func() { out.Printf(": still running\n\n") })
		}
		if r.Context().Err() != nil {
			return
		}
		if cut == "" {
			if cut = s.cut(slice); cut != "" {
				session.Stop() // what is done is answered, the rest as stopped
			}
		}
		msgs, more = session.Spend(SliceEvents)
	}
	if session.Full() {
		cut = recordedTooMuch(s.Recorded).Message.String()
		x.cut()
	}
	if cut != "" {
		out.Send("failure", message.Failure{Lane: -1, Message: cut})
	}
	s.conclude(r, out, x)
}

// cut says why a stream must end after so many slices, "" if it need not.
func (s *API) cut(slice int) string {
	switch {
	case slice >= s.RunSlices:
		return "the run was stopped: it takes more kernel events than are simulated here; run it in the page, or natively"
	case s.Runner != nil && s.Runner.closed():
		return words.Say("{0}; {1}", stopped.Message, stopped.Fix).String()
	}
	return ""
}

// conclude caches a complete result, then sends it: who has read it can ask for it again.
func (s *API) conclude(r *http.Request, out answer.Events, x *run) {
	result, err := x.answer()
	if err != nil {
		panic(err)
	}
	if l := x.snapshot(); l.complete() {
		_, _ = putRun(r.Context(), s.Store, s.Log, l, result, s.Now())
	}
	out.SendBytes("result", result)
}

// streamQueued queues a run and streams what becomes of it to its client, who goes back on it by leaving.
func (s *API) streamQueued(w http.ResponseWriter, r *http.Request, owner string, x *run, b *runBody) {
	x, token, err := s.Runner.ask(r.Context(), x, owner, b)
	if err != nil {
		s.refuseWork(w, r, err)
		return
	}
	w.Header().Set("Location", x.path())
	out := answer.Stream(w)
	switch last, ended := s.follow(out, r, x, x.snapshot()); {
	case ended:
		tellLast(out, last)
		return
	case r.Context().Err() == nil: // the server is being stopped; the run is found at its place with the next
		return
	}
	if _, err := s.Runner.leave(context.WithoutCancel(r.Context()), x, token); err != nil {
		s.Log.Error("a run that nobody waits for cannot be ended", "run", x.id, "error", err)
	}
}
