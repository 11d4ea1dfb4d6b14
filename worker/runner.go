package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// Errors of Runner.submit.
var (
	errQueueFull = errors.New("worker: the queue is full")
	errClosing   = errors.New("worker: the server is being stopped")
)

// RunnerOptions bounds a Runner. Zero values are defaults.
type RunnerOptions struct {
	// Store keeps the results. Required.
	Store Store
	// Concurrent is how many runs work at once. Default GOMAXPROCS-1, at least 1.
	Concurrent int
	// Queue is how many more may wait. Default 32.
	Queue int
	// Size is the largest jobs × policies × replicates. Default 20,000. A sweep may be sweepFactor times as
	// large and long, since it holds one run at a time.
	Size int
	// Events is the most kernel events of one run; a million rounds take about a second and 80 MB.
	// Default 5 million.
	Events int
	// Keep and KeepBytes bound the ended runs that are remembered without a store: those that were
	// cancelled, have failed, or are too large for a row. Default 64 runs and 64 MiB of results and traces.
	Keep, KeepBytes int
	// Yield is called between two slices of a simulation. Default none.
	Yield func()
	// Now is the time written beside a stored result. Default time.Now.
	Now func() time.Time
	// Log takes failures that are the server's own. Default slog.Default.
	Log *slog.Logger
}

// Runner simulates runs in the background, a few at a time, in the order in which they came. Waiting
// and working runs live in memory only; what is done goes to the store. Use NewRunner.
type Runner struct {
	RunnerOptions
	work sync.WaitGroup
	// What only a runner does hangs on it, so that the edge's module has none of it.
	newSweep func(*message.SweepRequest) (sweep, scenario.Diagnostics)
	deflate  func([]byte) []byte

	mu      sync.Mutex
	runs    map[string]*run
	waiting []*run
	working []*run
	ended   []*run // remembered, oldest first
	bytes   int    // results of ended
	closing bool
}

// NewRunner makes a runner. Close it before its store.
func NewRunner(o RunnerOptions) *Runner {
	if o.Store == nil {
		panic("worker: RunnerOptions.Store is nil")
	}
	for _, d := range []struct {
		value *int
		zero  int
	}{{&o.Concurrent, max(1, runtime.GOMAXPROCS(0)-1)}, {&o.Queue, 32}, {&o.Size, 20_000}, {&o.Events, 5_000_000}, {&o.Keep, 64}, {&o.KeepBytes, 64 << 20}} {
		if *d.value == 0 {
			*d.value = d.zero
		}
	}
	if o.Yield == nil {
		o.Yield = func() {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Runner{RunnerOptions: o, runs: map[string]*run{}, newSweep: newSweep, deflate: deflated}
}

// find returns a run that is in memory, or nil.
func (q *Runner) find(id string) *run {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.runs[id]
}

// submit starts x or lets it wait, and returns it; or the same run that was asked for before.
func (q *Runner) submit(x *run) (*run, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closing {
		return nil, errClosing
	}
	if there := q.runs[x.id]; there != nil && !there.look().again() {
		return there, nil
	}
	switch {
	case len(q.working) < q.Concurrent:
		q.working = append(q.working, x)
		q.work.Go(func() { q.serve(x) })
	case len(q.waiting) < q.Queue:
		q.waiting = append(q.waiting, x)
	default:
		return nil, errQueueFull
	}
	q.runs[x.id] = x
	return x, nil
}

// serve works on x, then on what waits.
func (q *Runner) serve(x *run) {
	for x != nil {
		stored := q.simulate(x)
		x = q.next(x, stored)
	}
}

// next puts away x and takes the run that has waited longest; nil if none has.
func (q *Runner) next(x *run, stored bool) *run {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.working = slices.DeleteFunc(q.working, func(y *run) bool { return y == x })
	if stored {
		delete(q.runs, x.id)
	} else {
		q.remember(x)
	}
	if len(q.waiting) == 0 {
		return nil
	}
	x = q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1)
	q.working = append(q.working, x)
	return x
}

// remember keeps an ended run within bounds, the latest even beyond them. The caller holds q.mu.
func (q *Runner) remember(x *run) {
	q.ended = append(q.ended, x)
	q.bytes += x.look().size()
	for len(q.ended) > 1 && (len(q.ended) > q.Keep || q.bytes > q.KeepBytes) {
		old := q.ended[0]
		q.ended = slices.Delete(q.ended, 0, 1)
		q.bytes -= old.look().size()
		if q.runs[old.id] == old { // it may have been asked for again
			delete(q.runs, old.id)
		}
	}
}

// cancel ends a run that waits and asks one that works to stop. Cancelling twice is the same as once.
func (q *Runner) cancel(x *run) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.waiting, x); i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		x.end(cancelled, nil, nil)
		q.remember(x)
		return
	}
	x.stopBecause(cancelled, nil)
}

