package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/words"
	"hadarlab/worker/class"
	"hadarlab/worker/logs"
	"hadarlab/worker/queue"
	"hadarlab/worker/vault"
)

// Options bounds a Runner. Zero values are defaults.
type Options struct {
	// Store keeps the results, Table what waits and is worked on. Required.
	Store vault.Store
	Table queue.Table
	// Concurrent is how many simulations work at once, inline ones included; one more is for work of classes alone.
	// What those ask for who have no token, or a new one, gives way to others after a fifteenth of Events or Time, and
	// goes on later where it was. Default GOMAXPROCS-1, at least 1.
	Concurrent int
	// Queue is how many runs may wait, QueueEach how many of one client, QueueBytes how large their requests may be
	// together; see queue.Limits. Work of classes has as much again. Default 1000, 100 and 64 MiB.
	Queue, QueueEach, QueueBytes int
	// Size is the largest jobs × policies × replicates. Default 20,000. A sweep may be sweepFactor times as
	// large and long, since it holds one run at a time.
	Size int
	// Events is the most kernel events of one run. Default 5 million.
	Events int
	// Recorded is the most bytes that a run may record in all its lanes. While it is worked on and made into a result
	// it takes up to six times as much. Default 48 MiB.
	Recorded int
	// Time is how long a run may be worked on, Lease how long work is held without a word. Default 5 minutes and one.
	Time, Lease time.Duration
	// Slice is how many events are simulated between two looks at the clock, and Notes how many slices between two
	// words to the table at most, where the clock stands still during work. Default 1, since a decision among 20,000
	// jobs takes as long as a million others, and 0, by the clock only.
	Slice, Notes int
	// Keep and KeepBytes bound the ended runs that are remembered without a store: those that were
	// cancelled, have failed, or are too large for a row. Default 64 runs and 32 MiB of results and traces.
	Keep, KeepBytes int
	// Yield is called between two slices of a simulation. Default none.
	Yield func()
	// Now is the time written beside a stored result. Default time.Now.
	Now func() time.Time
	// Log takes failures that are the server's own. Default logs.Default.
	Log logs.Logger
}

// Runner simulates runs in the background, a few at a time, each client in its turn. What waits and what is worked on
// is in the table, and outlives the program; what is done goes to the store. Use NewPool or NewMailbox.
type Runner struct {
	Options
	holder   string // of the work that is taken here
	hands    hands
	stopped  chan struct{} // closed when the server is being stopped
	newSweep func(*message.SweepRequest) (sweep, jsondoc.Diagnostics)

	mu    sync.Mutex
	runs  map[string]*run // that wait, are worked on, or are remembered
	ended []*run          // remembered, oldest first
	bytes int             // results of ended
}

