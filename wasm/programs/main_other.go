//go:build !js

// Command programs is an engine for the page; it runs in a browser only. `make run` builds and serves it.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "programs: this program runs in a browser; `make run` builds and serves it")
	os.Exit(2)
}
