package scenarios

import (
	_ "embed"
	"encoding/json"
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
	Facts          []Fact   `json:"facts,omitempty"`
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
	Facts  []Fact  `json:"facts,omitempty"`
}

// View is where a step points, or what is shown first of a preset.
type View struct {
	Lane  string `json:"lane"`  // policy id
	Round int    `json:"round"` // of that lane, from 0
	Job   string `json:"job"`
	Show  string `json:"show,omitempty"`  // the part of the page that the text speaks of, where that is not the lane
	Chart string `json:"chart,omitempty"` // the chart below the lanes, "" = whichever is open
}

// Change sets one value of the document, by RFC 6901 pointer.
type Change struct {
	Path  string `json:"path"`
	Value any    `json:"value"`
	Say   string `json:"say"`  // the sentence for the history
	Sets  string `json:"sets"` // where a reader finds the value, and what it becomes
}

// Ask is a question with one right answer.
type Ask struct {
	Question string   `json:"question"`
	Options  []string `json:"options"`
	Answer   int      `json:"answer"`
	Because  string   `json:"because"`
}

// Fact is a figure that a text relies on; a test holds the engine to it, and every number of a text to a fact.
type Fact struct {
	Says   string `json:"says,omitempty"` // the words that it is the figure of
	Policy string `json:"policy"`
	Over   string `json:"over,omitempty"` // divided by the figure of this policy
	Round  int    `json:"round"`
	Job    string `json:"job"`
	// Field is payoff, worth, cost or rounds of the job's placement (worth and cost a round), or worth:TYPE of the
	// listed one on GPUs of that type; slowdown on the GPUs that it refuses, and its timer for them in s; gangs, gpus
	// or gpus:TYPE that it holds in the round; its age_s and restarts, and phi, batch, efficiency, goodput or speedup
	// that Pollux believes of it, also as batch:N of N GPUs on one node; quota_steps:TYPE or merge_weight:TYPE of its
	// copy there; start or finish of the job in s; later, how many jobs finish later than under Over; merge_s of the
	// scenario or, of a model in it, speed:MODEL:TYPE:TYPE as a ratio; or a figure of the run by its name.
	Field string  `json:"field"`
	Value float64 `json:"value"`
	Tied  bool    `json:"tied,omitempty"` // the figures tie by the band of all differences; of a ratio
	With  *Change `json:"with,omitempty"` // the scenario is changed so first
}

// Gallery lists the cards in the order of Names.
func Gallery() (cards []Card, err error) { return cards, json.Unmarshal(gallery, &cards) }

// Lessons lists the guided lessons.
func Lessons() (list []Lesson, err error) { return list, json.Unmarshal(lessons, &list) }
