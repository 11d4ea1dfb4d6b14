//go:build !js

// Command wasm is the page and its engine; it runs in a browser only. `make run` builds and serves it.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "wasm: this program runs in a browser; `make run` builds and serves it")
	os.Exit(2)
}
