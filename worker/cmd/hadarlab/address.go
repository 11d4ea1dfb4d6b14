//go:build !js

package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
)

// announce prints where the lab is. An address that others can open comes with what that means.
func announce(w io.Writer, at net.Addr, base string) {
	own, err := net.InterfaceAddrs()
	if err != nil {
		own = nil // the machine's own name for itself has to do
	}
	hosts, open := reachable(at, own)
	if base != "" {
		base += "/"
	}
	for i, host := range hosts {
		lead := "Hadarlab is at"
		if i > 0 {
			lead = "            and"
		}
		fmt.Fprintf(w, "%s http://%s%s\n", lead, host, base)
	}
	if open {
		fmt.Fprint(
			w,
			"Everybody who reaches this machine can open the lab, store scenarios and start runs: it has no accounts, and what is\n"+
				"sent is not encrypted. For this machine alone: --addr 127.0.0.1:8080.\n")
	}
}

// reachable are the addresses under which a browser can open what listens at an address, and whether one on another
// machine can. A server on all addresses of the machine is at each of its own, by IPv6 only if there is no other.
func reachable(at net.Addr, own []net.Addr) (hosts []string, open bool) {
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return []string{at.String()}, true
	}
	ip := net.ParseIP(host)
	switch {
	case ip == nil || !ip.IsLoopback() && !ip.IsUnspecified():
		return []string{at.String()}, true
	case ip.IsLoopback():
		return []string{net.JoinHostPort("localhost", port)}, false
	}
	var six []string
	for _, a := range own {
		n, ok := a.(*net.IPNet)
		switch {
		case !ok || !n.IP.IsGlobalUnicast():
		case n.IP.To4() != nil:
			hosts = append(hosts, net.JoinHostPort(n.IP.String(), port))
		default:
			six = append(six, net.JoinHostPort(n.IP.String(), port))
		}
	}
	if len(hosts) == 0 {
		hosts = six
	}
	if len(hosts) == 0 {
		hosts = []string{net.JoinHostPort("localhost", port)}
	}
	return hosts, true
}

func listenAdvice(addr string, err error) string {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return addr +
			" is in use by another program (end that, or choose another port: --addr 127.0.0.1:8081, make run ADDR=127.0.0.1:8081)"
	case errors.Is(err, syscall.EACCES):
		return addr + " may not be used without more rights (choose a port above 1023 with --addr)"
	}
	return fmt.Sprintf("cannot listen on %s: %v (give --addr as HOST:PORT, for example 127.0.0.1:8080)", addr, err)
}
