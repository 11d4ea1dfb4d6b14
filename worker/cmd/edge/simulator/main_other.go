//go:build !(js && wasm)

// Command simulator runs in the edge runtime; see main.go. Elsewhere it only says so.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "edge: this program runs in the edge runtime only; start it with `make edge`")
	os.Exit(2)
}
