//go:build !js

package worker_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hadarlab/core/message"
	"hadarlab/core/trace"
	"hadarlab/scenarios"
	"hadarlab/worker"
	"hadarlab/worker/front"
	"hadarlab/worker/gate"
	"hadarlab/worker/queue"
	"hadarlab/worker/runs"
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
	n := newNative(t, runs.Options{Recorded: 1 << 20}, false)
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
	n := newNative(t, runs.Options{Recorded: bound}, false)
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
	n := newNative(t, runs.Options{}, false)
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

// TestOneBoundOnAllSimulation: inline streams and queued runs share the slots, and where none is free a stream waits in
// the queue. Who waits and leaves costs nothing; for more than the queue holds there is no place, and those without a
// token leave some to others.
func TestOneBoundOnAllSimulation(t *testing.T) {
	var working, most, slices atomic.Int32
	hold := make(chan struct{})
	pause := func() {
		slices.Add(1)
		most.Store(max(most.Load(), working.Add(1)))
		<-hold
		working.Add(-1)
	}
	n := newNative(t, runs.Options{Concurrent: 1, Yield: pause, Queue: 16}, false)
	h := newHandler(t, worker.Options{Store: n.store, Runner: n.runner, Gate: sameKey, Yield: pause})
	id := n.post(endless(90), `["hadar"]`)
	n.await(id, "running")
	ctx, leave := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	post := func(ctx context.Context, seed int, token string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(ctx, "POST", "/api/v1/runs",
			strings.NewReader(`{"scenario":`+greedy(t, 900_000+seed)+`,"policies":["gavel-las"]}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "text/event-stream")
		r.Header.Set("Hadarlab-Client", token)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	waiting := func() int {
		n, _ := n.runner.Load()
		return n
	}
	for i := range 4 {
		wg.Go(func() { post(ctx, i, "") })
	}
	for n.table.let.Load() < 1+4 {
		time.Sleep(time.Millisecond)
	}
	w := post(t.Context(), 17, "")
	if p := wantProblem(t, w, http.StatusTooManyRequests); w.Header().Get("Retry-After") == "" ||
		p.Errors[0].Code != "queue-full" {
		t.Errorf("one too many: %+v", p)
	}
	wg.Go(func() { post(ctx, 5, n.token("", false)) })
	for n.table.let.Load() < 1+5 {
		time.Sleep(time.Millisecond)
	}
	leave()
	wg.Wait()
	if waiting() != 0 || most.Load() != 1 {
		t.Errorf("%d wait who have left, %d simulations at once", waiting(), most.Load())
	}
	before := slices.Load()
	close(hold)
	n.cancel("/api/v1/runs/" + id)
	if got := post(t.Context(), 18, ""); got.Code != 200 || slices.Load() == before {
		t.Errorf("when the slot is free: %d", got.Code)
	}
}

// TestManyStreamsAtOnce: 300 who each ask for a run of their own as a stream, at the same moment and while another run
// has the only slot, are all taken: each hears how it goes on, and gets the result of a run that did not wait.
func TestManyStreamsAtOnce(t *testing.T) {
	n := newNative(t, runs.Options{Concurrent: 1}, true)
	web := httptest.NewServer(n)
	defer web.Close()
	id := n.post(endless(91), `["hadar"]`)
	n.await(id, "running")
	const streams = 300
	bodies, begun := make([]string, streams), make(chan bool, streams)
	var wg sync.WaitGroup
	for i := range streams {
		token := n.token("", false)
		wg.Go(func() {
			req, _ := http.NewRequestWithContext(t.Context(), "POST", web.URL+"/api/v1/runs",
				strings.NewReader(`{"scenario":`+doc(2000+i)+`,"policies":["fifo"]}`))
			for k, v := range map[string]string{"Content-Type": "application/json", "Accept": "text/event-stream",
				"Hadarlab-Client": token} {
				req.Header.Set(k, v)
			}
			res, err := http.DefaultClient.Do(req)
			begun <- err == nil
			if err != nil {
				t.Errorf("stream %d: %v", i, err)
				return
			}
			defer res.Body.Close()
			b, err := io.ReadAll(res.Body)
			if bodies[i] = string(b); err != nil || res.StatusCode != http.StatusOK ||
				!strings.HasPrefix(res.Header.Get("Location"), "/api/v1/runs/") {
				t.Errorf("stream %d: %v %d %.200s", i, err, res.StatusCode, b)
			}
		})
	}
	for range streams { // all are taken before any of them is worked on
		<-begun
	}
	n.release()
	n.cancel("/api/v1/runs/" + id)
	wg.Wait()
	for i, body := range bodies {
		name, data, kinds := lastEvent(t, body)
		if name != "result" || kinds["lane"] != 1 || !strings.Contains(data, fmt.Sprintf(`"seed":%d`, 2000+i)) {
			t.Fatalf("stream %d: events %v, the last is %s %.200s", i, kinds, name, data)
		}
	}
	if want := do(newHandler(t, worker.Options{}), "POST", "/api/v1/runs", `{"scenario":`+doc(2000)+
		`,"policies":["fifo"]}`); !strings.HasSuffix(bodies[0], want.Body.String()[strings.LastIndex(want.Body.String(),
		"event: result"):]) {
		t.Error("the result is not that of a run that did not wait")
	}
}

// TestStreamsEndWithAnEvent: when the server is stopped an inline stream says so, and gives what it has.
func TestStreamsEndWithAnEvent(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	var once sync.Once
	h := newHandler(t, worker.Options{Store: n.store, Runner: n.runner, Gate: sameKey, Yield: func() {
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

// TestClassAsksAtOnce: 300 behind one address, each with a run of its own and a token that it has just been given, are
// all accepted.
func TestClassAsksAtOnce(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	ids := make([]string, 300)
	tokens := sync.Map{}
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			token := n.token("", false)
			tokens.Store(token, true)
			w := do(n, "POST", "/api/v1/runs", `{"scenario":`+doc(1000+i)+`,"policies":["fifo"]}`,
				"Hadarlab-Client", token)
			var got struct{ ID string }
			_ = json.Unmarshal(w.Body.Bytes(), &got)
			if w.Code != http.StatusAccepted || w.Header().Get("Hadarlab-Client") != "" {
				t.Errorf("client %d: %d %s", i, w.Code, w.Body)
			}
			ids[i] = got.ID
		})
	}
	wg.Wait()
	distinct := 0
	tokens.Range(func(any, any) bool { distinct++; return true })
	if distinct != 300 {
		t.Errorf("300 clients have %d tokens", distinct)
	}
	for _, id := range ids {
		n.await(id, "done")
	}
}

// TestClientsTakeTurns: one who asks for little does not wait for all of one who asked for much before.
func TestClientsTakeTurns(t *testing.T) {
	n := newNative(t, runs.Options{Concurrent: 1, QueueEach: 5}, true)
	n.await(n.post(doc(100), `["fifo"]`), "running")
	much, little := n.token("", false), n.token("", true)
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
	if order := n.table.order(); len(order) != 7 || order[2] != last {
		t.Errorf("taken in the order %v; %s was asked for last, by another client", order, last)
	}
}

// TestNobodyShutsOthersOut: requests for several times the queue without a token, with made-up ones, and with a fresh
// one each from one network, before and while an honest client asks: it is accepted and taken after a few, whether its
// token is new or not, and from the attackers' network too where it has had its token before. A student's work waits
// for none of them.
func TestNobodyShutsOthersOut(t *testing.T) {
	n := newNative(t, runs.Options{Concurrent: 1, Queue: 100}, true)
	const evil, good = "203.0.113.7:1", "198.51.100.7:1"
	n.await(n.post(doc(1), `["fifo"]`), "running")
	known, near := n.token(good, false), n.token(evil, true)
	seed, accepted := 1000, map[int]int{}
	attack := func(headers ...string) {
		seed++
		w := do(n, "POST", "/api/v1/runs", `{"scenario":`+doc(seed)+`}`, append(headers, addressHeader, evil)...)
		accepted[w.Code]++
		if w.Code == http.StatusServiceUnavailable {
			t.Fatalf("the queue is full: %s", w.Body)
		}
	}
	for i := range 101 {
		attack()
		attack("Hadarlab-Client", fmt.Sprintf("%064x", i))
		attack("Hadarlab-Client", n.token(evil, false))
	}
	if accepted[http.StatusAccepted] > 25+33 {
		t.Errorf("the attackers have places: %v", accepted)
	}
	ask := func(seed int, headers ...string) string {
		return n.submit("/api/v1/runs", `{"scenario":`+doc(seed)+`}`, headers...)
	}
	honest := []string{
		ask(2, "Hadarlab-Client", known, addressHeader, good),
		ask(3, "Hadarlab-Client", n.token(good, false), addressHeader, good),
		ask(4, "Hadarlab-Client", near, addressHeader, evil),
	}
	attack()
	n.release()
	for _, id := range honest {
		n.await(id, "done")
	}
	for i, id := range honest {
		if at := slices.Index(n.table.order(), id); at > 1+2+queue.PerTurn {
			t.Errorf("honest client %d is taken at %d", i, at)
		}
	}
	if accepted[http.StatusAccepted] < 50 {
		t.Errorf("only %v of the attackers' waited: nothing is shown", accepted)
	}
}

// TestNoAddressIsInTheQueue: whose turn work takes names a group of networks, and only while it waits or is worked on.
func TestNoAddressIsInTheQueue(t *testing.T) {
	n := newNative(t, runs.Options{Concurrent: 1}, true)
	id := n.submit("/api/v1/runs", `{"scenario":`+doc(1)+`}`, "Hadarlab-Client", n.token("", true))
	w, err := n.table.Find(t.Context(), id)
	if group, client, _ := strings.Cut(w.Owner, "/"); err != nil || len(group) != 4 || len(client) != 16 {
		t.Errorf("it is %+v %v", w, err)
	}
	n.release()
	n.await(id, "done")
	if w, err := n.table.Find(t.Context(), id); err != nil || w.Owner != "" {
		t.Errorf("when it has ended it is %+v %v", w, err)
	}
}

// TestOneClientIsAnsweredWhateverItSends: 250 requests at once of one client, with bodies that are sent to their end
// before the answer is looked at, as browsers and proxies do: it has its bucket of 120, and all others are told when to
// come again. No connection breaks.
func TestOneClientIsAnsweredWhateverItSends(t *testing.T) {
	const requests, bucket = 250, 120
	for name, size := range map[string]int{"small": 600, "of 60 kB": 60_000, "of 1 MB": 1_000_000} {
		t.Run(name, func(t *testing.T) {
			n := newNative(t, runs.Options{Queue: 1000, QueueEach: 1000}, true,
				gate.Options{Each: queue.Rate{Burst: bucket, PerSecond: 1e-6}})
			web := httptest.NewServer(front.New(n, front.Options{Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)},
				LargestBody: 8 << 20}))
			defer web.Close()
			token := n.token("127.0.0.1:1", true)
			var mu sync.Mutex
			got := map[int]int{}
			var wg sync.WaitGroup
			for i := range requests {
				wg.Go(func() {
					body := `{"scenario":` + doc(3000+i) + `,"policies":["fifo"]}`
					body += strings.Repeat(" ", max(0, size-len(body)))
					c, err := net.Dial("tcp", web.Listener.Addr().String())
					if err != nil {
						t.Error(err)
						return
					}
					defer c.Close()
					if err := c.(*net.TCPConn).SetWriteBuffer(4096); err != nil { // as over a slow line
						t.Error(err)
						return
					}
					_, err = fmt.Fprintf(c, "POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
						"%s: 127.0.0.1:1\r\nHadarlab-Client: %s\r\nContent-Length: %d\r\n\r\n", addressHeader, token, len(body))
					if err == nil {
						_, err = io.WriteString(c, body)
					}
					if err != nil {
						t.Errorf("request %d cannot be sent: %v", i, err)
						return
					}
					res, err := http.ReadResponse(bufio.NewReader(c), nil)
					if err != nil {
						t.Errorf("request %d is not answered: %v", i, err)
						return
					}
					b, err := io.ReadAll(res.Body)
					if refused := res.StatusCode == 429 || res.StatusCode == 503; err != nil || refused ==
						(res.Header.Get("Retry-After") == "") || !refused && res.StatusCode != 202 {
						t.Errorf("request %d: %d, to come again in %q s, %v: %.200s", i, res.StatusCode, res.Header.Get("Retry-After"),
							err, b)
					}
					mu.Lock()
					defer mu.Unlock()
					got[res.StatusCode]++
				})
			}
			wg.Wait()
			// Of large bodies only so many are held at once: those beyond them do not even reach the bucket.
			if got[202] > bucket || got[202] == 0 || size < 1e6 && got[429] != requests-bucket ||
				got[202]+got[429]+got[503] != requests {
				t.Errorf("of %d requests so many were answered by each status: %v", requests, got)
			}
		})
	}
}
