//go:build !small

package unit

// Small is false where a program has room for everything.
const Small = false
