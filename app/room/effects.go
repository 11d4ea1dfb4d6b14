package room

import "hadarlab/core/message"

// Effects that more than one room asks for; those of one stand with it.
type (
	// Ask sends the engine a request, whose ID its answers carry: runs, a decision explained, a search.
	Ask struct{ Request *message.Message }
	// After sends an action in some ms.
	After struct {
		Ms     int
		Action Action
	}
	// Call asks the server, with a token where there is one, and reports what Then makes of its answer; status 0 = it
	// was not reached.
	Call struct {
		Method, Path, Token string
		Body                []byte
		Then                func(status int, body []byte) Action
	}
	// Follow reports every message about a class whose path this is, and with another status than 200 that there are
	// none; status 0 = the server is not reached, and is tried again. Each call ends the one before, "" ends it.
	Follow struct {
		Path string
		Then func(status int, body []byte) Action
	}
	// Download hands a file to the reader. One of the type image/png has an SVG file as its data, which is painted at
	// twice its size.
	Download struct {
		Name, Type string
		Data       []byte
	}
	// Store keeps a text in this browser, for all its tabs; the state is told when it cannot.
	Store struct{ Name, Text string }
	// SetAddress changes the address without loading anything, "" = keeps it, and has the browser remember an opening.
	// Push makes it a place of its own for Back and Forward.
	SetAddress struct {
		Path    string
		Opening int
		Push    bool
	}
	// Measure finds out how wide the plots are now and reports back.
	Measure struct{}
	// Focus moves the keyboard's focus to a part of the page.
	Focus struct{ Part Part }
	// PrintPage opens the browser's print dialog.
	PrintPage struct{}
)
