package runs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/words"
	"hadarlab/worker/answer"
	"hadarlab/worker/queue"
	"hadarlab/worker/vault"
)

// findRun looks for a run of either kind in memory, then among the stored results, then in the table of work. A result
// that is done stands before what is remembered of a run that was cancelled.
func (s *API) findRun(ctx context.Context, id string) (*run, error) {
	id = strings.ToLower(id)
	if len(id) != runIDLength || !vault.Spells(id) {
		return nil, vault.ErrNotFound
	}
	var x *run
	if s.Runner != nil {
		if x = s.Runner.find(id); x != nil && !x.snapshot().again() {
			return x, nil
		}
	}
	row, err := s.Store.GetRun(ctx, id, s.Now().UnixMilli())
	if err != nil && x != nil {
		return x, nil
	}
	if errors.Is(err, vault.ErrNotFound) && s.Runner != nil {
		// What has ended without a result, or another server works on. A result that was dropped is gone.
		if w, err := s.Runner.Table.Find(ctx, id); err == nil && w.State != done {
			x := toldRun(w)
			x.elsewhere = true
			return x, s.Runner.hands.follow(ctx, x)
		}
	}
	if err != nil {
		return nil, err
	}
	if !row.Whole() {
		return nil, fmt.Errorf("%w: run %s", vault.ErrDamaged, id)
	}
	return endedRun(row)
}

// onRun calls h with the run that the path names.
func (s *API) onRun(of kind, h func(w http.ResponseWriter, r *http.Request, x *run)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		x, err := s.findRun(r.Context(), r.PathValue("id"))
		if err == nil && x.kind != of {
			err = vault.ErrNotFound
		}
		if err != nil {
			s.failRun(w, r, err)
			return
		}
		h(w, r, x)
	}
}

func (s *API) failRun(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, vault.ErrNotFound):
		detail := "there is no run or sweep with this id here; results are kept for a while only, so send it again"
		if id := r.PathValue("id"); len(id) != runIDLength {
			detail = fmt.Sprintf(
				"this is no id of a run or sweep: those have the %d letters and digits that POST answers", runIDLength)
		}
		answer.Refuse(w, r, http.StatusNotFound, detail)
	case errors.Is(err, vault.ErrDamaged):
		s.Log.Error("damaged row", "error", err)
		answer.Refuse(w, r, http.StatusInternalServerError, "the stored result is damaged and is not shown",
			jsondoc.Error("", "damaged-row", words.Say("run {0} does not fit its checksum", r.PathValue("id")),
				words.Say("send the run again")))
	default:
		s.Fail(w, r, err)
	}
}

// getRun tells state and progress.
func (s *API) getRun(w http.ResponseWriter, r *http.Request, x *run) {
	w.Header().Set("Cache-Control", "no-store")
	answer.JSON(w, r, http.StatusOK, x.snapshot().RunStatus)
}

// deleteRun ends one client's interest in a run. The last to go ends the run itself, and waits for its end, so that
// everybody who cancels it hears how it ended; while others want it, it goes on.
func (s *API) deleteRun(w http.ResponseWriter, r *http.Request, x *run) {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || token == "" {
		s.refuseLeave(w, r, x)
		return
	}
	if s.Runner != nil && !x.snapshot().final() {
		switch last, err := s.Runner.leave(r.Context(), x, token); {
		case errors.Is(err, queue.ErrForeign):
			s.refuseLeave(w, r, x)
			return
		case err != nil && !errors.Is(err, queue.ErrNone):
			s.Fail(w, r, err)
			return
		case err == nil && !last:
			s.getRun(w, r, x)
			return
		case err == nil:
			switch err := s.Runner.hands.ends(r.Context(), x); {
			case errors.Is(err, queue.ErrClosed):
				s.refuseWork(w, r, err)
				return
			case err != nil: // nobody is left to tell
				return
			}
		}
	}
	if l := x.snapshot(); l.State != cancelled {
		answer.Refuse(w, r, http.StatusConflict, "the run had ended before it could be cancelled: it is "+l.State,
			jsondoc.Error("", "run-ended", words.Say("a run that has ended cannot be cancelled"),
				words.Say("read {0}/result, or leave it: old results go by themselves", x.path())))
		return
	}
	s.getRun(w, r, x)
}

func (s *API) refuseLeave(w http.ResponseWriter, r *http.Request, x *run) {
	answer.Refuse(w, r, http.StatusForbidden, "only who asked for a run may cancel it",
		jsondoc.Error("", "no-cancel-token",
			words.Say("the token of one who asked for this run is missing, or is not of this run"),
			words.Say("send Authorization: Bearer and the cancel_token that POST {0} answered",
				strings.TrimSuffix(x.path(), "/"+x.id))))
}

