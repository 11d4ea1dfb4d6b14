//go:build !js

package front

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"hadarlab/worker/answer"
	"hadarlab/worker/host"
)

// routed is a handler with the routes of a server, so that requests have a pattern.
func routed(h http.HandlerFunc) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/s/{id}", h)
	mux.HandleFunc("/", h)
	return mux
}

func ok(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "fine") }

// ask sends a request that came in at an address of the machine.
func ask(h http.Handler, method, url, host, at string, body io.Reader) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, url, body)
	r.Host = host
	local := &net.TCPAddr{IP: net.ParseIP(at), Port: 8080}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(local))))
	return w
}

// TestNames: a page that gives its own name this machine's address is not answered, whatever it asks for.
func TestNames(t *testing.T) {
	loopback := New(routed(ok), Options{Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, LargestBody: 1 << 20})
	open := New(routed(ok), Options{Addr: &net.TCPAddr{IP: net.IPv6zero}, Names: []string{"Lab.Example.org."},
		LargestBody: 1 << 20})
	for _, tt := range []struct {
		f        *Front
		host, at string
		allowed  bool
	}{
		{loopback, "localhost:8080", "127.0.0.1", true},
		{loopback, "LOCALHOST", "127.0.0.1", true},
		{loopback, "127.0.0.1:8080", "127.0.0.1", true},
		{loopback, "[::1]:8080", "::1", true},
		{loopback, "localhost.:8080", "127.0.0.1", true},
		{loopback, "evil.example:8080", "127.0.0.1", false},
		{loopback, "localhost.evil.example", "127.0.0.1", false},
		{loopback, "127.0.0.1.evil.example", "127.0.0.1", false},
		{loopback, "10.1.2.3", "127.0.0.1", false},
		{loopback, "", "127.0.0.1", false},
		{open, "10.1.2.3:8080", "10.1.2.3", true},
		{open, "[2001:db8::1]", "2001:db8::1", true},
		{open, "10.9.9.9:8080", "10.1.2.3", false},
		{open, "lab.example.org", "10.1.2.3", true},
		{open, "lab.example.org:443", "10.1.2.3", true},
		{open, "evil.lab.example.org", "10.1.2.3", false},
		{open, "example.org", "10.1.2.3", false},
	} {
		for _, method := range []string{"GET", "POST", "DELETE", "OPTIONS"} {
			w := ask(tt.f, method, "/s/abc", tt.host, tt.at, nil)
			if tt.allowed != (w.Code == http.StatusOK) || !tt.allowed &&
				(w.Code != http.StatusMisdirectedRequest || strings.Contains(w.Body.String(), "fine")) {
				t.Errorf("%s to %q at %s: %d %s", method, tt.host, tt.at, w.Code, w.Body)
			}
			if !tt.allowed && w.Header().Get("Content-Security-Policy") != host.Headers()["Content-Security-Policy"] {
				t.Error("a refusal lacks the headers of every answer")
			}
		}
	}
}

// TestAccessLog: a line says what was asked and how it went, and nothing by which somebody could be told.
func TestAccessLog(t *testing.T) {
	var log bytes.Buffer
	f := New(routed(ok), Options{LargestBody: 1 << 20, Access: slog.New(slog.NewTextHandler(&log, nil))})
	r := httptest.NewRequest("GET", "/s/secretid12?v=secretview", nil)
	r.Host, r.RemoteAddr = "localhost", "192.0.2.7:1234"
	r.Header.Set("User-Agent", "secretbrowser")
	r.Header.Set("Referer", "https://secret.example/")
	f.ServeHTTP(httptest.NewRecorder(), r)
	if ok, _ := regexp.MatchString(`msg=request method=GET route=/s/\{id\} status=200 bytes=4 ms=\d+\n$`,
		log.String()); !ok {
		t.Errorf("logged %s", &log)
	}
	r = httptest.NewRequest("GET", "/secretid12", nil)
	r.Host, r.Method = "secret.example", "SECRET\n"
	f.ServeHTTP(httptest.NewRecorder(), r)
	if s := log.String(); strings.Contains(strings.ToLower(s), "secret") || strings.Contains(s, "192.0.2.7") ||
		strings.Count(s, "\n") != 2 {
		t.Errorf("logged %s", s)
	}
}

// TestMetrics reads them as Prometheus would.
func TestMetrics(t *testing.T) {
	f := New(routed(ok),
		Options{LargestBody: 1 << 20,
			Gauges: []Gauge{{"hadarlab_answer", "An answer.", func() (float64, bool) { return 42, true }}}})
	for range 3 {
		ask(f, "GET", "/s/abc", "localhost", "127.0.0.1", nil)
	}
	ask(f, "GET", "/s/abc", "evil.example", "127.0.0.1", nil)
	w := ask(f.Metrics(), "GET", "/metrics", "localhost", "127.0.0.1", nil)
	for _, line := range []string{
		`hadarlab_requests_total{route="/s/{id}",method="GET",status="200"} 3`,
		`hadarlab_requests_total{route="none",method="GET",status="421"} 1`,
		`hadarlab_request_seconds_bucket{route="/s/{id}",le="+Inf"} 3`, `hadarlab_refusals_total{reason="host"} 1`,
		"hadarlab_answer 42", "hadarlab_body_bytes 0",
	} {
		if !strings.Contains(w.Body.String(), line+"\n") {
			t.Errorf("no %s in\n%s", line, w.Body)
		}
	}
	for line := range strings.Lines(w.Body.String()) {
		if ok, _ := regexp.MatchString(`^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[^}]*(\{id\})?[^}]*\})? [-+.e\d]+)\n$`,
			line); !ok {
			t.Errorf("%q is no line of the format", line)
		}
	}
	if w := ask(f.Metrics(), "GET", "/metrics", "evil.example", "127.0.0.1",
		nil); w.Code != http.StatusMisdirectedRequest {
		t.Errorf("metrics under another name: %d", w.Code)
	}
}

