package e2e

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// longWait finds a wait of at least ten ms for a page, as a script in a test has it.
var longWait = regexp.MustCompile(`setTimeout\((?:[^()]|\([^()]*\))*, ?\d{2,}\)`)

// TestNoTestSleeps: a test waits for a state, in a loop that ends with it, and never for a time: that is too long on a
// quiet machine and too short on a busy one. Benchmarks may, since time is what they are about.
func TestNoTestSleeps(t *testing.T) {
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git" ||
			path == filepath.Join("..", "build")) { // what is built holds go-app's own tests
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(d.Name(), "bench_") &&
			d.Name() != "waits_test.go" {
			for _, fault := range sleeps(t, path, nil) {
				t.Error(fault)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	const bad = "package x\nfunc f() {\n\ttime.Sleep(1)\n\tfor !done() { time.Sleep(1) }\n\tfor ; ; time.Sleep(1) {}\n" +
		"\teval(`new Promise(done => setTimeout(() => done(true), 400))`)\n\teval(`setTimeout(f, 0)`)\n\tfor range 3 { time.Sleep(1) }\n}\n"
	if found := sleeps(t, "x_test.go", bad); len(found) != 3 {
		t.Errorf("of three waits for a time it finds %q", found)
	}
}

// sleeps lists a file's waits for a time.
func sleeps(t *testing.T, path string, text any) (found []string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var loops []*ast.ForStmt // whose condition or body looks at something
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			loops = append(loops, n)
		case *ast.BasicLit:
			if n.Kind == token.STRING && longWait.MatchString(n.Value) {
				found = append(found, files.Position(n.Pos()).String()+": "+longWait.FindString(n.Value))
			}
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); !ok || pkg.Name != "time" || n.Sel.Name != "Sleep" {
				break
			}
			for _, l := range loops {
				if l.Pos() <= n.Pos() && n.Pos() < l.End() {
					return true
				}
			}
			found = append(found, files.Position(n.Pos()).String()+": time.Sleep outside a loop")
		}
		return true
	})
	return found
}
