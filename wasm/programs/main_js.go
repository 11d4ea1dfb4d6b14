// Command programs is the engine that also runs programs which somebody wrote, and takes recorded decisions again. The
// page loads it when a lane has one: its evaluator is a tenth of it, and Go's WebAssembly cannot be linked later.
package main

import (
	"hadarlab/core/policy/own/replay"
	_ "hadarlab/core/policy/own/starlark"
	"hadarlab/wasm/serve"
)

func main() {
	replay.Offer() // what it runs, the page's own reader has opened
	serve.Engine()
}
