package state

import (
	"io"
	"strconv"

	"hadarlab/app/room"
	"hadarlab/core/message"
	"hadarlab/core/unit"
)

// Action and Effect are what the page is told and what it asks for.
type (
	Action = room.Action
	Effect = room.Effect
)

// fill writes a file, and tells of the work that it costs.
type fill = func(w io.Writer, pace unit.Pace) error

// Effects that the page's host carries out.
type (
	// End ends a request to the engine, by force if that does not answer; with Keep it has time to answer with what it
	// has done.
	End struct {
		ID   int64
		Keep bool
	}
	// Copy puts text on the clipboard and reports back with Copied.
	Copy struct{ Text string }
	// Post stores the scenario on the server and reports back with Posted.
	Post struct{ Body []byte }
	// Fetch gets a stored scenario and reports back with Fetched.
	Fetch struct{ ID string }
	// Write makes a file of a long run in slices, beside the page's own work, and hands it to the reader as Download
	// does; then it reports back with Written. Fill tells pace of its work, which may not return.
	Write struct {
		ID         int64
		Name, Type string
		Fill       fill
	}
	// StopWriting gives up the file that is being written.
	StopWriting struct{}
	// See finds out which panels the window shows now and reports back with Seen.
	See struct{}
	// Point leads to a value in the editor: to the field of the form for the value at a pointer, or the nearest;
	// without one it selects bytes of the text.
	Point struct {
		Path     string
		From, To int
	}
	// Reveal brings a part of the page to the top of the window, below what stands there.
	Reveal struct{ Part room.Part }
)

// Names under which the browser keeps things for all tabs.
const (
	SnapshotsName = "hadarlab-snapshots"
	LettersName   = "hadarlab-letters" // "off" when single letters are no keys
)

// Effects on the server and the clock.
type (
	// SendToServer sends a run to the server. It answers as the engine does.
	SendToServer struct {
		ID      int64
		Request *message.RunRequest
	}
	// StopOnServer ends the run on the server. Unless all is dropped, what it has done is answered.
	StopOnServer struct{ Drop bool }
	// Clock reports back with Ticked in some ms. Ask says that the server should be asked whether it takes runs.
	Clock struct {
		Run int64
		Ms  int
		Ask bool
	}
)

// Effects of sweeps and replicates on the server.
type (
	// AskServer asks whether the server takes runs, and reports back with ServerKnown.
	AskServer struct{}
	// SendSweep sends a sweep, or replicates where nothing varies. It answers as the engine does.
	SendSweep struct {
		ID      int64
		Request *message.SweepRequest
	}
	// StopSweepOnServer ends it. Unless all is dropped, what it has done is answered.
	StopSweepOnServer struct {
		ID   int64
		Drop bool
	}
)

func itoa(n int) string { return strconv.Itoa(n) }
