package runs

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"slices"
	"time"

	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
	"hadarlab/worker/logs"
	"hadarlab/worker/queue"
	"hadarlab/worker/vault"
)

const (
	// maxAttempts is how often work is taken up under which the program died.
	maxAttempts = 12
	// again is how long after a failure of the table it is asked again.
	again = time.Second
)

// until is when a lease that begins now ends.
func (q *Runner) until() int64 { return q.Now().Add(q.Lease).UnixMilli() }

// simulate works on x to its end, and tells whether its result is in the store; or gives it back when the server
// is stopped.
func (q *Runner) simulate(x *run, row queue.Work) (stored, back bool) {
	defer func() {
		if p := recover(); p != nil {
			q.end(x, failed, x.salvage(), "",
				jsondoc.Error("", "run-failed", words.Say("the run failed; the server has logged why"),
					words.Say("send it again, or run it in the page")))
			q.Log.Error("panic in a run", "run", x.id, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	if x.part < 0 && q.has(x) { // by another server, or by this one just before it died
		return true, false
	}
	x.start()
	faults, back := q.load(x, row)
	if back {
		return false, true
	}
	if faults != nil {
		return q.fail(x, faults)
	}
	return q.hands.work(x)
}

// fail ends a run that cannot be worked on.
func (q *Runner) fail(x *run, faults []jsondoc.Diagnostic) (stored, back bool) {
	q.end(x, failed, nil, "", faults...)
	return false, false
}

// one works on a run of each policy.
func (q *Runner) one(x *run) (stored, back bool) {
	session := lab.NewBatch()
	if diags := session.Start(x.req); diags.HasErrors() {
		return q.fail(x, diags.Errors())
	}
	if q.spend(x, q.workOf(x, session, 0), q.Events) {
		return false, true
	}
	return q.finish(x)
}

// workOf is a session on x as work, of jobs that were not known beforehand.
func (q *Runner) workOf(x *run, session *lab.Session, jobs int) work {
	session.Bound(q.Recorded)
	return work{spend: func(events int) bool {
		msgs, more := session.Spend(events)
		x.take(msgs)
		return more
	}, stop: session.Stop, full: session.Full, jobs: func() int { return jobs }}
}

// spend works w off, which may take so many events; back says that the server is stopped before its end.
func (q *Runner) spend(x *run, w work, most int) (back bool) {
	began, noted := q.Now(), q.Now()
	for more, n := true, 1; more; n++ {
		if q.closed() {
			q.hands.keep(x)
			x.wait()
			return true
		}
		if x.wanted.Err() != nil {
			w.stop() // what there is so far is kept
		}
		more = w.spend(q.Slice)
		now := q.Now()
		if why := q.beyond(x, w, n*q.Slice, most, now.Sub(began)); why != nil {
			x.stopBecause(failed, why)
		}
		if now.Sub(noted) >= q.Lease/3 || q.Notes > 0 && n%q.Notes == 0 {
			noted = now
			q.note(x)
			q.hands.keep(x)
		}
		q.Yield()
		if more {
			began = began.Add(q.hands.pause(context.Background(), x, q.Slice, nil))
		}
	}
	if w.full() {
		x.cut()
	}
	return false
}

// has tells whether the run's result is in the store, and ends it then.
func (q *Runner) has(x *run) bool {
	row, err := q.Store.GetRun(context.Background(), x.id, q.Now().UnixMilli())
	if err != nil || !row.Whole() {
		return false
	}
	there, err := endedRun(row)
	if err != nil || !there.snapshot().whole() {
		return false
	}
	l := there.snapshot()
	if l.Sweep != nil {
		err = q.Table.Unsplit(context.Background(), x.id)
	}
	if err == nil {
		_, err = q.Table.End(context.Background(), x.id, q.holder, done, told(l.RunStatus), x.id)
	}
	if err != nil {
		q.Log.Error("the end of a run could not be noted", "run", x.id, "error", err)
	}
	x.mu.Lock()
	x.at.lanes, x.at.traces = l.lanes, l.traces
	x.mu.Unlock()
	x.end(l.RunStatus, l.result)
	return true
}

// beyond says which bound the run is beyond, nil if none.
func (q *Runner) beyond(x *run, w work, spent, most int, lasted time.Duration) *jsondoc.Diagnostic {
	why := &jsondoc.Diagnostic{Level: "error",
		Fix: words.Say("shorten it with horizon_s or fewer policies, or run it with the command line: hadarlab {0}",
			x.kind)}
	switch {
	case w.full():
		*why = recordedTooMuch(q.Recorded)
	case spent > most:
		why.Code = "too-many-events"
		why.Message = words.Say("the run was stopped after {0} kernel events, which is the most here", most)
	case w.jobs() > q.hands.mostJobs(x.kind):
		why.Code = "too-large"
		why.Message = words.Say("{0} is {1} so far, the most is {2}", "jobs × policies × replicates × points",
			w.jobs(), q.hands.mostJobs(x.kind))
	case lasted > q.Time:
		why.Code = "too-long"
		why.Message = words.Say("the run was stopped after {0}, which is the longest here", q.Time)
	default:
		return nil
	}
	return why
}

// recordedTooMuch is the finding on a run that records more than is kept.
func recordedTooMuch(most int) jsondoc.Diagnostic {
	return jsondoc.Error("", "too-many-bytes",
		words.Say("the run was stopped as it had recorded {0} bytes, which is the most here", most),
		words.Say("make rounds longer, shorten it with horizon_s or fewer policies, or run it with the command line: hadarlab {0}", runs))
}

// work is a simulation in slices of so many events.
type work struct {
	spend func(events int) (more bool)
	stop  func()
	full  func() bool // it has recorded too much
	jobs  func() int  // in all runs begun, where that was not known beforehand
}

// load reads what is to be run from its row. The id follows from it, so a damaged row is found out. What another
// version was asked for is asked for again under the id of this one.
func (q *Runner) load(x *run, row queue.Work) (faults []jsondoc.Diagnostic, back bool) {
	fail := func(code string, msg, fix words.Text) []jsondoc.Diagnostic {
		return []jsondoc.Diagnostic{{Level: "error", Code: code, Message: msg, Fix: fix}}
	}
	again := words.Say("send it again")
	if row.Attempts > maxAttempts {
		q.Log.Error("a run was given up", "run", x.id, "attempts", row.Attempts-1)
		return fail("given-up", words.Say("the server ended {0} times while it worked on this run", row.Attempts-1),
			again), false
	}
	var y *run
	b := &runBody{}
	if err := json.Unmarshal([]byte(row.Body), b); err == nil {
		lim := scenario.SharedLimits
		lim.Bytes = len(b.Scenario)
		if doc, diags := scenario.Parse(b.Scenario, lim); doc != nil && !diags.HasErrors() {
			y = newRun(kind(row.Kind), b, doc)
		}
	}
	whole, _ := queue.PartOf(x.id)
	switch was := x.snapshot().Engine; {
	case message.Minor(was) == message.Minor(lab.Engine) && y != nil && y.id == whole:
		x.req, x.grid = y.req, y.grid
		return nil, false
	case message.Minor(was) != message.Minor(lab.Engine), y != nil && was != lab.Engine: // a revision rose with a patch
		if y != nil && x.part < 0 {
			next, err := q.renew(x, y)
			if err != nil && !q.hands.lasts() {
				return nil, true
			}
			if next {
				again = words.Say("follow {0}, which asks this engine for the same", y.path())
			}
		}
		return fail("engine-changed", words.Say("the run was asked of engine {0}, and this is {1}", was, lab.Engine),
			again), false
	}
	q.Log.Error("damaged row", "work", x.id)
	return fail("damaged-row", words.Say("what waited as run {0} is damaged", x.id), again), false
}

// renew puts y, which asks for what x asked another version for, into the queue in the place of x, and has x name it.
// An id promises what one version makes, so that x is not run as it stands.
func (q *Runner) renew(x, y *run) (ok bool, err error) {
	ctx := context.Background()
	y.req, y.grid = nil, nil // the table has them
	there := q.join(y)
	ok, err = q.Table.Renew(ctx, x.id, q.holder, queue.Work{ID: y.id, Status: told(y.snapshot().RunStatus)},
		q.Now().UnixMilli())
	if err != nil {
		q.Log.Error("what waited for another version cannot be asked for again", "run", x.id, "error", err)
	}
	if !ok {
		q.mu.Lock()
		defer q.mu.Unlock()
		if there == y {
			delete(q.runs, y.id)
		}
		return false, err
	}
	x.mu.Lock()
	x.at.Next = y.id
	x.mu.Unlock()
	q.hands.wake(ctx)
	return true, nil
}

// note keeps the lease, and hears whether anybody wants the run.
func (q *Runner) note(x *run) {
	held, wanted, err := q.Table.Note(context.Background(), x.id, q.holder, told(x.snapshot().RunStatus), q.until())
	switch {
	case err != nil && !errors.Is(err, vault.ErrFull):
		q.Log.Warn("the progress of a run could not be noted", "run", x.id, "error", err)
	case err == nil && (!held || !wanted):
		x.stopBecause(cancelled, nil)
	}
}

// told is a status as the table keeps it.
func told(s RunStatus) string {
	b, err := json.Marshal(s)
	if err != nil { // an infinite time
		b, _ = json.Marshal(RunStatus{ID: s.ID, State: s.State, Engine: s.Engine, ScenarioID: s.ScenarioID,
			Errors: s.Errors})
	}
	return string(b)
}

// finish stores a complete result before the run is called done, so that it can be found all the time. Where no memory
// keeps what is not stored, the run is given back.
func (q *Runner) finish(x *run) (stored, back bool) {
	result, err := x.answer()
	if err != nil {
		panic(err)
	}
	l := x.snapshot()
	asked, why := x.stopping()
	switch ref := ""; {
	case l.complete(): // even if a stop was asked for: it came too late
		var err error
		stored, err = putRun(context.Background(), q.Store, q.Log, l, result, q.Now())
		switch {
		case stored:
			ref = x.id
		case q.hands.lasts(): // it is remembered
		case errors.Is(err, vault.ErrTooLarge):
			return q.fail(x, []jsondoc.Diagnostic{recordedTooMuch(vault.MaxRun)})
		case err != nil:
			return false, true
		}
		q.end(x, done, result, ref)
	case asked != "":
		q.end(x, asked, result, "", why...)
	case l.cut || len(l.lanes) == 0 && x.grid == nil: // a point of the sweep cannot run, or no lane can
		q.end(x, failed, result, "")
	default: // some lanes cannot run
		q.end(x, done, result, "")
	}
	return stored, false
}

// end notes how the run ended, then tells it.
func (q *Runner) end(x *run, state string, result []byte, ref string, why ...jsondoc.Diagnostic) {
	ctx := context.Background()
	s := x.closing(state, slices.Clip(why))
	var err error
	if x.part < 0 && s.Sweep != nil { // before its end, so that none are left of it
		err = q.Table.Unsplit(ctx, x.id)
	}
	if err == nil {
		_, err = q.Table.End(ctx, x.id, q.holder, state, told(s), ref)
	}
	if err == nil {
		err = q.hands.noted(ctx, x)
	}
	if err != nil && !errors.Is(err, vault.ErrFull) {
		q.Log.Error("the end of a run could not be noted", "run", x.id, "error", err) // it is run again after a restart
	}
	x.end(s, result)
}

// putRun caches a result with its packed traces, or without them where they are too large, and tells whether all
// is kept. A failure costs only the cache, where there is another.
func putRun(ctx context.Context, in vault.Store, log logs.Logger, l snapshot, result []byte,
	now time.Time) (whole bool, err error) {
	row := vault.Run{ID: l.ID, Result: result, Traces: packTraces(l.traces)}
	if len(result)+len(row.Traces) > vault.MaxRun {
		row.Traces = ""
	}
	row.Seal()
	err = in.PutRun(ctx, row, now.UnixMilli())
	if err != nil && !errors.Is(err, vault.ErrTooLarge) && !errors.Is(err, vault.ErrFull) {
		log.Error("a result could not be cached", "run", l.ID, "error", err)
	}
	return err == nil && (row.Traces != "" || len(l.traces) == 0), err
}
