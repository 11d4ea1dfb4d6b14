package scenarios

import (
	_ "embed"
	"encoding/json"
)

//go:embed guides.json
var guides []byte

// Guide is what who teaches an assignment wants beside its document: the manual makes a page of both. Its texts have no
// figures of their own: what a run says is named in {{ }}, as {{figure "hadar"}}, and filled in from one.
type Guide struct {
	ID   string            `json:"id"`   // of the assignment
	Aims []string          `json:"aims"` // what students can do afterwards
	Say  map[string]string `json:"say"`  // words for each phase of its plan
	// Expect is by question.
	Expect   map[string]Expect `json:"expect"`
	Sentence string            `json:"sentence"` // a good answer to what is to be explained
	Task     string            `json:"task"`     // why the changes work that the document names
	Most     string            `json:"most"`     // what to do when most are right at first, and
	Few      string            `json:"few"`      // when few are
	// Form is the assignment that is the same lesson in its other length; where there is none, Longer says for phases
	// of the plan what fills the longer form.
	Form   string            `json:"form,omitempty"`
	Longer map[string]string `json:"longer,omitempty"`
}

// Expect is what to expect of a question.
type Expect struct {
	Right string `json:"right"` // the option, as a run must find it: Why speaks of it
	Why   string `json:"why"`
	// Wrong says by option what who chooses it may think, where the document names no idea; of a question of bands, low
	// and high for those below and above the right one.
	Wrong map[string]string `json:"wrong,omitempty"`
}

// Guides lists the guides in the order of Assignments.
func Guides() (list []Guide, err error) {
	var of struct {
		Common map[string]string `json:"common"` // for a phase of which a guide says nothing
		Guides []Guide           `json:"guides"`
	}
	err = json.Unmarshal(guides, &of)
	for i := range of.Guides {
		g := &of.Guides[i]
		for phase, says := range of.Common {
			if g.Say[phase] == "" {
				g.Say[phase] = says
			}
		}
	}
	return of.Guides, err
}
