//go:build !js

package worker_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"hadarlab/worker"
	"hadarlab/worker/host"
)

var built = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func webFolder() fstest.MapFS {
	file := func(s string, age time.Duration) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(s), ModTime: built.Add(-age), Mode: 0o644}
	}
	return fstest.MapFS{
		"index.html":         file("page", 0),
		"_headers":           file("secret", 0),
		".assetsignore":      file("secret", 0),
		"web/app.wasm":       file("module", 0),
		"web/app.wasm.gz":    file("module gz", 0),
		"web/app.wasm.br":    file("module br", 0),
		"web/style.css":      file("style", 0),
		"web/style.css.gz":   file("old style", time.Hour), // of an earlier build
		"web/page.js":        file("script", 0),
		"web/picture.svg":    file("<svg/>", 0),
		"web/data.json":      file("{}", 0),
		"web/strange.qqq":    file("?", 0),
		"web/.hidden/x.js":   file("secret", 0),
		"web/folder/file.js": file("inner", 0),
	}
}

// TestEscapedMark: mail filters escape the # of a link, and the whole link then arrives as a path.
func TestEscapedMark(t *testing.T) {
	h := newHandler(t, worker.Options{Web: webFolder()})
	for _, path := range []string{"/%231d.abc_-.0abcd", "/%25231d.abc_-.0abcd", "/%231d.abc_-.0abcd&v=r1"} {
		if w := do(h, "GET", path, ""); w.Code != 200 || w.Body.String() != "page" {
			t.Errorf("%s: %d %q", path, w.Code, w.Body)
		}
	}
}

// TestEscapedClassLink: the same happens to a class's link, which is short enough to be typed anew with its #.
func TestEscapedClassLink(t *testing.T) {
	h := newHandler(t, worker.Options{Web: webFolder()})
	for path, want := range map[string]string{"/join%23HXWF6M6N": "/join#HXWF6M6N",
		"/join%2523HXWF6M6N": "/join#HXWF6M6N", "/join%23a%0d%0ab": "/join#a%0D%0Ab"} {
		w := do(h, "GET", path, "")
		if w.Code != 303 || w.Header().Get("Location") != want {
			t.Errorf("%s: %d %q, want %q", path, w.Code, w.Header().Get("Location"), want)
		}
	}
}

func TestStaticTypesAndVariants(t *testing.T) {
	h := newHandler(t, worker.Options{Web: webFolder()})
	for _, tt := range []struct{ path, accept, body, contentType, encoding string }{
		{"/", "", "page", "text/html; charset=utf-8", ""},
		{"/web/app.wasm", "", "module", "application/wasm", ""},
		{"/web/app.wasm", "gzip", "module gz", "application/wasm", "gzip"},
		{"/web/app.wasm", "gzip, deflate, br, zstd", "module br", "application/wasm", "br"},
		{"/web/app.wasm", "br;q=0, gzip;q=0.5", "module gz", "application/wasm", "gzip"},
		{"/web/app.wasm", "identity", "module", "application/wasm", ""},
		{"/web/app.wasm", "gzip;q=1.0, br;q=0.5", "module gz", "application/wasm", "gzip"}, // what it wants most
		{"/web/app.wasm", "br;q=0.5, gzip;q=0.5", "module br", "application/wasm", "br"},
		{"/web/app.wasm", "gzip ; q=0.000, BR", "module br", "application/wasm", "br"},
		{"/web/app.wasm", "*", "module br", "application/wasm", "br"},
		{"/web/app.wasm", "br;q=0, *;q=0.1", "module gz", "application/wasm", "gzip"},
		{"/web/app.wasm", "gzip;q=0, br;q=0, *", "module", "application/wasm", ""},
		{"/web/app.wasm", "*;q=0", "module", "application/wasm", ""},
		{"/web/app.wasm", "brotli, xgzip, gzip;q=NaN", "module", "application/wasm", ""},
		{"/web/style.css", "gzip", "style", "text/css; charset=utf-8", ""},
		{"/web/page.js", "br", "script", "text/javascript; charset=utf-8", ""},
		{"/web/picture.svg", "", "<svg/>", "image/svg+xml", ""},
		{"/web/data.json", "", "{}", "application/json", ""},
		{"/web/strange.qqq", "", "?", "application/octet-stream", ""},
		{"/web/folder/file.js", "", "inner", "text/javascript; charset=utf-8", ""},
	} {
		w := do(h, "GET", tt.path, "", "Accept-Encoding", tt.accept)
		if w.Code != 200 || w.Body.String() != tt.body || w.Header().Get("Content-Type") != tt.contentType ||
			w.Header().Get("Content-Encoding") != tt.encoding {
			t.Errorf("%s with %q: %d %q %q %q", tt.path, tt.accept, w.Code, w.Body, w.Header().Get("Content-Type"),
				w.Header().Get("Content-Encoding"))
		}
		if w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: Vary %q", tt.path, w.Header().Get("Vary"))
		}
	}
}

