//go:build !js

package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"hadarlab/worker"
	"hadarlab/worker/queue"
	"hadarlab/worker/runs"
)

// TestSharedRunEndsWithItsLastClient: a run belongs to all who asked for it. Each can go back on it with the token of
// its own, nobody else can, and the last ends it.
func TestSharedRunEndsWithItsLastClient(t *testing.T) {
	n := newNative(t, runs.Options{}, true)
	id := n.post(endless(40), `["hadar","fifo"]`)
	path := "/api/v1/runs/" + id
	first, _ := n.tokens.Load(id)
	n.await(id, "running")
	if again := n.post(endless(40), `["hadar","fifo"]`); again != id {
		t.Fatalf("asked for by another it is %s", again)
	}
	for _, headers := range [][]string{nil, {"Authorization", "Bearer "}, {"Authorization", "Bearer x"},
		{"Authorization", fmt.Sprint("Basic ", first)},
		{"Authorization", "Bearer %"}, {"Authorization", "Bearer " + strings.Repeat("0", 32)}} {
		p := wantProblem(t, do(n, "DELETE", path, "", headers...), http.StatusForbidden)
		if len(p.Errors) != 1 || !strings.Contains(p.Errors[0].Fix.String(), "cancel_token") {
			t.Errorf("with %q: %+v", headers, p)
		}
	}
	if w := do(n, "DELETE", path, "", "Authorization", fmt.Sprint("Bearer ", first)); w.Code != 200 ||
		n.status(id).State != "running" {
		t.Errorf("one of two has gone: %d %s", w.Code, w.Body)
	}
	// it has no say any more
	wantProblem(t, do(n, "DELETE", path, "", "Authorization", fmt.Sprint("Bearer ", first)), http.StatusForbidden)
	answers := make([]*httptest.ResponseRecorder, 1)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() { answers[i] = n.cancel(path) })
	}
	n.release()
	wg.Wait()
	answers = append(answers, n.cancel(path)) // long after
	for i, w := range answers {
		var s runs.RunStatus
		if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil || w.Code != 200 || s.State != "cancelled" {
			t.Errorf("client %d: %d %s", i, w.Code, w.Body)
		}
	}
	got := n.result(id)
	if len(got.Runs) != 2 || got.Runs[0].Outcome != "stopped" || got.Runs[1].Outcome != "stopped" ||
		got.Runs[0].Metrics.Rounds == 0 {
		t.Errorf("the lanes so far are %+v", got.Runs)
	}
	if w := do(newHandler(t, worker.Options{Store: n.store}), "GET", "/api/v1/runs/"+id,
		""); w.Code != http.StatusNotFound {
		t.Errorf("a cancelled run was stored: %d", w.Code)
	}
	if again := n.post(endless(40), `["hadar","fifo"]`); again != id {
		t.Errorf("asked for again it is %s", again)
	}
	if s := n.await(id, "running"); s.Lanes[0].Outcome != "" {
		t.Errorf("asked for again it stands at %+v", s)
	}
	n.cancel("/api/v1/runs/" + id)
}

// slowEnd is a table that is slow to say that it knows how work has ended.
type slowEnd struct {
	queue.Table
	ended, goOn chan struct{}
	left        chan struct{} // of each who has left work
}

func (s *slowEnd) Leave(ctx context.Context, id, asker string, atOnce bool) (string, bool, error) {
	state, last, err := s.Table.Leave(ctx, id, asker, atOnce)
	s.left <- struct{}{}
	return state, last, err
}

func (s *slowEnd) End(ctx context.Context, id, holder, state, status, result string) (bool, error) {
	ok, err := s.Table.End(ctx, id, holder, state, status, result)
	close(s.ended)
	<-s.goOn
	return ok, err
}

// TestWhoCancelsLastLosesNothing: one who cancels a run when the table has its end already, and this program does not,
// waits for what there is of it as the first one does.
func TestWhoCancelsLastLosesNothing(t *testing.T) {
	table := &slowEnd{newStore(t).(queue.Table), make(chan struct{}), make(chan struct{}), make(chan struct{})}
	n := newNative(t, runs.Options{Table: table}, true)
	id := n.post(endless(45), `["hadar"]`)
	n.await(id, "running")
	n.release()
	for n.status(id).Lanes[0].TimeS == 0 {
		time.Sleep(time.Millisecond)
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if w := n.cancel("/api/v1/runs/" + id); w.Code != 200 {
				t.Errorf("cancelled: %d %s", w.Code, w.Body)
			}
		})
		<-table.left
		<-table.ended
	}
	for range 1000 { // turns in which the second could have ended it
		runtime.Gosched()
	}
	close(table.goOn)
	wg.Wait()
	if got := n.result(id); len(got.Runs) != 1 || got.Runs[0].Outcome != "stopped" {
		t.Errorf("the lanes so far are %+v", got.Runs)
	}
}

