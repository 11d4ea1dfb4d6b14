//go:build !js

package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hadarlab/core/message"
	"hadarlab/core/trace"
	"hadarlab/scenarios"
	"hadarlab/worker"
)

// greedy is a small scenario whose runs record gigabytes if they are let: a round is a second, and jobs share GPUs.
func greedy(t *testing.T, steps int) string {
	t.Helper()
	text, ok := scenarios.Preset("odd-gpus-out")
	if !ok {
		t.Fatal("no preset")
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	s := doc["scenario"].(map[string]any)
	s["round_s"] = 1
	for _, j := range s["jobs"].([]any) {
		j.(map[string]any)["gpus"], j.(map[string]any)["steps"] = 1, steps
	}
	out, _ := json.Marshal(doc)
	return string(out)
}

// TestInlineRunsAreBoundedByBytes: a stream that took 1.2 GB ends at the bound, says so, and is not kept.
func TestInlineRunsAreBoundedByBytes(t *testing.T) {
	n := newNative(t, worker.RunnerOptions{Recorded: 1 << 20}, false)
	edge := newHandler(t, worker.Options{Recorded: 1 << 20})
	for name, h := range map[string]http.Handler{"native": n, "edge": edge} {
		w := do(h, "POST", "/api/v1/runs", `{"scenario":`+greedy(t, 900_000)+`,"policies":["gavel-las"]}`, "Accept",
			"text/event-stream")
		_, data, kinds := lastEvent(t, w.Body.String())
		var got message.Result
		if err := json.Unmarshal([]byte(data), &got); err != nil || len(got.Runs) != 1 ||
			got.Runs[0].Outcome != "overloaded" {
			t.Errorf("%s: %v, the last event is %.300s", name, err, data)
		}
		if kinds["failure"] != 1 || !strings.Contains(w.Body.String(), "1048576 bytes, which is the most here") {
			t.Errorf("%s: it does not say why it ended: %v", name, kinds)
		}
		if again := do(h, "GET", w.Header().Get("Location"), ""); again.Code != http.StatusNotFound {
			t.Errorf("%s: what was cut off is kept: %d", name, again.Code)
		}
	}
}

// TestQueuedRunsAreBoundedByBytes: four policies that took 3.8 GB fail at the bound, with what they had by then.
func TestQueuedRunsAreBoundedByBytes(t *testing.T) {
	const bound = 1 << 20
	n := newNative(t, worker.RunnerOptions{Recorded: bound}, false)
	id := n.post(greedy(t, 9_000_000), `["gavel-las","gavel-ftf","gavel-makespan","gavel-maxsum"]`)
	s := n.await(id, "failed")
	if len(s.Errors) != 1 || s.Errors[0].Code != "too-many-bytes" || s.Errors[0].Fix.IsZero() {
		t.Errorf("errors %+v", s.Errors)
	}
	held := 0
	for i := range s.Lanes {
		if w := do(n, "GET", fmt.Sprintf("/api/v1/runs/%s/trace/%d", id, i), ""); w.Code == 200 {
			got, err := trace.Decode(w.Body.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			held += got.Bytes()
		}
	}
	if held < bound || held > bound+bound/10 {
		t.Errorf("the lanes hold %d bytes, the bound is %d", held, bound)
	}
	sweep := n.sweep(`{"scenario":` + greedy(t, 9_000_000) +
		`,"policies":["gavel-las"],"vary":[{"path":"/scenario/round_s","values":[1,2]}]}`)
	if s := n.awaitSweep(sweep, "failed"); len(s.Errors) != 1 || s.Errors[0].Code != "too-many-bytes" {
		t.Errorf("a sweep: errors %+v", s.Errors)
	}
}

// TestCheapChecksComeFirst: what is wrong with a request itself is found before its scenario is read or compiled, so
// the scenario, which is faulty too, is not spoken of.
func TestCheapChecksComeFirst(t *testing.T) {
	n := newNative(t, worker.RunnerOptions{}, false)
	unread, uncompiled := `{"kind":"nonsense"}`, strings.Replace(scenarioA, `"gpus":2,`, `"gpus":200,`, 1)
	unknown := func(k int) string { return `[` + strings.Repeat(`"none",`, k-1) + `"none"]` }
	for name, tt := range map[string]struct{ path, body, words string }{
		"an empty second axis": {"sweeps", `{"scenario":` + unread +
			`,"vary":[{"path":"/scenario/round_s","values":[1,2]},{"path":"/scenario/seed","values":[]}]}`,
			"/vary/1/values"},
		"an over-long axis": {"sweeps", `{"scenario":` + unread + `,"vary":[{"path":"/scenario/seed","values":[` +
			strings.Repeat("1,", 1000) + `1]}]}`, "/vary/0/values"},
		"65 policies": {"runs", `{"scenario":` + unread + `,"policies":` + unknown(65) + `}`, "the most is 64"},
		"64 unknown policies": {"runs", `{"scenario":` + uncompiled + `,"policies":` + unknown(64) + `}`,
			"There is no policy none"},
		"sweep, 64 unknown": {"sweeps", `{"scenario":` + uncompiled + `,"policies":` + unknown(64) + `,` + rounds + `}`,
			"There is no policy none"},
	} {
		p := wantProblem(t, do(n, "POST", "/api/v1/"+tt.path, tt.body), http.StatusUnprocessableEntity)
		if text, _ := json.Marshal(p); !strings.Contains(string(text), tt.words) ||
			strings.Contains(string(text), "200") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestOneBoundOnAllSimulation: inline streams and queued runs share the slots. Who waits and leaves costs nothing; for
// more than a few there is no place.
func TestOneBoundOnAllSimulation(t *testing.T) {
	var working, most, slices atomic.Int32
	hold := make(chan struct{})
	pause := func() {
		slices.Add(1)
		most.Store(max(most.Load(), working.Add(1)))
		<-hold
		working.Add(-1)
	}
	n := newNative(t, worker.RunnerOptions{Concurrent: 1, Yield: pause}, false)
	h := newHandler(t, worker.Options{Store: n.store, Runner: n.runner, Yield: pause})
	id := n.post(endless(90), `["hadar"]`)
	n.await(id, "running")
	ctx, leave := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	post := func(ctx context.Context, seed int) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(ctx, "POST", "/api/v1/runs",
			strings.NewReader(`{"scenario":`+greedy(t, 900_000+seed)+`,"policies":["gavel-las"]}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "text/event-stream")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for i := range 16 {
		wg.Go(func() { post(ctx, i) })
	}
	for n.runner.Waiting() < 16 {
		time.Sleep(time.Millisecond)
	}
	w := post(t.Context(), 17)
	if p := wantProblem(t, w, http.StatusServiceUnavailable); w.Header().Get("Retry-After") == "" ||
		p.Errors[0].Code != "busy" {
		t.Errorf("one too many: %+v", p)
	}
	leave()
	wg.Wait()
	if n.runner.Waiting() != 0 || most.Load() != 1 {
		t.Errorf("%d wait who have left, %d simulations at once", n.runner.Waiting(), most.Load())
	}
	before := slices.Load()
	close(hold)
	n.cancel("/api/v1/runs/" + id)
	if got := post(t.Context(), 18); got.Code != 200 || slices.Load() == before {
		t.Errorf("when the slot is free: %d", got.Code)
	}
}

// TestStreamsEndWithAnEvent: when the server is stopped an inline stream says so, and gives what it has.
func TestStreamsEndWithAnEvent(t *testing.T) {
	n := newNative(t, worker.RunnerOptions{}, false)
	var once sync.Once
	h := newHandler(t, worker.Options{Store: n.store, Runner: n.runner, Yield: func() {
		once.Do(func() { _ = n.runner.Close(t.Context()) })
	}})
	w := do(h, "POST", "/api/v1/runs", `{"scenario":`+greedy(t, 900_000)+`,"policies":["gavel-las"]}`, "Accept",
		"text/event-stream")
	name, data, kinds := lastEvent(t, w.Body.String())
	if name != "result" || kinds["failure"] != 1 || !strings.Contains(w.Body.String(),
		"the server was stopped during the run; send it again") || !strings.Contains(data, `"stopped"`) {
		t.Errorf("events %v, the last is %s %.200s", kinds, name, data)
	}
	wantProblem(t, do(h, "POST", "/api/v1/runs", `{"scenario":`+scenarioA+`}`, "Accept", "text/event-stream"),
		http.StatusServiceUnavailable)
}

// TestClassAsksAtOnce: 300 behind one address, each with a run of its own and without a token yet, are all accepted.
func TestClassAsksAtOnce(t *testing.T) {
	n := newNative(t, worker.RunnerOptions{}, false)
	ids := make([]string, 300)
	clients := sync.Map{}
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			w := do(n, "POST", "/api/v1/runs", `{"scenario":`+doc(1000+i)+`,"policies":["fifo"]}`)
			var got struct{ ID string }
			_ = json.Unmarshal(w.Body.Bytes(), &got)
			if w.Code != http.StatusAccepted {
				t.Errorf("client %d: %d %s", i, w.Code, w.Body)
			}
			ids[i] = got.ID
			clients.Store(w.Header().Get("Hadarlab-Client"), true)
		})
	}
	wg.Wait()
	distinct := 0
	clients.Range(func(any, any) bool { distinct++; return true })
	if distinct != 300 {
		t.Errorf("300 clients have %d tokens", distinct)
	}
	for _, id := range ids {
		n.await(id, "done")
	}
}

// TestClientsTakeTurns: one who asks for little does not wait for all of one who asked for much before.
func TestClientsTakeTurns(t *testing.T) {
	n := newNative(t, worker.RunnerOptions{Concurrent: 1, QueueEach: 5}, true)
	n.await(n.post(doc(100), `["fifo"]`), "running")
	token := func() string { return do(n, "POST", "/api/v1/runs", "{}").Header().Get("Hadarlab-Client") }
	much, little := token(), token()
	var ids []string
	for i := range 5 {
		ids = append(ids, n.submit("/api/v1/runs", `{"scenario":`+doc(101+i)+`}`, "Hadarlab-Client", much))
	}
	w := do(n, "POST", "/api/v1/runs", `{"scenario":`+doc(106)+`}`, "Hadarlab-Client", much)
	if p := wantProblem(t, w, http.StatusTooManyRequests); w.Header().Get("Retry-After") == "" ||
		w.Header().Get("Hadarlab-Client") != "" {
		t.Errorf("more than its places: %+v", p)
	}
	last := n.submit("/api/v1/runs", `{"scenario":`+doc(107)+`}`, "Hadarlab-Client", little)
	n.release()
	n.await(last, "done")
	for _, id := range ids {
		n.await(id, "done")
	}
	if order := n.table.taken; len(order) != 7 || order[2] != last {
		t.Errorf("taken in the order %v; %s was asked for last, by another client", order, last)
	}
}
