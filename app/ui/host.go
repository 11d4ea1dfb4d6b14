package ui

import (
	"hadarlab/app/elm"
	"hadarlab/app/engine"
	"hadarlab/app/state"
	"hadarlab/app/ui/charts"
)

// Host holds the state and carries out effects. There is one.
type Host struct {
	elm.Program[state.Action, state.Effect]
	S       *state.State
	engine  *engine.Client
	tab     tab
	turns   elm.Turns
	drawn   charts.Plot // that is being drawn, in turns
	shown   int         // the opened scenario of which that is
	apart   bool        // parts that wait for their turn are of another one
	started bool        // what is to be opened has been asked for
	seen    bool        // the page is shown
	told    state.Selection
	chosen  any   // of the list of commands, until that is closed
	saves   int64 // the file that is being written
	// catalogue is the file of the language in force, empty = English; wordless says that another was wanted at the
	// start.
	catalogue []byte
	wordless  bool
}

// page is the page's host.
var page *Host
