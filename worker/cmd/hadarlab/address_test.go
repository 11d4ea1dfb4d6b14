//go:build !js

package main

import (
	"bytes"
	"net"
	"slices"
	"strings"
	"testing"
)

// TestReachable: what is printed can be opened by whoever is meant, and others are never let in without a word.
func TestReachable(t *testing.T) {
	own := func(list ...string) (out []net.Addr) {
		for _, s := range list {
			ip, n, err := net.ParseCIDR(s)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, &net.IPNet{IP: ip, Mask: n.Mask})
		}
		return out
	}
	some := own("127.0.0.1/8", "::1/128", "192.168.7.20/24", "169.254.3.4/16", "fe80::1/64", "2001:db8::5/64")
	for _, tt := range []struct {
		at   string
		own  []net.Addr
		want []string
		open bool
	}{
		{"127.0.0.1:8080", some, []string{"localhost:8080"}, false},
		{"[::1]:80", some, []string{"localhost:80"}, false},
		{"192.168.7.20:8080", some, []string{"192.168.7.20:8080"}, true},
		{"[2001:db8::5]:8080", some, []string{"[2001:db8::5]:8080"}, true},
		{"0.0.0.0:8080", some, []string{"192.168.7.20:8080"}, true},
		{"[::]:8080", append(some, own("10.0.0.3/8")...), []string{"192.168.7.20:8080", "10.0.0.3:8080"}, true},
		{"[::]:8080", own("::1/128", "2001:db8::5/64"), []string{"[2001:db8::5]:8080"}, true},
		{"[::]:8080", nil, []string{"localhost:8080"}, true},
	} {
		at, err := net.ResolveTCPAddr("tcp", tt.at)
		if err != nil {
			t.Fatal(err)
		}
		if got, open := reachable(at, tt.own); !slices.Equal(got, tt.want) || open != tt.open {
			t.Errorf("%s is at %q, open %v; want %q, %v", tt.at, got, open, tt.want, tt.open)
		}
	}
	for at, warned := range map[string]bool{"127.0.0.1:8080": false, "0.0.0.0:8080": true} {
		var b bytes.Buffer
		tcp, err := net.ResolveTCPAddr("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		announce(&b, tcp, "")
		if got := strings.Contains(b.String(), "--addr 127.0.0.1"); got != warned ||
			!strings.HasPrefix(b.String(), "Hadarlab is at http://") {
			t.Errorf("%s: %s", at, b.String())
		}
	}
}

func TestVersion(t *testing.T) {
	_, want, _ := try("version")
	for _, args := range [][]string{{"version"}, {"--version"}, {"-version"}} {
		if code, out, err := try(args...); code != exitOK || err != "" || out != want ||
			!strings.Contains(out, ", commit ") {
			t.Errorf("%v: %d %q %q", args, code, out, err)
		}
	}
	if code, _, err := try("--version", "now"); code != exitUsage || !strings.Contains(err, "no arguments") {
		t.Errorf("with an argument: %d %q", code, err)
	}
}
