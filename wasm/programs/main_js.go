// Command programs is the engine that also runs programs which somebody wrote, takes recorded decisions again and reads
// recorded traces. The page loads it when a lane has one, or a trace is opened: its evaluator is a tenth of it, and
// Go's WebAssembly cannot be linked later.
package main

import (
	"hadarlab/core/imports"
	"hadarlab/core/policy/own/replay"
	_ "hadarlab/core/policy/own/starlark"
	"hadarlab/wasm/serve"
)

func main() {
	replay.Offer() // what it runs, the page's own reader has opened
	serve.Engine(imports.Answer)
}
