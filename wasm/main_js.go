// Command wasm is the one program that is compiled to WebAssembly. Where there is a document it is the
// page; in a Web Worker it is the engine: bytes to core/lab, in slices, so that a message gets in between.
package main

import (
	"runtime/debug"
	"syscall/js"

	"hadarlab/app/ui"
	"hadarlab/wasm/serve"
)

func main() {
	if js.Global().Get("document").IsUndefined() {
		serve.Engine(nil)
	}
	// A collection takes tens of milliseconds of the page's thread, and a few megabytes are live: 32 MB are
	// used before the first one.
	debug.SetGCPercent(800)
	ui.StartPage()
}
