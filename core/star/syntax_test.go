package star

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// tokens are what the parser calls blanks at the beginning of lines and the ends of lines.
var tokens = regexp.MustCompile(`(got|want) (in|out)dent|unindent|newline, want`)

// TestBlocksAreToldInOurWords: wherever a line of a program is indented otherwise, or loses its colon, what is wrong is
// said in our words, at that line, or where only a later one is no longer in place, there.
func TestBlocksAreToldInOurWords(t *testing.T) {
	files, _ := filepath.Glob("../program/templates/*.star")
	said := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
		given := []string{"job", "cluster", "view", "plan", "why", "random", "param", "state"}
		for i, line := range lines {
			bare := strings.TrimLeft(line, " ")
			colon, _, _ := strings.Cut(line, "  #")
			for what, other := range map[string]string{"deeper": "   " + line, "one deeper": " " + line,
				"left": bare, "one left": strings.TrimPrefix(line, " "), "a tab": "\t" + bare,
				"no colon": strings.TrimSuffix(colon, ":")} {
				changed := append(append(append([]string{}, lines[:i]...), other), lines[i+1:]...)
				_, err := Compile(strings.Join(changed, "\n")+"\n", given...)
				var e *Error
				if !errors.As(err, &e) {
					continue
				}
				place := fmt.Sprintf("%s, line %d %s (%q)", filepath.Base(file), i+1, what, other)
				if tokens.MatchString(e.Error()) {
					t.Errorf("%s: %v", place, e)
				}
				if said[e.Reason.String()]++; strings.Contains(e.Error(), "indented") {
					if at := changed[e.Line-1]; strings.TrimSpace(at[:e.Col-1]) != "" && e.Col <= len(at) {
						t.Errorf("%s: %v stands within the line %q", place, e, at)
					}
					if e.Line <= i {
						t.Errorf("%s: %v", place, e)
					}
				}
				if strings.Contains(e.Error(), "A colon") && e.Line != i+1 {
					t.Errorf("%s: %v", place, e)
				}
			}
		}
	}
	for _, of := range []string{"A colon", "What belongs", "indented further", "indented less", "A tab counts"} {
		n := 0
		for says, times := range said {
			if strings.Contains(says, of) {
				n += times
			}
		}
		if n == 0 {
			t.Errorf("%q is never said", of)
		}
	}
}

// TestSlipsOfBlocks: each kind at its place.
func TestSlipsOfBlocks(t *testing.T) {
	for src, want := range map[string]string{
		"def f(a):\nreturn a\n":                          "2:1: What belongs to a line",
		"def f(a):\n    if a:\n    return 1\n":           "3:5: What belongs to a line",
		"def f(a):\n":                                    "1:10: What belongs to a line",
		"def f(ä):":                                      "1:10: What belongs to a line",
		"if 1:\r\n  # nothing yet\r\nx = 1":              "3:1: What belongs to a line",
		"def f(a):\n    x = 1\n   return x\n":            "3:4: This line is indented less than the block before it",
		"def f(a):\n  x = 1\n    y = 2\n":                "3:5: This line is indented further",
		"  x = 1":                                        "1:3: This line is indented further",
		"def f(a)  \n  return a\n":                       "1:9: A colon (:) is missing",
		"def f(a):\n    if a\n        return 1\n":        "2:9: A colon (:) is missing",
		"def f(a):\n\tx = 1\n    return x\n":             "3:5: This line is indented less",
		"def f(a):\n  return a\n\n# on\n   \n   b = 1\n": "6:4: This line is indented further",
	} {
		if _, err := Compile(src); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}

// TestSlipsOfPython: what a beginner writes as in Python, or misspells, is told at the first sign of what is wrong.
func TestSlipsOfPython(t *testing.T) {
	for src, want := range map[string]string{
		"import math\n":     "1:1: Programs are written in a part of Python without import. The module math",
		"from x import y\n": "1:1: Programs are written in a part of Python without from.",
		"def f(x):\n    if x is None:\n        pass\n": "2:10: Programs are written " +
			"in a part of Python without is. Write == or !=",
		"x = 2 ** 3\n":                    "1:7: Programs are written in a part of Python without **. Write math.pow",
		"try:\n    x = 1\n":               "1:1: Programs are written in a part of Python without try.",
		"def f(left):\n    retrun left\n": "2:12: The line should have ended before this. Is a word in it misspelt",
		"x = 'ä' 'ö'\n":                   "1:9: The line should have ended",
		"x = 1 2.5\n":                     "1:7: The line should have ended",
		"x = f'a'\n":                      "1:6: Programs are written in a part of Python without f",
		"x = (1 +\ny = 2)\n":              "2:3: This is no Starlark: got '='",
		"x = [1 2]\n":                     "1:8: This is no Starlark: got int literal",
		"x = (1":                          "1:7: This is no Starlark: got end of file",
	} {
		if _, err := Compile(src, "y"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}
