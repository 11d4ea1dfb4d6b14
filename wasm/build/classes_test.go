//go:build !js

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestOneSheetSetsAType: what one style sheet gives a font by its class alone, no other one sets by it. The differences
// of figures were set as the lines of a program are, and a program's editor as a program that is read, by sheets that
// used their class for something else.
func TestOneSheetSetsAType(t *testing.T) {
	names, err := filepath.Glob("../../app/web/*.css")
	if err != nil || len(names) < 8 {
		t.Fatal(names, err)
	}
	alone := regexp.MustCompile(`(?m)^((?:\.[a-z][a-z-]*, )*\.[a-z][a-z-]*) \{([^}]*)\}`)
	font := regexp.MustCompile(`\bfont(?:-family|-weight)?:`)
	sets, fonts := map[string][]string{}, map[string]string{} // of a class
	for _, name := range names {
		base := filepath.Base(name)
		if base == "docs.css" || base == "class.css" { // pages of their own
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range alone.FindAllStringSubmatch(string(b), -1) {
			for class := range strings.SplitSeq(m[1], ", ") {
				sets[class] = append(sets[class], base)
				if font.MatchString(m[2]) {
					fonts[class] = base
				}
			}
		}
	}
	for class, by := range fonts {
		for _, other := range sets[class] {
			if other != by {
				t.Errorf("%s is given a font by %s, and set by %s", class, by, other)
			}
		}
	}
	if len(fonts) == 0 {
		t.Error("no class is given a font")
	}
}
