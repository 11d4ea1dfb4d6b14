package scenarios

import "embed"

//go:embed assignments/*.json
var assignments embed.FS

// Assignments lists what a class can be given, the first is the usual one.
var Assignments = []string{"hadar-vs-gavel", "hadar-vs-gavel-45", "hadare-copies", "known-lengths"}

// Assignment gives the document called id; false when there is none.
func Assignment(id string) ([]byte, bool) {
	b, err := assignments.ReadFile("assignments/" + id + ".json")
	return b, err == nil
}
