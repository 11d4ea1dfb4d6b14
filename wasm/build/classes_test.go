//go:build !js

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestOneSheetSetsAType: a class by itself is given its font in one style sheet only. The differences of figures were
// set as the lines of a program are, by a sheet that used their class for something else.
func TestOneSheetSetsAType(t *testing.T) {
	names, err := filepath.Glob("../../app/web/*.css")
	if err != nil || len(names) < 8 {
		t.Fatal(names, err)
	}
	fonts := regexp.MustCompile(`(?m)^\.([a-z][a-z-]*) \{[^}]*\bfont(?:-family|-weight)?:`)
	of := map[string]string{}
	for _, name := range names {
		base := filepath.Base(name)
		if base == "docs.css" || base == "class.css" { // pages of their own
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range fonts.FindAllSubmatch(b, -1) {
			class := string(m[1])
			if was := of[class]; was != "" && was != base {
				t.Errorf(".%s is given a font by %s and by %s", class, was, base)
			}
			of[class] = base
		}
	}
	if len(of) == 0 {
		t.Error("no class is given a font")
	}
}
