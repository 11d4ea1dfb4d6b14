//go:build !js

package main

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"hadarlab/worker/front"
	"hadarlab/worker/runs"
	"hadarlab/worker/sqlite"
)

// gauges are what the server tells of itself beside what it counts.
func gauges(runner *runs.Runner, data string) []front.Gauge {
	load := func(of func(waiting, working int) int) func() (float64, bool) {
		return func() (float64, bool) { return float64(of(runner.Load())), true }
	}
	return []front.Gauge{
		{Name: "hadarlab_runs_waiting", Help: "Runs and sweeps that wait.",
			Value: load(func(waiting, _ int) int { return waiting })},
		{Name: "hadarlab_runs_working", Help: "Runs and sweeps that are worked on.",
			Value: load(func(_, working int) int { return working })},
		{Name: "hadarlab_database_bytes", Help: "Size of the database file.", Value: func() (float64, bool) {
			info, err := os.Stat(filepath.Join(data, sqlite.File))
			if err != nil {
				return 0, false
			}
			return float64(info.Size()), true
		}},
	}
}

// listenMetrics listens at an address of this machine's own: metrics tell nothing of anybody, but how busy a server is,
// is nobody else's business. It returns nil for no address.
func listenMetrics(addr string) (net.Listener, error) {
	if addr == "" {
		return nil, nil
	}
	at, err := net.ResolveTCPAddr("tcp", addr)
	if err == nil && !at.IP.IsLoopback() {
		return nil, fmt.Errorf("--metrics: %s is open to other machines (write 127.0.0.1:PORT)", addr)
	}
	var listener net.Listener
	if err == nil {
		listener, err = net.ListenTCP("tcp", at)
	}
	if err != nil {
		return nil, fmt.Errorf("--metrics: cannot listen on %s: %w (write 127.0.0.1:PORT, with a port that is free)",
			addr, err)
	}
	return listener, nil
}

// serveMetrics answers with the metrics until it is stopped.
func serveMetrics(listener net.Listener, handler *front.Front, log *slog.Logger) (stop func() error) {
	server := &http.Server{
		Handler: handler.Metrics(), ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second,
		MaxHeaderBytes: 16 << 10,
	}
	go func() { _ = server.Serve(listener) }() // until it is closed
	log.Info("metrics", "url", "http://"+listener.Addr().String()+"/metrics")
	return server.Close
}
