//go:build !js

package worker_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hadarlab/core/message"
	"hadarlab/worker"
)

// lastEvent returns the name and data of a stream's last event, and how many of each there are.
func lastEvent(t *testing.T, body string) (name, data string, kinds map[string]int) {
	t.Helper()
	kinds = map[string]int{}
	for block := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
		if strings.HasPrefix(block, ": ") { // a comment, that the line stays
			continue
		}
		n, d, ok := strings.Cut(block, "\n")
		if !ok {
			t.Fatalf("not an event: %q", block)
		}
		name, data = strings.TrimPrefix(n, "event: "), strings.TrimPrefix(d, "data: ")
		kinds[name]++
	}
	return name, data, kinds
}

func TestRunStreams(t *testing.T) {
	yields := 0
	h := newHandler(t, worker.Options{Yield: func() { yields++ }})
	long := strings.Replace(scenarioA, `"steps":4000`, `"steps":4000000`, 1) // more rounds than fit a slice
	w := do(h, "POST", "/api/v1/runs", `{"scenario":`+long+`,"policies":["hadar",{"id":"srtf"}]}`)
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/event-stream" || !w.Flushed {
		t.Fatalf("got %d %s\n%s", w.Code, w.Header().Get("Content-Type"), w.Body)
	}
	name, data, kinds := lastEvent(t, w.Body.String())
	var got message.Result
	if err := json.Unmarshal([]byte(data), &got); err != nil || name != "result" {
		t.Fatal(name, err)
	}
	if len(got.Runs) != 2 || got.Runs[0].Policy != "hadar" || got.Runs[1].Policy != "srtf" ||
		got.Runs[0].TraceHash == "" {
		t.Errorf("result %s", data)
	}
	if kinds["lane"] != 2 || kinds["progress"] == 0 || yields == 0 {
		t.Errorf("events %v, %d yields", kinds, yields)
	}
}

func TestRunSizeCountsJobsAndPolicies(t *testing.T) {
	h := newHandler(t, worker.Options{RunSize: 3}) // the scenario has two jobs
	if w := do(h, "POST", "/api/v1/runs", `{"scenario":`+scenarioA+`}`); w.Code != http.StatusOK {
		t.Errorf("one policy: %d %s", w.Code, w.Body)
	}
	p := wantProblem(t, do(h, "POST", "/api/v1/runs", `{"scenario":`+scenarioA+`,"policies":["fifo","srtf"]}`),
		http.StatusRequestEntityTooLarge)
	if len(p.Errors) != 1 || !strings.Contains(p.Errors[0].Fix.String(), "in the page") {
		t.Errorf("problem %+v", p)
	}
}

// TestRunIsBoundedBySlices gives a run of very many rounds one slice: it must end, and say how.
func TestRunIsBoundedBySlices(t *testing.T) {
	long := strings.Replace(scenarioA, `"steps":4000`, `"steps":4000000000`, 1)
	long = strings.Replace(long, `"id":"fifo"`, `"id":"hadar"`, 1)
	h := newHandler(t, worker.Options{RunSlices: 1})
	w := do(h, "POST", "/api/v1/runs", `{"scenario":`+long+`}`)
	name, data, kinds := lastEvent(t, w.Body.String())
	var got message.Result
	if err := json.Unmarshal([]byte(data), &got); err != nil || name != "result" {
		t.Fatalf("the last event is %s %.300s (%v)", name, data, err)
	}
	for _, r := range got.Runs {
		if r.Outcome == "done" {
			t.Errorf("a run of 4 000 000 000 steps is done after one slice: %v", kinds)
		}
	}
}

// TestRunEndsWithItsReader takes the reader away in the middle.
func TestRunEndsWithItsReader(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	slices := 0
	h := newHandler(t, worker.Options{Yield: func() {
		if slices++; slices == 2 {
			cancel()
		}
	}})
	long := strings.Replace(scenarioA, `"steps":4000`, `"steps":4000000000`, 1)
	r := httptest.NewRequestWithContext(ctx, "POST", "/api/v1/runs",
		strings.NewReader(`{"scenario":`+long+`,"policies":["hadar"]}`))
	r.Header.Set("Content-Type", "application/json")
	h.ServeHTTP(httptest.NewRecorder(), r)
	if slices != 2 {
		t.Errorf("%d yields, want 2: nothing is simulated for a reader who has gone", slices)
	}
}

// brokenWriter panics at every write once it is broken.
type brokenWriter struct {
	*httptest.ResponseRecorder
	broken bool
}

func (w *brokenWriter) Write(b []byte) (int, error) {
	if w.broken {
		panic("secret of the writer")
	}
	return w.ResponseRecorder.Write(b)
}

// TestInlineRunThatPanics: the stream says it, and where the stream itself panics the request ends alone.
func TestInlineRunThatPanics(t *testing.T) {
	for _, broken := range []bool{false, true} {
		w := &brokenWriter{ResponseRecorder: httptest.NewRecorder()}
		h := newHandler(t, worker.Options{Yield: func() { w.broken = broken; panic("secret") }})
		long := strings.Replace(scenarioA, `"steps":4000`, `"steps":4000000`, 1)
		r := httptest.NewRequest("POST", "/api/v1/runs",
			strings.NewReader(`{"scenario":`+long+`,"policies":["hadar"]}`))
		r.Header.Set("Content-Type", "application/json")
		h.ServeHTTP(w, r)
		name, data, _ := lastEvent(t, w.Body.String())
		if !broken && (name != "failure" || !strings.Contains(data, `"lane":-1`)) ||
			strings.Contains(w.Body.String(), "secret") {
			t.Errorf("broken %t: the last event is %s %s", broken, name, data)
		}
	}
}

func TestRunWithFaultyPolicies(t *testing.T) {
	h := newHandler(t, worker.Options{})
	p := wantProblem(t, do(h, "POST", "/api/v1/runs", `{"scenario":`+scenarioA+`,"policies":["none","nil"]}`),
		http.StatusUnprocessableEntity)
	if len(p.Errors) != 2 || p.Errors[0].Fix.IsZero() {
		t.Errorf("two unknown policies: %+v", p.Errors)
	}
	w := do(h, "POST", "/api/v1/runs", `{"scenario":`+scenarioA+`,"policies":["none","fifo"]}`)
	name, data, kinds := lastEvent(t, w.Body.String())
	if name != "result" || kinds["failure"] != 1 || kinds["lane"] != 1 {
		t.Errorf("one unknown policy: events %v, last %s %s", kinds, name, data)
	}
}
