package gate

import "testing"

// TestNoAddressIsKept: of an address only its network is used.
func TestNoAddressIsKept(t *testing.T) {
	for address, want := range map[string]string{"192.0.2.7:80": "192.0.2.0/24",
		"[2001:db8:1:2::3]:80": "2001:db8:1::/48",
		"203.0.113.9":          "203.0.113.0/24", "": "", "nonsense": "", "[::ffff:192.0.2.9]:1": "192.0.2.0/24"} {
		if got := network(address); got != want {
			t.Errorf("%s is of %q, want %q", address, got, want)
		}
	}
}
