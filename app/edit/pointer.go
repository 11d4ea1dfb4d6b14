package edit

import (
	"strconv"
	"strings"

	"hadarlab/core/scenario"
)

// JobPath reads the index and the field of a pointer into the jobs, -1 where it points elsewhere.
func JobPath(path string) (job int, field string) {
	rest, ok := strings.CutPrefix(path, "/scenario/jobs/")
	if !ok {
		return -1, ""
	}
	index, field, _ := strings.Cut(rest, "/")
	return LeadingIndex(index), field
}

// LeadingIndex reads a leading index, -1 where there is none.
func LeadingIndex(s string) int {
	s, _, _ = strings.Cut(s, "/")
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// Alter makes a change that a search has found.
type Alter struct {
	Pointer string
	Value   any
	What    string
}

// Change sets the value.
func (e Alter) Change(d *scenario.Document) string {
	if !d.Alter(e.Pointer, e.Value) {
		return ""
	}
	return e.What
}
