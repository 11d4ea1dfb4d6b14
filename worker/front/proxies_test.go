//go:build !js

package front

import (
	"net/http/httptest"
	"testing"
)

// TestProxies: what a request says of where it came from counts only as far as proxies that are known said it.
func TestProxies(t *testing.T) {
	var none, known Proxies
	if err := known.Set("127.0.0.1, 10.1.0.0/16"); err != nil {
		t.Fatal(err)
	}
	if err := known.Set("2001:db8::/32"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		proxies Proxies
		at      string
		said    []string
		want    string
	}{
		{none, "127.0.0.1:9", []string{"198.51.100.1"}, "127.0.0.1"},
		{known, "192.0.2.1:9", []string{"198.51.100.1"}, "192.0.2.1"},
		{known, "127.0.0.1:9", nil, "127.0.0.1"},
		{known, "127.0.0.1:9", []string{"203.0.113.5, 198.51.100.1"}, "198.51.100.1"},
		{known, "127.0.0.1:9", []string{"203.0.113.5", "198.51.100.1"}, "198.51.100.1"},
		{known, "127.0.0.1:9", []string{"203.0.113.5, 198.51.100.1, 10.1.2.3"}, "198.51.100.1"},
		{known, "[::ffff:127.0.0.1]:9", []string{"198.51.100.1:4711"}, "198.51.100.1"},
		{known, "[2001:db8::7]:9", []string{"10.2.0.1"}, "10.2.0.1"},
		{known, "127.0.0.1:9", []string{"198.51.100.1, made up"}, "127.0.0.1"},
		{known, "127.0.0.1:9", []string{"10.1.0.1"}, "10.1.0.1"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = tt.at
		for _, v := range tt.said {
			r.Header.Add("X-Forwarded-For", v)
		}
		if got := tt.proxies.Client(r); got != tt.want {
			t.Errorf("%v, from %s, which says %q: %s, want %s", tt.proxies, tt.at, tt.said, got, tt.want)
		}
	}
	for _, bad := range []string{"", "proxy.example", "10.0.0.0/33", "10.0.0.1,"} {
		if err := new(Proxies).Set(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
