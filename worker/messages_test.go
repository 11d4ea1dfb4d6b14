//go:build !js

package worker_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"hadarlab/core/lab"
	"hadarlab/worker"
	"hadarlab/worker/queue"
	"hadarlab/worker/runs"
	"hadarlab/worker/vault"
)

// mail is a message queue and the programs at both its ends: as at the edge, each request and each message has a
// runner of its own, and only the table is common to them.
type mail struct {
	http.Handler
	t       *testing.T
	store   vault.Store
	options runs.Options

	mu   sync.Mutex
	sent []string
	now  time.Time
}

func newMail(t *testing.T) *mail {
	m := &mail{t: t, store: newStore(t), now: time.UnixMilli(1e12)}
	m.options = runs.Options{Store: m.store, Table: m.store.(queue.Table), Slice: 1000, Notes: 10,
		Events: 1 << 40, Size: 100, Lease: time.Minute, Now: m.clock, Log: quiet}
	m.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		newHandler(t, worker.Options{Store: m.store, Runner: m.runner().Runner, Gate: sameKey}).ServeHTTP(w, r)
	})
	return m
}

func (m *mail) runner() *runs.Mailbox { return runs.NewMailbox(m.options, m.send, 100) }

func (m *mail) send(_ context.Context, ids []string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sent = append(m.sent, ids...)
	return nil
}

func (m *mail) clock() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

func (m *mail) pass(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = m.now.Add(d)
}

// next takes the next message, "" if none is there.
func (m *mail) next() (id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.sent) > 0 {
		id, m.sent = m.sent[0], m.sent[1:]
	}
	return id
}

// deliver gives each message to its receiver so many times at once, until none is left.
func (m *mail) deliver(times int) (messages int) {
	m.t.Helper()
	for id := m.next(); id != ""; id = m.next() {
		messages++
		var at sync.WaitGroup
		for range times {
			at.Go(func() {
				if err := m.runner().Deliver(m.t.Context(), id); err != nil {
					m.t.Errorf("%s: %v", id, err)
				}
			})
		}
		at.Wait()
	}
	return messages
}

