//go:build !js

package worker_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/trace"
	"hadarlab/worker"
	"hadarlab/worker/runs"
)

func TestTraces(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	id := n.post(scenarioA, `["hadar","gavel-las"]`)
	n.await(id, "done")
	res := n.result(id)
	session := lab.NewBatch()
	session.Start(&message.RunRequest{Scenario: []byte(scenarioA),
		Policies: []message.PolicyRef{{ID: "hadar"}, {ID: "gavel-las"}}})
	inline := newHandler(t, worker.Options{})
	do(inline, "POST", "/api/v1/runs", `{"scenario":`+scenarioA+`,"policies":["hadar","gavel-las"]}`)
	for n.runner.Holds(id) { // it leaves memory just after it is done
		time.Sleep(time.Millisecond)
	}
	for name, h := range map[string]http.Handler{"native": n,
		"edge, of the same store": newHandler(t, worker.Options{Store: n.store}), "edge": inline} {
		for lane, path := range []string{"/api/v1/runs/" + id + "/trace/0",
			"/api/v1/runs/" + strings.ToUpper(id) + "/trace/1"} {
			w := do(h, "GET", path, "")
			if w.Code != 200 || w.Body.String() != string(session.Trace(lane).Encode()) ||
				!strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
				t.Fatalf("%s: lane %d: %d, %d bytes", name, lane, w.Code, w.Body.Len())
			}
			if got, err := trace.Decode(w.Body.Bytes()); err != nil || got.Hash() != res.Runs[lane].TraceHash {
				t.Errorf("%s: lane %d has another hash than the result says (%v)", name, lane, err)
			}
			if c := do(h, "GET", path, "", "If-None-Match", w.Header().Get("ETag")); c.Code != http.StatusNotModified {
				t.Errorf("%s: with its ETag %d", name, c.Code)
			}
		}
		for _, lane := range []string{"2", "-1", "x", "99999999999999999999"} {
			wantProblem(t, do(h, "GET", "/api/v1/runs/"+id+"/trace/"+lane, ""), http.StatusNotFound)
		}
	}
}

func TestTracesOfACancelledRun(t *testing.T) {
	n := newNative(t, runs.Options{}, true)
	id := n.post(endless(80), `["hadar","none","fifo"]`)
	n.await(id, "running")
	wantProblem(t, do(n, "GET", "/api/v1/runs/"+id+"/trace/0", ""), http.StatusConflict)
	n.release()
	for n.status(id).Lanes[0].Round < 10 {
	}
	n.cancel("/api/v1/runs/" + id)
	w := do(n, "GET", "/api/v1/runs/"+id+"/trace/0", "")
	got, err := trace.Decode(w.Body.Bytes())
	if err != nil || len(got.Rounds) < 10 || got.Hash() != n.result(id).Runs[0].TraceHash ||
		w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d %s (%v)", w.Code, w.Header(), err)
	}
	wantProblem(t, do(n, "GET", "/api/v1/runs/"+id+"/trace/1", ""), http.StatusNotFound) // its policy is unknown
	if w := do(n, "GET", "/api/v1/runs/"+id+"/trace/2", ""); w.Code != 200 {
		t.Errorf("the lane after a faulty one: %d %s", w.Code, w.Body)
	}
}

// TestTracesTooLargeToStore: the result is stored alone, the traces stay in memory for a while, and whoever sends
// the run again after that gets them again.
func TestTracesTooLargeToStore(t *testing.T) {
	long := strings.Replace(endless(81), `4000000000`, `4000000`, 1) // 500,000 rounds
	n := newNative(t, runs.Options{Keep: 1, Concurrent: 1}, false)
	id := n.post(long, `["gavel-las"]`)
	n.await(id, "done")
	trace := "/api/v1/runs/" + id + "/trace/0"
	w := do(n, "GET", trace, "")
	if w.Code != 200 || w.Body.Len() < 1<<20 {
		t.Fatalf("%d, %d bytes", w.Code, w.Body.Len())
	}
	row, err := n.store.GetRun(t.Context(), id, 0)
	if err != nil || row.Traces != "" {
		t.Fatalf("the store has %d bytes of traces, %v", len(row.Traces), err)
	}
	if again := n.post(long, `["gavel-las"]`); again != id || n.status(id).State != "done" {
		t.Error("it is run again while its traces are in memory")
	}
	other := n.post(endless(82), `["hadar"]`)
	n.await(other, "running")
	n.cancel("/api/v1/runs/" + other)
	for n.runner.Holds(id) {
		time.Sleep(time.Millisecond)
	}
	if p := wantProblem(t, do(n, "GET", trace, ""), http.StatusNotFound); !strings.Contains(p.Errors[0].Fix.String(),
		"again") {
		t.Errorf("problem %+v", p)
	}
	n.post(long, `["gavel-las"]`)
	n.await(id, "done")
	if again := do(n, "GET", trace, ""); again.Body.String() != w.Body.String() {
		t.Errorf("sent again: %d, %d bytes", again.Code, again.Body.Len())
	}
}
