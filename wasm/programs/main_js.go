// Command programs is the engine that also runs programs which somebody wrote. The page loads it when a lane has one:
// its evaluator is a tenth of it, and Go's WebAssembly cannot be linked later.
package main

import (
	_ "hadarlab/core/policy/own/starlark"
	"hadarlab/wasm/serve"
)

func main() { serve.Engine() }
