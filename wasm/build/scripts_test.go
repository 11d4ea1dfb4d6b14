//go:build !js

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestScriptsAreNarrow: nothing that is served as it is written has a line over 120 columns, like the Go beside it.
func TestScriptsAreNarrow(t *testing.T) {
	for _, pattern := range []string{"*.js", "*.css"} {
		names, err := filepath.Glob("../../app/web/" + pattern)
		if err != nil || len(names) < 8 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(b), "\n") {
				if n := utf8.RuneCountInString(line); n > 120 {
					t.Errorf("%s:%d has %d columns", filepath.Base(name), i+1, n)
				}
			}
		}
	}
}

// TestNumbersHaveOneConvention: no script writes a number as its browser would, whose German thousands are others than
// those of the program: only join.number does, by the catalogue. Dates are the browser's.
func TestNumbersHaveOneConvention(t *testing.T) {
	names, err := filepath.Glob("../../app/web/*.js")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(b), "\n") {
			if strings.Contains(line, "join.number = ") && strings.Contains(line, `toLocaleString("en"`) {
				found++
			} else if strings.Contains(line, "NumberFormat(") || strings.Contains(line, "toLocaleString(") &&
				!strings.Contains(line, "new Date(") {
				t.Errorf("%s:%d writes a number as the browser does, not by join.number", filepath.Base(name), i+1)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d functions write numbers", found)
	}
}
