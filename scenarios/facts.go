package scenarios

import (
	_ "embed"
	"encoding/json"
)

// What texts rely on is data apart from them: the page shows the texts, and only tests read this.
//
//go:embed facts.json
var facts []byte

// Facts are the figures that texts rely on: those of a preset's card by the preset's name, those of a lesson's step by
// the lesson's id and the step's title.
type Facts struct {
	Cards   map[string][]Fact            `json:"cards"`
	Lessons map[string]map[string][]Fact `json:"lessons"`
}

// Fact is a figure that a text relies on; a test holds the engine to it, and every number of a text to a fact.
type Fact struct {
	Says   string `json:"says,omitempty"` // the words that it is the figure of
	Policy string `json:"policy"`         // where several lanes have it, with the lane's letter, as own:B
	Over   string `json:"over,omitempty"` // divided by the figure of this policy
	Round  int    `json:"round"`
	Job    string `json:"job"`
	// Field is payoff, worth, cost or rounds of the job's placement (worth and cost a round), or worth:TYPE of the
	// listed one on GPUs of that type; slowdown on the GPUs that it refuses, and its timer for them in s; gangs, gpus
	// or gpus:TYPE that it holds in the round; its age_s and restarts, and phi, batch, efficiency, goodput or speedup
	// that Pollux believes of it, also as batch:N of N GPUs on one node; quota_steps:TYPE or merge_weight:TYPE of its
	// copy there; says:NAME, a number that a program says of the job; split:TYPE, the
	// share of a GPU of that type in its batch, or split:step_s; host:cpus, host:use or host:speed, the CPUs that it
	// has of its node, can use of it, and the part of its speed with them; start or finish of the job in s, or ftf,
	// its ρ; later, how many jobs finish later than under Over; merge_s of the scenario or, of a model in it,
	// speed:MODEL:TYPE:TYPE as a ratio, with :N of gangs of N; published:ID or ours:ID, a row's figure on the paper
	// board, and near, how far from ours its rule lets a published one lie; or a figure of the run by its name.
	Field string  `json:"field"`
	Value float64 `json:"value"`
	Tied  bool    `json:"tied,omitempty"` // the figures tie by the band of all differences; of a ratio
	With  *Change `json:"with,omitempty"` // the scenario is changed so first
}

// AllFacts lists the facts of all texts.
func AllFacts() (all Facts, err error) { return all, json.Unmarshal(facts, &all) }
