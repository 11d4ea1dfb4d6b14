//go:build !js

package front

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Gauge is a figure that is read when the metrics are asked for; not ok leaves it out.
type Gauge struct {
	Name, Help string
	Value      func() (v float64, ok bool)
}

// steps are the upper bounds of the histogram of seconds that requests take.
var steps = []float64{0.005, 0.025, 0.1, 0.25, 1, 5, 30}

// counts are the figures that only grow. Their labels are routes, methods and statuses, so that there are few.
type counts struct {
	mu       sync.Mutex
	requests map[[3]string]int64 // route, method, status
	seconds  map[string]*spread  // by route
	refusals map[string]int64    // by reason
}

type spread struct {
	sum   float64
	count int64
	below [7]int64 // requests within each step
}

func (c *counts) request(route, method, status string, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.requests == nil {
		c.requests, c.seconds = map[[3]string]int64{}, map[string]*spread{}
	}
	c.requests[[3]string{route, method, status}]++
	s := c.seconds[route]
	if s == nil {
		s = &spread{}
		c.seconds[route] = s
	}
	s.count++
	s.sum += took.Seconds()
	for i, step := range steps {
		if took.Seconds() <= step {
			s.below[i]++
		}
	}
}

func (c *counts) refused(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.refusals == nil {
		c.refusals = map[string]int64{}
	}
	c.refusals[why]++
}

// Metrics answers with the figures in the text format of Prometheus, which is a few lines of print: a library for it
// would bring ten modules.
func (f *Front) Metrics() http.Handler {
	only := newNames(nil, nil)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !only.allow(r) {
			wrongName(w, r)
			return
		}
		if r.URL.Path != "/metrics" {
			http.Error(w, "the metrics are at /metrics", http.StatusNotFound)
			return
		}
		var b strings.Builder
		f.write(&b)
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = io.WriteString(w, b.String())
	})
}

func (f *Front) write(w io.Writer) {
	head := func(name, kind, help string) { fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	c := &f.counts
	c.mu.Lock()
	head("hadarlab_requests_total", "counter", "Requests answered.")
	for _, k := range slices.SortedFunc(maps.Keys(c.requests),
		func(a, b [3]string) int { return slices.Compare(a[:], b[:]) }) {
		fmt.Fprintf(w, "hadarlab_requests_total{route=%q,method=%q,status=%q} %d\n", k[0], k[1], k[2], c.requests[k])
	}
	const seconds = "hadarlab_request_seconds"
	head(seconds, "histogram", "Seconds from a request's head to the end of its answer.")
	for _, route := range slices.Sorted(maps.Keys(c.seconds)) {
		s := c.seconds[route]
		for i, step := range steps {
			fmt.Fprintf(w, "%s_bucket{route=%q,le=%q} %d\n", seconds, route, number(step), s.below[i])
		}
		fmt.Fprintf(w, "%s_bucket{route=%q,le=\"+Inf\"} %d\n%s_sum{route=%q} %s\n%s_count{route=%q} %d\n",
			seconds, route, s.count, seconds, route, number(s.sum), seconds, route, s.count)
	}
	head("hadarlab_refusals_total", "counter", "Requests refused before the handler, by reason.")
	for _, why := range slices.Sorted(maps.Keys(c.refusals)) {
		fmt.Fprintf(w, "hadarlab_refusals_total{reason=%q} %d\n", why, c.refusals[why])
	}
	c.mu.Unlock()
	for _, g := range append(slices.Clone(f.gauges), resident) {
		if v, ok := g.Value(); ok {
			head(g.Name, "gauge", g.Help)
			fmt.Fprintf(w, "%s %s\n", g.Name, number(v))
		}
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// resident is the memory of the process, where the system tells it as Linux does.
var resident = Gauge{"process_resident_memory_bytes", "Resident memory.", func() (float64, bool) {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, false
	}
	var size, pages int64
	_, err = fmt.Sscan(string(b), &size, &pages)
	return float64(pages) * float64(os.Getpagesize()), err == nil
}}
