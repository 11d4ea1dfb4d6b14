package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/words"
	"hadarlab/worker/queue"
	"hadarlab/worker/vault"
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

// Mailbox is a Runner whose work is done by other programs, which get messages and call Deliver. A sweep is split into
// parts, one a message, and Size bounds each. Use NewMailbox.
type Mailbox struct {
	*Runner
	send  func(ctx context.Context, ids []string) error
	parts int // the most of a sweep
}

// NewMailbox makes one that hands messages of ids to send.
func NewMailbox(o Options, send func(ctx context.Context, ids []string) error, parts int) *Mailbox {
	m := &Mailbox{newRunner(o), send, parts}
	m.Runner.hands = m
	return m
}

// wake sends what waits. What cannot be sent now is sent by the next who asks how far it is.
func (m *Mailbox) wake(ctx context.Context) {
	if err := m.Resend(ctx); err != nil {
		m.Log.Error("work cannot be sent", "error", err)
	}
}

// Nobody else has the processor, and all ends with the request.

func (m *Mailbox) pause(context.Context, *run, int, func()) (away time.Duration) { return 0 }
func (m *Mailbox) keep(*run)                                                     {}
func (m *Mailbox) stop()                                                         {}
func (m *Mailbox) lasts() bool                                                   { return false }
func (m *Mailbox) slot(context.Context, string) (*turn, error)                   { return nil, nil }

// unwant cancels running work, too: its holder hears from the table that it is not its any more.
func (m *Mailbox) unwant(ctx context.Context, x *run, asker string) (state string, last bool, err error) {
	return m.Table.Leave(ctx, x.id, asker, true)
}

// ends does not wait: how a holder elsewhere ends, nobody hears.
func (m *Mailbox) ends(context.Context, *run) error { return nil }

// Resend sends what waits and is on its way to nobody: what was just asked for, what was split, and what was lost
// with the program that had it.
func (m *Mailbox) Resend(ctx context.Context) error {
	now := m.Now().UnixMilli()
	if err := m.Table.Reclaim(ctx, now); err != nil {
		return err
	}
	ids, err := m.Table.Unsent(ctx, now, m.until(), underway)
	if err != nil || len(ids) == 0 {
		return err
	}
	return m.send(ctx, ids)
}

