//go:build js && wasm

// Command edge runs the server in the edge runtime, on D1 and Queues. The runtime makes a fresh instance of this
// program for every request, message and tick of the clock, and serves the static files by itself.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall/js"
	"time"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"
	"github.com/syumai/workers/cloudflare/cron"
	"github.com/syumai/workers/cloudflare/d1"
	"github.com/syumai/workers/cloudflare/fetch"
	"github.com/syumai/workers/cloudflare/queues"

	"hadarlab/worker"
	"hadarlab/worker/logs"
	"hadarlab/worker/queue"
	"hadarlab/worker/runs"
	"hadarlab/worker/sqlstore"
)

func main() {
	connector, err := d1.OpenConnector("DB")
	if err != nil {
		panic("edge: wrangler.jsonc binds no database as DB: " + err.Error())
	}
	store := sqlstore.New(sql.OpenDB(connector))
	options := worker.Options{Store: store, Shell: shell, Yield: yield,
		// The platform sets it and lets no client do so.
		Address: func(r *http.Request) string { return r.Header.Get("CF-Connecting-IP") }}
	// The plan of the account (worker/deploy/cloudflare.md) says what fits into one request or message. On the free one
	// that is 10 ms of processor time, which a start alone may take: next to nothing is simulated there.
	switch options.RunSize, options.RunSlices = 8, 20; cloudflare.Getenv("PLAN") {
	case "free":
	case "paid":
		options.RunSize, options.RunSlices = 200, 200
		mailbox := newMailbox(store)
		options.Runner, options.Gate.Key = mailbox.Runner, clientKey()
		options.Classes = worker.NewClasses(store, mailbox.Runner, time.Now)
		queues.ConsumeNonBlock(func(batch *queues.MessageBatch) error {
			for _, m := range batch.Messages {
				consume(mailbox, m, strings.HasSuffix(batch.Queue, "-dead"))
			}
			return nil
		})
		cron.ScheduleTaskNonBlock(func(ctx context.Context) error {
			err := errors.Join(mailbox.Resend(ctx), mailbox.Settle(ctx, options.Classes, ""))
			if err != nil { // the next tick tries again
				logs.Default.Error("work cannot be sent", "error", err)
			}
			return nil
		})
	default:
		panic(`edge: the variable PLAN in wrangler.jsonc is neither "free" nor "paid"`)
	}
	workers.Serve(worker.New(options))
}

// yield lets other requests of the isolate run: only a timer does, a written byte or Gosched does not.
func yield() { time.Sleep(time.Millisecond) }

// lease is shorter than retry_delay in wrangler.jsonc: a message whose receiver was ended finds its work free again.
const lease = 20 * time.Second

// newMailbox makes one whose messages take at most 5 minutes of processor time (limits.cpu_ms). What a run takes
// is not known beforehand; these sizes take a fraction of that, and events are counted for the rest.
func newMailbox(store *sqlstore.Store) *runs.Mailbox {
	return runs.NewMailbox(runs.Options{Store: store, Table: store, Yield: yield, Lease: lease, Size: 4000,
		Events: 2_000_000, Recorded: 8 << 20,
		// The clock may stand still during work, so that words to the table are counted, too.
		Slice: 250, Notes: 200}, send, 1000)
}

// clientKey is a secret, nil where none is set: then every request is a new client.
func clientKey() []byte {
	key := cloudflare.Getenv("CLIENT_KEY")
	if key == "<undefined>" {
		return nil
	}
	return []byte(key)
}

// send puts ids into the queue.
func send(_ context.Context, ids []string) error {
	producer, err := queues.NewProducer("WORK")
	if err != nil {
		return fmt.Errorf("edge: wrangler.jsonc binds no queue as WORK: %w", err)
	}
	messages := make([]*queues.MessageSendRequest, len(ids))
	for i, id := range ids {
		messages[i] = queues.NewTextMessageSendRequest(id)
	}
	return producer.SendBatch(messages)
}

// consume handles one message, a dead letter too. After an error it comes again, each time later.
func consume(runner *runs.Mailbox, m *queues.Message, dead bool) {
	handle := runner.Deliver
	if dead {
		handle = runner.Abandon
	}
	id, err := m.StringBody()
	if err == nil {
		err = guarded(func() error { return handle(context.Background(), id) })
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

// guarded turns a panic into an error, since it would end the instance.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}

// shell reads the page from the static files.
func shell(r *http.Request) ([]byte, error) {
	assets := cloudflare.GetBinding("ASSETS")
	// The library calls fetch as a bare function; the binding wants to be its receiver.
	bound := js.Global().Get("Object").New()
	bound.Set("fetch", assets.Get("fetch").Call("bind", assets))
	client := fetch.NewClient(fetch.WithBinding(bound))
	req, err := fetch.NewRequest(r.Context(), http.MethodGet, "https://assets.local/", nil)
	if err != nil {
		return nil, err
	}
	res, err := client.Do(req, nil)
	if err != nil {
		return nil, fmt.Errorf("edge: read the page: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("edge: read the page: status %d", res.StatusCode)
	}
	return io.ReadAll(res.Body)
}
