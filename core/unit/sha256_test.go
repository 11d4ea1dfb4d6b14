package unit

import (
	"crypto/sha256"
	"testing"
)

func TestSHA256(t *testing.T) {
	b := make([]byte, 1000)
	for n := range b {
		b[n] = byte(n * 7 >> 2)
		if got, want := sum256(b[:n]), sha256.Sum256(b[:n]); got != want || SHA256(b[:n]) != want {
			t.Fatalf("of %d bytes: %x, want %x", n, got, want)
		}
	}
}
