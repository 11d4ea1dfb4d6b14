package unit

import (
	"crypto/sha256"
	"testing"
)

// TestSum256: the hash is Go's own for every length around a block's, written whole and in pieces of every length.
func TestSum256(t *testing.T) {
	b := make([]byte, 200)
	for i := range b {
		b[i] = byte(i * 7)
	}
	for n := range b {
		want := sha256.Sum256(b[:n])
		if got := Sum256(b[:n]); got != want {
			t.Fatalf("of %d bytes %x, want %x", n, got, want)
		}
		for piece := 1; piece <= n; piece++ {
			h := NewSHA256()
			for rest := b[:n]; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
				h.Write(rest[:min(piece, len(rest))])
			}
			if got := h.Sum(); got != want {
				t.Fatalf("of %d bytes in pieces of %d %x, want %x", n, piece, got, want)
			}
		}
	}
}

func BenchmarkSum256(b *testing.B) {
	data := make([]byte, 1<<20)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		Sum256(data)
	}
}
