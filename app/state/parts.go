package state

// Part is a part of the page that effects lead to. Where it is drawn, app/ui knows; that may be some frames later.
type Part string

// Parts of the whole page.
const (
	PartHeadline    Part = "headline"
	PartNumbers     Part = "numbers"
	PartSpans       Part = "spans" // the table of who holds which GPU, once it is open
	PartDifferences Part = "differences"
	PartPredict     Part = "predict"
	PartPresets     Part = "presets" // the button of the menu that opens something else
	PartUseImport   Part = "use-import"
	PartShare       Part = "share" // the button that opens the dialog
	PartShareCopy   Part = "share-copy"
	PartShareShort  Part = "share-short"
)

// Parts of the editor and of lessons.
const (
	PartEditor        Part = "editor"
	PartOpenEditor    Part = "open-editor" // the button
	PartGPUs          Part = "gpus"        // the first number of GPUs
	PartLesson        Part = "lesson"
	PartLessonBecause Part = "lesson-because"
	PartFirstLesson   Part = "first-lesson" // the button that begins it
)

// Parts about the lane and the job that the Why panel is about.
const (
	PartLane      Part = "lane"
	PartForced    Part = "forced"     // the first lane with a forced choice
	PartNewForced Part = "new-forced" // the lane, once it has a forced choice
	PartWhy       Part = "why"
	PartCurve     Part = "curve"  // of prices, in Why
	PartPayoff    Part = "payoff" // worth and cost, in Why
	PartPhases    Part = "phases" // of the decision, in Why
)

// Parts about many runs.
const (
	PartReplicates  Part = "replicates" // once the section is open
	PartVary        Part = "vary"       // once the section is open
	PartVaryAxes    Part = "vary-axes"
	PartVarySays    Part = "vary-says"
	PartWinnersSays Part = "winners-says"
)
