package class

import (
	"encoding/json"
	"os"
	"testing"
)

// TestFoldCode reads the table that the pages' scripts are held to as well (e2e/scripts/test.mjs).
func TestFoldCode(t *testing.T) {
	data, err := os.ReadFile("testdata/codes.json")
	if err != nil {
		t.Fatal(err)
	}
	var table [][2]string
	if err := json.Unmarshal(data, &table); err != nil || len(table) < 10 {
		t.Fatal(len(table), err)
	}
	for _, c := range table {
		if got := FoldCode(c[0]); got != c[1] {
			t.Errorf("%q is %q, want %q", c[0], got, c[1])
		}
	}
}
