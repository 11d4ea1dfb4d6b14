package unit

import "math/bits"

// SHA256 hashes what is written to it (FIPS 180-4). It is our own because crypto/sha256 comes with ciphers, other
// hashes and their tests at the program's start, which no linker leaves out: 30 kB of what every visitor of the page
// loads. It names scenarios and traces and seeds streams, and guards no secret.
type SHA256 struct {
	sum  [8]uint32
	rest [64]byte // what was written since the last whole block, and
	n    uint64   // how many bytes in all
}

// NewSHA256 is a hash of nothing yet.
func NewSHA256() *SHA256 {
	return &SHA256{sum: [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
		0x5be0cd19}}
}

// Sum256 is the SHA-256 of b.
func Sum256(b []byte) [32]byte {
	h := NewSHA256()
	h.Write(b)
	return h.Sum()
}

// Write adds b to what is hashed.
func (h *SHA256) Write(b []byte) {
	at := int(h.n % 64)
	h.n += uint64(len(b))
	if at > 0 {
		took := copy(h.rest[at:], b)
		if at+took < 64 {
			return
		}
		h.block(&h.rest)
		b = b[took:]
	}
	for ; len(b) >= 64; b = b[64:] {
		h.block((*[64]byte)(b))
	}
	copy(h.rest[:], b)
}

// Sum is the hash of all that was written, after which nothing more may be.
func (h *SHA256) Sum() (sum [32]byte) {
	long := 8 * h.n // in bits
	end := make([]byte, 64-(h.n+8)%64, 72)
	end[0] = 0x80
	for shift := 56; shift >= 0; shift -= 8 {
		end = append(end, byte(long>>shift))
	}
	h.Write(end)
	for i := range sum {
		sum[i] = byte(h.sum[i/4] >> (24 - 8*(i%4)))
	}
	return sum
}

func (h *SHA256) block(p *[64]byte) {
	var w [64]uint32
	for i := range 16 {
		w[i] = uint32(p[4*i])<<24 | uint32(p[4*i+1])<<16 | uint32(p[4*i+2])<<8 | uint32(p[4*i+3])
	}
	for i := 16; i < 64; i++ {
		x, y := w[i-2], w[i-15]
		w[i] = w[i-16] + w[i-7] + (bits.RotateLeft32(x, -17) ^ bits.RotateLeft32(x, -19) ^ x>>10) +
			(bits.RotateLeft32(y, -7) ^ bits.RotateLeft32(y, -18) ^ y>>3)
	}
	s := &h.sum
	a, b, c, d, e, f, g, k := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
	for i := range w {
		x := k + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (e&f ^ ^e&g) +
			sha256Round[i] + w[i]
		y := (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&b ^ a&c ^ b&c)
		a, b, c, d, e, f, g, k = x+y, a, b, c, d+x, e, f, g
	}
	for i, v := range [8]uint32{a, b, c, d, e, f, g, k} {
		s[i] += v
	}
}

// sha256Round are the first 32 bits of the fractions of the cube roots of the first 64 primes.
var sha256Round = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}
