//go:build !js

package worker_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hadarlab/worker"
	"hadarlab/worker/runs"
)

// long is a scenario of some 1,000 events under hadar, which a share of paced is a fifth of.
func long(seed int) string { return lasting(seed, 8000) }

// share is how many events a run has of a slot in paced before it gives way.
const share = 200

// paced is a server with one slot that stands still after some slices, of all runs together, until the test has done
// something.
type paced struct {
	*native
	slices atomic.Int64
	doing  map[int64]func()
}

// newPaced makes one; doing is called in the place of the run.
func newPaced(t *testing.T, doing map[int64]func()) *paced {
	p := &paced{doing: doing}
	p.native = newNative(t, runs.Options{Concurrent: 1, Events: 15 * share, Yield: p.pace}, false)
	return p
}

func (p *paced) pace() {
	if do := p.doing[p.slices.Add(1)]; do != nil {
		do()
	}
}

// TestLongRunsGiveWay: while a long run has the only slot, another client asks for a short one. If nobody with a token
// that is not new wants the long one, the short one is worked on when that has had its share, and ends long before it;
// the long one goes on where it was. Else it is not kept waiting.
func TestLongRunsGiveWay(t *testing.T) {
	const evil, good = "203.0.113.7:1", "198.51.100.7:1"
	for name, tt := range map[string]struct {
		token func(n *native) string // of who asks for the long run
		joins bool                   // somebody known asks for the same
		gives bool
	}{
		"without a token":     {token: func(*native) string { return "" }, gives: true},
		"with a new token":    {token: func(n *native) string { return n.token(evil, false) }, gives: true},
		"with an old token":   {token: func(n *native) string { return n.token(evil, true) }},
		"wanted by one known": {token: func(*native) string { return "" }, joins: true},
	} {
		t.Run(name, func(t *testing.T) {
			var n *paced
			begun, late := newPoint(), newPoint()
			n = newPaced(t, map[int64]func(){1: begun.hold, 4 * share: late.hold})
			known := n.token(good, true)
			token := tt.token(n.native)
			first := n.ask(long(1), token, addressHeader, evil)
			begun.reach()
			second := n.ask(long(2), token, addressHeader, evil) // of the same client: it waits for the first
			short := n.ask(doc(3), known, addressHeader, good)
			if tt.joins {
				n.ask(long(1), known, addressHeader, good)
			}
			begun.leave()
			late.reach()
			if s := n.status(first); s.State != "running" {
				t.Errorf("the long run is %s after %d slices", s.State, 4*share)
			}
			if s := n.status(short); (s.State == "done") != tt.gives {
				t.Errorf("the short run is %s after %d slices", s.State, 4*share)
			}
			late.leave()
			n.sound(first, long(1))
			n.sound(second, long(2))
			n.sound(short, doc(3))
			want := []string{first, second, short}
			if tt.gives {
				want = []string{first, short, second}
			}
			if order := n.table.order(); !slices.Equal(order, want) {
				t.Errorf("taken in the order %v; %s and %s are long, %s is short", order, first, second, short)
			}
		})
	}
}

// TestFewStandStill: of runs that give way, from many networks at once, few are begun before one of them has ended, and
// an honest client's comes after those at the latest. All come to their ends.
func TestFewStandStill(t *testing.T) {
	const networks, most = 6, 4
	working := 0
	begun := newPoint()
	n := newPaced(t, map[int64]func(){1: begun.hold})
	known := n.token("198.51.100.7:1", true)
	var evil []string
	for i := range networks {
		from := fmt.Sprintf("203.0.%d.7:1", i)
		evil = append(evil, n.ask(long(10+i), n.token(from, false), addressHeader, from))
		if i == 0 {
			begun.reach()
		}
	}
	honest := n.ask(doc(3), known, addressHeader, "198.51.100.7:1")
	for i := int64(2); i < 40; i++ {
		n.doing[i*share/2] = func() {
			_, now := n.runner.Load()
			working = max(working, now)
		}
	}
	begun.leave()
	n.sound(honest, doc(3))
	if at := slices.Index(n.table.order(), honest); at > most {
		t.Errorf("the honest client's is taken after %d others", at)
	}
	for i, id := range evil {
		n.sound(id, long(10+i))
	}
	if working < 3 || working > most+1 {
		t.Errorf("%d were begun and had not ended", working)
	}
	if taken := len(n.table.order()); taken != networks+1 {
		t.Errorf("%d runs were taken %d times", networks+1, taken)
	}
}

