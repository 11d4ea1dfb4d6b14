// Package platform is the page's way to what go-app does not reach of the browser: storage, clipboard, files, the
// network, the address, focus, the engine's Web Worker and the canvas. Everything is a small call into page.js, which
// turns promises and exceptions into plain callbacks. Outside a browser all of it does nothing.
//
// It knows nothing of scenarios or of the page's state.
package platform

import (
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// js is the object that page.js leaves for this package.
func js() app.Value { return app.Window().Get("hadarlab") }

// Failed takes what a callback panicked with. The page sets it.
var Failed = func(any) {}

// callback makes a function that the browser may call. Its panic would end the program.
func callback(f func(args []app.Value) any) app.Func {
	return app.FuncOf(func(_ app.Value, args []app.Value) (answer any) {
		defer func() {
			if r := recover(); r != nil {
				answer = nil
				Failed(r)
			}
		}()
		return f(args)
	})
}

// once makes a callback that is released after its first call.
func once(f func(args []app.Value)) app.Func {
	var fn app.Func
	fn = callback(func(args []app.Value) any {
		defer fn.Release()
		f(args)
		return nil
	})
	return fn
}

// bytes copies a Uint8Array.
func bytes(v app.Value) []byte {
	if !v.Truthy() {
		return nil
	}
	b := make([]byte, v.Get("byteLength").Int())
	app.CopyBytesToGo(b, v)
	return b
}

// array makes a Uint8Array.
func array(b []byte) app.Value {
	v := app.Window().Get("Uint8Array").New(len(b))
	app.CopyBytesToJS(v, b)
	return v
}

// text is a string, empty for anything else.
func text(v app.Value) string {
	if v.Type() != app.TypeString {
		return ""
	}
	return v.String()
}

// Boot is the data that the page was built with.
func Boot() []byte { return []byte(text(js().Call("boot"))) }

// Address is where the page is: path below the lab's, query and fragment as the reader opened them, even where the
// fragment is not well-formed.
func Address() (path, query, fragment string) {
	a := js().Call("address")
	return text(a.Get("path")), text(a.Get("query")), text(a.Get("fragment"))
}

// Embedded says that the page is one of those that other sites show.
func Embedded() bool { return js().Get("embedded").Truthy() }

// Home is the address of the lab without the slash at its end. What begins with a slash behind it is the lab's own
// address, wherever the lab lies.
func Home() string { return text(js().Get("home")) }

// Site says that the page comes from a static site, which stores and runs nothing.
func Site() bool { return js().Get("site").Truthy() }

// At is an address of the lab's own, which begins with a slash, as the browser needs it; another stays as it is. The
// page // that is drawn when it is built does not know yet where it will lie.
func At(address string) string {
	if !strings.HasPrefix(address, "/") {
		return address
	}
	base := "./"
	if app.IsClient {
		base = text(js().Get("base"))
	}
	return base + address[1:]
}

// Opening is what the browser remembers with the present address, 0 = nothing of this tab.
func Opening() int { return js().Call("opening").Int() }

// Safe says that the address asks for a page that goes on with nothing.
func Safe() bool { return js().Get("safe").Truthy() }

// SetAddress changes the address without loading anything, unless path is empty, and has the browser remember a number
// with it. push makes it a place of its own for Back and Forward.
func SetAddress(path string, opening int, push bool) {
	js().Call("setAddress", At(path), opening, push)
}

// Visit leaves for another page.
func Visit(address string) { app.Window().Get("location").Call("assign", At(address)) }

// Unveil shows the page, which the shell hides while something other than the example is being opened.
func Unveil() { js().Call("unveil") }

// OnAddress calls f when the reader changes the address by hand or goes back.
func OnAddress(f func()) {
	js().Call("onAddress", callback(func([]app.Value) any { f(); return nil }))
}

// Keep stores a text for this tab under a name; false when the browser refuses.
func Keep(name, value string) bool { return js().Call("keep", name, value).Bool() }

// Kept reads a text of this tab, empty when there is none.
func Kept(name string) string { return text(js().Call("kept", name)) }

// Unkeep forgets a text of this tab.
func Unkeep(name string) { js().Call("unkeep", name) }

// KeptNames are the names of this tab's texts that begin so.
func KeptNames(prefix string) []string { return strings.Fields(text(js().Call("keptNames", prefix))) }

// Store keeps a text in this browser, for all its tabs; false = it does not.
func Store(name, value string) bool { return js().Call("store", name, value).Bool() }

// Stored reads such a text, empty when there is none.
func Stored(name string) string { return text(js().Call("stored", name)) }

// Now is the reader's date and time, in words.
func Now() string { return text(js().Call("now")) }

// Millis is a clock in ms. A time.Time within a value that is used through an interface would bring all that can be
// made of a time.
func Millis() int64 { return time.Now().UnixMilli() }

// When words a time, Unix ms, in a language and by the reader's own clock, as Tuesday 1 December at 14:00.
func When(ms int64, language string) string {
	if !app.IsClient {
		return ""
	}
	return text(js().Call("when", float64(ms), language))
}

// Local is a time, Unix ms, as a field for a date and a time of day has it, "" = 0. Go knows today's offset alone.
func Local(ms int64) string {
	if !app.IsClient {
		return ""
	}
	return text(js().Call("local", float64(ms)))
}

// Moment is what such a field says, Unix ms, 0 = nothing.
func Moment(local string) int64 { return int64(js().Call("moment", local).Float()) }

// Copy puts a text on the clipboard.
func Copy(s string, done func(ok bool)) {
	js().Call("copy", s, once(func(args []app.Value) { done(args[0].Bool()) }))
}

// Fetch asks the server the page came from, with a token unless that is empty. Status is 0 when it was not reached.
func Fetch(method, path, token string, body []byte, done func(status int, body []byte)) {
	js().Call("fetch", method, At(path), token, string(body), once(func(args []app.Value) {
		done(args[0].Int(), bytes(args[1]))
	}))
}

// Follow tells every message about the class of a path, as class.js says; an empty path ends it.
func Follow(path string, tell func(status int, body string)) {
	if following != nil {
		following.Release()
	}
	following = callback(func(args []app.Value) any { tell(args[0].Int(), text(args[1])); return nil })
	js().Call("follow", At(path), following)
}

var following app.Func

// After calls f after some ms, in a task of its own.
func After(ms int, f func()) {
	js().Call("after", ms, once(func([]app.Value) { f() }))
}

// OnDrawn has f called for whoever asks, as tests do, to be told when the page has drawn what it has taken in.
func OnDrawn(f func(done func())) {
	js().Set("drawn", callback(func(args []app.Value) any {
		f(func() { args[0].Invoke() })
		return nil
	}))
}

// Bytes copies a part of a file out of the program's memory.
func Bytes(data []byte) any { return array(data) }

// Download hands a file to the reader, which consists of the parts that Bytes has copied.
func Download(name, mime string, parts ...any) {
	js().Call("download", append([]any{name, mime}, parts...)...)
}

// PickFile lets the reader choose a file; done is not called when the choice is abandoned. problem is set
// for a file beyond most bytes, and for one that cannot be read. To read takes a while: what now says when the file is
// chosen is handed to done.
func PickFile(accept string, most int, now func() int64, done func(name string, data []byte, problem string,
	chosen int64)) {
	js().Call("pickFile", accept, most, nowFunc(now), fileFunc(done))
}

// OnDrop calls done for every file dropped on the page.
func OnDrop(most int, now func() int64, done func(name string, data []byte, problem string, chosen int64)) {
	js().Call("onDrop", most, nowFunc(now), fileFunc(done))
}

func nowFunc(now func() int64) app.Func {
	return callback(func([]app.Value) any { return now() })
}

func fileFunc(done func(string, []byte, string, int64)) app.Func {
	return callback(func(args []app.Value) any {
		done(text(args[0]), bytes(args[1]), text(args[2]), int64(args[3].Float()))
		return nil
	})
}

// Focus moves the keyboard's focus to the first match, once it is there.
func Focus(selector string) { js().Call("focus", selector) }

// ShowModal opens a dialog over the page.
func ShowModal(id string) { js().Call("showModal", id) }

// Enter moves the keyboard's focus to a field, if there is one, and selects its text.
func Enter(selector string) { js().Call("enter", selector) }

// ToggleTheme switches between light and dark, and remembers it where the browser allows.
func ToggleTheme() { js().Call("toggleTheme") }

// TogglePatterns puts patterns upon the colours of jobs, or takes them away, and remembers it where the browser allows.
func TogglePatterns() { js().Call("togglePatterns") }

// ToggleEvidence leads from the first screen to everything, or back, and remembers it where the browser allows.
func ToggleEvidence() { js().Call("toggleEvidence") }

// Early is the number that the reader has set on the first screen before the program was there, -1 = none.
func Early() int { return js().Get("early").Int() }

// Glide lets the bars of lanes that have been run anew come from where they stood.
func Glide() { js().Call("glide") }

// Layout tells what the keys at the places of W, A, S and D are called on the reader's keyboard, where the browser says
// it.
func Layout(done func(keys string)) {
	js().Call("layout", once(func(args []app.Value) { done(text(args[0])) }))
}

// Width is the width in px of the first match, 0 when there is none.
func Width(selector string) int { return js().Call("width", selector).Int() }

// Point is where an event lies in an element: the share of its width, and px from its top.
func Point(element, event app.Value) (x, y float64) {
	p := js().Call("point", element, event)
	return p.Get("x").Float(), p.Get("y").Float()
}

// Closest is the attribute of the event's target or of the nearest element around it that has it.
func Closest(event app.Value, attribute string) string {
	return text(js().Call("closest", event, attribute))
}

// Paint hands a canvas what it shows, in the format of draw.Bulk32, and the names of the jobs. The canvas
// repaints itself on a resize or a change of theme.
func Paint(id string, rects []byte, fields int, names string) {
	js().Call("paint", id, array(rects), fields, names)
}

// OnMessage calls f for each message that the page around this one may send, and says that this one is ready.
func OnMessage(f func(kind, job string, round int)) {
	js().Call("onMessage", callback(func(args []app.Value) any {
		f(text(args[0]), text(args[1]), args[2].Int())
		return nil
	}))
}

// Tell tells the page around this one what is looked at.
func Tell(job string, round int, timeS float64) { js().Call("tell", job, round, timeS) }

// Log writes an error to the console.
func Log(message string) { app.Window().Get("console").Call("error", message) }

// Zoomed tells the gestures which part of the time axis is drawn, as shares of all of it, and the narrowest that may
// be seen. rest is called with another part when a gesture comes to rest; each call replaces the one before.
func Zoomed(from, to, narrowest float64, rest func(from, to float64)) {
	if resting != nil {
		resting.Release()
	}
	resting = callback(func(args []app.Value) any {
		rest(args[0].Float(), args[1].Float())
		return nil
	})
	js().Call("zoomed", from, to, narrowest, resting)
}

var resting app.Func

// Words is the catalogue of the language that the reader wants, as the shell has fetched it, empty for English. lost
// says that it could not be had.
func Words() (file []byte, lost bool) {
	w := js().Call("words")
	return []byte(text(w)), w.IsNull()
}

// Speak fetches the catalogue of a language, empty for English, and remembers the choice where the browser allows.
func Speak(tag string, done func(file []byte, ok bool)) {
	js().Call("speak", tag, once(func(args []app.Value) { done([]byte(text(args[0])), args[1].Bool()) }))
}

// Spoken says which language the page is in, for the document and for what stands outside the program's part of it.
func Spoken(tag string) { js().Call("spoken", tag) }

// PointTo leads to a value in the editor, once it is there: to the field of the form for the value at a pointer, or the
// nearest, or without a pointer to bytes of the text.
func PointTo(path string, from, to int) { js().Call("pointTo", path, from, to) }

// Field is the pointer to the value whose field of the editor had the focus last, empty when the cursor of its text has
// moved since, or none had.
func Field() string { return text(js().Get("field")) }

// Reveal scrolls the first match to the top of the window when it is not wholly in sight.
func Reveal(selector string) { js().Call("reveal", selector) }

// DownloadPNG paints an SVG file at twice its size and hands it to the reader as PNG.
func DownloadPNG(name, svg string) { js().Call("downloadPNG", name, svg) }

// Print opens the browser's print dialog.
func Print() { js().Call("print") }

// OnPrint has f say the scenario's link, lines about the scenario and its document whenever the page is about to be
// printed, from whatever menu.
func OnPrint(f func() string) {
	js().Call("onPrint", callback(func([]app.Value) any { return f() }))
}

// InSight says whether the first match of a selector is in the window now, with some of what is below it.
func InSight(selector string) bool { return js().Call("inSight", selector).Bool() }

// OnSight calls f whenever the first match of one of two selectors may have come into sight, or gone.
func OnSight(one, other string, f func()) {
	js().Call("onSight", callback(func([]app.Value) any { f(); return nil }), one, other)
}

// TakesRuns says whether the server that the page came from is known to have a queue for runs of an engine. The first
// call asks it.
func TakesRuns(engine string) bool { return js().Call("takesRuns", engine).Bool() }

// AskServer tells whether the server takes runs of an engine, when that is known.
func AskServer(engine string, tell func(takes bool)) {
	var f app.Func
	f = callback(func(args []app.Value) any {
		f.Release()
		tell(args[0].Bool())
		return nil
	})
	js().Call("askServer", engine, f)
}

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

// SweepOnServer sends the request of a sweep, or of replicates where nothing varies, to the server, and passes on what
// the engine would answer. Each has a number of its own.
func SweepOnServer(id int64, varies bool, request []byte, answer func([]byte)) {
	js().Call("sweepOnServer", id, varies, array(request),
		callback(func(args []app.Value) any { answer(bytes(args[0])); return nil }))
}

// StopSweepOnServer ends it. Unless all is dropped, what was done by then is answered.
func StopSweepOnServer(id int64, drop bool) { js().Call("stopSweepOnServer", id, drop) }

// StopOnServer ends that run. Unless all is dropped, what was done by then is answered.
func StopOnServer(drop bool) { js().Call("stopOnServer", drop) }

// Engines is how many engines may run at once: one core is left to the page, a laptop of two has an engine on each, and
// what is held in a hand has one, for its memory. Six stay well under 350 MB.
func Engines() int {
	const most = 6
	if app.Window().Call("matchMedia", "(hover: none) and (pointer: coarse)").Get("matches").Bool() {
		return 1
	}
	cores := 2
	if v := app.Window().Get("navigator").Get("hardwareConcurrency"); v.Truthy() {
		cores = v.Int()
	}
	return max(min(cores, 2), min(cores-1, most))
}

// Worker is a Web Worker that runs the engine.
type Worker struct {
	v                app.Value
	message, failure app.Func
}

// NewWorker starts one from the module that the page itself runs, compiled once, or of the kind that runs programs from
// the module for these, which is fetched then. onMessage gets every message, onFailure the reason when the worker dies.
func NewWorker(programs bool, onMessage func([]byte), onFailure func(string)) *Worker {
	w := &Worker{}
	w.message = callback(func(args []app.Value) any { onMessage(bytes(args[0])); return nil })
	w.failure = callback(func(args []app.Value) any { onFailure(text(args[0])); return nil })
	w.v = js().Call("worker", programs, w.message, w.failure)
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