// getResult returns the result. That of a run that is done never changes, as its id names all that it
// depends on; a cancelled run may be asked for again.
func (s *API) getResult(w http.ResponseWriter, r *http.Request, x *run) {
	l := x.snapshot()
	switch {
	case !l.final():
		answer.Refuse(w, r, http.StatusConflict, "the run is "+l.State+" and has no result yet",
			jsondoc.Error("", "run-unfinished", words.Say("the result comes with the end of the run"),
				words.Say("follow {0}/events, or ask again later; DELETE {1} ends it with what there is so far", x.path(),
					x.path())))
	case l.result == nil:
		answer.Refuse(w, r, http.StatusConflict, "the run is "+l.State+" and has no result",
			append(l.Errors,
				jsondoc.Error("", "no-result", words.Say("nothing was done when it ended"),
					words.Say("send the run again")))...)
	case l.Old:
		w.Header().Set("Cache-Control", "no-store")
		answer.Bytes(w, r, http.StatusOK, "application/json", marked(l))
	case !l.complete():
		w.Header().Set("Cache-Control", "no-store")
		answer.Bytes(w, r, http.StatusOK, "application/json", l.result)
	default:
		answer.Lasting(w, r, "application/json", l.result)
	}
}

// marked is a result of another version, which says so first; all else stands as it was stored.
func marked(l snapshot) []byte {
	says, _ := json.Marshal(fmt.Sprintf( // a text always encodes
		"made by engine %s; this is %s, which may decide otherwise: POST the same request again to run it today",
		l.Engine, lab.Engine))
	return slices.Concat([]byte(`{"old":`), says, []byte(","), bytes.TrimPrefix(l.result, []byte("{")))
}

// lastEvent is the id of the last event of a run that has ended. A browser that comes back with it is
// told to stay away.
const lastEvent = "end"

// runEvents streams a run until it ends, or the listener goes: the state, and then what changes. Any
// number may listen; each looks at the run at its own pace, and the run waits for none.
func (s *API) runEvents(w http.ResponseWriter, r *http.Request, x *run) {
	last := x.snapshot()
	if last.final() && r.Header.Get("Last-Event-ID") == lastEvent {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	out := answer.Stream(w)
	if r.Method == http.MethodHead {
		return
	}
	out.Printf("retry: 5000\n\n")
	if last, ok := s.follow(out, r, x, last); ok {
		out.Printf("id: %s\n", lastEvent)
		tellLast(out, last)
	}
}

// follow sends the state, and then what changes, until the run has ended: ok is false if the listener goes before.
func (s *API) follow(out answer.Events, r *http.Request, x *run, last snapshot) (ended snapshot, ok bool) {
	out.Send("state", last.RunStatus)
	tellEnded(out, snapshot{}, last)
	if x.elsewhere && !last.final() {
		return last, false // another server works on it: the reader comes back for its news
	}
	pulse := time.NewTicker(answer.Beat)
	defer pulse.Stop()
	for !last.final() {
		select {
		case <-last.changed:
		case <-pulse.C:
			out.Printf(": still %s\n\n", last.State)
			continue
		case <-r.Context().Done():
			return last, false
		case <-s.Runner.stopped: // the run goes on with the next server, where the reader comes back to it
			waits := x.snapshot().RunStatus
			waits.State = queued
			out.Send("state", waits)
			return last, false
		}
		now := x.snapshot()
		for i, lane := range now.Lanes {
			if lane.Progress != last.Lanes[i].Progress {
				out.Send("progress", lane.Progress)
			}
		}
		if now.Sweep != nil && *now.Sweep != *last.Sweep {
			out.Send("sweep", now.Sweep)
		}
		tellEnded(out, last, now)
		if now.State != last.State {
			out.Send("state", now.RunStatus)
		}
		last = now
	}
	return last, true
}

// tellLast sends the result of a run that has ended, or the state of one without.
func tellLast(out answer.Events, l snapshot) {
	if l.result == nil {
		out.Send("state", l.RunStatus)
		return
	}
	out.SendBytes("result", l.result)
}

// tellEnded sends the lanes that have ended between two looks.
func tellEnded(out answer.Events, before, now snapshot) {
	for _, f := range now.failures[len(before.failures):] {
		out.Send("failure", f)
	}
	for i := len(before.lanes); i < len(now.lanes); i++ {
		out.Send("lane", now.lanes[i])
	}
}