// standing begins a long run that has given way to a short one, which has the slot until release.
func standing(t *testing.T) (n *paced, first, short string, release func()) {
	begun, given := newPoint(), newPoint()
	n = newPaced(t, map[int64]func(){1: begun.hold, share + 1: given.hold})
	release = sync.OnceFunc(given.leave)
	t.Cleanup(release) // before the server is closed
	known := n.token("198.51.100.7:1", true)
	first = n.ask(long(1), "")
	begun.reach()
	short = n.ask(long(3), known, addressHeader, "198.51.100.7:1")
	begun.leave()
	given.reach()
	if at := n.table.order(); !slices.Equal(at, []string{first, short}) {
		t.Fatalf("%v were taken", at)
	}
	return n, first, short, release
}

// TestWhatStandsStillCanBeCancelled: at once, while another has its slot.
func TestWhatStandsStillCanBeCancelled(t *testing.T) {
	n, first, short, release := standing(t)
	if w := n.cancel("/api/v1/runs/" + first); w.Code != http.StatusOK || n.status(first).State != "cancelled" {
		t.Errorf("cancelled: %d %s", w.Code, w.Body)
	}
	if got := n.result(first); len(got.Runs) != 1 || got.Runs[0].Outcome != "stopped" ||
		got.Runs[0].Metrics.Rounds < share/2 {
		t.Errorf("what there was of it is %+v", got.Runs)
	}
	if s := n.status(short); s.State != "running" {
		t.Errorf("the other is %s", s.State)
	}
	release()
	n.sound(short, long(3))
	n.sound(n.ask(doc(5), ""), doc(5)) // the slot is there for the next
}

// TestWhatStandsStillOutlivesTheServer: it is given back as what is worked on, and the next server ends both.
func TestWhatStandsStillOutlivesTheServer(t *testing.T) {
	n, first, short, release := standing(t)
	now, cancel := context.WithCancel(t.Context())
	cancel()
	if err := n.runner.Close(now); err == nil {
		t.Error("closed while a run is held")
	}
	release()
	if err := n.runner.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	next := newNative(t, runs.Options{Store: n.store}, false)
	next.sound(first, long(1))
	next.sound(short, long(3))
}

// TestStreamsGiveWay: a run that is answered as it goes gives way as others do, and its reader gets all of it. A reader
// who leaves meanwhile keeps no slot.
func TestStreamsGiveWay(t *testing.T) {
	for name, leaves := range map[string]bool{"stays": false, "leaves": true} {
		t.Run(name, func(t *testing.T) {
			n := newPaced(t, nil)
			known := n.token("198.51.100.7:1", true)
			begun, late, given := newPoint(), newPoint(), newPoint()
			var slice atomic.Int64
			h := newHandler(t, worker.Options{Store: n.store, Runner: n.runner, Gate: sameKey, Yield: func() {
				switch slice.Add(1) {
				case 1:
					begun.hold()
				case 2:
					late.hold()
				}
			}})
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			answer := make(chan *httptest.ResponseRecorder)
			go func() {
				r := httptest.NewRequestWithContext(ctx, "POST", "/api/v1/runs",
					strings.NewReader(`{"scenario":`+long(1)+`,"policies":["hadar"]}`))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Accept", "text/event-stream")
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				answer <- w
			}()
			begun.reach()
			n.doing = map[int64]func(){1: given.hold}
			short := n.ask(doc(3), known, addressHeader, "198.51.100.7:1")
			begun.leave()
			given.reach()
			if leaves {
				leave()
				<-answer
				given.leave()
				n.sound(short, doc(3))
				n.sound(n.ask(doc(5), ""), doc(5))
				return
			}
			given.leave()
			late.reach()
			if s := n.status(short); s.State != "done" {
				t.Errorf("the short run is %s", s.State)
			}
			late.leave()
			w := <-answer
			name, data, _ := lastEvent(t, w.Body.String())
			if name != "result" || data != engine(long(1), "hadar") {
				t.Errorf("the last event is %s %.100s", name, data)
			}
		})
	}
}

// TestClockGivesWay: where decisions take long a share is one by the clock: a fifteenth of the longest run.
func TestClockGivesWay(t *testing.T) {
	var late atomic.Int64 // seconds, of which each slice takes one
	begun, after := newPoint(), int64(0)
	var n *native
	slice := 0
	n = newNative(t, runs.Options{Concurrent: 1, Time: 15 * 50 * time.Second,
		Now: func() time.Time { return time.Unix(1_700_000_000+late.Load(), 0) },
		Yield: func() {
			if slice++; slice == 1 {
				begun.hold()
			}
			late.Add(1)
			if after == 0 && len(n.table.order()) > 1 {
				after = late.Load()
			}
		}}, false)
	known := n.token("198.51.100.7:1", true)
	id := n.ask(endless(1), "")
	begun.reach()
	short := n.ask(doc(3), known, addressHeader, "198.51.100.7:1")
	begun.leave()
	n.await(short, "done")
	n.await(id, "failed") // after its time, of which it stood still for none
	if after < 50 || after > 52 {
		t.Errorf("the short run was begun after %d s", after)
	}
}