// TestLargeBodies: of many large bodies at once only so many are held; a small one is read all the same, and a large
// one again as soon as one of the others is answered.
func TestLargeBodies(t *testing.T) {
	const size, fit = 8 << 20, largeBytes / (8 << 20)
	var reading sync.WaitGroup
	release := make(chan struct{})
	f := New(routed(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength == size {
			reading.Done()
			<-release
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Error(err)
		}
	}), Options{LargestBody: size})
	large := func() int {
		return ask(f, "POST", "/", "localhost", "127.0.0.1",
			io.LimitReader(bytes.NewReader(make([]byte, size)), size)).Code
	}
	sized := func(n int) int {
		return ask(f, "POST", "/", "localhost", "127.0.0.1", bytes.NewReader(make([]byte, n))).Code
	}
	reading.Add(fit)
	var done sync.WaitGroup
	for range fit {
		done.Go(func() {
			if code := sized(size); code != http.StatusOK {
				t.Errorf("one of those that fit: %d", code)
			}
		})
	}
	reading.Wait()
	if f.bodies.held() != largeBytes {
		t.Errorf("%d bytes are held", f.bodies.held())
	}
	for range 60 {
		if code := sized(size); code != http.StatusServiceUnavailable {
			t.Fatalf("one too many: %d", code)
		}
	}
	if code := large(); code != http.StatusServiceUnavailable {
		t.Errorf("one of unknown length: %d", code)
	}
	if code := sized(smallBody); code != http.StatusOK {
		t.Errorf("a small one: %d", code)
	}
	close(release)
	done.Wait()
	reading.Add(1)
	if code := sized(size); code != http.StatusOK || f.bodies.held() != 0 {
		t.Errorf("afterwards: %d, %d bytes are held", code, f.bodies.held())
	}
}

// TestSmallBodiesAreCountedAsTheyCome: a body that was announced holds nothing, and one that finds no room is refused.
func TestSmallBodiesAreCountedAsTheyCome(t *testing.T) {
	f := New(routed(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); errors.Is(err, answer.ErrBusy) {
			http.Error(w, "busy", http.StatusServiceUnavailable)
		}
	}), Options{LargestBody: 8 << 20})
	f.bodies.small = smallBytes - 1000
	if w := ask(f, "POST", "/", "localhost", "127.0.0.1",
		bytes.NewReader(make([]byte, 1000))); w.Code != http.StatusOK {
		t.Errorf("one that fits: %d", w.Code)
	}
	if w := ask(f, "POST", "/", "localhost", "127.0.0.1",
		bytes.NewReader(make([]byte, 1001))); w.Code != http.StatusServiceUnavailable {
		t.Errorf("one that does not: %d", w.Code)
	}
	if f.bodies.small != smallBytes-1000 {
		t.Errorf("%d bytes are held afterwards", f.bodies.small)
	}
}

// deadlines notes the deadlines that are set on a request.
type deadlines struct {
	*httptest.ResponseRecorder
	set []time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error { d.set = append(d.set, t); return nil }

// TestSlowBodies: a body has so long to arrive, and then the answer has as long as it takes.
func TestSlowBodies(t *testing.T) {
	for size, most := range map[int]time.Duration{100: firstBytes + time.Second, 8 << 20: firstBytes + 65*time.Second} {
		f := New(routed(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.ReadAll(r.Body) }),
			Options{LargestBody: 8 << 20})
		w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		r := httptest.NewRequest("POST", "/", bytes.NewReader(make([]byte, size)))
		r.Host = "localhost"
		f.ServeHTTP(w, r)
		if len(w.set) != 2 || time.Until(w.set[0]) > most || time.Until(w.set[0]) <= 0 || !w.set[1].IsZero() {
			t.Errorf("%d bytes: deadlines %v", size, w.set)
		}
	}
}

// TestStreamsPassThrough: flushing and deadlines reach the connection.
func TestStreamsPassThrough(t *testing.T) {
	f := New(routed(func(w http.ResponseWriter, _ *http.Request) {
		rc := http.NewResponseController(w)
		if err := errors.Join(rc.SetWriteDeadline(time.Now().Add(time.Minute)), rc.Flush()); err != nil {
			t.Error(err)
		}
		fmt.Fprint(w, "x")
	}), Options{LargestBody: 1})
	s := httptest.NewServer(f)
	defer s.Close()
	res, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
}
