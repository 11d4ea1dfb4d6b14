//go:build !js

package worker_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hadarlab/worker"
	"hadarlab/worker/queue"
	"hadarlab/worker/runs"
)

func TestQueuedRun(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	id := n.post(scenarioA, `["hadar",{"id":"gavel"},"fifo"]`)
	s := n.await(id, "done")
	if len(s.Lanes) != 3 || s.Lanes[1].Policy != "gavel-las" || len(s.Errors) != 0 {
		t.Fatalf("status %+v", s)
	}
	for i, l := range s.Lanes {
		if l.Lane != i || l.Outcome != "done" || l.Jobs != 2 || l.Finished != 2 || l.Round == 0 || l.TimeS == 0 {
			t.Errorf("lane %+v", l)
		}
	}
	body := do(n, "GET", "/api/v1/runs/"+strings.ToUpper(id)+"/result", "").Body.String()
	if want := engine(scenarioA, "hadar", "gavel-las", "fifo"); body != want+"\n" {
		t.Errorf("the result is not that of the engine:\n%s\n%s", body, want)
	}
	// Another program on the same store has it, with a queue or without.
	for name, h := range map[string]http.Handler{
		"native": newNative(t, runs.Options{Store: n.store, Table: newStore(t).(queue.Table),
			Yield: func() { t.Error("a cached run was simulated") }}, false),
		"edge": newHandler(t, worker.Options{Store: n.store}),
	} {
		w := do(h, "GET", "/api/v1/runs/"+id+"/result", "")
		if w.Code != 200 || w.Body.String() != body || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if c := do(h, "GET", "/api/v1/runs/"+id+"/result", "", "If-None-Match",
			w.Header().Get("ETag")); c.Code != http.StatusNotModified {
			t.Errorf("%s: with its ETag %d", name, c.Code)
		}
		var status runs.RunStatus
		if err := json.Unmarshal(do(h, "GET", "/api/v1/runs/"+id, "").Body.Bytes(), &status); err != nil ||
			status.State != "done" || len(status.Lanes) != 3 || status.Lanes[0] != s.Lanes[0] {
			t.Errorf("%s: status %+v, want %+v", name, status, s)
		}
		w = do(h, "POST", "/api/v1/runs", `{"scenario":`+scenarioA+`,"policies":["hadar","gavel-las","fifo"]}`)
		if w.Code/100 != 2 || w.Header().Get("Location") != "/api/v1/runs/"+id {
			t.Errorf("%s: the same request is %d at %q", name, w.Code, w.Header().Get("Location"))
		}
	}
}

// TestRunIdentity: the id follows from what the result depends on, however it is written.
func TestRunIdentity(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	id := n.post(scenarioA, `["hadar","gavel-las"]`)
	stored := shareID(t, do(n, "POST", "/api/v1/scenarios", scenarioA))
	for name, body := range map[string]string{
		"an alias": `{"scenario":` + scenarioA + `,"policies":["hadar",{"id":"gavel"}]}`,
		"a default written out": `{"scenario":` + scenarioA +
			`,"policies":[{"id":"hadar","params":{"cost":"lifetime"}},"gavel-las"]}`,
		"another title and layout": `{"policies":["hadar","gavel-las"],"scenario":` +
			strings.Replace(strings.ReplaceAll(scenarioA, "\n", " \n"), "A <b>", "B <b>", 1) + `}`,
		"a stored scenario": `{"scenario_id":"` + stored + `","policies":["hadar","gavel-las"],"replicates":1}`,
	} {
		w := do(n, "POST", "/api/v1/runs", body)
		if w.Code != 202 || w.Header().Get("Location") != "/api/v1/runs/"+id {
			t.Errorf("%s: %d at %q, want %s", name, w.Code, w.Header().Get("Location"), id)
		}
	}
	for name, other := range map[string]string{
		"another order":     n.post(scenarioA, `["gavel-las","hadar"]`),
		"another parameter": n.post(scenarioA, `[{"id":"hadar","params":{"cost":"round"}},"gavel-las"]`),
		"another seed":      n.post(doc(2), `["hadar","gavel-las"]`), "another policy": n.post(scenarioA, `["hadar"]`),
	} {
		if other == id {
			t.Errorf("%s has the same id", name)
		}
	}
}

