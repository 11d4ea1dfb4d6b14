//go:build js && wasm

// Command edge runs the server in the edge runtime, on D1. The runtime makes a fresh instance of this
// program for every request and serves the static files by itself.
package main

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"syscall/js"
	"time"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"
	"github.com/syumai/workers/cloudflare/d1"
	"github.com/syumai/workers/cloudflare/fetch"

	"hadarlab/worker"
	"hadarlab/worker/sqlstore"
)

func main() {
	connector, err := d1.OpenConnector("DB")
	if err != nil {
		panic("edge: wrangler.jsonc binds no database as DB: " + err.Error())
	}
	workers.Serve(worker.New(worker.Options{
		Store: sqlstore.New(sql.OpenDB(connector)),
		Shell: shell,
		// The platform sets it and lets no client do so.
		Address: func(r *http.Request) string { return r.Header.Get("CF-Connecting-IP") },
		// No Runner: nothing outlives its request here, so every run is answered inline.
		// A request has seconds of processor time here, on the free plan milliseconds.
		RunSize: 200, RunSlices: 200,
		// Only a timer lets other requests of the isolate run; a written byte or Gosched does not.
		Yield: func() { time.Sleep(time.Millisecond) },
	}))
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
