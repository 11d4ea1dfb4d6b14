//go:build !js

package worker_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/worker"
	"hadarlab/worker/gate"
	"hadarlab/worker/queue"
	"hadarlab/worker/runs"
	"hadarlab/worker/vault"
)

// native is a handler with a runner, on one store.
type native struct {
	http.Handler
	runner *runs.Runner
	store  vault.Store
	hold   chan struct{} // runs pause between slices until it is closed
	t      *testing.T
	tokens sync.Map // the latest cancel token, by id
	table  *ordered
	late   atomic.Int64 // nanoseconds by which its clock is ahead
}

// sameKey is a gate by whose tokens several handlers of a test know their clients.
var sameKey = gate.Options{Key: []byte("key")}

// addressHeader is where a request of a test says that it comes from.
const addressHeader = "Test-Address"

// token asks for a token, from a network, and waits until it is not new any more if old is true.
func (n *native) token(address string, old bool) string {
	n.t.Helper()
	var got struct{ Client string }
	n.decode(do(n, "GET", "/api/v1/client", "", addressHeader, address), &got)
	if got.Client == "" {
		n.t.Fatal("no token is issued")
	}
	if old {
		n.late.Add(int64(3 * time.Minute))
	}
	return got.Client
}

// ordered is a table that notes in which order work is taken, and how often it has let somebody in.
type ordered struct {
	queue.Table
	mu    sync.Mutex
	taken []string
	let   atomic.Int32
}

func (o *ordered) Ask(ctx context.Context, w queue.Work, asker string, lim queue.Limits, nowMS int64) error {
	err := o.Table.Ask(ctx, w, asker, lim, nowMS)
	if err == nil {
		o.let.Add(1)
	}
	return err
}

func (o *ordered) Take(ctx context.Context, id, holder string, nowMS, leaseMS int64) (queue.Work, error) {
	w, err := o.Table.Take(ctx, id, holder, nowMS, leaseMS)
	if err == nil {
		o.mu.Lock()
		o.taken = append(o.taken, w.ID)
		o.mu.Unlock()
	}
	return w, err
}

// order is what has been taken so far, oldest first.
func (o *ordered) order() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.taken)
}

// newNative makes one whose runs are held if o.Yield is nil and held is true.
func newNative(t *testing.T, o runs.Options, held bool, bounds ...gate.Options) *native {
	t.Helper()
	n := &native{hold: make(chan struct{}), t: t}
	if o.Store == nil {
		o.Store = newStore(t)
	}
	if o.Events == 0 {
		o.Events = 1 << 40 // an endless run ends when the test says so
	}
	if held {
		o.Yield = func() { <-n.hold }
	} else {
		close(n.hold)
	}
	if o.Table == nil {
		o.Table = newStore(t).(queue.Table)
		if table, ok := o.Store.(queue.Table); ok {
			o.Table = table
		}
	}
	if o.Concurrent == 1 {
		n.table = &ordered{Table: o.Table}
		o.Table = n.table
	}
	o.Log = quiet
	n.store, n.runner = o.Store, runs.NewPool(o)
	n.Handler = newHandler(t, worker.Options{Store: o.Store, Runner: n.runner, Gate: append(bounds, sameKey)[0],
		Now:     func() time.Time { return time.Now().Add(time.Duration(n.late.Load())) },
		Address: func(r *http.Request) string { return cmp.Or(r.Header.Get(addressHeader), r.RemoteAddr) }})
	t.Cleanup(func() {
		n.release()
		if err := n.runner.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return n
}

func (n *native) release() {
	select {
	case <-n.hold:
	default:
		close(n.hold)
	}
}

// doc is scenario A with a seed of its own.
func doc(seed int) string {
	return strings.Replace(scenarioA, `"seed":1`, fmt.Sprint(`"seed":`, seed), 1)
}

// noisy is a scenario that replicates differ in.
func noisy(seed int) string {
	return strings.Replace(doc(seed), `"policies"`, `"knowledge":{"lengths":"noisy"},"policies"`, 1)
}

// decode reads the body of an answer.
func (n *native) decode(w *httptest.ResponseRecorder, v any) {
	n.t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), v); err != nil {
		n.t.Fatalf("%v: %s", err, w.Body)
	}
}

// endless is a scenario of more rounds than a test waits for.
func endless(seed int) string {
	return strings.Replace(strings.Replace(doc(seed), `"steps":4000}`, `"steps":4000000000}`, 1), `"round_s":360`,
		`"round_s":1`, 1)
}

// post queues a run and returns its id.
func (n *native) post(doc, policies string) string {
	n.t.Helper()
	return n.submit("/api/v1/runs", `{"scenario":`+doc+`,"policies":`+policies+`}`)
}

// submit queues what body asks for at path, keeps its cancel token and returns its id.
func (n *native) submit(path, body string, headers ...string) string {
	n.t.Helper()
	w := do(n, "POST", path, body, headers...)
	var got struct {
		ID, State string
		Token     string `json:"cancel_token"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusAccepted || got.State == "" ||
		got.Token == "" ||
		w.Header().Get("Location") != path+"/"+got.ID {
		n.t.Fatalf("got %d: %s", w.Code, w.Body)
	}
	n.tokens.Store(got.ID, got.Token)
	return got.ID
}

// cancel goes back on a run or sweep with the latest token.
func (n *native) cancel(path string) *httptest.ResponseRecorder {
	token, _ := n.tokens.Load(path[strings.LastIndex(path, "/")+1:])
	return do(n, "DELETE", path, "", "Authorization", fmt.Sprint("Bearer ", token))
}

func (n *native) status(id string) runs.RunStatus {
	n.t.Helper()
	w := do(n, "GET", "/api/v1/runs/"+id, "")
	var got runs.RunStatus
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK || got.ID != id {
		n.t.Fatalf("status of %s: %d %s", id, w.Code, w.Body)
	}
	return got
}

// await asks until the run has the state.
func (n *native) await(id, state string) runs.RunStatus {
	n.t.Helper()
	for ; ; time.Sleep(time.Millisecond) {
		if s := n.status(id); s.State == state {
			return s
		} else if over(s.State) {
			n.t.Fatalf("the run is %+v, want %s", s, state)
		}
	}
}

// over says whether a run or sweep has ended. Tests wait for that and not for a time: a busy machine takes long.
func over(state string) bool { return state == "done" || state == "failed" || state == "cancelled" }

func (n *native) result(id string) message.Result {
	n.t.Helper()
	var got message.Result
	w := do(n, "GET", "/api/v1/runs/"+id+"/result", "")
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
		n.t.Fatalf("result of %s: %d %s", id, w.Code, w.Body)
	}
	return got
}

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
	want, _, _ := lab.Run(&message.RunRequest{Scenario: []byte(scenarioA),
		Policies: []message.PolicyRef{{ID: "hadar"}, {ID: "gavel-las"}, {ID: "fifo"}}})
	if b, _ := json.Marshal(want); body != string(b)+"\n" {
		t.Errorf("the result is not that of the engine:\n%s\n%s", body, b)
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
