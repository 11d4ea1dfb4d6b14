package platform

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// Worker is a Web Worker that runs the engine.
type Worker struct {
	v                app.Value
	message, failure app.Func
}

// NewWorker starts one from the module that the page itself runs, compiled once. onMessage gets every
// message, onFailure the reason when the worker dies.
func NewWorker(onMessage func([]byte), onFailure func(string)) *Worker {
	w := &Worker{}
	w.message = callback(func(args []app.Value) any { onMessage(bytes(args[0])); return nil })
	w.failure = callback(func(args []app.Value) any { onFailure(text(args[0])); return nil })
	w.v = js().Call("worker", w.message, w.failure)
	return w
}

// Post sends bytes; they are moved, not copied again.
func (w *Worker) Post(b []byte) { w.v.Call("post", array(b)) }

// Stop ends the worker at once. No message comes after it.
func (w *Worker) Stop() {
	w.v.Call("stop")
	w.message.Release()
	w.failure.Release()
}
