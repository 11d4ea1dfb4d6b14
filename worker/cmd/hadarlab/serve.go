//go:build !js

package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"hadarlab/worker"
	"hadarlab/worker/front"
)

// serve runs the server until it is interrupted.
func serve(c command, std streams, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return serveUntil(ctx, c, std, args)
}

// serveUntil runs the server until ctx ends, then stops the runs and lets the requests that are
// being answered finish.
func serveUntil(ctx context.Context, c command, std streams, args []string) int {
	f := c.flags()
	addr := f.String("addr", "127.0.0.1:8080", "address to listen on as `HOST:PORT`; port 0 takes a free one")
	data := f.String("data", "data", "folder `DIR` of the database, made if need be")
	web := f.String("web", "", "folder `DIR` of the built page (default the one inside the program, else build/web)")
	var hosts list
	f.Var(&hosts, "host",
		"`NAME` under which the server is opened, as behind a proxy; may be repeated. Its own addresses need none")
	metrics := f.String("metrics", "",
		"loopback address for metrics in the text format of Prometheus as `HOST:PORT` (default none)")
	access := f.Bool("access-log", false,
		"log a line a request: method, route, status, bytes and time, and nothing of who asked")
	limits := limitFlags(f)
	rest, code, ok := c.parse(std, f, args)
	if !ok {
		return code
	}
	if len(rest) > 0 {
		fmt.Fprintf(std.err, "hadarlab serve: unexpected argument %q (see `hadarlab serve --help`)\n", rest[0])
		return exitUsage
	}
	if err := limits.check(); err != nil {
		fmt.Fprintln(std.err, err)
		return exitUsage
	}

	page := carried()
	if *web == "" && page == nil {
		*web = filepath.Join("build", "web")
	}
	if *web != "" {
		page = front.Folder(*web)
		if front.Within(*data, *web) {
			fmt.Fprintf(std.err,
				"--data: %s and the page's folder %s lie in one another, and the page's is served to everybody (name another with --data)\n", *data, *web)
			return exitUsage
		}
	}
	watched, err := listenMetrics(*metrics)
	if err != nil {
		fmt.Fprintln(std.err, err)
		return exitUsage
	}
	if watched != nil {
		defer watched.Close()
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		fmt.Fprintf(std.err, "hadarlab serve: %s\n", listenAdvice(*addr, err))
		return exitFailed
	}
	defer listener.Close()
	log := slog.New(slog.NewTextHandler(std.err, nil))
	db, store, err := limits.open(ctx, *data, log)
	if err != nil {
		fmt.Fprintf(std.err, "hadarlab serve: %v\n", err)
		return exitFailed
	}
	defer db.Close()

	if *limits.retain > 0 {
		ctx, stop := context.WithCancel(ctx)
		var expiry sync.WaitGroup
		expiry.Go(func() { expire(ctx, store, log) })
		defer func() { stop(); expiry.Wait() }() // before the database is closed
	}
	limits.bindMemory()
	runner := worker.NewRunner(limits.runner(store, log))
	const largest = 8 << 20
	before := front.Options{Addr: listener.Addr(), Names: hosts, LargestBody: largest}
	if *access {
		before.Access = log
	}
	before.Gauges = gauges(runner, *data)
	handler := front.New(worker.New(worker.Options{
		Store: store, Runner: runner, Web: page, RunBytes: largest, Log: log,
	}), before)
	if watched != nil {
		defer serveMetrics(watched, handler, log)()
	}
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      5 * time.Minute, // a slow line needs long for the module; streams move it forward
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	announce(std.out, listener.Addr())

	select {
	case err := <-failed:
		fmt.Fprintf(std.err, "hadarlab serve: %v\n", err)
		code = exitFailed
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	// Runs first: with them their listeners end, which Shutdown waits for.
	if err := runner.Close(grace); err != nil {
		log.Warn("stopping", "error", err)
	}
	if err := server.Shutdown(grace); err != nil {
		_ = server.Close() // a stream that outlives the grace is cut; its client sees the end
	}
	return code
}
