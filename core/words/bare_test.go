package words_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// inMarkup is a text or a label of markup that is written out.
	inMarkup = regexp.MustCompile(`>[^<>$]*[A-Za-z]{2}[^<>$]*</|(?:aria-label|title|placeholder)="[^"$]*[A-Za-z]{2}`)
	// joined is a word with a space at its edge, as it is joined to what stands beside it.
	joined = regexp.MustCompile(`^ [A-Za-z]{2,}[A-Za-z ,.:;]*$|^[A-Za-z][A-Za-z ,.:;]+ $`)
)

// bare are functions that take a text as it is shown, with its place among their arguments.
var bare = map[string]int{"Txt": 1, "Text": 0, "Bold": 0, "Td": 0, "TdNum": 0, "app.Text": 0}

// own are texts that are the same in every language, or go to no screen.
var own = []string{"Hadarlab", "hadarlab: ", " SCENARIO",
	`" title="Hadarlab" width="100%" height="1000" loading="lazy"></iframe>`}

// TestNoBareEnglish: no text reaches the screen but by the catalogue.
func TestNoBareEnglish(t *testing.T) {
	found := 0
	for _, dir := range []string{"app/ui", "app/ui/*", "app/state", "app/room", "app/student", "app/board",
		"app/edit", "app/run",
		"app/compare", "app/learn", "app/share", "app/class",
		"core/chart", "core/chart/draw", "core/figure", "core/insights"} {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			found++
			say := func(e ast.Expr, s string) {
				if !slices.Contains(own, s) {
					t.Errorf("%s: %q reaches the screen in English only: give it to words.T", fset.Position(e.Pos()), s)
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					return n.Name.Name != "Key" // of the history
				case *ast.BasicLit:
					if s, ok := literal(n); ok && inMarkup.MatchString(s) {
						say(n, s)
					}
				case *ast.BinaryExpr:
					for _, e := range []ast.Expr{n.X, n.Y} {
						if s, ok := literal(e); ok && n.Op == token.ADD && joined.MatchString(s) {
							say(e, s)
						}
					}
				case *ast.CallExpr:
					at, ok := bare[text(fset, n.Fun)]
					if ok && strings.HasPrefix(dir, "app/ui") && at < len(n.Args) {
						if s, ok := literal(n.Args[at]); ok && regexp.MustCompile(`[A-Za-z]{2}`).MatchString(s) {
							say(n.Args[at], s)
						}
					}
				}
				return true
			})
		}
	}
	if found < 100 {
		t.Errorf("only %d files were read", found)
	}
}
