//go:build !js

package unit

import "crypto/sha256"

// SHA256 is the SHA-256 of b.
func SHA256(b []byte) [32]byte { return sha256.Sum256(b) }
