//go:build js && wasm

// Package edge is what the two Workers at the edge have in common: their database, their bindings and their settings.
package edge

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"syscall/js"
	"time"

	"github.com/syumai/workers/cloudflare"
	"github.com/syumai/workers/cloudflare/d1"
	"github.com/syumai/workers/cloudflare/fetch"
	"github.com/syumai/workers/cloudflare/queues"

	"hadarlab/worker/gate"
	"hadarlab/worker/sqlstore"
)

// Jobs is the largest jobs × policies of a message, and so the most jobs of a scenario that is kept.
const Jobs = 4000

// Store is the database that both bind.
func Store() *sqlstore.Store {
	connector, err := d1.OpenConnector("DB")
	if err != nil {
		panic("edge: wrangler.jsonc binds no database as DB: " + err.Error())
	}
	return sqlstore.New(sql.OpenDB(connector))
}

// Paid tells which plan the account has (worker/deploy/cloudflare.md), which says what fits into one request or
// message. On the free one that is 10 ms of processor time, which a start alone may take: next to nothing is simulated
// there, and there is no queue.
func Paid() bool {
	switch plan := cloudflare.Getenv("PLAN"); plan {
	case "free", "paid":
		return plan == "paid"
	}
	panic(`edge: the variable PLAN in wrangler.jsonc is neither "free" nor "paid"`)
}

// Gate lets clients in, by tokens that both Workers know. Without the secret CLIENT_KEY every request is a new client.
func Gate() *gate.Gate {
	// The platform sets it and lets no client do so.
	address := func(r *http.Request) string { return r.Header.Get("CF-Connecting-IP") }
	if !Paid() {
		return gate.Open(address, time.Now)
	}
	key := cloudflare.Getenv("CLIENT_KEY")
	if key == "<undefined>" {
		key = ""
	}
	return gate.New(gate.Options{Key: []byte(key), Address: address})
}

// Send puts ids into the queue.
func Send(ids ...string) error {
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

// Ask sends a request to what is bound under a name: static files, or another Worker. Nothing of the answer's body is
// read: who copies it to a response gives it on as it is.
func Ask(binding string, r *http.Request) (res *http.Response, err error) {
	to := cloudflare.GetBinding(binding)
	if to.IsUndefined() {
		return nil, errors.New("edge: wrangler.jsonc binds nothing as " + binding)
	}
	defer func() {
		if p := recover(); p != nil { // a script that threw
			res, err = nil, fmt.Errorf("edge: ask %s: %v", binding, p)
		}
	}()
	// The library calls fetch as a bare function; a binding wants to be its receiver.
	bound := js.Global().Get("Object").New()
	bound.Set("fetch", to.Get("fetch").Call("bind", to))
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		r.Body = nil // the runtime refuses even an empty one
	}
	return fetch.NewClient(fetch.WithBinding(bound)).Do(&fetch.Request{Request: r},
		&fetch.RequestInit{Redirect: fetch.RedirectModeManual})
}
