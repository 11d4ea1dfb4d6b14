//go:build js && wasm

// Command simulator is the Worker that simulates at the edge, on D1 and Queues. Nobody reaches it but the page's Worker
// over a binding, the queue and the clock. The runtime makes a fresh instance of this program for every request,
// message and tick.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare/cron"
	"github.com/syumai/workers/cloudflare/queues"

	"hadarlab/core/lab"
	"hadarlab/worker/answer"
	"hadarlab/worker/class"
	"hadarlab/worker/edge"
	"hadarlab/worker/host"
	"hadarlab/worker/logs"
	"hadarlab/worker/queue"
	"hadarlab/worker/release"
	"hadarlab/worker/runs"
	"hadarlab/worker/shared"
	"hadarlab/worker/sqlstore"
)

func main() {
	store := edge.Store()
	faults := answer.Faults{Store: store, Damaged: &atomic.Bool{}, Log: logs.Default}
	let := edge.Gate()
	api := &runs.API{Faults: faults, Gate: let, Yield: yield, Now: time.Now,
		Shared:   &shared.API{Faults: faults, Gate: let, Defaults: lab.Defaults()},
		RunBytes: 1 << 20, RunSize: 8, RunSlices: 20, Recorded: 8 << 20}
	if edge.Paid() {
		mailbox := newMailbox(store)
		api.Runner, api.RunSize, api.RunSlices = mailbox.Runner, 200, 200
		classes := class.New(store, lab.Engine, lab.Defaults(), time.Now, false)
		queues.ConsumeNonBlock(func(batch *queues.MessageBatch) error {
			for _, m := range batch.Messages {
				consume(mailbox, classes, m, strings.HasSuffix(batch.Queue, "-dead"))
			}
			return nil
		})
		cron.ScheduleTaskNonBlock(func(ctx context.Context) error {
			if err := errors.Join(mailbox.Resend(ctx), mailbox.Settle(ctx, classes, "")); err != nil {
				logs.Default.Error("work cannot be sent", "error", err) // the next tick tries again
			}
			return nil
		})
	}
	workers.Serve(host.New(host.Options{Faults: faults, Engine: lab.Engine, Version: release.Version,
		Commit: release.Commit(), Rest: http.NotFound}, api))
}

// yield lets other requests of the isolate run: only a timer does, a written byte or Gosched does not.
func yield() { time.Sleep(time.Millisecond) }

// lease is shorter than retry_delay in wrangler.jsonc: a message whose receiver was ended finds its work free again.
const lease = 20 * time.Second

// newMailbox makes one whose messages take at most 5 minutes of processor time (limits.cpu_ms). What a run takes
// is not known beforehand; these sizes take a fraction of that, and events are counted for the rest.
func newMailbox(store *sqlstore.Store) *runs.Mailbox {
	return runs.NewMailbox(runs.Options{Store: store, Table: store, Yield: yield, Lease: lease, Size: edge.Jobs,
		Events: 2_000_000, Recorded: 8 << 20,
		// The clock may stand still during work, so that words to the table are counted, too.
		Slice: 250, Notes: 200},
		func(_ context.Context, ids []string) error { return edge.Send(ids...) }, 1000)
}

// consume handles one message, a dead letter too. After an error it comes again, each time later.
func consume(mailbox *runs.Mailbox, classes *class.Service, m *queues.Message, dead bool) {
	id, err := m.StringBody()
	if err == nil {
		err = guarded(func() error { return handle(mailbox, classes, id, dead) })
	}
	switch {
	case err == nil:
		m.Ack()
	case errors.Is(err, queue.ErrBusy):
		m.Retry(queues.WithRetryDelay(lease))
	default:
		logs.Default.Error("a message failed", "id", id, "attempt", m.Attempts, "error", err)
		m.Retry(queues.WithRetryDelay(time.Second << min(m.Attempts, 8)))
	}
}

// handle does what a message asks for.
func handle(mailbox *runs.Mailbox, classes *class.Service, id string, dead bool) error {
	switch ctx := context.Background(); {
	case class.IsDue(id) && dead: // the clock finds it
		return nil
	case class.IsDue(id):
		return mailbox.Settle(ctx, classes, id)
	case dead:
		return mailbox.Abandon(ctx, id)
	default:
		return mailbox.Deliver(ctx, id)
	}
}

// guarded turns a panic into an error, since it would end the instance.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}
