//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"hadarlab/worker"
	"hadarlab/worker/sqlite"
	"hadarlab/worker/sqlstore"
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
	web := f.String("web", "", "folder `DIR` of the built page (default web beside the program, else build/web)")
	rest, code, ok := c.parse(std, f, args)
	if !ok {
		return code
	}
	if len(rest) > 0 {
		fmt.Fprintf(std.err, "hadarlab serve: unexpected argument %q (see `hadarlab serve --help`)\n", rest[0])
		return exitUsage
	}

	if *web == "" {
		*web = besideProgram()
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		fmt.Fprintf(std.err, "hadarlab serve: %s\n", listenAdvice(*addr, err))
		return exitFailed
	}
	defer listener.Close()
	db, err := sqlite.Open(ctx, *data)
	if err != nil {
		fmt.Fprintf(std.err, "hadarlab serve: %v\n", err)
		return exitFailed
	}
	defer db.Close()

	log := slog.New(slog.NewTextHandler(std.err, nil))
	store := sqlstore.New(db)
	runner := worker.NewRunner(worker.RunnerOptions{Store: store, Log: log})
	server := &http.Server{
		Handler: worker.New(worker.Options{
			Store: store, Runner: runner, Web: os.DirFS(*web), RunBytes: 8 << 20, Log: log,
		}),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      5 * time.Minute, // a slow line needs long for the module; streams move it forward
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	fmt.Fprintf(std.out, "Hadarlab is at http://%s\n", reachable(listener.Addr()))

	select {
	case err := <-failed:
		fmt.Fprintf(std.err, "hadarlab serve: %v\n", err)
		return exitFailed
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
	return exitOK
}

// besideProgram is the page's folder as an archive of `make dist` has it, or else where the build puts it.
func besideProgram() string {
	if program, err := os.Executable(); err == nil {
		dir := filepath.Join(filepath.Dir(program), "web")
		if _, err := os.Stat(filepath.Join(dir, "index.html")); err == nil {
			return dir
		}
	}
	return filepath.Join("build", "web")
}

func listenAdvice(addr string, err error) string {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return addr + " is in use by another program (end that, or choose another port with --addr 127.0.0.1:8081)"
	case errors.Is(err, syscall.EACCES):
		return addr + " may not be used without more rights (choose a port above 1023 with --addr)"
	}
	return fmt.Sprintf("cannot listen on %s: %v (give --addr as HOST:PORT, for example 127.0.0.1:8080)", addr, err)
}

// reachable is the address a browser on this machine can open.
func reachable(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	if ip := net.ParseIP(host); ip != nil && (ip.IsLoopback() || ip.IsUnspecified()) {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}
