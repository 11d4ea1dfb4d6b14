//go:build !js

package worker_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hadarlab/core/message"
	"hadarlab/worker"
	"hadarlab/worker/runs"
	"hadarlab/worker/vault"
)

// sent is one server-sent event.
type sent struct{ id, name, data string }

// readSent reads events from a stream, comments and all.
func readSent(t *testing.T, r io.Reader) func() (sent, bool) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	return func() (e sent, ok bool) {
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "id":
				e.id = value
			case "event":
				e.name = value
			case "data":
				e.data = value
			case "":
				if e.data != "" {
					return e, true
				}
				e = sent{}
			case "retry":
			default:
				t.Errorf("not an event stream: %q", lines.Text())
			}
		}
		return e, false
	}
}

func listen(t *testing.T, ctx context.Context, url string) (func() (sent, bool), io.Closer) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" ||
		res.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", res.StatusCode, res.Header)
	}
	return readSent(t, res.Body), res.Body
}

func TestListeners(t *testing.T) {
	n := newNative(t, runs.Options{}, true)
	web := httptest.NewServer(n)
	defer web.Close()
	id := n.post(endless(50), `["hadar","fifo"]`)
	n.await(id, "running")
	url := web.URL + "/api/v1/runs/" + id + "/events"

	gone, leave := context.WithCancel(t.Context())
	next, _ := listen(t, gone, url)
	if e, ok := next(); !ok || e.name != "state" || !strings.Contains(e.data, `"running"`) {
		t.Errorf("it starts with %+v", e)
	}
	leave()

	next, body := listen(t, t.Context(), url)
	defer body.Close()
	other, body2 := listen(t, t.Context(), url)
	defer body2.Close()
	next()
	n.release()
	for e, ok := next(); e.name != "progress"; e, ok = next() {
		if !ok {
			t.Fatal("the stream ended without progress")
		}
	}
	if w := n.cancel("/api/v1/runs/" + id); w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	for name, next := range map[string]func() (sent, bool){"one": next, "other": other} {
		kinds, last, state := map[string]int{}, sent{}, ""
		for e, ok := next(); ok; e, ok = next() {
			kinds[e.name]++
			if last = e; e.name == "state" {
				state = e.data
			}
		}
		var got message.Result
		if err := json.Unmarshal([]byte(last.data), &got); err != nil || last.name != "result" || last.id != "end" ||
			len(got.Runs) != 2 {
			t.Errorf("%s: the last event is %+v", name, last)
		}
		if kinds["lane"] != 2 || kinds["result"] != 1 || !strings.Contains(state, `"cancelled"`) {
			t.Errorf("%s: events %v, state %s", name, kinds, state)
		}
	}
	if w := do(n, "GET", "/api/v1/runs/"+id+"/events", "", "Last-Event-ID", "end"); w.Code != http.StatusNoContent {
		t.Errorf("coming back after the end: %d", w.Code)
	}
	if w := do(n, "HEAD", "/api/v1/runs/"+id+"/events", ""); w.Code != 200 || w.Body.Len() != 0 {
		t.Errorf("HEAD: %d %s", w.Code, w.Body)
	}
}

