package elm

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestOneWayIn: events, tasks and callbacks come into the page through the functions that keep their panics, and
// nowhere else; handlers through the one that finds those of the latest drawing.
func TestOneWayIn(t *testing.T) {
	allowed := map[string]string{ // call → function that may make it
		"On": "On", "FuncOf": "callback", "AddEventListener": "start", "go": "",
		"Dispatch": "Guard", "Defer": "settle Drawn",
	}
	dirs := []string{".", "../ui", "../platform", "../engine", "../state", "../edit", "../run", "../compare",
		"../learn", "../share"}
	rooms, err := filepath.Glob("../ui/*/*.go")
	if err != nil || len(rooms) < 10 {
		t.Fatal(rooms, err)
	}
	for _, path := range rooms {
		if dir := filepath.Dir(path); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, path, src, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				name := ""
				if fn, ok := d.(*ast.FuncDecl); ok {
					name = fn.Name.Name
				}
				check := func(call string, at token.Pos) {
					if in, known := allowed[call]; known && !strings.Contains(" "+in+" ", " "+name+" ") {
						t.Errorf("%s: %s in %s: only %s may", fset.Position(at), call, name, in)
					}
				}
				ast.Inspect(d, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.GoStmt:
						check("go", n.Pos())
					case *ast.CallExpr:
						if s, ok := n.Fun.(*ast.SelectorExpr); ok {
							call := s.Sel.Name
							of, ok := s.X.(*ast.Ident)
							if ok && (of.Name == "platform" || of.Name == "elm") {
								return true // what these packages offer goes through their recovers
							}
							drawn := strings.HasPrefix(dir, "../ui")
							if drawn && strings.HasPrefix(call, "On") && call != "On" && call != "OnPaper" {
								t.Errorf("%s: %s: handlers are put on by elm.On", fset.Position(n.Pos()), call)
							}
							check(call, n.Pos())
						}
					}
					return true
				})
			}
		}
	}
}
