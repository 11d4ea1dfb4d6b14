package html

import (
	"strings"
	"testing"
)

func TestQRCodeGrowsWithItsText(t *testing.T) {
	size := func(n int) string {
		svg := QRCode(strings.Repeat("a", n))
		_, rest, _ := strings.Cut(svg, `viewBox="0 0 `)
		side, _, _ := strings.Cut(rest, " ")
		return side
	}
	// ISO/IEC 18004, level L, bytes: version 1 holds 17 and has 21 modules a side, version 10 holds 271 and has 57.
	for n, want := range map[int]string{1: "29", 17: "29", 18: "33", 271: "65", 272: "69", 2953: "185"} {
		if got := size(n); got != want {
			t.Errorf("%d bytes: %s modules with the quiet zone, want %s", n, got, want)
		}
	}
	if QRCode(strings.Repeat("a", 2954)) != "" {
		t.Error("a text beyond version 40 gets a code")
	}
}

// TestLoopback: a link to a local address is told from one that others can open.
func TestLoopback(t *testing.T) {
	for origin, want := range map[string]bool{
		"http://localhost:8080": true, "http://localhost": true, "http://localhost/#handin=1z.a": true,
		"https://lab.localhost:8443": true,
		"http://127.0.0.1:8080":      true, "http://127.8.9.10": true, "http://[::1]:8080": true, "http://[::1]": true,
		"https://hadarlab.example": false, "http://192.168.1.2:8080": false, "http://127.example.org": false,
		"https://localhost.example.org": false, "http://[fe80::1]:8080": false, "": false,
	} {
		if Loopback(origin) != want {
			t.Errorf("%s: local is %v", origin, !want)
		}
	}
}
