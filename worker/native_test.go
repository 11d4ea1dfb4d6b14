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

// lasting is a scenario of rounds of a second, and of as many as its first job has steps to do.
func lasting(seed, steps int) string {
	return strings.Replace(strings.Replace(doc(seed), `"steps":4000}`, fmt.Sprintf(`"steps":%d}`, steps), 1),
		`"round_s":360`, `"round_s":1`, 1)
}

// endless is a scenario of more rounds than a test waits for.
func endless(seed int) string { return lasting(seed, 4_000_000_000) }

// engine is the result of a run as the engine gives it, which nobody interrupts.
func engine(doc string, policies ...string) string {
	request := &message.RunRequest{Scenario: []byte(doc)}
	for _, p := range policies {
		request.Policies = append(request.Policies, message.PolicyRef{ID: p})
	}
	result, _, _ := lab.Run(request)
	b, _ := json.Marshal(result)
	return string(b)
}

// point is where a run stands still until the test has it go on.
type point struct{ reached, left chan bool }

func newPoint() point { return point{make(chan bool), make(chan bool)} }

// hold is what the run does there, reach waits for it, and leave has it go on.
func (p point) hold()  { p.reached <- true; <-p.left }
func (p point) reach() { <-p.reached }
func (p point) leave() { close(p.left) }

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

// ask queues a run of hadar for who has a token, "" for none.
func (n *native) ask(doc, token string, headers ...string) string {
	n.t.Helper()
	if token != "" {
		headers = append(headers, "Hadarlab-Client", token)
	}
	return n.submit("/api/v1/runs", `{"scenario":`+doc+`,"policies":["hadar"]}`, headers...)
}

// sound holds the result of a run to that of the engine, which was never interrupted.
func (n *native) sound(id, doc string) {
	n.t.Helper()
	n.await(id, "done")
	if do(n, "GET", "/api/v1/runs/"+id+"/result", "").Body.String() != engine(doc, "hadar")+"\n" {
		n.t.Errorf("the result of %s is not that of the engine", id)
	}
}
