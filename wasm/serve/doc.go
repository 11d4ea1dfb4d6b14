// Package serve is the engine in a Web Worker: messages to core/lab by way of wasm/loop.
package serve
