//go:build !js

// Package front stands before the native server's handler and keeps from it what the edge's platform keeps away by
// itself: requests under names that are not the server's, more bodies than there is memory for, and senders that
// take for ever. It also counts and logs what is asked, without a word about who asked.
//
// Flow: connection → name → room for the body → handler → counters, access log.
package front

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
	"hadarlab/worker/answer"
	"hadarlab/worker/host"
)

// Options says what a Front stands before.
type Options struct {
	// Addr is what the server listens on, and Names what it is called beside its own addresses.
	Addr  net.Addr
	Names []string
	// Base is what comes before the server's own paths where people open it, as /lab. A request may come with it or,
	// from a proxy that takes it off, without. Default nothing.
	Base string
	// LargestBody is the most bytes that any handler reads. Required.
	LargestBody int64
	// Access takes a line a request. Default none.
	Access *slog.Logger
	// Gauges are read whenever the metrics are asked for.
	Gauges []Gauge
}

// Front is the handler. Use New.
type Front struct {
	next   http.Handler
	base   string
	names  names
	bodies bodies
	access *slog.Logger
	counts counts
	gauges []Gauge
}

// New returns a handler that stands before next.
func New(next http.Handler, o Options) *Front {
	f := &Front{next: next, base: o.Base, names: newNames(o.Addr, o.Names), access: o.Access, gauges: o.Gauges}
	f.bodies.largest = o.LargestBody
	f.gauges = append(f.gauges, Gauge{"hadarlab_body_bytes", "Bytes of request bodies that are held.",
		func() (float64, bool) {
			return float64(f.bodies.held()), true
		}})
	return f
}

func (f *Front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	seen := &observed{ResponseWriter: w, base: f.base, r: r, unread: r.Body}
	began := time.Now()
	defer func() {
		p := recover()
		if p != nil && seen.status == 0 {
			seen.status = 499 // the connection was given up
		}
		f.note(r, seen, time.Since(began))
		if p != nil {
			panic(p)
		}
	}()
	if !f.names.allow(r) {
		f.counts.refused("host")
		wrongName(seen, r)
		return
	}
	if f.base != "" && r.URL.Path == f.base {
		seen.Header().Set("Location", "/") // what the page names is found from below it
		seen.WriteHeader(http.StatusPermanentRedirect)
		return
	}
	below(f.base, r.URL)
	done, ok := f.bodies.take(seen, r)
	if !ok {
		f.counts.refused("bodies")
		seen.Header().Set("Retry-After", "2")
		refuse(seen, r, http.StatusServiceUnavailable, "too many large requests are being read",
			jsondoc.Error("", "busy", words.Say("at most {0} bytes of large requests are held at once", largeBytes),
				words.Say("send it again in a while")))
		return
	}
	defer done()
	f.next.ServeHTTP(seen, r)
}

// note counts a request and logs it. Neither tells who asked, nor for which scenario: an id is all that one needs to
// read what somebody shared, and a query may hold a whole link. The route says what was asked for.
func (f *Front) note(r *http.Request, seen *observed, took time.Duration) {
	route := r.Pattern[strings.IndexByte(r.Pattern, ' ')+1:] // which the handler's mux has set, after a method
	if route == "" {
		route = "none"
	}
	method := r.Method
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
	default:
		method = "other" // anything may stand there
	}
	status := seen.status
	if status == 0 {
		status = http.StatusOK
	}
	f.counts.request(route, method, strconv.Itoa(status), took)
	if f.access != nil {
		f.access.Info("request", "method", method, "route", route, "status", status, "bytes", seen.bytes, "ms",
			took.Milliseconds())
	}
}

// refuse answers in the handler's place, with its headers.
func refuse(w http.ResponseWriter, r *http.Request, status int, detail string, errs ...jsondoc.Diagnostic) {
	for k, v := range host.Headers() {
		w.Header().Set(k, v)
	}
	w.Header().Set("Connection", "close") // what is left of the body beyond the bound is not read
	answer.Refuse(w, r, status, detail, errs...)
}

// below takes the base off a path that has it. The route of the request, which the handler's router notes in it, is
// looked at afterwards, so the request stays the same one.
func below(base string, u *url.URL) {
	path, ok := strings.CutPrefix(u.Path, base)
	if !ok || base == "" || !strings.HasPrefix(path, "/") {
		return
	}
	u.Path = path
	u.RawPath = strings.TrimPrefix(u.RawPath, base)
}

// observed notes what is answered, and puts the base before where a client is sent.
type observed struct {
	http.ResponseWriter
	base   string
	r      *http.Request
	unread io.ReadCloser // the request's body
	status int
	bytes  int64
}

func (o *observed) WriteHeader(status int) {
	if o.status == 0 {
		o.status = status
		if status >= http.StatusBadRequest {
			o.drain()
		}
	}
	if at := o.Header().Get("Location"); o.base != "" && strings.HasPrefix(at, "/") {
		o.Header().Set("Location", o.base+at)
	}
	o.ResponseWriter.WriteHeader(status)
}

// drain reads what is left of the body of a request that is refused, up to a bound. Who sends while the connection is
// closed, as a proxy, is told of a broken connection, not of the answer. It holds nothing of what it reads, and the
// body has no longer than it had.
func (o *observed) drain() {
	o.r.Body = o.unread // by which net/http tells that it is too large to be waited for
	if o.unread == nil || o.unread == http.NoBody || o.r.ContentLength > drained {
		return
	}
	_ = http.NewResponseController(o.ResponseWriter).SetReadDeadline(
		time.Now().Add(firstBytes + drained*time.Second/slowest))
	_, _ = io.CopyN(io.Discard, o.unread, drained)
}

func (o *observed) Write(b []byte) (int, error) {
	if o.status == 0 {
		o.status = http.StatusOK
	}
	n, err := o.ResponseWriter.Write(b)
	o.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController flush and set deadlines.
func (o *observed) Unwrap() http.ResponseWriter { return o.ResponseWriter }
