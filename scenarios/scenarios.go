// Package scenarios embeds the presets, scenario documents that each ask one question, with a teacher's card
// for each, and the guided lessons.
package scenarios

import "embed"

//go:embed presets/*.json
var files embed.FS

// Names lists the presets in the order in which they are taught; the first is the default scenario.
var Names = []string{"whose-round", "odd-gpus-out", "fastest-for-whom", "comparative-advantage", "price-spike",
	"two-jobs-three-gpus", "gang-that-waits", "who-starves", "too-much-work", "exact-tie", "what-a-restart-costs",
	"a-share-of-its-own", "what-lengths-are-worth", "patience-for-locality", "one-slow-link",
	"two-gangs-one-card", "one-slow-machine", "a-sweep-of-learning-rates", "who-waits-for-whom", "slowest-no-more",
	"who-feeds-the-gpus", "the-elastic-job", "batches-that-grow", "three-generations", "sixty-measured-jobs",
	"pollux-world", "the-league"}

// Preset gives the document called name; false when there is none.
func Preset(name string) ([]byte, bool) {
	b, err := files.ReadFile("presets/" + name + ".json")
	return b, err == nil
}

// PolluxWorld is the preset pollux-world with one node and one job of each application, for whoever reads traces of
// that world: the page's program has the presets from elsewhere.
//
//go:embed pollux.json
var PolluxWorld []byte