// Deliver works on the work of that id, if it still waits: a message may come twice, or long after its work has ended.
// After an error it should come again. What comes next is sent in any case.
func (m *Mailbox) Deliver(ctx context.Context, id string) error {
	defer m.wake(ctx)
	row, err := m.Table.Take(ctx, id, m.holder, m.Now().UnixMilli(), m.until())
	if errors.Is(err, queue.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	x := toldRun(row)
	if whole, part := queue.PartOf(id); part >= 0 && row.Body == "" { // that has ended
		return m.Table.Unsplit(ctx, whole)
	}
	if _, back := m.simulate(x, row); back {
		return errors.Join(fmt.Errorf("runs: %s was given back", id), m.Table.GiveBack(ctx, m.holder, 0))
	}
	return nil
}

// Abandon ends work whose message was given up after too many errors. It fails with ErrBusy while somebody holds it.
func (m *Mailbox) Abandon(ctx context.Context, id string) error {
	w, err := m.Table.Find(ctx, id)
	if errors.Is(err, queue.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	x := toldRun(w)
	if x.snapshot().final() {
		return nil
	}
	s := x.closing(failed, []jsondoc.Diagnostic{jsondoc.Error("", "given-up",
		words.Say("every attempt to work on this run failed"), words.Say("send it again"))})
	ended, err := m.Table.Fail(ctx, id, told(s), m.Now().UnixMilli())
	switch {
	case err != nil:
		return err
	case !ended:
		return queue.ErrBusy
	case x.part >= 0:
		return m.noted(ctx, x)
	}
	return m.Table.Unsplit(ctx, id)
}

// follow completes what the table tells of a run that is worked on elsewhere, and sends what was lost.
func (m *Mailbox) follow(ctx context.Context, x *run) error {
	if x.at.final() {
		return nil
	}
	if x.at.Sweep != nil {
		p, err := m.Table.Parts(ctx, x.id)
		if err != nil {
			return err
		}
		if p.Begun > 0 {
			x.at.State = running
			x.at.Sweep.Done = x.at.Sweep.Runs / p.All * p.Done
		}
	}
	m.wake(ctx)
	return nil
}

// gather splits a sweep, or puts its parts together when all are done.
func (m *Mailbox) gather(x *run) (stored, back bool) {
	ctx := context.Background()
	whole, diags := m.newSweep(x.grid)
	if whole == nil {
		return m.fail(x, diags.Errors())
	}
	p, err := m.Table.Parts(ctx, x.id)
	switch {
	case err != nil:
	case p.Failed != "":
		var faults []jsondoc.Diagnostic
		if faults, err = m.faults(ctx, p.Failed); err == nil {
			return m.fail(x, faults)
		}
	case p.Done == whole.Parts():
		if err = m.putParts(ctx, x, whole); err == nil {
			return m.finish(x)
		}
	default:
		if p.All < whole.Parts() {
			err = m.Table.Split(ctx, x.id, whole.Parts(), m.Now().UnixMilli())
		}
		if err == nil {
			err = m.Table.GiveBack(ctx, m.holder, m.until())
		}
		if err == nil { // from now on whoever ends the last part sends for it; it may have ended before
			err = m.gatherIfDone(ctx, x.id)
		}
		if err == nil {
			m.wake(ctx)
			return false, false
		}
	}
	m.Log.Error("a sweep cannot be put together", "run", x.id, "error", err)
	return false, true
}

// faults are those of a part.
func (m *Mailbox) faults(ctx context.Context, part string) ([]jsondoc.Diagnostic, error) {
	w, err := m.Table.Find(ctx, part)
	if err != nil {
		return nil, err
	}
	return toldRun(w).at.Errors, nil
}

// putParts gives the parts to the whole, in their order.
func (m *Mailbox) putParts(ctx context.Context, x *run, whole sweep) error {
	for n := 0; n < whole.Parts(); {
		told, err := m.Table.Told(ctx, x.id, n, readAtOnce)
		if err != nil || len(told) == 0 {
			return errors.Join(fmt.Errorf("runs: part %d of %s cannot be read", n, x.id), err)
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

// work works on a run, or on a part of a sweep; of a whole sweep it has the parts worked on.
func (m *Mailbox) work(x *run) (stored, back bool) {
	switch {
	case x.grid == nil:
		return m.one(x)
	case x.part < 0:
		return m.gather(x)
	}
	whole, diags := m.newSweep(x.grid)
	if whole == nil {
		return m.fail(x, diags.Errors())
	}
	session, faults := whole.Part(x.part)
	x.sweep, x.at.Lanes = whole, make([]LaneStatus, whole.Progress().Runs/whole.Parts())
	if faults != nil {
		return m.fail(x, faults)
	}
	if m.spend(x, m.workOf(x, session, session.Jobs()*len(x.at.Lanes)), m.Events) {
		return false, true
	}
	return true, m.finishPart(x) != nil
}

// finishPart keeps the lanes of a part until the whole is put together.
func (m *Mailbox) finishPart(x *run) error {
	l := x.snapshot()
	if !l.complete() {
		asked, why := x.stopping()
		if asked != cancelled { // else it is no more
			m.end(x, failed, nil, "", why...)
		}
		return nil
	}
	lanes, err := json.Marshal(x.sweep.Kept(l.lanes))
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	if _, err = m.Table.End(ctx, x.id, m.holder, done, string(lanes), ""); err == nil {
		err = m.noted(ctx, x)
	}
	return err
}

// noted sends for the whole when nothing more is to be done for it.
func (m *Mailbox) noted(ctx context.Context, x *run) error {
	whole, part := queue.PartOf(x.id)
	if part < 0 {
		return nil
	}
	return m.gatherIfDone(ctx, whole)
}

// gatherIfDone sends for a whole whose parts have ended.
func (m *Mailbox) gatherIfDone(ctx context.Context, whole string) error {
	p, err := m.Table.Parts(ctx, whole)
	if err == nil && p.All > 0 && (p.Failed != "" || p.Done == p.All) {
		err = m.send(ctx, []string{whole})
	}
	return err
}

// tooLarge holds each part to what a run may be, and the whole to what can be stored.
func (m *Mailbox) tooLarge(x *run) (what string, size, most int) {
	if x.each > m.parts {
		return "points × replicates", x.each, m.parts
	}
	if kept := x.resultSize(); kept > vault.MaxRun {
		return "bytes of the result", kept, vault.MaxRun
	}
	if x.size > m.Size {
		return "jobs × policies", x.size, m.Size
	}
	return "", 0, 0
}

func (m *Mailbox) mostJobs(kind) int { return m.Size }
