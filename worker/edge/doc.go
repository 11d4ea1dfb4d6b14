//go:build !(js && wasm)

// Package edge is what the two Workers at the edge have in common; see edge.go.
package edge
