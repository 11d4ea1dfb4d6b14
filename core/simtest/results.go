package simtest

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"hadarlab/core/results"
)

var remake = flag.Bool("results", false, "write figures into core/results/RESULTS.md (with go test -p 1)")

// RemakesResults says whether the long rows of the table of results are to be made too.
func RemakesResults() bool { return *remake }

// Result holds a row of core/results/RESULTS.md to the figure that a test, two or three folders below the root, has
// just measured. With -results it writes the figure and the day into the row.
func Result(t testing.TB, id, figure string) {
	t.Helper()
	t.Logf("%s: %s", id, figure)
	if !*remake {
		if want := results.Figure(id); figure != want {
			t.Errorf("%s is %q, and RESULTS.md says %q (see the head of that file)", id, figure, want)
		}
		return
	}
	const table = "core/results/RESULTS.md"
	for _, root := range []string{"../../", "../../../"} {
		b, err := os.ReadFile(root + table)
		if err != nil {
			continue
		}
		lines, found := strings.SplitAfter(string(b), "\n"), false
		for i, line := range lines {
			cells := strings.Split(line, " | ")
			if found = cells[0] == "| `"+id+"`"; found {
				cells[2], cells[3] = figure, time.Now().UTC().Format(time.DateOnly)
				lines[i] = strings.Join(cells, " | ")
				break
			}
		}
		if err := os.WriteFile(root+table, []byte(strings.Join(lines, "")), 0o644); err != nil || !found {
			t.Fatalf("%s has no row %s, or cannot be written: %v", table, id, err)
		}
		return
	}
	t.Fatalf("%s was not found", table)
}

// Signed writes a deviation as texts quote it, in per cent with so many decimals.
func Signed(v float64, decimals int) string {
	return strings.Replace(fmt.Sprintf("%+.*f", decimals, 100*v), "-", "−", 1)
}

// Span writes the least and the most of deviations as texts quote them.
func Span(off []float64, decimals int) string {
	least, most := off[0], off[0]
	for _, v := range off {
		least, most = min(least, v), max(most, v)
	}
	a, b := Signed(least, decimals), Signed(most, decimals)
	if a == b {
		return a + " %"
	}
	return a + " to " + b + " %"
}
