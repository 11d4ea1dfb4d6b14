//go:build !js

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	neturl "net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// try runs the program on arguments.
func try(args ...string) (code int, out, err string) {
	var o, e bytes.Buffer
	code = run(streams{strings.NewReader(""), &o, &e}, args)
	return code, o.String(), e.String()
}

func TestUsage(t *testing.T) {
	if code, _, err := try(); code != exitUsage || !strings.Contains(err, "serve") {
		t.Errorf("no command: %d %s", code, err)
	}
	if code, out, _ := try("help"); code != exitOK || !strings.Contains(out, "serve") {
		t.Errorf("help: %d %s", code, out)
	}
	if code, _, err := try("sevre"); code != exitUsage || !strings.Contains(err, `"sevre"`) {
		t.Errorf("an unknown command: %d %s", code, err)
	}
	for _, c := range commands() {
		code, out, _ := try(c.name, "--help")
		if code != exitOK || !strings.Contains(out, "Example:") || !strings.Contains(out, c.example) ||
			!strings.Contains(c.example, "hadarlab "+c.name+" ") && !strings.HasSuffix(c.example, "hadarlab "+c.name) {
			t.Errorf("%s --help: %d %s", c.name, code, out)
		}
		if code, _, err := try(c.name, "--no-such-flag"); code != exitUsage || !strings.Contains(err, "no-such-flag") {
			t.Errorf("%s with an unknown flag: %d %s", c.name, code, err)
		}
	}
	if code, _, err := try("serve", "--addr", "127.0.0.1:0", "extra"); code != exitUsage ||
		!strings.Contains(err, "extra") {
		t.Errorf("serve with an argument: %d %s", code, err)
	}
}

func TestServeSaysWhatIsInItsWay(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	data := filepath.Join(t.TempDir(), "data")
	code, _, stderr := try("serve", "--addr", taken.Addr().String(), "--data", data)
	if code != exitFailed || !strings.Contains(stderr, "in use") || !strings.Contains(stderr, "--addr") ||
		!strings.Contains(stderr, "ADDR=") {
		t.Errorf("port in use: %d %s", code, stderr)
	}
	if _, err := os.Stat(data); err == nil {
		t.Error("it made a data folder before it had its port")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, err := try("serve", "--addr", "127.0.0.1:0", "--data", filepath.Join(file, "x")); code != exitFailed ||
		!strings.Contains(err, "--data") {
		t.Errorf("no data folder: %d %s", code, err)
	}
	if code, _, err := try("serve", "--addr", "nonsense"); code != exitFailed || !strings.Contains(err, "HOST:PORT") {
		t.Errorf("a bad address: %d %s", code, err)
	}
}

// serving starts the server and returns its address; stop ends it as an interrupt would, and returns its
// exit code.
func serving(t *testing.T, more ...string) (url string, stop func() int) {
	t.Helper()
	r, w := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	code := make(chan int)
	go func() {
		code <- serveUntil(ctx, command{name: "serve"}, streams{nil, w, io.Discard},
			append([]string{"--addr", "127.0.0.1:0", "--data", t.TempDir(), "--web",
				filepath.Join(t.TempDir(), "absent")}, more...))
	}()
	line := make([]byte, 200)
	n, err := r.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	port := regexp.MustCompile(`^Hadarlab is at http://localhost:(\d+)\n$`).FindSubmatch(line[:n])
	if port == nil {
		t.Fatalf("it announced %q", line[:n])
	}
	return "http://127.0.0.1:" + string(port[1]), func() int {
		cancel()
		return <-code
	}
}

func TestServeAnnouncesServesAndStops(t *testing.T) {
	url, stop := serving(t)
	res, err := http.Get(url + "/")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil || !bytes.Contains(body, []byte("make run")) {
		t.Errorf("without a build folder / is %.200s, %v", body, err)
	}
	if got := stop(); got != exitOK {
		t.Errorf("it ended with %d", got)
	}
}

// TestServeBehindAProxy: as worker/deploy/school.md sets it up, a proxy with TLS that hands the name through, and
// streams without holding them back.
func TestServeBehindAProxy(t *testing.T) {
	url, stop := serving(t, "--host", "lab.school.example")
	to, err := neturl.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewTLSServer(&httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host
	}})
	defer proxy.Close()
	ask := func(host, method, path, body string) *http.Response {
		t.Helper()
		req, _ := http.NewRequest(method, proxy.URL+path, strings.NewReader(body))
		req.Host = host
		req.Header.Set("Content-Type", "application/json")
		res, err := proxy.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { res.Body.Close() })
		return res
	}
	if res := ask("other.example", "GET", "/healthz", ""); res.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("by another name: %s", res.Status)
	}
	doc := `{"kind":"scenario","version":1,"scenario":{"round_s":1,"cluster":{"nodes":[{"id":"n","gpus":{"v100":1}}]},
		"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}}]},"jobs":[{"id":"j","model":"m","gpus":1,"steps":1e9}]}}`
	res := ask("lab.school.example", "POST", "/api/v1/runs", `{"policies":["hadar"],"scenario":`+doc+`}`)
	if res.StatusCode != http.StatusAccepted {
		t.Fatal(res.Status)
	}
	events := ask("lab.school.example", "GET", res.Header.Get("Location")+"/events", "")
	first := make([]byte, 10)
	if _, err := io.ReadFull(events.Body, first); err != nil || string(first) != "retry: 500" {
		t.Errorf("while the run goes on: %q %v", first, err)
	}
	if got := stop(); got != exitOK {
		t.Errorf("it ended with %d", got)
	}
}