func TestStaticAbsence(t *testing.T) {
	h := newHandler(t, worker.Options{Web: webFolder()})
	for path, contentType := range map[string]string{
		"/web/none.js": "text/plain; charset=utf-8", "/web/none.wasm": "text/plain; charset=utf-8",
		"/web/.hidden/x.js": "text/plain; charset=utf-8", "/.assetsignore": "text/plain; charset=utf-8",
		"/_headers": "text/html; charset=utf-8", "/web": "text/html; charset=utf-8",
		"/web/folder": "text/html; charset=utf-8",
		"/none":       "text/html; charset=utf-8", "/web/%2e%2e%2findex%00.html": "text/plain; charset=utf-8",
	} {
		w := do(h, "GET", path, "")
		if w.Code != http.StatusNotFound || w.Header().Get("Content-Type") != contentType ||
			strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s: %d %s %.80s", path, w.Code, w.Header().Get("Content-Type"), w.Body)
		}
	}
}

func TestStaticCaching(t *testing.T) {
	web := webFolder()
	h := newHandler(t, worker.Options{Web: web})
	first := do(h, "GET", "/web/page.js", "")
	etag := first.Header().Get("ETag")
	if etag == "" || first.Header().Get("Cache-Control") != "no-cache" {
		t.Fatalf("ETag %q, Cache-Control %q", etag, first.Header().Get("Cache-Control"))
	}
	if w := do(h, "GET", "/web/page.js", "", "If-None-Match", `"x", W/`+etag); w.Code != http.StatusNotModified ||
		w.Body.Len() != 0 {
		t.Errorf("with its ETag: %d %q", w.Code, w.Body)
	}
	if w := do(h, "HEAD", "/web/page.js", ""); w.Code != 200 || w.Body.Len() != 0 ||
		w.Header().Get("Content-Length") != "6" {
		t.Errorf("HEAD: %d %q %q", w.Code, w.Body, w.Header().Get("Content-Length"))
	}
	web["web/page.js"].Data = []byte("new one")
	web["web/page.js"].ModTime = built.Add(time.Minute)
	if w := do(h, "GET", "/web/page.js", "", "If-None-Match", etag); w.Code != 200 || w.Body.String() != "new one" ||
		w.Header().Get("ETag") == etag {
		t.Errorf("after a change: %d %q %s", w.Code, w.Body, w.Header().Get("ETag"))
	}
	if a, b := do(h, "GET", "/web/app.wasm", "").Header().Get("ETag"),
		do(h, "GET", "/web/app.wasm", "", "Accept-Encoding", "br").Header().Get("ETag"); a == b {
		t.Error("two encodings share an ETag")
	}
}

// TestNoQueryPinsAPage: what may change with the next release is never said to last, whatever the address claims.
func TestNoQueryPinsAPage(t *testing.T) {
	h := newHandler(t, worker.Options{Web: webFolder()})
	link := shareLink(t, do(h, "POST", "/api/v1/scenarios", scenarioA))
	etag := strings.Trim(do(h, "GET", "/web/page.js", "").Header().Get("ETag"), `"`)
	for _, path := range []string{"/", "/web/page.js", "/web/app.wasm", "/s/" + link, "/s/" + link + ".svg",
		"/s/" + link + "/diff/" + link, "/e", "/e/" + link, "/o", "/api/v1/openapi.json"} {
		for _, query := range []string{"", "?v=1", "?v=" + etag, "?v=1&theme=dark"} {
			w := do(h, "GET", path+query, "")
			if cache := w.Header().Get("Cache-Control"); w.Code != 200 || cache != "no-cache" {
				t.Errorf("%s: %d, Cache-Control %q", path+query, w.Code, cache)
			}
		}
	}
}

func TestWithoutTheBuildFolder(t *testing.T) {
	h := newHandler(t, worker.Options{})
	w := do(h, "GET", "/", "")
	if w.Code != 200 || !strings.Contains(w.Body.String(), "make run") ||
		w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := do(h, "GET", "/web/app.wasm", ""); w.Code != http.StatusNotFound {
		t.Errorf("app.wasm: %d", w.Code)
	}
}

func TestSecurityHeaders(t *testing.T) {
	h := newHandler(t, worker.Options{Web: webFolder()})
	for _, path := range []string{"/", "/web/page.js", "/none.js", "/healthz", "/api/none", "/s/none"} {
		w := do(h, "GET", path, "")
		for name, want := range host.Headers() {
			if w.Header().Get(name) != want {
				t.Errorf("%s: %s is %q", path, name, w.Header().Get(name))
			}
		}
	}
	for path, framed := range map[string]bool{"/e": true, "/e/none": true, "/e/none/x": false, "/elsewhere": false,
		"/": false, "/s/none": false} {
		csp := do(h, "GET", path, "").Header().Get("Content-Security-Policy")
		if got := strings.Contains(csp, "frame-ancestors *"); got != framed ||
			!strings.Contains(csp, "script-src 'self' 'wasm-unsafe-eval'") {
			t.Errorf("%s: %s", path, csp)
		}
	}
	if csp := host.Headers()["Content-Security-Policy"]; strings.Contains(csp, "unsafe-inline") ||
		strings.Contains(csp, "'unsafe-eval'") {
		t.Errorf("the policy allows what it must not: %s", csp)
	}
}
