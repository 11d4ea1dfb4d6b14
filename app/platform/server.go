package platform

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// TakesRuns says whether the server that the page came from is known to have a queue for runs of an engine. The first
// call asks it.
func TakesRuns(engine string) bool { return js().Call("takesRuns", engine).Bool() }

// RunOnServer sends a request of a run to the server, and passes on what the engine would answer. There is one such
// run at a time.
func RunOnServer(id int64, request []byte, answer func([]byte)) {
	if serving != nil {
		serving.Release()
	}
	serving = callback(func(args []app.Value) any { answer(bytes(args[0])); return nil })
	js().Call("runOnServer", id, array(request), serving)
}

var serving app.Func

// StopOnServer ends that run. Unless all is dropped, what was done by then is answered.
func StopOnServer(drop bool) { js().Call("stopOnServer", drop) }