// newRunner makes one that still has no hands.
func newRunner(o Options) *Runner {
	if o.Store == nil || o.Table == nil {
		panic("runs: Options.Store or Table is nil")
	}
	for _, d := range []struct {
		value *int
		zero  int
	}{{&o.Concurrent, max(1, runtime.GOMAXPROCS(0)-1)}, {&o.Queue, 1000}, {&o.QueueEach, 100},
		{&o.QueueBytes, 64 << 20}, {&o.Size, 20_000}, {&o.Slice, 1},
		{&o.Events, 5_000_000}, {&o.Recorded, 48 << 20}, {&o.Keep, 64}, {&o.KeepBytes, 32 << 20}} {
		if *d.value == 0 {
			*d.value = d.zero
		}
	}
	if o.Time == 0 {
		o.Time = 5 * time.Minute
	}
	if o.Lease == 0 {
		o.Lease = time.Minute
	}
	if o.Yield == nil {
		o.Yield = func() {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = logs.Default
	}
	return &Runner{Options: o, holder: queue.Secret(), stopped: make(chan struct{}), runs: map[string]*run{},
		newSweep: newSweep}
}

// find returns a run that is in memory, or nil.
func (q *Runner) find(id string) *run {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.runs[id]
}

// Holds tells whether a run is in memory.
func (q *Runner) Holds(id string) bool { return q.find(id) != nil }

// Load tells how many runs wait and how many are worked on.
func (q *Runner) Load() (waiting, working int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, x := range q.runs {
		switch x.snapshot().State {
		case queued:
			waiting++
		case running:
			working++
		}
	}
	return waiting, working
}

// Stopped is closed when the runner is being stopped.
func (q *Runner) Stopped() <-chan struct{} { return q.stopped }

// Verify has submissions run again, as they come and those that have no verdict yet; nil runs none.
func (q *Runner) Verify(s *class.Service) {
	if q != nil {
		q.hands.verify(s)
	}
}

// Lasts tells whether this program outlives its requests, so that listeners can be told of changes.
func (q *Runner) Lasts() bool { return q != nil && q.hands.lasts() }

func (q *Runner) closed() bool {
	select {
	case <-q.stopped:
		return true
	default:
		return false
	}
}

// ask puts x in the queue, or joins those who want the same run. It returns that run, and the token with which this
// client can go back on it, when the table has it for certain.
func (q *Runner) ask(ctx context.Context, x *run, owner string, b *runBody) (there *run, token string, err error) {
	if q.closed() {
		return nil, "", queue.ErrClosed
	}
	body, err := json.Marshal(b)
	if err != nil {
		return nil, "", err
	}
	x.req, x.grid = nil, nil // the table has them
	status, err := json.Marshal(x.at.RunStatus)
	if err != nil {
		return nil, "", err
	}
	token = queue.Secret()
	row := queue.Work{ID: x.id, Kind: string(x.kind), Body: string(body), Owner: owner, Status: string(status)}
	for {
		there = q.join(x)
		err = q.Table.Ask(ctx, row, queue.Hash(token), queue.Limits{Places: q.Queue, Each: q.QueueEach,
			Bytes: q.QueueBytes}, q.Now().UnixMilli())
		if !errors.Is(err, queue.ErrLeaving) {
			break
		}
		select { // somebody has just cancelled it: it starts anew when that is done
		case <-there.ended:
		case <-ctx.Done():
			return nil, "", err
		case <-q.stopped:
			return nil, "", err
		}
	}
	if err != nil {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.runs[x.id] == x {
			delete(q.runs, x.id)
		}
		return nil, "", err
	}
	there.joined(owner)
	q.hands.wake(ctx)
	return there, token, nil
}

// join puts x where it can be found, before anybody can take it, unless the same run is there.
func (q *Runner) join(x *run) *run {
	q.mu.Lock()
	defer q.mu.Unlock()
	if there := q.runs[x.id]; there != nil && !there.snapshot().final() {
		return there
	}
	q.runs[x.id] = x
	return x
}

// leave takes one who wanted the run from it. The last to leave ends it.
func (q *Runner) leave(ctx context.Context, x *run, token string) (last bool, err error) {
	state, last, err := q.hands.unwant(ctx, x, queue.Hash(token))
	if err != nil || !last || x.snapshot().final() {
		return last, err
	}
	if state != cancelled { // it had begun, and is worked on here
		x.stopBecause(cancelled, nil)
		return last, nil
	}
	if x.snapshot().Sweep != nil {
		err = q.Table.Unsplit(ctx, x.id)
	}
	x.end(x.closing(cancelled, nil), nil)
	q.put(x, false)
	return last, err
}

// put takes an ended run out of memory if it is stored, or remembers it within bounds.
func (q *Runner) put(x *run, stored bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if stored {
		if q.runs[x.id] == x {
			delete(q.runs, x.id)
		}
		return
	}
	q.ended = append(q.ended, x)
	q.bytes += x.snapshot().weight()
	for len(q.ended) > 1 && (len(q.ended) > q.Keep || q.bytes > q.KeepBytes) { // the latest even beyond them
		old := q.ended[0]
		q.ended = slices.Delete(q.ended, 0, 1)
		q.bytes -= old.snapshot().weight()
		if q.runs[old.id] == old { // it may have been asked for again
			delete(q.runs, old.id)
		}
	}
}

// stopped is what a client is told whose run was cut off by the end of the program.
var stopped = jsondoc.Error("", "server-stopped", words.Say("the server was stopped during the run"),
	words.Say("send it again"))

// Close stops taking work and gives back what is under way, to whoever starts the server next. When ctx ends before
// that, it returns an error.
func (q *Runner) Close(ctx context.Context) error {
	q.mu.Lock()
	if !q.closed() {
		close(q.stopped)
	}
	q.mu.Unlock()

	idle := make(chan struct{})
	go func() {
		q.hands.stop()
		close(idle)
	}()
	select {
	case <-idle:
		return q.Table.GiveBack(context.WithoutCancel(ctx), q.holder, 0)
	case <-ctx.Done():
		return fmt.Errorf("runs: runs are still stopping: %w", ctx.Err())
	}
}
