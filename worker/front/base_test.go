//go:build !js

package front

import (
	"fmt"
	"net"
	"net/http"
	"testing"
)

// TestBase: paths come with the base or, from a proxy that takes it off, without; what sends a client elsewhere has it;
// routes are counted as they are without one.
func TestBase(t *testing.T) {
	h := New(routed(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/from" {
			http.Redirect(w, r, "/to?x=/lab", http.StatusSeeOther)
			return
		}
		fmt.Fprint(w, r.Pattern, " ", r.URL.Path, " ", r.URL.EscapedPath(), " ", r.URL.RawQuery)
	}), Options{Addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, Base: "/lab", LargestBody: 1 << 20})
	for path, want := range map[string]string{
		"/lab/":             "/ / / ",
		"/":                 "/ / / ",
		"/lab/s/abc?q=/lab": "/s/{id} /s/abc /s/abc q=/lab",
		"/s/abc":            "/s/{id} /s/abc /s/abc ",
		"/lab/%23a%2fb":     "/ /#a/b /%23a%2fb ",
		"/labour":           "/ /labour /labour ",
		"/lab/lab/x":        "/ /lab/x /lab/x ",
	} {
		if w := ask(h, "GET", path, "localhost", "127.0.0.1", nil); w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("%s: %d %q, want %q", path, w.Code, w.Body, want)
		}
	}
	for path, want := range map[string]string{"/lab": "/lab/", "/lab/from": "/lab/to?x=/lab",
		"/from": "/lab/to?x=/lab"} {
		w := ask(h, "GET", path, "localhost", "127.0.0.1", nil)
		if w.Code/100 != 3 || w.Header().Get("Location") != want {
			t.Errorf("%s: %d to %q, want %q", path, w.Code, w.Header().Get("Location"), want)
		}
	}
	if got := h.counts.requests[[3]string{"/s/{id}", "GET", "200"}]; got != 2 {
		t.Errorf("%d requests are counted for the route, not 2", got)
	}
}
