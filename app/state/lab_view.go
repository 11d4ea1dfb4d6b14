package state

import (
	"hadarlab/app/run"
	"hadarlab/app/share"
	"hadarlab/core/chart"
	"hadarlab/core/unit"
	"hadarlab/scenarios"
)

// View is what is looked at; it never changes what is computed.
type View struct {
	Moment     int           // index into the result's moments
	Pinned     bool          // moved by hand: a new result keeps the time
	Job        string        // selected job, "" = none
	Bar        BarAt         // bar under the keyboard's focus
	WhyLane    int           // lane that the Why panel explains
	WhyOpen    bool          // on the first screen, where it lies over the lanes
	Peek       bool          // its sentence shows at the foot of the window, since the panel is out of sight
	Visible    VisiblePanels // what the window shows
	Tab        string        // chart tab
	LogPrices  bool          // the chart of prices has a logarithmic scale
	Sort       Sort          // how the tables of the Why panel stand
	Tables     [3]bool       // the tables beside the timeline, the chart and the varied number are open
	Page       int           // page of the timeline's table
	OnlyJob    bool          // it shows the selected job only
	JobPage    int           // page of the editor's jobs
	AllFacts   bool          // all metrics are listed
	Playing    bool          //
	Zoom       run.Window    // part of the time axis that is seen
	Rows       chart.Arrangement
	Editing    bool   // the editor is open
	JSON       bool   // the editor shows the text
	Place      string // pointer to the value at which the editor is
	LettersOff bool   // single characters are no keys
	OwnKeys
	Keys        bool      // the list of keys is open
	Commands    bool      // the list of commands is open
	Query       string    // what is typed in it
	Found       int       // which of what is found is marked
	Deadlines   bool      // the editor's jobs show tenants and deadlines
	Ranges      bool      // and ranges of sizes
	PlotW       int       // width class of the plot in px
	Narrow      bool      // the column of names beside it is narrow
	forced      bool      // the next result has a lane that was just forced: show it
	newScenario bool      // the next result is of another scenario: show its focus, or its telling job
	played      int64     // sequence of the latest tick
	at          unit.Tick // time of the cursor, to find it again in a new result
}

// BarAt is a bar of a lane.
type BarAt struct{ Lane, Index int }

// NoBar is no bar.
var NoBar = BarAt{-1, -1}

// VisiblePanels is which panels beside the timeline the window shows.
type VisiblePanels struct{ Why, Numbers bool }

// firstWidth is the class of the first paint: what the first screen has in a window of 1280 px.
const firstWidth = 800

// forget forgets what was looked at in another scenario.
func (v *View) forget() {
	v.Pinned, v.newScenario, v.JobPage, v.Peek = false, true, 0, false
	v.Rows = chart.Arrangement{}
}

func (v *View) rememberTime(r *run.Result) {
	if m, ok := r.Moment(v.Moment); ok {
		v.at = m.At
	}
}

// explain has the Why panel explain a lane, if there is such a one.
func (v *View) explain(r *run.Result, lane int) {
	if lane >= 0 && lane < len(r.Lanes) {
		v.WhyLane = lane
	}
}

// look moves cursor, job, lane and chart to what a view names; false where its lane has not run.
func (v *View) look(r *run.Result, to *scenarios.View) bool {
	lane := 0
	for lane < len(r.Lanes) && !to.Names(lane, r.Lanes[lane].Policy.ID) {
		lane++
	}
	if lane == len(r.Lanes) || r.Lanes[lane].Trace == nil || len(r.Lanes[lane].Trace.Rounds) == 0 {
		return false
	}
	// Decisions of two lanes that are close are one moment, so it is looked up by the lane's round, not by its time.
	last := len(r.Diff.Moments) - 1
	for v.Moment = 0; v.Moment < last && r.Round(lane, v.Moment) < to.Round; {
		v.Moment++
	}
	v.rememberTime(r)
	v.Job, v.WhyLane = to.Job, lane
	if to.Chart != "" {
		v.Tab = to.Chart
	}
	return true
}

// see shows a window of a width.
func (v *View) see(r *run.Result, from, wide unit.Tick) { v.Zoom = r.Window(from, wide) }

// seeCursor moves the window so that the cursor is in it.
func (v *View) seeCursor(r *run.Result) {
	z := v.Zoom
	if m, ok := r.Moment(v.Moment); ok && !z.Whole() && (m.At < z.From || m.At >= z.To) {
		v.see(r, m.At-(z.To-z.From)/4, z.To-z.From)
	}
}

// keepZoom fits the window to a new result's axis.
func (v *View) keepZoom(r *run.Result) {
	if z := v.Zoom; v.newScenario || z.From >= r.Axis.To {
		v.Zoom = run.Window{}
	} else if !z.Whole() {
		v.see(r, z.From, z.To-z.From)
	}
}

// What one row of the lanes is.
const (
	RowGPU  = "gpus"
	RowNode = "nodes"
	RowType = "types"
)

// RowsBy is what one row is, empty where nodes differ.
func (v *View) RowsBy(result *run.Result) string {
	r := &v.Rows
	switch {
	case r.Types:
		return RowType
	case len(r.Folded) == 0:
		return RowGPU
	case len(r.Folded) == len(result.Nodes()):
		return RowNode
	}
	return ""
}

// link is the view for a link.
func (v *View) link() string {
	return share.View{Cursor: v.at, Zoom: v.Zoom, Tab: v.Tab, Log: v.LogPrices, Lane: v.WhyLane, Job: v.Job}.Text()
}

// Selection is what is looked at, as the page around an embed learns it: the selected job, the round of the
// first lane (-1 = none yet) and the time of the cursor.
type Selection struct {
	Job   string
	Round int
	At    unit.Tick
}

// Selection is what is looked at now.
func (v *View) Selection(r *run.Result) Selection {
	sel := Selection{Job: v.Job, Round: -1}
	if len(r.Lanes) == 0 {
		return sel
	}
	if m, ok := r.Moment(v.Moment); ok {
		sel.At = m.At
		if l := r.Lanes[0]; l.Trace != nil {
			sel.Round = l.Trace.RoundAt(m.At)
		}
	}
	return sel
}