// Close refuses new runs, cancels all others and waits until they have ended, or until ctx has.
// Listeners hear of the end like of any other.
func (q *Runner) Close(ctx context.Context) error {
	why := &message.Diagnostic{Level: "error", Code: "server-stopped", Message: "the server was stopped during the run", Fix: "send it again"}
	q.mu.Lock()
	q.closing = true
	for _, x := range q.waiting {
		x.end(cancelled, nil, why)
		q.remember(x)
	}
	q.waiting = nil
	for _, x := range q.working {
		x.stopBecause(cancelled, why)
	}
	q.mu.Unlock()

	idle := make(chan struct{})
	go func() {
		q.work.Wait()
		close(idle)
	}()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("worker: runs are still stopping: %w", ctx.Err())
	}
}

// queueSlice is how many events are simulated before a queued run looks up. A decision among many jobs
// takes long, so it is small: a cancelled run should end soon.
const queueSlice = 100

// simulate works on x to its end, and tells whether its result is in the store.
func (q *Runner) simulate(x *run) (stored bool) {
	defer func() {
		if p := recover(); p != nil {
			q.Log.Error("panic in a run", "run", x.id, "panic", p, "stack", string(debug.Stack()))
			result, _ := x.answer()
			x.end(failed, result, &message.Diagnostic{Level: "error", Code: "run-failed",
				Message: "the run failed; the server has logged why", Fix: "send it again, or run it in the page"})
		}
	}()
	x.start()
	w, most := q.begin(x)
	for more, spent := true, 0; more; spent += queueSlice {
		slice := queueSlice
		if x.stopping() != "" {
			w.stop() // what there is so far is kept
			slice = 1
		}
		more = w.spend(slice)
		if spent >= most {
			x.stopBecause(failed, &message.Diagnostic{Level: "error", Code: "too-many-events",
				Message: fmt.Sprintf("the run was stopped after %d kernel events, which is the most here", most),
				Fix:     "shorten it with horizon_s or fewer policies, or run it with the command line: hadarlab " + string(x.kind)})
		}
		q.Yield()
	}
	return q.finish(x)
}

// work is a simulation in slices of so many events.
type work struct {
	spend func(events int) (more bool)
	stop  func()
}

// begin starts the run's work, and says how many events it may take.
func (q *Runner) begin(x *run) (w work, most int) {
	if x.sweep != nil {
		return x.sweepWork(), sweepFactor * q.Events
	}
	session := lab.NewBatch()
	if diags := session.Start(x.req); diags.HasErrors() {
		panic("a request that was accepted does not start: " + diags.Errors()[0].Message)
	}
	return work{func(events int) bool {
		msgs, more := session.Spend(events)
		x.take(msgs)
		return more
	}, session.Stop}, q.Events
}

// finish stores a complete result before the run is called done, so that it can be found all the time.
func (q *Runner) finish(x *run) (stored bool) {
	result, err := x.answer()
	if err != nil {
		panic(err)
	}
	state, why := done, (*message.Diagnostic)(nil)
	if l := x.look(); l.complete() { // even if a stop was asked for: it came too late
		stored = putRun(context.Background(), q.Store, q.Log, l, result, packTraces(l.traces, q.deflate), q.Now())
	} else if asked := x.stopping(); asked != "" {
		state, why = asked, x.stop
	} else if l.cut {
		state = failed // a point of the sweep cannot run
	}
	x.end(state, result, why)
	return stored
}

// putRun caches a result with its packed traces, or without them where they are too large, and tells whether all
// is kept. A failure costs only the cache.
func putRun(ctx context.Context, store Store, log *slog.Logger, l look, result []byte, traces string, now time.Time) bool {
	row := Run{ID: l.ID, Result: result, Traces: traces}
	if len(result)+len(row.Traces) > MaxDoc {
		row.Traces = ""
	}
	row.Sum = row.sum()
	err := store.PutRun(ctx, row, now.UnixMilli())
	if err != nil && !errors.Is(err, ErrTooLarge) {
		log.Error("a result could not be cached", "run", l.ID, "error", err)
	}
	return err == nil && (row.Traces != "" || len(l.traces) == 0)
}

// sum is what Run.Sum should be.
func (r *Run) sum() string { return sum(slices.Concat(r.Result, []byte(r.Traces))) }
