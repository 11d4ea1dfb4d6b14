//go:build js && wasm

// Command page is the Worker that people reach at the edge: the page with its cards, shared scenarios and classes, on
// D1. What is to be simulated it hands on to the other Worker, over a binding, or names it in the queue. The runtime
// makes a fresh instance of this program for every request, and serves the static files by itself.
package main

import (
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/syumai/workers"

	"hadarlab/core/lab"
	"hadarlab/worker/answer"
	"hadarlab/worker/away"
	"hadarlab/worker/class"
	"hadarlab/worker/edge"
	"hadarlab/worker/host"
	"hadarlab/worker/lesson"
	"hadarlab/worker/logs"
	"hadarlab/worker/page"
	"hadarlab/worker/release"
	"hadarlab/worker/shared"
)

func main() {
	store := edge.Store()
	faults := answer.Faults{Store: store, Damaged: &atomic.Bool{}, Log: logs.Default}
	let, def := edge.Gate(), lab.Defaults()
	scenarios := &shared.API{Faults: faults, Gate: let, Defaults: def, Bytes: 1 << 20, Now: time.Now}
	site := page.New(page.Options{Shared: scenarios, Shell: shell})
	simulator := &away.Simulator{Engine: lab.Engine, Log: logs.Default,
		Ask: func(r *http.Request) (*http.Response, error) { return edge.Ask("SIMULATOR", r) }}
	classes := class.New(store, lab.Engine, def, time.Now, false)
	is := host.Options{Faults: faults, Engine: lab.Engine, Version: release.Version, Commit: release.Commit(),
		Runs: "inline", Rest: site.Static}
	if edge.Paid() {
		is.Runs, scenarios.Jobs = "queued", edge.Jobs
		classes.Runs = &away.Larger{To: simulator.Ask, Gate: let, Standing: away.Told(store, store, time.Now)}
		classes.Verify = func(d class.Due) {
			if err := edge.Send(d.ID()); err != nil { // the clock of the simulator finds it
				logs.Default.Error("a submission is not named in the queue", "error", err)
			}
		}
	}
	workers.Serve(host.New(is, let, scenarios, site, simulator,
		&lesson.API{Faults: faults, Gate: let, Classes: classes, Truth: simulator.Truth}))
}

// shell reads the page from the static files.
func shell(r *http.Request) ([]byte, error) {
	req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, "https://assets.local/", nil)
	if err != nil {
		return nil, err
	}
	res, err := edge.Ask("ASSETS", req)
	if err != nil {
		return nil, fmt.Errorf("edge: read the page: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("edge: read the page: status %d", res.StatusCode)
	}
	return io.ReadAll(res.Body)
}
