package state

import (
	"hadarlab/core/message"
)

// Effects that the page's host carries out.
type (
	// StartRun asks the engine for a run; CancelRun ends one, by force if it does not answer; StopRun gives it time
	// to answer with what it has done.
	StartRun struct {
		ID      int64
		Request *message.RunRequest
	}
	CancelRun struct{ ID int64 }
	StopRun   struct{ ID int64 }
	// Ask asks the engine for an explanation.
	Ask struct {
		ID      int64
		Request *message.ExplainRequest
	}
	// After sends an action in some ms.
	After struct {
		Ms     int
		Action Action
	}
	// Copy puts text on the clipboard and reports back with Copied.
	Copy struct{ Text string }
	// Post stores the scenario on the server and reports back with Posted.
	Post struct{ Body []byte }
	// Fetch gets a stored scenario and reports back with Fetched.
	Fetch struct{ ID string }
	// Download hands a file to the reader.
	Download struct {
		Name, Type string
		Data       []byte
	}
	// Store keeps a text in this browser, for all its tabs; NoRoom follows when it cannot.
	Store struct{ Name, Text string }
	// Measure finds out how wide the plots are now and reports back with PlotWidth.
	Measure struct{}
	// Focus moves the keyboard's focus to a part of the page.
	Focus struct{ Part Part }
	// Point leads to a value in the editor: to the field of the form for the value at a pointer, or the nearest;
	// without one it selects bytes of the text.
	Point struct {
		Path     string
		From, To int
	}
	// Reveal brings a part of the page to the top of the window, below what stands there.
	Reveal struct{ Part Part }
	// DownloadPNG paints an SVG file at twice its size and hands it to the reader.
	DownloadPNG struct {
		Name string
		SVG  string
	}
	// PrintPage opens the browser's print dialog.
	PrintPage struct{}
)

func (StartRun) effect()  {}
func (CancelRun) effect() {}
func (StopRun) effect()   {}
func (Ask) effect()       {}
func (After) effect()     {}
func (Copy) effect()      {}
func (Post) effect()      {}
func (Fetch) effect()     {}
func (Download) effect()  {}
func (Focus) effect()     {}
func (Point) effect()     {}
func (Measure) effect()   {}
func (Store) effect()     {}

// Names under which the browser keeps things for all tabs.
const (
	SnapshotsName = "hadarlab-snapshots"
	LettersName   = "hadarlab-letters" // "off" when single letters are no keys
)

func (Reveal) effect()      {}
func (DownloadPNG) effect() {}
func (PrintPage) effect()   {}
