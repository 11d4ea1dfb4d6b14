package e2e

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestStaticFiles(t *testing.T) {
	files := []struct{ path, contentType string }{
		{"/", "text/html"},
		{"/web/app.wasm", "application/wasm"},
		{"/web/wasm_exec.js", "text/javascript"},
		{"/web/lab.webmanifest", "application/manifest+json"},
	}
	onBoth(t, func(t *testing.T, s *server) {
		for _, f := range files {
			plain := ask(t, "GET", s.url+f.path, "").want(t, 200, f.contentType)
			if plain.header.Get("Content-Encoding") != "" {
				t.Errorf("%s: encoded without being asked", f.path)
			}
			checkSecurity(t, f.path, plain.header)
			packed := ask(t, "GET", s.url+f.path, "", "Accept-Encoding", "gzip").want(t, 200, f.contentType)
			if packed.header.Get("Content-Encoding") == "gzip" {
				if got := unzip(t, packed.body); !bytes.Equal(got, plain.body) {
					t.Errorf("%s: gzip holds another file", f.path)
				}
			} else if len(plain.body) > 1024 {
				t.Errorf("%s: %d bytes are not compressed", f.path, len(plain.body))
			}
			etag := plain.header.Get("ETag")
			if c := ask(t, "GET", s.url+f.path, "", "If-None-Match", etag); etag == "" || c.status != 304 {
				t.Errorf("%s: ETag %q gives %d", f.path, etag, c.status)
			}
		}
		for _, path := range []string{"/web/none.js", "/web/none.wasm", "/none.css", "/web/app.wasm.map",
			"/web/app.wasm.gz.js"} {
			a := ask(t, "GET", s.url+path, "").want(t, 404, "text/plain")
			checkSecurity(t, path, a.header)
		}
		for _, path := range []string{"/web/", "/web", "/_headers", "/.assetsignore", "/no/such/page",
			"/..%2f..%2fgo.mod", "/web/..%2f..%2f..%2fgo.mod"} {
			a := ask(t, "GET", s.url+path, "")
			if a.status/100 == 3 { // a cleaned address
				a = ask(t, "GET", s.url+"/"+strings.TrimLeft(strings.TrimPrefix(a.header.Get("Location"), s.url), "/"),
					"")
			}
			if a.status != 404 {
				t.Errorf("%s: status %d\n%.200s", path, a.status, a.body)
			}
		}
		// Without a body: the local runtime's router of static files leaves one unread, and then hangs now and then.
		ask(t, "POST", s.url+"/", "")
		if !s.healthy() {
			t.Error("the server is down afterwards")
		}
	})
}

func checkSecurity(t *testing.T, path string, h http.Header) {
	t.Helper()
	csp := h.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'",
		"frame-ancestors 'none'"} {
		if !strings.Contains(csp, part) {
			t.Errorf("%s: the content security policy lacks %s: %q", path, part, csp)
		}
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Opener-Policy": "same-origin"} {
		if h.Get(name) != want {
			t.Errorf("%s: %s is %q", path, name, h.Get(name))
		}
	}
}

func unzip(t *testing.T, b []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestUnknownLinkInTheBrowser also proves that a tab reports what goes wrong on its console.
func TestUnknownLinkInTheBrowser(t *testing.T) {
	p := newPage(t)
	p.open(native(t).url + "/s/none")
	if got := p.text("h1"); !strings.Contains(got, "nothing at this address") {
		t.Errorf("the page says %q", got)
	}
	eval[bool](p, "console.error('boom'), setTimeout(() => { throw new Error('bang') }, 0), true")
	eval[bool](p, "new Promise(done => setTimeout(() => done(true), 1))")
	all := strings.Join(p.consoleErrors(), "\n")
	for _, want := range []string{"404", "boom", "bang"} {
		if !strings.Contains(all, want) {
			t.Errorf("the console lacks %q:\n%s", want, all)
		}
	}
	p.allow("404|boom|bang")
}
