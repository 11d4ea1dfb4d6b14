package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"hadarlab/app/room"
	"hadarlab/scenarios"
)

// source is the text of files, and each string literal in those that are Go.
func source(t *testing.T, pattern string) (text string, literals map[string]token.Position) {
	t.Helper()
	literals = map[string]token.Position{}
	for _, name := range glob(t, pattern) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text += string(b)
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, b, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				s, _ := strconv.Unquote(lit.Value)
				literals[s] = set.Position(lit.Pos())
			}
			return true
		})
	}
	return text, literals
}

// TestPartsAreDrawn: each part of the page that the state and the lessons name has a selector, whose classes, ids and
// attributes the page draws.
func TestPartsAreDrawn(t *testing.T) {
	parts := regexp.MustCompile(`(?m)^\t(Part\w+)`)
	text, _ := source(t, "../room/parts.go")
	drawn, _ := source(t, "*.go")
	rooms, _ := source(t, "*/*.go")
	drawn += rooms
	names := regexp.MustCompile(`[.#]([a-z][a-z-]*)|(h-[a-z]+)|\[(data-[a-z]+)`)
	n := 0
	for _, m := range parts.FindAllStringSubmatch(text, -1) {
		if n++; n >= len(selectors) || selectors[n] == "" {
			t.Fatalf("nobody says where %s is", m[1])
		}
		selector := selectors[n]
		for _, name := range names.FindAllStringSubmatch(selector, -1) {
			one := name[1] + name[2] + name[3]
			if made := strings.TrimSuffix(strings.TrimPrefix(one, "h-"), "-body"); strings.Count(drawn, one) < 2 &&
				!strings.Contains(drawn, `("`+made+`"`) {
				t.Errorf("%s: the page draws no %s", selector, one)
			}
		}
	}
	if n != len(selectors)-1 {
		t.Errorf("the state names %d parts, and %d have selectors", n, len(selectors)-1)
	}
	lessons, err := scenarios.Lessons()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons {
		for i, s := range l.Steps {
			if s.View != nil && s.View.Show != "" && room.ShownParts[s.View.Show] == room.NoPart {
				t.Errorf("step %d of %s shows %q, which nobody knows", i+1, l.ID, s.View.Show)
			}
		}
	}
}

// TestHooksOfTestsAreTheirs: the page draws data-test for tests and never reads it, and the state knows no selectors.
func TestHooksOfTestsAreTheirs(t *testing.T) {
	for _, pattern := range []string{"../web/*.js", "../web/*.css"} {
		if text, _ := source(t, pattern); strings.Contains(text, "data-test") || len(text) < 1000 {
			t.Errorf("%s read the hooks of tests", pattern)
		}
	}
	reads := regexp.MustCompile(`\[data-test|dataset\.test`)
	for _, pattern := range []string{"*.go", "*/*.go", "../platform/*.go", "../../scenarios/*.json"} {
		if text, _ := source(t, pattern); reads.MatchString(text) || len(text) < 1000 {
			t.Errorf("%s: %s reads a hook of tests", pattern, reads.FindString(text))
		}
	}
	selector := regexp.MustCompile(`\[?(data|aria)-[a-z]|^[.#][a-z-]+[ >:[]|:has\(|:not\(|^\[`)
	_, literals := source(t, "../state/*.go")
	for s, at := range literals {
		if selector.MatchString(s) {
			t.Errorf("%s: %q is a selector", at, s)
		}
	}
}