// TestLateListener comes after the end, here and at the edge, and hears the same.
func TestLateListener(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	id := n.post(doc(51), `["hadar","fifo"]`)
	n.await(id, "done")
	for name, h := range map[string]http.Handler{"native": n, "edge": newHandler(t, worker.Options{Store: n.store})} {
		w := do(h, "GET", "/api/v1/runs/"+id+"/events", "")
		if w.Code != 200 || !strings.HasPrefix(w.Body.String(), "retry: 5000\n\n") {
			t.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
		var names []string
		next := readSent(t, w.Body)
		for e, ok := next(); ok; e, ok = next() {
			names = append(names, e.name)
		}
		if got := strings.Join(names, " "); got != "state lane lane result" {
			t.Errorf("%s: events %s", name, got)
		}
	}
}

// stuck is a client that takes nothing until it is let go.
type stuck struct {
	*httptest.ResponseRecorder
	let     chan struct{}
	waiting chan struct{}
}

func (s *stuck) Write(b []byte) (int, error) {
	select {
	case s.waiting <- struct{}{}:
	default:
	}
	<-s.let
	return s.ResponseRecorder.Write(b)
}

func TestSlowListenerHoldsNobodyUp(t *testing.T) {
	n := newNative(t, runs.Options{}, true)
	id := n.post(doc(52), `["hadar","fifo"]`)
	slow := &stuck{httptest.NewRecorder(), make(chan struct{}), make(chan struct{}, 1)}
	served := make(chan struct{})
	go func() {
		n.ServeHTTP(slow, httptest.NewRequest("GET", "/api/v1/runs/"+id+"/events", nil))
		close(served)
	}()
	<-slow.waiting
	n.release()
	n.await(id, "done")
	if w := do(n, "GET", "/api/v1/runs/"+id+"/events", ""); !strings.Contains(w.Body.String(), "event: result") {
		t.Errorf("another listener heard %s", w.Body)
	}
	close(slow.let)
	<-served
	if body := slow.Body.String(); strings.Count(body, "event: lane") != 2 || !strings.Contains(body, "event: result") {
		t.Errorf("the slow one heard in the end:\n%s", body)
	}
}

// patient notes the deadlines that a handler sets.
type patient struct {
	*httptest.ResponseRecorder
	read []time.Time
}

func (p *patient) SetReadDeadline(t time.Time) error { p.read = append(p.read, t); return nil }

// TestStreamsOutliveTheReadTimeout: the bound on how long a request may take to arrive would otherwise
// end the request's context in the middle of a long run.
func TestStreamsOutliveTheReadTimeout(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	id := n.post(doc(53), `["fifo"]`)
	n.await(id, "done")
	w := &patient{ResponseRecorder: httptest.NewRecorder()}
	n.ServeHTTP(w, httptest.NewRequest("GET", "/api/v1/runs/"+id+"/events", nil))
	if len(w.read) != 1 || !w.read[0].IsZero() {
		t.Errorf("read deadlines %v, want none from the start", w.read)
	}
}

// TestInlineRunIsCached: what a small run gave can be read later, and is not simulated twice.
func TestInlineRunIsCached(t *testing.T) {
	yields := 0
	store := newStore(t)
	h := newHandler(t, worker.Options{Store: store, Yield: func() { yields++ }})
	body := `{"scenario":` + doc(54) + `,"policies":["hadar","fifo"]}`
	first := do(h, "POST", "/api/v1/runs", body)
	at, worked := first.Header().Get("Location"), yields
	_, data, _ := lastEvent(t, first.Body.String())
	if got := do(h, "GET", at+"/result", ""); got.Code != 200 || strings.TrimSpace(got.Body.String()) != data {
		t.Errorf("%s/result: %d %s", at, got.Code, got.Body)
	}
	second := do(h, "POST", "/api/v1/runs", body)
	name, again, kinds := lastEvent(t, second.Body.String())
	if name != "result" || again != data || yields != worked || kinds["lane"] != 2 || kinds["progress"] != 2 {
		t.Errorf("sent again: %d yields more, events %v, %s", yields-worked, kinds, again)
	}
	n := newNative(t, runs.Options{Store: store}, false)
	if w := do(n, "POST", "/api/v1/runs", body, "Accept", "application/json, text/event-stream;q=0.5"); w.Code != 200 ||
		w.Header().Get("Content-Type") != "text/event-stream" {
		t.Errorf("a native client that takes a stream: %d %s", w.Code, w.Header().Get("Content-Type"))
	}
	endlessRun := newHandler(t, worker.Options{Store: store, RunSlices: 1})
	w := do(endlessRun, "POST", "/api/v1/runs", `{"scenario":`+endless(55)+`,"policies":["hadar"]}`)
	if got := do(endlessRun, "GET", w.Header().Get("Location"), ""); got.Code != http.StatusNotFound {
		t.Errorf("a stopped run was stored: %d %s", got.Code, got.Body)
	}
}

// fullStore takes no results.
type fullStore struct {
	vault.Store
	err error
}

func (f fullStore) PutRun(context.Context, vault.Run, int64) error { return f.err }

func TestResultsWithoutRoomInTheStore(t *testing.T) {
	for _, err := range []error{vault.ErrTooLarge, errors.New("disk full")} {
		n := newNative(t, runs.Options{Store: fullStore{newStore(t), err}}, false)
		id := n.post(doc(56), `["fifo"]`)
		n.await(id, "done")
		if r := n.result(id); len(r.Runs) != 1 {
			t.Errorf("%v: result %+v", err, r)
		}
		if again := n.post(doc(56), `["fifo"]`); again != id || n.status(id).State != "done" {
			t.Errorf("%v: it is run again", err)
		}
	}
}

func TestDamagedResult(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	id := n.post(doc(57), `["fifo"]`)
	n.await(id, "done")
	want := n.result(id)
	for n.runner.Holds(id) { // it leaves memory just after it is done
		time.Sleep(time.Millisecond)
	}
	row, err := n.store.GetRun(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	row.Result = []byte(strings.Replace(string(row.Result), `"policy":"fifo"`, `"policy":"secret"`, 1)) // its sum stays
	if err := n.store.PutRun(t.Context(), row, 1); err != nil {
		t.Fatal(err)
	}
	p := wantProblem(t, do(n, "GET", "/api/v1/runs/"+id+"/result", ""), http.StatusInternalServerError)
	if text, _ := json.Marshal(p); strings.Contains(string(text), "secret") || !strings.Contains(string(text), id) {
		t.Errorf("problem %s", text)
	}
	if again := n.post(doc(57), `["fifo"]`); again != id {
		t.Errorf("sent again it is %s", again)
	}
	n.await(id, "done")
	if got := n.result(id); got.Runs[0].TraceHash != want.Runs[0].TraceHash {
		t.Errorf("sent again it gave %+v", got)
	}
}