// post asks for work and returns its place and the token that cancels it.
func (m *mail) post(path, body string) (at, token string) {
	m.t.Helper()
	w := do(m, "POST", path, body)
	var got struct {
		Token string `json:"cancel_token"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusAccepted {
		m.t.Fatalf("got %d: %s", w.Code, w.Body)
	}
	return w.Header().Get("Location"), got.Token
}

func (m *mail) status(at string) (s runs.RunStatus) {
	m.t.Helper()
	w := do(m, "GET", at, "")
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil || w.Code != http.StatusOK {
		m.t.Fatalf("got %d: %s", w.Code, w.Body)
	}
	return s
}

// grid is the body of a sweep of n points under two policies.
func grid(seed, n int) string {
	values := make([]string, n)
	for i := range values {
		values[i] = strconv.Itoa(60 + i)
	}
	return `{"scenario":` + doc(seed) + `,"policies":["hadar","srtf"],"vary":[{"path":"/scenario/round_s","values":[` +
		strings.Join(values, ",") + `]}]}`
}

// TestMessagesGiveTheSame: what comes by messages, in pieces, is what the pool gives in one, byte for byte; also
// where every message comes twice at once.
func TestMessagesGiveTheSame(t *testing.T) {
	n, m := newNative(t, runs.Options{}, false), newMail(t)
	for _, c := range []struct {
		path, body string
		messages   int // at least
	}{
		{"/api/v1/runs", `{"scenario":` + doc(1) + `,"policies":["hadar","gavel"]}`, 1},
		{"/api/v1/runs", `{"scenario":` + noisy(2) + `,"policies":["hadar","srtf"],"replicates":5}`, 7},
		{"/api/v1/sweeps", grid(3, 30), 32},
		{"/api/v1/sweeps", strings.Replace(strings.Replace(grid(4, 3), `"scenario":`+doc(4), `"scenario":`+noisy(4), 1),
			`"vary"`, `"replicates":2,"vary"`, 1), 8},
	} {
		id := n.submit(c.path, c.body)
		do(n, "GET", c.path+"/"+id+"/events", "") // until its end
		want := do(n, "GET", c.path+"/"+id+"/result", "")
		at, _ := m.post(c.path, c.body)
		if at != c.path+"/"+id || m.status(at).State != "queued" {
			t.Errorf("%s is %+v", at, m.status(at))
		}
		if got := m.deliver(2); got < c.messages {
			t.Errorf("%d messages, want %d", got, c.messages)
		}
		got := do(m, "GET", at+"/result", "")
		if got.Code != 200 || got.Body.String() != want.Body.String() {
			t.Errorf("%s: %d %.400s\nwant %d %.400s", at, got.Code, got.Body, want.Code, want.Body)
		}
		if s := do(m, "GET", at, ""); s.Body.String() != do(n, "GET", at, "").Body.String() {
			t.Errorf("its status is %s", s.Body)
		}
		m.post(c.path, c.body) // is answered from the store
		if m.deliver(1) != 0 {
			t.Error("what is done is worked on again")
		}
	}
}

// TestMessagesAreLost: what was sent and what was worked on when everything died is sent again when somebody asks, or
// by the clock, and not before.
func TestMessagesAreLost(t *testing.T) {
	m := newMail(t)
	at, _ := m.post("/api/v1/sweeps", grid(5, 20))
	for range 8 {
		if err := m.runner().Deliver(t.Context(), m.next()); err != nil {
			t.Fatal(err)
		}
	}
	held := m.next() // by a program that dies over it
	if _, err := m.store.(queue.Table).Take(t.Context(), held, "dead", m.clock().UnixMilli(),
		m.clock().Add(time.Minute).UnixMilli()); err != nil {
		t.Fatal(err)
	}
	m.sent = nil
	if s := m.status(at); s.State != "running" || s.Sweep.Done != 14 || s.Sweep.Runs != 40 || len(m.sent) != 0 {
		t.Errorf("%+v, and %d messages more", s.Sweep, len(m.sent))
	}
	m.pass(61 * time.Second)
	m.status(at)
	if got := len(m.sent); got != 8 { // of 12 that waited, the one that was held, and the whole: as many as go at once
		t.Errorf("%d messages are sent again: %v", got, m.sent)
	}
	m.sent = m.sent[:2]
	m.deliver(1)
	m.pass(61 * time.Second)
	if err := m.runner().Resend(t.Context()); err != nil {
		t.Fatal(err)
	}
	m.deliver(1)
	var got struct{ Points []struct{ Values []float64 } }
	if err := json.Unmarshal(do(m, "GET", at+"/result", "").Body.Bytes(), &got); err != nil || len(got.Points) != 20 {
		t.Fatalf("%d points, %v", len(got.Points), err)
	}
	for i, p := range got.Points {
		if p.Values[0] != float64(60+i) {
			t.Errorf("point %d is %v", i, p.Values)
		}
	}
	if p, err := m.store.(queue.Table).Parts(t.Context(), at[len(at)-26:]); p.All != 0 || err != nil {
		t.Errorf("%+v are left, %v", p, err)
	}
}

// TestMessagesOfWhatIsCancelled: it ends at once, and nobody works on its parts any more.
func TestMessagesOfWhatIsCancelled(t *testing.T) {
	m := newMail(t)
	at, token := m.post("/api/v1/sweeps", grid(6, 20))
	if err := m.runner().Deliver(t.Context(), m.next()); err != nil {
		t.Fatal(err)
	}
	if w := do(m, "DELETE", at, "", "Authorization", "Bearer no"); w.Code != 403 {
		t.Errorf("with another token: %d", w.Code)
	}
	if w := do(m, "DELETE", at, "", "Authorization", "Bearer "+token); w.Code != 200 ||
		!strings.Contains(w.Body.String(), `"cancelled"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	m.deliver(1)
	if s := m.status(at); s.State != "cancelled" {
		t.Errorf("%+v", s)
	}

	// A run hears of it while it is worked on.
	at, token = m.post("/api/v1/runs", `{"scenario":`+endless(7)+`,"policies":["hadar"]}`)
	ended := make(chan error)
	id := m.next()
	go func() { ended <- m.runner().Deliver(t.Context(), id) }()
	for m.status(at).State == "queued" {
	}
	do(m, "DELETE", at, "", "Authorization", "Bearer "+token)
	if err := <-ended; err != nil || m.status(at).State != "cancelled" || m.status(at).Lanes[0].Outcome != "stopped" {
		t.Errorf("%v %+v", err, m.status(at))
	}
}

// TestMessagesThatFail: a fault of one part is one of the whole, and a message that was given up ends its work.
func TestMessagesThatFail(t *testing.T) {
	m := newMail(t)
	at, _ := m.post("/api/v1/sweeps", strings.Replace(grid(8, 4), "61", "-5", 1))
	m.deliver(1)
	if s := m.status(at); s.State != "failed" || len(s.Errors) == 0 ||
		!strings.Contains(s.Errors[0].Message.String(), "round_s") {
		t.Errorf("%+v", s)
	}

	at, _ = m.post("/api/v1/sweeps", grid(9, 4))
	if err := m.runner().Deliver(t.Context(), m.next()); err != nil {
		t.Fatal(err)
	}
	part := m.next()
	if _, err := m.store.(queue.Table).Take(t.Context(), part, "dead", m.clock().UnixMilli(),
		m.clock().Add(time.Minute).UnixMilli()); err != nil {
		t.Fatal(err)
	}
	if err := m.runner().Abandon(t.Context(), part); err != queue.ErrBusy {
		t.Errorf("what somebody holds is given up: %v", err)
	}
	m.pass(61 * time.Second)
	if err := m.runner().Abandon(t.Context(), part); err != nil {
		t.Fatal(err)
	}
	m.deliver(1)
	if s := m.status(at); s.State != "failed" || len(s.Errors) == 0 || s.Errors[0].Code != "given-up" {
		t.Errorf("%+v", s)
	}
	if err := m.runner().Abandon(t.Context(), at[len(at)-26:]); err != nil { // a message that comes late
		t.Error(err)
	}
	at, _ = m.post("/api/v1/sweeps", grid(9, 4)) // asked for again, it starts anew
	m.deliver(1)
	if s := m.status(at); s.State != "done" {
		t.Errorf("%+v", s)
	}
}

// TestMessagesAreBounded: what cannot fit into one message is refused before it starts, and the way out is named.
func TestMessagesAreBounded(t *testing.T) {
	m := newMail(t)
	m.options.Size = 5
	for _, c := range []struct{ path, body string }{
		{"/api/v1/runs", `{"scenario":` + doc(1) + `,"policies":["hadar","srtf","fifo"]}`},
		{"/api/v1/sweeps", grid(1, 101)},
		{"/api/v1/sweeps", strings.Replace(grid(1, 2), `"srtf"`, `"srtf","fifo"`, 1)},
	} {
		if w := do(m, "POST", c.path, c.body); w.Code != 413 || !strings.Contains(w.Body.String(), "hadarlab ") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
}

// TestMessagesForAnotherVersion: what an earlier program was asked for is asked for again under today's id, also where
// every message comes twice at once or a statement fails, and who could cancel it can still.
func TestMessagesForAnotherVersion(t *testing.T) {
	m, f := newFaultyMail(t)
	at, token := m.post("/api/v1/runs", `{"scenario":`+doc(1)+`,"policies":["hadar","gavel"]}`)
	swept, _ := m.post("/api/v1/sweeps", grid(3, 3))
	for m.next() != "" { // the program that sent these is no more
	}
	earlier := func(at string) string { return at[:len(at)-4] + "0000" }
	if _, err := f.DB.Exec(`UPDATE work SET id = substr(id, 1, length(id) - 4) || '0000', lease_ms = 0,
		status = replace(status, ?, '"0.1.0"')`, `"`+lab.Engine+`"`); err != nil {
		t.Fatal(err)
	}
	f.fault = func(_ int, query string, _ []any) fault {
		if strings.Contains(query, "INTO work (id, kind") && strings.Contains(query, "AS old") {
			f.fault = nil
			return fails
		}
		return sound
	}
	if err := m.runner().Resend(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := m.runner().Deliver(t.Context(), m.next()); err == nil {
		t.Error("it is lost with the statement that failed")
	}
	m.pass(2 * m.options.Lease)
	if err := m.runner().Resend(t.Context()); err != nil {
		t.Fatal(err)
	}
	for id := m.next(); id != "" && m.status(earlier(at)).Next == ""; id = m.next() {
		if err := m.runner().Deliver(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
	if s := m.status(earlier(at)); s.State != "failed" || s.Next != at[len(at)-26:] || s.Engine != "0.1.0" {
		t.Errorf("the run of before: %+v", s)
	}
	if w := do(m, "DELETE", at, "", "Authorization", "Bearer "+token); w.Code != http.StatusOK ||
		m.status(at).State != "cancelled" {
		t.Errorf("it cannot be cancelled under its new id: %d %s", w.Code, w.Body)
	}
	m.pass(2 * m.options.Lease)
	if err := m.runner().Resend(t.Context()); err != nil {
		t.Fatal(err)
	}
	m.deliver(2)
	if s := m.status(earlier(swept)); s.State != "failed" || s.Next != swept[len(swept)-26:] {
		t.Errorf("the sweep of before: %+v", s)
	}
	if s := m.status(swept); s.State != "done" || s.Engine != lab.Engine {
		t.Errorf("the sweep of today: %+v", s)
	}
}