// TestMadeUpAddresses: who guesses codes and names another address each time is slowed as one, unless a proxy that the
// server knows names them; and of what that passes on the last counts.
func TestMadeUpAddresses(t *testing.T) {
	for _, tt := range []struct {
		flags      []string
		behind     string // what a proxy adds
		elsewhere  string
		fromThence int
	}{{nil, "", "198.51.100.1", 429}, {[]string{"--proxy", "127.0.0.1"}, ", 203.0.113.9", "198.51.100.1", 404}} {
		url, stop := serving(t, tt.flags...)
		guess := func(from string) int {
			req, _ := http.NewRequest("GET", url+"/api/v1/classes/00000000", nil)
			req.Header.Set("X-Forwarded-For", from)
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			return res.StatusCode
		}
		for i := range 12 {
			want := 404
			if i >= 10 {
				want = 429
			}
			if got := guess(fmt.Sprintf("192.0.%d.1%s", i, tt.behind)); got != want {
				t.Errorf("%q: guess %d is answered %d", tt.flags, i, got)
			}
		}
		if got := guess(tt.elsewhere); got != tt.fromThence {
			t.Errorf("%q: from elsewhere %d", tt.flags, got)
		}
		stop()
	}
}

// TestServeStopsRunsAndListeners: neither a run that would take for ever nor somebody who follows it
// keeps the server from stopping. The run waits for the next server, where the listener comes back to it.
func TestServeStopsRunsAndListeners(t *testing.T) {
	url, stop := serving(t)
	var jobs []string
	for i := range 100 { // an hour's work
		jobs = append(jobs, fmt.Sprintf(`{"id":"j%d","model":"m","batch":1,"arrival_s":0,"gpus":1,"steps":9000000}`, i))
	}
	doc := `{"kind":"scenario","version":1,"scenario":{"round_s":1,"cluster":{"nodes":[{"id":"n","rack":"r","gpus":{"v100":1}}]},
		"throughputs":{"rows":[{"model":"m","batch":1,"per_gpu":{"v100":1}}]},"jobs":[` + strings.Join(jobs, ",") + `]}}`
	res, err := http.Post(url+"/api/v1/runs", "application/json",
		strings.NewReader(`{"policies":["hadar"],"scenario":`+doc+`}`))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusAccepted {
		t.Fatal(res.Status)
	}
	follow, err := http.Get(url + res.Header.Get("Location") + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer follow.Body.Close()
	if got := stop(); got != exitOK {
		t.Errorf("it ended with %d", got)
	}
	if heard, err := io.ReadAll(follow.Body); err != nil ||
		!bytes.Contains(heard[max(0, bytes.LastIndex(heard, []byte("event: "))):], []byte(`"state":"queued"`)) ||
		bytes.Contains(heard, []byte("id: end")) {
		t.Errorf("the listener heard %.300s, %v", heard, err)
	}
}
