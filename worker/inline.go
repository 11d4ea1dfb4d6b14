package worker

import (
	"net/http"

	"hadarlab/core/lab"
	"hadarlab/core/message"
)

// SliceEvents is how many events are simulated between two yields.
const SliceEvents = 1000

// inline answers a small run as one stream: progress, one lane a policy, then the result. A run is
// small by jobs × policies, known beforehand, and by events, counted: never by the clock, which
// stands still during work in the edge runtime.
func (s *server) inline(w http.ResponseWriter, r *http.Request, x *run) {
	if there, err := s.findRun(r.Context(), x.id); err == nil {
		if l := there.look(); l.State == done {
			s.replay(w, r, l)
			return
		}
	} // else it is run anew, even if the store cannot be read
	session, first, more, ok := begin(w, r, x, SliceEvents)
	if ok {
		s.stream(w, r, session, x, first, more)
	}
}

// replay streams a run that is done as if it ran now.
func (s *server) replay(w http.ResponseWriter, r *http.Request, l look) {
	out := openStream(w)
	for i := range l.failures {
		out.send("failure", l.failures[i])
	}
	for i := range l.lanes {
		out.send("progress", endedLane(i, l.lanes[i]).Progress)
		out.send("lane", l.lanes[i])
	}
	out.sendBytes("result", l.result)
}

// stream sends what the session's first slice gave, runs it to its end and sends the rest. Lanes go out
// as they finish, without traces.
func (s *server) stream(w http.ResponseWriter, r *http.Request, session *lab.Session, x *run, msgs []*message.Message, more bool) {
	out := openStream(w)
	defer func() {
		if p := recover(); p != nil { // the status has gone out: the stream itself must say it
			s.Log.Error("panic in a run", "run", x.id, "panic", p)
			out.send("failure", message.Failure{Lane: -1, Message: "the run failed; the server has logged why"})
		}
	}()

	for slice := 1; ; slice++ {
		x.take(msgs)
		for _, m := range msgs {
			switch {
			case m.Progress != nil:
				out.send("progress", m.Progress)
			case m.Failure != nil:
				out.send("failure", m.Failure)
			case m.Lane != nil:
				out.send("lane", m.Lane)
			}
		}
		if !more {
			break
		}
		s.Yield()
		if r.Context().Err() != nil {
			return
		}
		if slice >= s.RunSlices {
			session.Stop() // what is done is answered, the rest as stopped
		}
		msgs, more = session.Spend(SliceEvents)
	}
	s.conclude(r, out, x)
}

// conclude caches a complete result, then sends it: who has read it can ask for it again.
func (s *server) conclude(r *http.Request, out events, x *run) {
	result, err := x.answer()
	if err != nil {
		panic(err)
	}
	if l := x.look(); l.complete() {
		putRun(r.Context(), s.Store, s.Log, l, result, packTraces(l.traces, nil), s.Now())
	}
	out.sendBytes("result", result)
}
