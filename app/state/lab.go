package state

import (
	"hadarlab/app/learn"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/words"
	course "hadarlab/core/class"
	"hadarlab/core/scenario"
)

// Lab is a scenario that is worked on, its run, and what of it is looked at. Values it points to are never changed in
// place, so that a component may compare pointers.
type Lab struct {
	*room.Shared
	class lessons // what is said of the scenario by the class that it is worked on in

	Document
	Fields
	Runs
	Result *run.Result // that stands
	Shows  int         // the opened scenario that it is of
	View   View
	Asks   Asks
	Flip   Flip
	Comparisons
	Files
	Sharing
	Imports
	// Resumed says that the page went on with what this tab had.
	Resumed bool
	Offer   *Offer // nil = nothing
	Learn   learn.State
	Predict learn.Predict
	// KeepFailed says that the browser keeps nothing for this tab.
	KeepFailed bool
	at         visit              // where the browser stands
	edited     *scenario.Document // what the reader's latest edit made; its outcome is still to be told
}

// The address and the scenario agree: an address that says a scenario stands only while that scenario does. Back and
// Forward walk the scenarios that were opened, each as it was left; undo and redo may cross from one to another.

// visit is where the browser stands.
type visit struct {
	Address string // that says a scenario, "" = it says none
	Opening int    // that the browser remembers with it, 0 = none
}

// Offer is a scenario that came too late to be opened unasked.
type Offer struct {
	Doc  *scenario.Document
	open Action // opens it
}

// Says is what is said of it.
func (o *Offer) Says(b *room.Boot) string {
	return words.F("“{0}” has arrived. You have changed something since, so it was not opened.", b.TitleOf(o.Doc))
}

// lessons is what a class says of the scenario that is worked on in it.
type lessons interface {
	// Refuses says why a document may not take the place of the one that stands, "" = it may.
	Refuses(stands, d *scenario.Document) string
	// Locks are the assignment whose locks hold, nil = none do.
	Locks() *course.Assignment
	// Home is the address of the class, "" = this is in none.
	Home() string
	// Coming says that a class is being opened.
	Coming() bool
}

// labAction is one of the lab's.
type labAction interface{ on(s *Lab) []Effect }

// Reduce applies an action of the lab.
func (s *Lab) Reduce(a Action) ([]Effect, bool) {
	own, ok := a.(labAction)
	if !ok {
		return nil, false
	}
	return own.on(s), true
}

// Status is the word for the page's main element.
func (s *Lab) Status() string {
	switch {
	case !s.Live:
		return "static"
	case s.Faults() > 0 || s.Run.Failure != nil:
		return "error"
	case s.Run.Busy():
		return "running"
	case s.Engine == room.EngineBroken && !s.Fresh():
		return "error"
	case s.Engine == room.EngineStarting || s.Fetching():
		return "loading"
	case s.Predict.Behind != nil:
		return "ready"
	case !s.Fresh() || s.Run.Stopped:
		return "stale"
	}
	return "ready"
}

// Faults is how many things keep the scenario from being what the page shows: its errors, and the fields whose text
// cannot be used.
func (s *Lab) Faults() int {
	fields, _ := shownDrafts(s.Drafts)
	return len(s.Diags.Errors()) + len(fields)
}

// Fresh says whether the result belongs to the document.
func (s *Lab) Fresh() bool { return s.Result.Doc == s.Doc }

// Fetching says that a short link, or a class, is being opened.
func (s *Lab) Fetching() bool {
	return s.coming.id != "" || s.class.Coming()
}

// Dialog says whether one lies over the page.
func (s *Lab) Dialog() bool {
	return s.Share.Open || s.Import != nil && s.Import.Open || s.View.Keys || s.View.Commands ||
		s.Learn.Gallery
}
