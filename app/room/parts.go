package room

// Part is a part of the page that effects lead to. Where it is drawn, app/ui knows; that may be some frames later.
type Part uint8

// NoPart is none.
const NoPart Part = 0

const (
	// Parts of the whole page.
	PartHeadline Part = 1 + iota
	PartNumbers
	PartSpans // the table of who holds which GPU, once it is open
	PartDifferences
	PartBar // that has the keyboard
	PartPredict
	PartPresets // the button of the menu that opens something else
	PartUseImport
	PartShareShort
	PartGallery // its first lesson
	// Parts of the editor and of lessons.
	PartEditor
	PartOpenEditor // the button
	PartProgram    // the text of the lane's
	PartGPUs       // the first number of GPUs
	PartLesson
	PartLessonBecause
	// Parts about the lane and the job that the Why panel is about.
	PartLane
	PartForced    // the first lane with a forced choice
	PartNewForced // the lane, once it has a forced choice
	PartWhy
	PartCurve  // of prices, in Why
	PartPayoff // worth and cost, in Why
	PartPhases // of the decision, in Why
	// Parts about many runs.
	PartReplicates // once the section is open
	PartStep       // what is to be done now in a class
	PartVary       // once the section is open
	PartVaryAxes
	PartVarySays
	PartWinnersSays
)

// ShownParts are the parts that a step of a lesson may name, "" = the lane.
var ShownParts = map[string]Part{"": PartLane, "curve": PartCurve, "payoff": PartPayoff, "phases": PartPhases,
	"differences": PartDifferences}
