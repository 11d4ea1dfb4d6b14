// Package core is the parent of the pure core: bytes in, bytes out, the same on every target. It has
// no code of its own; its test holds every package to the layer table of ARCHITECTURE.md.
package core
