package ui

import (
	"strconv"
	"strings"

	"hadarlab/app/state"
)

// selectors say where the parts of the page are drawn, or will be: {lane} is the lane that the Why panel explains, and
// {job} its job. None is a hook of tests.
var selectors = [...]string{
	state.PartHeadline: ".head", state.PartNumbers: "[aria-labelledby=h-numbers]",
	state.PartSpans: "[data-twin=spans]:not([hidden])", state.PartDifferences: ".diffrow",
	state.PartBar:     "[data-role=outline] [data-part=focus]",
	state.PartPredict: ".head .predict", state.PartPresets: "#presets > summary", state.PartUseImport: "#import-use",
	state.PartShareShort: "#share-short",

	state.PartEditor: ".editor h2", state.PartOpenEditor: "#editor-open", state.PartGPUs: "[data-field^='gpus/']",
	state.PartLesson: ".guide h2", state.PartLessonBecause: ".because",

	state.PartLane: ".lane[aria-labelledby=h-lane-{lane}]", state.PartForced: ".lane[data-forced]",
	state.PartNewForced: ".lane[aria-labelledby=h-lane-{lane}][data-forced]", state.PartWhy: ".why",
	state.PartCurve: ".why[data-job={job}] [data-role=price-curve]", state.PartPayoff: ".why[data-job={job}] .terms",
	state.PartPhases: ".why[data-job={job}] [data-table]",

	state.PartReplicates: "[aria-labelledby=h-sure]:has(#sure-body:not([hidden]))",
	state.PartVary:       "[aria-labelledby=h-vary]:has(#vary-body:not([hidden]))", state.PartVaryAxes: ".axes",
	state.PartVarySays: "[data-says=vary-says]", state.PartWinnersSays: "[data-says=hunt-says]",
}

// selector is where a part of the page is. In a lesson, whose sheet may cover it, it is there only once the sheet is.
func (h *Host) selector(p state.Part) string {
	v := &h.S.View
	at := strings.NewReplacer("{lane}", itoa(v.WhyLane), "{job}", strconv.Quote(v.Job)).Replace(selectors[p])
	if h.S.Learn.Lesson != nil {
		at = "body:has(.guide) " + at
	}
	return at
}
