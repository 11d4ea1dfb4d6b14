package state

import (
	"io"

	"hadarlab/core/message"
	"hadarlab/core/unit"
)

// fill writes a file, and tells of the work that it costs.
type fill = func(w io.Writer, pace unit.Pace) error

// Effects that the page's host carries out.
type (
	// Ask sends the engine a request, whose ID its answers carry: runs, a decision explained, a search.
	Ask struct{ Request *message.Message }
	// End ends one, by force if the engine does not answer; with Keep it has time to answer with what it has done.
	End struct {
		ID   int64
		Keep bool
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
	// Download hands a file to the reader. One of the type image/png has an SVG file as its data, which is painted at
	// twice its size.
	Download struct {
		Name, Type string
		Data       []byte
	}
	// Write makes a file of a long run in slices, beside the page's own work, and hands it to the reader as Download
	// does; then it reports back with Written. Fill tells pace of its work, which may not return.
	Write struct {
		ID         int64
		Name, Type string
		Fill       fill
	}
	// StopWriting gives up the file that is being written.
	StopWriting struct{}
	// Store keeps a text in this browser, for all its tabs; NoRoom follows when it cannot.
	Store struct{ Name, Text string }
	// See finds out which panels the window shows now and reports back with Sight.
	See struct{}

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
	// PrintPage opens the browser's print dialog.
	PrintPage struct{}
)

func (Ask) effect()         {}
func (End) effect()         {}
func (After) effect()       {}
func (Copy) effect()        {}
func (Post) effect()        {}
func (Fetch) effect()       {}
func (Download) effect()    {}
func (Write) effect()       {}
func (StopWriting) effect() {}
func (Focus) effect()       {}
func (Point) effect()       {}
func (See) effect()         {}
func (Measure) effect()     {}
func (Store) effect()       {}

// Names under which the browser keeps things for all tabs.
const (
	SnapshotsName = "hadarlab-snapshots"
	ClassName     = "hadarlab.class"   // who a student is in a class, as the page writes it in which one joins
	LettersName   = "hadarlab-letters" // "off" when single letters are no keys
)

func (Reveal) effect()    {}
func (PrintPage) effect() {}
