//go:build !js

package front

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the networks of the proxies that a server is reached through. Only they are believed in where a request
// came from: anybody may send X-Forwarded-For, and who is told from others by it could be somebody new each time.
type Proxies []netip.Prefix

// String implements flag.Value.
func (p *Proxies) String() string { return "" }

// Set adds an address, a network as 10.0.0.0/8, or several with commas between them; it implements flag.Value.
func (p *Proxies) Set(text string) error {
	for one := range strings.SplitSeq(text, ",") {
		one = strings.TrimSpace(one)
		prefix, err := netip.ParsePrefix(one)
		if err != nil {
			ip, err := netip.ParseAddr(one)
			if err != nil {
				return fmt.Errorf("is no address and no network (give those of the proxies, as 127.0.0.1 or 10.0.0.0/8)")
			}
			prefix = netip.PrefixFrom(ip, ip.BitLen())
		}
		*p = append(*p, prefix.Masked())
	}
	return nil
}

// Client is the address that a request came from: that of the connection, or, where a proxy made that, the last one in
// X-Forwarded-For that is none of the proxies'. What stands before that was sent by the client.
func (p Proxies) Client(r *http.Request) string {
	at := r.RemoteAddr
	if host, err := netip.ParseAddrPort(at); err == nil {
		at = host.Addr().String()
	}
	named := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, next := range slices.Backward(named) {
		next = strings.TrimSpace(next)
		if !p.has(at) || next == "" {
			break
		}
		if host, err := netip.ParseAddrPort(next); err == nil { // some proxies name the port
			next = host.Addr().String()
		}
		if _, err := netip.ParseAddr(next); err != nil {
			break
		}
		at = next
	}
	return at
}

func (p Proxies) has(address string) bool {
	ip, err := netip.ParseAddr(address)
	ip = ip.Unmap().WithZone("")
	return err == nil && slices.ContainsFunc(p, func(n netip.Prefix) bool { return n.Contains(ip) })
}
