package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/text"
	"hadarlab/core/words"
	"hadarlab/worker/queue"
)

// Where nothing outlives its request, a message queue stands in the place of the pool: it carries the ids of work,
// and whoever gets one takes the lease and works on it as the pool does. A sweep, or replicates, is split into parts
// of a message each; whoever ends the last sends for the whole again, which puts the parts together.

const (
	// underway is how much is on its way or worked on at once: of classes and of all else each. Whose turn it is is
	// decided when a message is sent; so few are, and each receiver sends the next. With max_concurrency of
	// wrangler.jsonc, 10, there is always a receiver for classes.
	underway = 8
	// readAtOnce is how many parts are read in one statement, so that they fit into memory.
	readAtOnce = 20
)

// Resend sends what waits and is on its way to nobody: what was just asked for, what was split, and what was lost
// with the program that had it.
func (q *Runner) Resend(ctx context.Context) error {
	now := q.Now().UnixMilli()
	if err := q.Table.Reclaim(ctx, now); err != nil {
		return err
	}
	ids, err := q.Table.Unsent(ctx, now, q.until(), underway)
	if err != nil || len(ids) == 0 {
		return err
	}
	return q.Send(ctx, ids)
}

// Deliver works on the work of that id, if it still waits: a message may come twice, or long after its work has ended.
// After an error it should come again. What comes next is sent in any case.
func (q *Runner) Deliver(ctx context.Context, id string) error {
	defer q.wake(ctx)
	row, err := q.Table.Take(ctx, id, q.holder, q.Now().UnixMilli(), q.until())
	if errors.Is(err, queue.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	x := toldRun(row)
	if whole, part := queue.PartOf(id); part >= 0 && row.Body == "" { // that has ended
		return q.Table.Unsplit(ctx, whole)
	}
	if _, back := q.simulate(x, row); back {
		return errors.Join(fmt.Errorf("worker: %s was given back", id), q.Table.GiveBack(ctx, q.holder, 0))
	}
	return nil
}

// Abandon ends work whose message was given up after too many errors. It fails with ErrBusy while somebody holds it.
func (q *Runner) Abandon(ctx context.Context, id string) error {
	w, err := q.Table.Find(ctx, id)
	if errors.Is(err, queue.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	x := toldRun(w)
	if x.look().final() {
		return nil
	}
	s := x.closing(failed, []text.Diagnostic{text.Error("", "given-up",
		words.Say("every attempt to work on this run failed"), words.Say("send it again"))})
	ended, err := q.Table.Fail(ctx, id, told(s), q.Now().UnixMilli())
	switch {
	case err != nil:
		return err
	case !ended:
		return queue.ErrBusy
	case x.part >= 0:
		return q.partEnded(ctx, x)
	}
	return q.Table.Unsplit(ctx, id)
}

// follow completes what the table tells of a run that is worked on elsewhere, and sends what was lost.
func (q *Runner) follow(ctx context.Context, x *run) error {
	if q.Send == nil || x.at.final() {
		return nil
	}
	if x.at.Sweep != nil {
		p, err := q.Table.Parts(ctx, x.id)
		if err != nil {
			return err
		}
		if p.Begun > 0 {
			x.at.State = running
			x.at.Sweep.Done = x.at.Sweep.Runs / p.All * p.Done
		}
	}
	q.wake(ctx)
	return nil
}

// gather splits a sweep, or puts its parts together when all are done.
func (q *Runner) gather(x *run) (stored, back bool) {
	ctx := context.Background()
	whole, diags := q.newSweep(x.grid)
	if whole == nil {
		q.end(x, failed, nil, "", diags.Errors()...)
		return false, false
	}
	p, err := q.Table.Parts(ctx, x.id)
	switch {
	case err != nil:
	case p.Failed != "":
		var faults []text.Diagnostic
		if faults, err = q.faults(ctx, p.Failed); err == nil {
			q.end(x, failed, nil, "", faults...)
			return false, false
		}
	case p.Done == whole.Parts():
		if err = q.putParts(ctx, x, whole); err == nil {
			return q.finish(x)
		}
	default:
		if p.All < whole.Parts() {
			err = q.Table.Split(ctx, x.id, whole.Parts(), q.Now().UnixMilli())
		}
		if err == nil {
			err = q.Table.GiveBack(ctx, q.holder, q.until())
		}
		if err == nil { // from now on whoever ends the last part sends for it; it may have ended before
			err = q.partEnded(ctx, x)
		}
		if err == nil {
			q.wake(ctx)
			return false, false
		}
	}
	q.Log.Error("a sweep cannot be put together", "run", x.id, "error", err)
	return false, true
}

// faults are those of a part.
func (q *Runner) faults(ctx context.Context, part string) ([]text.Diagnostic, error) {
	w, err := q.Table.Find(ctx, part)
	if err != nil {
		return nil, err
	}
	return toldRun(w).at.Errors, nil
}

// putParts gives the parts to the whole, in their order.
func (q *Runner) putParts(ctx context.Context, x *run, whole sweep) error {
	for n := 0; n < whole.Parts(); {
		told, err := q.Table.Told(ctx, x.id, n, readAtOnce)
		if err != nil || len(told) == 0 {
			return errors.Join(fmt.Errorf("worker: part %d of %s cannot be read", n, x.id), err)
		}
		for _, status := range told {
			var lanes []message.Lane
			if err := json.Unmarshal([]byte(status), &lanes); err != nil {
				return err
			}
			whole.Put(lanes)
		}
		n += len(told)
	}
	x.sweep = whole
	x.takeSweep(whole.Progress(), false, nil)
	return nil
}

// startPart starts one part of a sweep.
func (q *Runner) startPart(x *run) (*lab.Session, []text.Diagnostic) {
	whole, diags := q.newSweep(x.grid)
	if whole == nil {
		return nil, diags.Errors()
	}
	session, faults := whole.Part(x.part)
	x.sweep, x.at.Lanes = whole, make([]LaneStatus, whole.Progress().Runs/whole.Parts())
	return session, faults
}

// finishPart keeps the lanes of a part until the whole is put together.
func (q *Runner) finishPart(x *run) error {
	l := x.look()
	if !l.complete() {
		asked, why := x.stopReason()
		if asked != cancelled { // else it is no more
			q.end(x, failed, nil, "", why...)
		}
		return nil
	}
	lanes, err := json.Marshal(x.sweep.Kept(l.lanes))
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	if _, err = q.Table.End(ctx, x.id, q.holder, done, string(lanes), ""); err == nil {
		err = q.partEnded(ctx, x)
	}
	return err
}

// partEnded sends for the whole when nothing more is to be done for it.
func (q *Runner) partEnded(ctx context.Context, x *run) error {
	whole, _ := queue.PartOf(x.id)
	p, err := q.Table.Parts(ctx, whole)
	if err == nil && p.All > 0 && (p.Failed != "" || p.Done == p.All) {
		err = q.Send(ctx, []string{whole})
	}
	return err
}
