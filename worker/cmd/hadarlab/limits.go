//go:build !js

package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"hadarlab/worker/class"
	"hadarlab/worker/runs"
	"hadarlab/worker/sqlite"
	"hadarlab/worker/sqlstore"
	"hadarlab/worker/vault"
)

// largest is the longest request body, in bytes.
const largest = 8 << 20

// limits are the flags of serve that say how much the server does and keeps.
type limits struct {
	workers, queue, each, runMB, resultsMB, dataMB, retain *int
	runTime                                                *time.Duration
}

func limitFlags(f *flag.FlagSet) limits {
	l := limits{
		workers: f.Int("workers", max(1, runtime.GOMAXPROCS(0)-1), "simulations at one time, `N`, and one more for classes; each takes a core, and memory of up to six times --run-mb, beside "+
			"--run-mb for each of a few that have given way to others"),
		queue: f.Int("queue", 1000, "runs that may wait, `N`, with requests of 64 MiB together; each takes its request on disk, up to 8 MiB, and next to no memory; one whose client "+
			"takes it as a stream (Accept: text/event-stream) a connection and some 0.2 MB until it ends"),
		each: f.Int("queue-client", 100, "runs of one client that may wait, `N`; more lets one client take more of --queue"),
		runMB: f.Int("run-mb", 48,
			"most MiB that one run may record; while it is worked on it takes up to six times as much"),
		runTime: f.Duration("run-time", 5*time.Minute, "longest `TIME` that a run may be worked on; so long a core is not there for others"),
		resultsMB: f.Int("results-mb", 512,
			"MiB of results to keep, on disk; those read longest ago go first, and can be run again"),
		dataMB: f.Int("data-mb", 4096,
			"most MiB of the database on disk, results within it; beyond it nothing more is stored, and nothing is removed by itself"),
		retain: f.Int("retain", 0,
			"remove shared scenarios that nobody has stored or read for so many `DAYS`; 0 keeps them for ever. More than 0 costs a write a day for each that is read"),
	}
	// The manual is read on other machines than the one that prints it.
	f.Lookup("workers").DefValue = "one less than the machine’s cores, and at least 1"
	return l
}

func (b *limits) check() error {
	for name, v := range map[string]*int{"workers": b.workers, "queue": b.queue, "queue-client": b.each,
		"run-mb": b.runMB, "results-mb": b.resultsMB, "data-mb": b.dataMB} {
		if *v < 1 || *v > 1<<20 {
			return fmt.Errorf("--%s: %d is out of range (choose 1 to %d)", name, *v, 1<<20)
		}
	}
	if *b.retain < 0 || *b.retain > 100_000 {
		return fmt.Errorf("--retain: %d days is out of range (choose 0 to keep everything, or up to 100000)", *b.retain)
	}
	if *b.runTime <= 0 {
		return fmt.Errorf("--run-time: %s is out of range (choose more than 0, as 5m)", *b.runTime)
	}
	return nil
}

// open opens the server's database and its store.
func (b *limits) open(ctx context.Context, dir string, log *slog.Logger) (*sqlite.DB, *sqlstore.Store, error) {
	db, err := sqlite.OpenServer(ctx, dir, int64(*b.dataMB)<<20)
	if err != nil {
		return nil, nil, err
	}
	store := sqlstore.On(db, log)
	store.Probe = 30 * time.Second
	store.State(ctx) // a disk that is full already is told at the start
	store.Largest, store.LargeBytes = largest, int64(*b.dataMB)<<19
	store.RunBytes, store.Retain = int64(*b.resultsMB)<<20, time.Duration(*b.retain)*24*time.Hour
	return db, store, nil
}

// expire removes what nobody has read for long, and classes whose time is over, at once and every hour until ctx ends.
func expire(ctx context.Context, store *sqlstore.Store, classes *class.Service, log *slog.Logger) {
	now := classes.Aged
	for {
		switch n, err := store.Expire(ctx, now()); {
		case err != nil && ctx.Err() == nil:
			log.Error("old scenarios could not be removed", "error", err)
		case n > 0:
			log.Info("removed scenarios and texts that nobody has read for long", "rows", n)
		}
		if _, err := classes.Expire(ctx); err != nil && ctx.Err() == nil {
			log.Error("old classes could not be removed", "error", err)
		}
		select {
		case <-time.After(time.Hour):
		case <-ctx.Done():
			return
		}
	}
}

// inspect looks through all that is stored, at once and once a day until ctx ends, so that damage is told before
// somebody asks for what is damaged, and no longer when that is gone. It is in no hurry.
func inspect(ctx context.Context, store *sqlstore.Store, damaged *atomic.Bool, log *slog.Logger) {
	pause := func(ctx context.Context, d time.Duration) {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}
	for ctx.Err() == nil {
		bad := 0
		_, err := store.Check(ctx, func(ctx context.Context) { pause(ctx, 100*time.Millisecond) },
			func(kind vault.Kind, id string) {
				bad++
				damaged.Store(true)
				log.Error("damaged row", "table", kind, "id", id)
			})
		switch {
		case err != nil && ctx.Err() == nil:
			log.Error("what is stored could not be looked through", "error", err)
		case err == nil && bad == 0:
			damaged.Store(false)
		}
		pause(ctx, 24*time.Hour)
	}
}

// bindMemory tells the collector how much all simulations and the rest may take, so that it lets no garbage add to it,
// unless GOMEMLIMIT says something else.
func (b *limits) bindMemory() {
	const rest, each = 128 << 20, 6 // of what is recorded; see runs.Options.Recorded
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(rest + each*int64(*b.runMB)<<20*int64(*b.workers+1)) // one is for classes
	}
}

func (b *limits) runner(store *sqlstore.Store, log *slog.Logger) runs.Options {
	return runs.Options{Store: store, Table: store, Log: log, Concurrent: *b.workers, Queue: *b.queue,
		QueueEach: *b.each,
		Recorded:  *b.runMB << 20, Time: *b.runTime}
}
