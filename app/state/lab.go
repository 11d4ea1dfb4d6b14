package state

import (
	"errors"
	"strconv"

	"hadarlab/app/compare"
	"hadarlab/app/learn"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	course "hadarlab/core/class"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/unit"
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
	View   View
	Asks   Asks
	Flip   Flip
	Comparisons
	Files
	Sharing
	Imports
	// Resumed says that the page went on with what this tab had.
	Resumed bool
	Offer   *Load // what came too late to be opened unasked, nil = nothing
	Learn   learn.State
	Predict learn.Predict
	// KeepFailed says that the browser keeps nothing for this tab.
	KeepFailed bool
	at         visit              // where the browser stands
	edited     *scenario.Document // what the reader's latest edit made; its outcome is still to be told
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

var errPreset = errors.New("state: the first preset is not a valid scenario")

// newLab has the first preset with its result.
func newLab(shared *room.Shared, class lessons) (Lab, error) {
	b := shared.Boot
	s := Lab{Shared: shared, class: class, Document: Document{Shared: shared},
		Fields: Fields{Drafts: map[string]Draft{}}, Runs: Runs{Shared: shared},
		Comparisons: Comparisons{Shared: shared, Replicates: compare.Replicates{Seeds: "20", Noise: "10"}},
		Files:       Files{Shared: shared}, Sharing: Sharing{Shared: shared}, Imports: Imports{Shared: shared},
		View: View{Bar: NoBar, anew: true, Tab: "busy", PlotW: firstWidth}}
	first := b.Presets[0]
	doc, diags := scenario.Parse(b.Docs[0], scenario.FileLimits)
	if doc == nil || diags.HasErrors() {
		return s, errPreset
	}
	s.setDoc(doc)
	s.History.Reset(doc, first.Name, words.F("Opened “{0}”", b.TitleOf(doc)))
	return s, s.bake(&b.Baked)
}

// bake takes a result of the document that was made at build time.
func (s *Lab) bake(b *room.Baked) error {
	r := run.New(0, s.Doc, s.History.Stands().Kept())
	if len(b.Lanes) != len(r.Lanes) {
		return errPreset
	}
	for i := range b.Lanes {
		if l := &b.Lanes[i]; !r.Lanes[i].Read(&l.Lane, l.Trace) {
			return errPreset
		}
	}
	r.LayOut(nil)
	s.show(r)
	s.Asks.drop()
	if words.Tag() != "en" { // they were made in English; the engine is asked again
		return nil
	}
	for i := range b.Explanations {
		e := &b.Explanations[i]
		s.Asks.known[askKey{s.Result.ID, e.Lane, e.Explanation.Round}] = Explained{E: e.Explanation}
	}
	return nil
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

// Problems are the findings of the document: errors, warnings, notes, and what was remarked when it was read.
func (f *Form) Problems() text.Diagnostics {
	var out text.Diagnostics
	for _, level := range []text.Level{text.LevelError, text.LevelWarning, text.LevelNote} {
		for i := range f.Diags {
			if f.Diags[i].Level == string(level) {
				out = append(out, f.Diags[i])
			}
		}
	}
	return append(out, f.Notes...)
}

func itoa(n int) string { return strconv.Itoa(n) }

// View is what is looked at; it never changes what is computed.
type View struct {
	Moment     int        // index into the result's moments
	Pinned     bool       // moved by hand: a new result keeps the time
	Job        string     // selected job, "" = none
	Bar        BarAt      // bar under the keyboard's focus
	WhyLane    int        // lane that the Why panel explains
	WhyOpen    bool       // on the first screen, where it lies over the lanes
	Peek       bool       // its sentence shows at the foot of the window, since the panel is out of sight
	Sight      Sight      // what the window shows
	Tab        string     // chart tab
	LogPrices  bool       // the chart of prices has a logarithmic scale
	Sort       Sort       // how the tables of the Why panel stand
	Tables     [3]bool    // the tables beside the timeline, the chart and the varied number are open
	Page       int        // page of the timeline's table
	OnlyJob    bool       // it shows the selected job only
	JobPage    int        // page of the editor's jobs
	AllFacts   bool       // all metrics are listed
	Playing    bool       //
	Zoom       run.Window // part of the time axis that is seen
	Rows       chart.Arrangement
	Editing    bool   // the editor is open
	JSON       bool   // the editor shows the text
	Place      string // pointer to the value at which the editor is
	LettersOff bool   // single characters are no keys
	OwnKeys
	Keys      bool      // the list of keys is open
	Commands  bool      // the list of commands is open
	Query     string    // what is typed in it
	Found     int       // which of what is found is marked
	Deadlines bool      // the editor's jobs show tenants and deadlines
	Ranges    bool      // and ranges of sizes
	PlotW     int       // width class of the plot in px
	Narrow    bool      // the column of names beside it is narrow
	forced    bool      // the next result has a lane that was just forced: show it
	anew      bool      // the next result is of another scenario: show its focus, or its telling job
	played    int64     // sequence of the latest tick
	at        unit.Tick // time of the cursor, to find it again in a new result
}

// BarAt is a bar of a lane.
type BarAt struct{ Lane, Index int }

// NoBar is no bar.
var NoBar = BarAt{-1, -1}