func TestQueueIsBounded(t *testing.T) {
	n := newNative(t, runs.Options{Concurrent: 2, Queue: 2}, true)
	var ids []string
	for i, state := range []string{"running", "running", "queued", "queued"} {
		from := fmt.Sprintf("10.0.%d.1", i)
		ids = append(ids, n.submit("/api/v1/runs", `{"scenario":`+doc(10+i)+`,"policies":["fifo"]}`,
			addressHeader, from, "Hadarlab-Client", n.token(from, false)))
		n.await(ids[i], state)
	}
	fifth := `{"scenario":` + doc(14) + `}`
	w := do(n, "POST", "/api/v1/runs", fifth)
	p := wantProblem(t, w, http.StatusServiceUnavailable)
	if w.Header().Get("Retry-After") == "" || w.Header().Get("Location") != "" || len(p.Errors) != 1 ||
		!strings.Contains(p.Errors[0].Message.String(), "2 runs") || p.Errors[0].Fix.IsZero() {
		t.Errorf("problem %+v, Retry-After %q", p, w.Header().Get("Retry-After"))
	}
	if again := n.post(doc(13), `["fifo"]`); again != ids[3] {
		t.Errorf("a run that waits was queued once more, as %s", again)
	}
	if n.release(); do(n, "GET", "/healthz", "").Code != 200 {
		t.Error("down")
	}
	for _, id := range ids {
		n.await(id, "done")
	}
	if w := do(n, "POST", "/api/v1/runs", fifth); w.Code != http.StatusAccepted {
		t.Errorf("when there is room again: %d %s", w.Code, w.Body)
	}
}

func TestRunRefusals(t *testing.T) {
	n := newNative(t, runs.Options{Size: 3}, false)
	long := `[` + strings.Repeat(`"fifo",`, 64) + `"fifo"]`
	for name, tt := range map[string]struct {
		body   string
		status int
		words  string
	}{
		"too many jobs":     {`{"scenario":` + scenarioA + `,"policies":["fifo","srtf"]}`, 413, "the most is 3"},
		"too many policies": {`{"scenario":` + scenarioA + `,"policies":` + long + `}`, 422, "the most is 64"},
		"replicates": {`{"scenario":` + scenarioA + `,"replicates":5}`, 422,
			"this scenario has no random part, so every replicate would be the same run"},
		"no replicate":     {`{"scenario":` + scenarioA + `,"replicates":0}`, 422, "replicate"},
		"half a replicate": {`{"scenario":` + scenarioA + `,"replicates":1.5}`, 400, "replicates"},
		"unknown policy":   {`{"scenario":` + scenarioA + `,"policies":["none"]}`, 422, "none"},
		"bad parameter": {`{"scenario":` + scenarioA + `,"policies":[{"id":"hadar","params":{"cost":"free"}}]}`, 422,
			"cost"},
		"no policy": {`{"scenario":` + strings.Replace(scenarioA, `"policies":[{"id":"fifo"}]`, `"policies":[]`, 1) +
			`}`, 422, "policy"},
		"bad scenario": {`{"scenario":` + strings.Replace(scenarioA, `"gpus":2,`, `"gpus":-2,`, 1) + `}`, 422, "gpus"},
		"all policies": {`{"scenario":` + scenarioA + `,"policies":["none","nil"]}`, 422, "nil"},
	} {
		w := do(n, "POST", "/api/v1/runs", tt.body)
		p := wantProblem(t, w, tt.status)
		if text, _ := json.Marshal(p); len(p.Errors) == 0 || p.Errors[0].Fix.IsZero() ||
			!strings.Contains(string(text), tt.words) {
			t.Errorf("%s: %s", name, text)
		}
		if w.Header().Get("Location") != "" {
			t.Errorf("%s: refused, but at %s", name, w.Header().Get("Location"))
		}
	}
	small := newHandler(t, worker.Options{RunBytes: 50, Runner: n.runner, Store: n.store})
	wantProblem(t, do(small, "POST", "/api/v1/runs", `{"scenario":`+scenarioA+`}`), http.StatusRequestEntityTooLarge)
}

