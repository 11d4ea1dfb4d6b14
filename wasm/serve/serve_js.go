package serve

import (
	"syscall/js"
	"time"

	"hadarlab/core/message"
	"hadarlab/wasm/loop"
)

// worker is the Web Worker that the engine's loop stands on. Slices of work alternate with messages by way of a
// channel to itself.
type worker struct {
	channel js.Value // kept: Go lets go of what it does not use again, and only the browser uses its receiving end
	out     js.Value // its sending end
}

func (w worker) Wake()        { w.out.Call("postMessage", js.Null()) }
func (worker) Now() time.Time { return time.Now() }

// Post moves the bytes to the page; they are not copied again.
func (worker) Post(b []byte) {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	buffer := array.Get("buffer")
	js.Global().Call("postMessage", buffer, []any{buffer})
}

// Engine answers the messages of a Web Worker; imports reads traces, nil = it reads none. It does not return.
func Engine(imports func(*message.ImportRequest, []byte) (*message.Imported, []byte)) {
	channel := js.Global().Get("MessageChannel").New()
	engine := loop.New(worker{channel, channel.Get("port2")})
	engine.Import = imports
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		engine.Work()
		return nil
	}))
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		array := js.Global().Get("Uint8Array").New(args[0].Get("data"))
		b := make([]byte, array.Get("byteLength").Int())
		js.CopyBytesToGo(b, array)
		engine.Receive(b)
		return nil
	}))
	select {}
}
