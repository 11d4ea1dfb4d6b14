package scenarios

import (
	_ "embed"
	"encoding/json"
	"strings"
)

//go:embed gallery.json
var gallery []byte

//go:embed lessons.json
var lessons []byte

// Card is what a teacher wants to know of a preset before opening it.
type Card struct {
	Preset         string   `json:"preset"`
	Level          int      `json:"level"` // 1 to 3
	Ideas          []string `json:"ideas"`
	Goal           string   `json:"goal"`
	Surprise       string   `json:"surprise"`
	Teacher        string   `json:"teacher"` // how to use it in class
	Misconceptions []string `json:"misconceptions"`
	Focus          View     `json:"focus"` // what the page shows first of it
}

// Lesson is a guided walk of some minutes.
type Lesson struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Goal    string `json:"goal"`
	Minutes int    `json:"minutes"`
	Learned string `json:"learned"` // what the reader knows at its end, and
	Next    string `json:"next"`    // what to try then
	Steps   []Step `json:"steps"`
}

// Step is one page of a lesson: what to look at, a question, or a change to try.
type Step struct {
	Title  string  `json:"title"`
	Text   string  `json:"text"`
	Open   string  `json:"open,omitempty"` // preset to open first
	View   *View   `json:"view,omitempty"`
	Change *Change `json:"change,omitempty"`
	Ask    *Ask    `json:"ask,omitempty"`
}

// View is where a step points, or what is shown first of a preset.
type View struct {
	Lane  string `json:"lane"`  // policy id; where several lanes have it, with the lane's letter, as fifo:B
	Round int    `json:"round"` // of that lane, from 0
	Job   string `json:"job"`
	Show  string `json:"show,omitempty"`  // the part of the page that the text speaks of, where that is not the lane
	Chart string `json:"chart,omitempty"` // the chart below the lanes, "" = whichever is open
}

// Names says whether the view's lane is that lane of a policy, counted from 0.
func (v *View) Names(lane int, policy string) bool {
	id, letter, lettered := strings.Cut(v.Lane, ":")
	return policy == id && (!lettered || letter == string(rune('A'+lane)))
}

// Change sets one value of the document, by RFC 6901 pointer, or other lanes.
type Change struct {
	Path  string `json:"path"` // a number of a program by its name, as /scenario/policies/0/params/program/PATIENCE
	Value any    `json:"value"`
	Lanes []Lane `json:"lanes,omitempty"` // in place of path and value: what is run from then on
	Say   string `json:"say"`             // the sentence for the history
	Sets  string `json:"sets"`            // where a reader finds the value, and what it becomes
	Same  bool   `json:"same"`            // every lane stays as it is, which is what the step is about
}

// Lane is a policy that a change puts into a lane.
type Lane struct {
	ID       string         `json:"id"`
	Params   map[string]any `json:"params,omitempty"`
	Template string         `json:"template,omitempty"` // its program and parameters are those of this template
}

// Ask is a question with one right answer.
type Ask struct {
	Question string   `json:"question"`
	Options  []string `json:"options"`
	Answer   int      `json:"answer"`
	Because  string   `json:"because"`
}

// Gallery lists the cards in the order of Names.
func Gallery() (cards []Card, err error) { return cards, json.Unmarshal(gallery, &cards) }

// Lessons lists the guided lessons.
func Lessons() (list []Lesson, err error) { return list, json.Unmarshal(lessons, &list) }