// TestFaultsShowInTheQueue: what it costs to find out is not spent on the request. The run fails with the findings.
func TestFaultsShowInTheQueue(t *testing.T) {
	n := newNative(t, runs.Options{Size: 2}, false)
	generated := `{"kind":"scenario","version":1,"scenario":{"cluster":{"nodes":[{"id":"n1","gpus":{"v100":2}}]},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":4}}]},
"jobs":{"generator":{"count":1}},"policies":[{"id":"fifo"}]}}`
	for name, tt := range map[string]struct{ path, body, words string }{
		"a gang that fits nowhere": {"runs", `{"scenario":` +
			strings.Replace(scenarioA, `"gpus":2,`, `"gpus":200,`, 1) + `}`, "200"},
		"no number": {"sweeps", `{"scenario":` + scenarioA +
			`,"vary":[{"path":"/scenario/policies","values":[1]}]}`, "no number"},
		"a wrong value": {"sweeps", `{"scenario":` + scenarioA +
			`,"vary":[{"path":"/scenario/round_s","values":[60,-1]}]}`, "round_s"},
		"generated jobs": {"sweeps", `{"scenario":` + generated +
			`,"vary":[{"path":"/scenario/jobs/generator/count","values":[1,25]}]}`, "is 26 so far, the most is 20"},
	} {
		id := n.submit("/api/v1/"+tt.path, tt.body)
		if text := fmt.Sprint(n.awaitSweepOrRun(tt.path, id, "failed").Errors); !strings.Contains(text, tt.words) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// awaitSweepOrRun is await for either kind.
func (n *native) awaitSweepOrRun(path, id, state string) runs.RunStatus {
	if path == "sweeps" {
		return n.awaitSweep(id, state)
	}
	return n.await(id, state)
}

func TestRunIsBoundedByEvents(t *testing.T) {
	n := newNative(t, runs.Options{Events: 1000}, false)
	id := n.post(endless(20), `["hadar","srtf"]`)
	s := n.await(id, "failed")
	if len(s.Errors) != 1 || s.Errors[0].Code != "too-many-events" || !strings.Contains(s.Errors[0].Message.String(),
		"1000") ||
		s.Errors[0].Fix.IsZero() {
		t.Errorf("errors %+v", s.Errors)
	}
	for _, l := range n.result(id).Runs {
		if l.Outcome != "stopped" {
			t.Errorf("lane %s is %s", l.Policy, l.Outcome)
		}
	}
}

// TestRunIsBoundedByTime: under a clock that goes on by a second whenever it is read.
func TestRunIsBoundedByTime(t *testing.T) {
	var at atomic.Int64
	now := func() time.Time { return time.Unix(at.Add(1), 0) }
	n := newNative(t, runs.Options{Time: time.Minute, Now: now}, false)
	id := n.post(endless(22), `["hadar"]`)
	s := n.await(id, "failed")
	if len(s.Errors) != 1 || s.Errors[0].Code != "too-long" || !strings.Contains(s.Errors[0].Message.String(),
		"1m0s") ||
		s.Errors[0].Fix.IsZero() {
		t.Errorf("errors %+v", s.Errors)
	}
	if runs := n.result(id).Runs; len(runs) != 1 || runs[0].Outcome != "stopped" {
		t.Errorf("what there was by then is %+v", runs)
	}
}

func TestRunThatPanics(t *testing.T) {
	n := newNative(t, runs.Options{Yield: func() { panic("secret") }}, false)
	id := n.post(endless(21), `["hadar"]`)
	s := n.await(id, "failed")
	if len(s.Errors) != 1 || s.Errors[0].Code != "run-failed" || strings.Contains(fmt.Sprint(s), "secret") {
		t.Errorf("errors %+v", s.Errors)
	}
	wantProblem(t, do(n, "GET", "/api/v1/runs/"+id+"/result", ""), http.StatusConflict)
	wantProblem(t, n.cancel("/api/v1/runs/"+id), http.StatusConflict)
	if again := n.post(endless(21), `["hadar"]`); again != id {
		t.Errorf("sent again it is %s", again)
	}
	n.await(id, "failed")
}

// TestLanesFailAlone: a faulty policy is told, and does not spoil the others.
func TestLanesFailAlone(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	id := n.post(scenarioA, `["fifo","none"]`)
	s := n.await(id, "done")
	if s.Lanes[0].Outcome != "done" || s.Lanes[1].Outcome != "failed" || len(s.Errors) != 1 ||
		!strings.Contains(s.Errors[0].Message.String(), "none") {
		t.Errorf("status %+v", s)
	}
	if r := n.result(id); len(r.Runs) != 1 || r.Runs[0].Policy != "fifo" {
		t.Errorf("result %+v", r)
	}
	if w := do(newHandler(t, worker.Options{Store: n.store}), "GET", "/api/v1/runs/"+id,
		""); w.Code != http.StatusNotFound {
		t.Errorf("an incomplete result was stored: %d", w.Code)
	}
}

func TestEndedRunsAreBounded(t *testing.T) {
	n := newNative(t, runs.Options{Concurrent: 1, Keep: 2}, true)
	n.await(n.post(doc(30), `["fifo"]`), "running")
	var ids []string
	for i := range 3 {
		ids = append(ids, n.post(doc(31+i), `["fifo"]`))
		if w := n.cancel("/api/v1/runs/" + ids[i]); w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
	}
	for i, id := range ids { // what is no more in memory is still known
		if n.await(id, "cancelled"); n.runner.Holds(id) != (i > 0) {
			t.Errorf("run %d of 3 is in memory: %v", i, i == 0)
		}
	}
}