func TestCancelWhatWaits(t *testing.T) {
	n := newNative(t, runs.Options{Concurrent: 1, Queue: 1}, true)
	first := n.post(doc(41), `["fifo"]`)
	n.await(first, "running")
	id := n.post(doc(42), `["fifo"]`)
	for range 2 {
		if w := n.cancel("/api/v1/runs/" + id); w.Code != 200 || !strings.Contains(w.Body.String(), `"cancelled"`) {
			t.Errorf("cancelled in the queue: %d %s", w.Code, w.Body)
		}
	}
	p := wantProblem(t, do(n, "GET", "/api/v1/runs/"+id+"/result", ""), http.StatusConflict)
	if len(p.Errors) == 0 || !strings.Contains(p.Errors[0].Fix.String(), "again") {
		t.Errorf("problem %+v", p)
	}
	n.post(doc(43), `["fifo"]`) // its place is free
	// Somebody else lets it run inline. What is done stands before what was cancelled.
	inline := newHandler(t, worker.Options{Store: n.store})
	if w := do(inline, "POST", "/api/v1/runs", `{"scenario":`+doc(42)+`,"policies":["fifo"]}`); w.Code != 200 {
		t.Fatal(w.Code, w.Body)
	}
	if s := n.status(id); s.State != "done" {
		t.Errorf("cancelled, then run elsewhere: %+v", s)
	}
	n.release()
	n.await(first, "done")
}

func TestCancelWhatCannotBe(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	id := n.post(doc(44), `["fifo"]`)
	n.await(id, "done")
	p := wantProblem(t, n.cancel("/api/v1/runs/"+id), http.StatusConflict)
	if !strings.Contains(p.Detail, "is done") || len(p.Errors) != 1 ||
		!strings.Contains(p.Errors[0].Fix.String(), id+"/result") {
		t.Errorf("problem %+v", p)
	}
	edge := newHandler(t, worker.Options{Store: n.store})
	wantProblem(t, do(edge, "DELETE", "/api/v1/runs/"+id, "", "Authorization", "Bearer x"), http.StatusConflict)
	for _, h := range []http.Handler{n, edge} {
		for _, id := range []string{"00000000000000000000000000", "short", "ilou0000000000000000000000",
			strings.Repeat("0", 5000), "%2e%2e"} {
			for _, tt := range [][2]string{{"GET", ""}, {"DELETE", ""}, {"GET", "/events"}, {"GET", "/result"}} {
				p := wantProblem(t, do(h, tt[0], "/api/v1/runs/"+id+tt[1], ""), http.StatusNotFound)
				if strings.Contains(p.Detail, "no id of a run") != (len(id) != 26) {
					t.Errorf("%s: %s", id, p.Detail)
				}
			}
		}
		w := do(h, "PUT", "/api/v1/runs/"+id, "")
		if wantProblem(t, w, http.StatusMethodNotAllowed); w.Header().Get("Allow") != "DELETE, GET, HEAD" {
			t.Errorf("Allow %q", w.Header().Get("Allow"))
		}
		wantProblem(t, do(h, "POST", "/api/v1/runs", "{}", "Content-Type", "text/plain"),
			http.StatusUnsupportedMediaType)
	}
}

// TestCloseGivesRunsBack: what waits or works when the server is stopped is taken up by the next, and whoever listens
// is told and comes back.
func TestCloseGivesRunsBack(t *testing.T) {
	n := newNative(t, runs.Options{Concurrent: 1}, true)
	works, waits := n.post(doc(45), `["hadar"]`), n.post(doc(46), `["hadar"]`)
	n.await(works, "running")
	bodies := make(chan string, 2)
	for _, id := range []string{works, waits} {
		go func() { bodies <- do(n, "GET", "/api/v1/runs/"+id+"/events", "").Body.String() }()
	}
	now, cancel := context.WithCancel(t.Context())
	cancel()
	if err := n.runner.Close(now); !errors.Is(err, context.Canceled) {
		t.Errorf("closing while a run is held: %v", err)
	}
	wantProblem(t, do(n, "POST", "/api/v1/runs", `{"scenario":`+doc(47)+`}`), http.StatusServiceUnavailable)
	n.release()
	if err := n.runner.Close(t.Context()); err != nil {
		t.Error(err)
	}
	for range 2 {
		if body := <-bodies; strings.Contains(body, "id: end\n") ||
			!strings.HasPrefix(body[strings.LastIndex(body, "event: "):], "event: state") ||
			!strings.Contains(body[strings.LastIndex(body, "event: "):], `"queued"`) {
			t.Errorf("a listener heard\n%s", body)
		}
	}
	next := newNative(t, runs.Options{Store: n.store}, false)
	for _, id := range []string{works, waits} {
		if s := next.await(id, "done"); len(s.Errors) != 0 || len(next.result(id).Runs) != 1 {
			t.Errorf("status %+v", s)
		}
	}
}
