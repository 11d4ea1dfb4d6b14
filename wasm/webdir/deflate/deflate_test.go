package deflate

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// TestGzip: everything comes back as it was, read by another's reader.
func TestGzip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := func(n, letters int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(random.IntN(letters))
		}
		return string(b)
	}
	// Bytes from ever fewer letters, so that codes come to be as wide as they may.
	var rare strings.Builder
	for i := range 20 {
		rare.WriteString(strings.Repeat(string(rune('a'+i)), 1<<i/8+1))
	}
	far := noise(100, 256)
	border := noise(piece-2000, 256)
	for name, text := range map[string]string{
		"empty":                         "",
		"one byte":                      "a",
		"two bytes":                     "ab",
		"one letter":                    strings.Repeat("a", 3*maxMatch+1),
		"every byte":                    noise(5000, 256),
		"two letters":                   noise(5000, 2),
		"wide codes":                    rare.String(),
		"as far back as a match goes":   far + noise(window-len(far), 256) + far,
		"farther back than it goes":     far + noise(window-len(far)+1, 256) + far,
		"a match to a piece's end":      border + far + noise(1800, 256) + far,
		"a match over a piece's end":    border + far + noise(1850, 256) + far + "the end",
		"parts that have other letters": noise(20000, 9) + noise(20000, 200) + strings.Repeat("the same again ", 3000),
	} {
		packed := Gzip([]byte(text))
		if got := gunzip(t, packed); got != text {
			t.Errorf("%s: %d bytes become %d others", name, len(text), len(got))
		}
	}
}

// TestSmaller: this package's own source, which is short, becomes some percent smaller than compress/gzip makes it.
func TestSmaller(t *testing.T) {
	var all []byte
	for _, name := range []string{"deflate.go", "block.go", "write.go"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	var usual bytes.Buffer
	z, err := gzip.NewWriterLevel(&usual, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	z.Write(all)
	z.Close()
	if got := len(Gzip(all)); float64(got) > 0.97*float64(usual.Len()) {
		t.Errorf("%d bytes, and compress/gzip makes %d", got, usual.Len())
	}
}

// TestCodes: no code is wider than it may be, and together they leave nothing unsaid.
func TestCodes(t *testing.T) {
	fibonacci := []int{1, 1}
	for len(fibonacci) < 40 {
		n := len(fibonacci)
		fibonacci = append(fibonacci, fibonacci[n-1]+fibonacci[n-2])
	}
	for _, c := range []struct {
		counts []int
		limit  int
		widest int
	}{
		{[]int{0, 0, 0}, 15, 1}, {[]int{0, 7, 0}, 15, 1}, {[]int{5, 7}, 15, 1}, {[]int{1, 1, 2, 4}, 15, 3},
		{fibonacci[:10], 15, 9}, {fibonacci, 15, 15}, {fibonacci[:headCount], 7, 7},
	} {
		widest, full := 0, 0
		for _, code := range codes(c.counts, c.limit) {
			widest = max(widest, code.width)
			if code.width > 0 {
				full += 1 << (c.limit - code.width)
			}
		}
		if full != 1<<c.limit || widest > c.limit || c.widest < c.limit && widest != c.widest {
			t.Errorf("codes for %v: the widest has %d bits, %d of %d words are taken", c.counts, widest, full, 1<<c.limit)
		}
	}
}

func gunzip(t *testing.T, packed []byte) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	z.Multistream(false)
	b, err := io.ReadAll(z)
	if err != nil {
		t.Error(err)
	}
	return string(b)
}
