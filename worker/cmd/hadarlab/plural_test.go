//go:build !js

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestOneOfAKindIsSaidSo: no figure stands before a noun in the plural that may also be one, as in "mean of 1 seeds":
// figure.Plural counts. After "of" it is a whole of which a part is told.
func TestOneOfAKindIsSaidSo(t *testing.T) {
	counted := regexp.MustCompile(`(of )?%d (GPUs|jobs|lanes|nodes|rounds|rows|runs|scenarios|seeds|texts)\b`)
	files, _ := filepath.Glob("*.go")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range counted.FindAllString(string(text), -1) {
			if !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(found, "of ") {
				t.Errorf("%s says %q", name, found)
			}
		}
	}
}
