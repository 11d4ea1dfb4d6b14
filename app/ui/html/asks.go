package html

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Page is the page as rooms know it: what a view can ask for beside that an action is done (Do).
type Page interface {
	Speak(tag string, back func()) // changes the language; back is called where its catalogue cannot be had
	PickFile(accept string)        // lets the reader choose a file of some types, and opens it
	Key(of Keyed, e app.Event)     // does what a key means in a part of the page
}

// asked is the page that is asked. Views are values and hold none, so they find it here.
var asked Page

// DrawnFor says whose views are drawn from now on.
func DrawnFor(p Page) { asked = p }

// Keyed is a part of the page that has keys of its own, as one stop of the Tab key. What they mean the page knows: they
// may be the reader's own, and act on what is open then, which may not be drawn yet.
type Keyed int

const (
	TimelineKeys Keyed = iota
	ChartKeys
)

// Keys is the handler of the keys of a part.
func Keys(of Keyed) app.EventHandler {
	return func(_ app.Context, e app.Event) { asked.Key(of, e) }
}

// The types of files that can be opened: in the lab, and by who teaches.
const (
	ScenarioFiles = ".json,.jsonl,.csv,.tsv,.txt,.swf,.trace,application/json,text/*"
	ClassFiles    = ".json,application/json"
)

// Picks is the handler that lets the reader choose a file of some types.
func Picks(accept string) app.EventHandler {
	return func(app.Context, app.Event) { asked.PickFile(accept) }
}
