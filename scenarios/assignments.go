package scenarios

import "embed"

//go:embed assignments/*.json
var assignments embed.FS

// Assignments lists what a class can be given, the first is the usual one.
var Assignments = []string{"hadar-vs-gavel", "hadar-vs-gavel-45", "hadare-copies", "known-lengths", "which-claims-hold",
	"write-an-order"}

// Assignment gives the document called id; false when there is none.
func Assignment(id string) ([]byte, bool) {
	b, err := assignments.ReadFile("assignments/" + id + ".json")
	return b, err == nil
}

// Larger is a scenario of 480 jobs on 60 GPUs, drawn from its seed, for a class that wants to see its lanes at a larger
// scale. Its own lanes are replaced by the class's.
//
//go:embed larger.json
var Larger []byte
