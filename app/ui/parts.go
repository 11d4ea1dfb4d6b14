package ui

import (
	"strconv"
	"strings"

	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
)

// selectors say where the parts of the page are drawn, or will be: {lane} is the lane that the Why panel explains, and
// {job} its job. None is a hook of tests.
var selectors = [...]string{
	room.PartHeadline: ".head", room.PartNumbers: "[aria-labelledby=h-numbers], .firsts",
	room.PartSpans: "[data-twin=spans]:not([hidden])", room.PartDifferences: ".axisrow",
	room.PartBar:     "[data-role=outline] [data-part=focus]",
	room.PartPredict: ".head .predict", room.PartPresets: "#presets > summary", room.PartUseImport: "#import-use",
	room.PartShareShort: "#share-short", room.PartGallery: ".gallery .lessons button",

	room.PartEditor: ".editor h2", room.PartOpenEditor: "#editor-open, #first-edit",
	room.PartProgram: "[data-field=param-{lane}-program]", room.PartGPUs: "[data-field^='gpus/']",
	room.PartLesson: ".guide h2", room.PartLessonBecause: ".because",

	room.PartLane: ".lane[aria-labelledby=h-lane-{lane}]", room.PartForced: ".lane[data-forced]",
	room.PartNewForced: ".lane[aria-labelledby=h-lane-{lane}][data-forced]", room.PartWhy: ".why",
	room.PartCurve: ".why[data-job={job}] [data-role=price-curve]", room.PartPayoff: ".why[data-job={job}] .terms",
	room.PartPhases: ".why[data-job={job}] [data-table]",

	room.PartReplicates: "[aria-labelledby=h-sure]:has(#sure-body:not([hidden]))",
	room.PartStep:       ".class .now h2",
	room.PartVary:       "[aria-labelledby=h-vary]:has(#vary-body:not([hidden]))", room.PartVaryAxes: ".axes",
	room.PartVarySays: "[data-says=vary-says]", room.PartWinnersSays: "[data-says=hunt-says]",
}

// selector is where a part of the page is. In a lesson, whose sheet may cover it, it is there only once the sheet is.
func selector(s *state.Lab, p room.Part) string {
	v := &s.View
	at := strings.NewReplacer("{lane}", Itoa(v.WhyLane), "{job}", strconv.Quote(v.Job)).Replace(selectors[p])
	if s.Learn.Going() {
		at = "body:has(.guide) " + at
	}
	return at
}

// see tells which panels the window shows now. The browser says by itself when that has changed, but only with the
// coming frames.
func (h *Host) see() {
	h.Do(state.Seen{VisiblePanels: state.VisiblePanels{Why: platform.InSight(selectors[room.PartWhy]),
		Numbers: platform.InSight(selectors[room.PartNumbers])}})
}

// measure tells the state how wide the plots are.
func (h *Host) measure() {
	if w := platform.Width("[data-part=plot]"); w > 0 {
		h.Do(state.PlotWidth{Px: w, Names: platform.Width(".axisrow > .where")})
	}
}
