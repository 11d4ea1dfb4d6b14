package platform

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// TakesRuns asks whether the server that the page came from has a queue for runs of an engine: 1, 0, or -1 when it was
// not reached.
func TakesRuns(engine string, done func(takes int)) {
	js().Call("takesRuns", engine, once(func(args []app.Value) { done(args[0].Int()) }))
}

// RunOnServer sends a request of a run to the server, and passes on what the engine would answer. There is one such
// run at a time.
func RunOnServer(id int64, request []byte, answer func([]byte)) {
	if serving != nil {
		serving.Release()
	}
	serving = app.FuncOf(func(_ app.Value, args []app.Value) any { answer(bytes(args[0])); return nil })
	js().Call("runOnServer", id, array(request), serving)
}

var serving app.Func

// StopOnServer ends that run. Unless all is dropped, what was done by then is answered.
func StopOnServer(drop bool) { js().Call("stopOnServer", drop) }
