package unit

// SHA256 is the SHA-256 of b.
func SHA256(b []byte) [32]byte { return sum256(b) }
