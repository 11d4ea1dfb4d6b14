// Package results is the table of result figures that README, the manual and other texts quote: RESULTS.md, which tests
// make anew.
package results

import (
	_ "embed"
	"strings"
)

//go:embed RESULTS.md
var table string

// Result is a figure that texts quote, with where it comes from.
type Result struct {
	ID      string
	What    string
	Figure  string // as it is quoted, with its unit
	Date    string // of its last making, YYYY-MM-DD
	Command string
}

// All are the rows of RESULTS.md.
func All() (list []Result) {
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if len(cells) == 5 && strings.HasPrefix(cells[0], "`") {
			list = append(list, Result{strings.Trim(cells[0], "`"), cells[1], cells[2], cells[3],
				strings.Trim(cells[4], "`")})
		}
	}
	return list
}

// Figure is the figure of a row, "" for an id that has none.
func Figure(id string) string {
	for _, r := range All() {
		if r.ID == id {
			return r.Figure
		}
	}
	return ""
}
