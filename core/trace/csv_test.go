package trace

import (
	"bytes"
	"encoding/csv"
	"slices"
	"testing"
)

// TestTablesReadBack compares with the standard library's writer, which the page cannot afford, and reader.
func TestTablesReadBack(t *testing.T) {
	cells := []string{"", "a", " a", "a ", "a,b", `a"b`, `"`, "a\nb", "a;b", "é", "'=1+1", "-1", "0-2 7"}
	for _, a := range cells {
		for _, b := range cells {
			rows := [][]string{{a, b, "x"}}
			var got, want bytes.Buffer
			if err := table(&got, []string{"p", "q", "r"}, rows); err != nil {
				t.Fatal(err)
			}
			w := csv.NewWriter(&want)
			w.Write([]string{"p", "q", "r"})
			w.WriteAll(rows)
			if got.String() != want.String() {
				t.Errorf("%q is written as %q, want %q", rows, got.String(), want.String())
			}
			read, err := csv.NewReader(&got).ReadAll()
			if err != nil || len(read) != 2 || !slices.Equal(read[1], rows[0]) {
				t.Errorf("%q is read as %q, %v", rows, read, err)
			}
		}
	}
}
