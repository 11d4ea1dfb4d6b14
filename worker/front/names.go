//go:build !js

package front

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// names are what the server answers to. A page of anybody's may give its own name this machine's address (DNS
// rebinding); the browser then takes the server for a part of that page and lets it read and write here. The name
// that such a page asks under is never one of these.
type names map[string]bool

func newNames(addr net.Addr, more []string) names {
	n := names{"localhost": true}
	for _, name := range more {
		n[bare(name)] = true
	}
	ip := hostIP(addr)
	if ip.IsLoopback() {
		return n
	}
	if name, err := os.Hostname(); err == nil {
		n[bare(name)] = true
		n[bare(name)+".local"] = true
	}
	return n
}

// allow tells whether a request asks for this server: by one of its names, or by the address at which it came in.
func (n names) allow(r *http.Request) bool {
	host := bare(r.Host)
	if ip, err := netip.ParseAddr(host); err == nil {
		local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		return ip.IsLoopback() || ip.Unmap() == hostIP(local) || n[host]
	}
	return host != "" && n[host]
}

// bare is a host without port, brackets, capitals and the dot of the root.
func bare(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
}

// hostIP is the address of a TCP end, the zero Addr when there is none.
func hostIP(addr net.Addr) netip.Addr {
	if tcp, ok := addr.(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}

func wrongName(w http.ResponseWriter, r *http.Request) {
	refuse(w, r, http.StatusMisdirectedRequest, fmt.Sprintf("this server does not answer to the name %q", bare(r.Host)),
		jsondoc.Error("", "wrong-host",
			words.Say("it answers to localhost, to its own addresses and to the names it was started with"),
			words.Say("open it by one of these, or start it with --host and the name")))
}
