package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// withHost are the views that still read the state while they are drawn. The list only gets shorter: a view is a value
// that a selector has taken from the state, and is drawn from nothing else.
var withHost = []string{"Canvas", "Charts", "LaneView", "Layers", "Multiples", "Axes", "Numbers", "Replicates",
	"Spans", "Strip", "Timeline", "Vary", "Why"}

// TestViewsAreValues: views have no way to the state but those of the list, and selectors alone take values from it.
func TestViewsAreValues(t *testing.T) {
	set := token.NewFileSet()
	views, hosts, state := map[string]bool{}, map[string]bool{}, map[string]token.Pos{}
	embeds := map[string][]string{}
	for _, name := range glob(t, "*.go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				of := receiver(n)
				if n.Name.Name == "render" && of != "" {
					views[of] = true
				}
				ast.Inspect(n, func(n ast.Node) bool {
					if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "S" && of != "Host" {
						state[of] = s.Pos()
					}
					return true
				})
			case *ast.TypeSpec:
				s, ok := n.Type.(*ast.StructType)
				if !ok {
					return true
				}
				for _, f := range s.Fields.List {
					typ := f.Type
					if p, ok := typ.(*ast.StarExpr); ok {
						typ = p.X
					}
					id, ok := typ.(*ast.Ident)
					switch {
					case !ok:
					case id.Name == "Host":
						hosts[n.Name.Name] = true
					case len(f.Names) == 0:
						embeds[n.Name.Name] = append(embeds[n.Name.Name], id.Name)
					}
				}
			}
			return true
		})
	}
	var reaches func(name string) bool
	reaches = func(name string) bool { return hosts[name] || slices.ContainsFunc(embeds[name], reaches) }
	if len(views) < 20 {
		t.Errorf("only %d views were found", len(views))
	}
	for name := range views {
		known := slices.Contains(withHost, name)
		if reaches(name) != known {
			t.Errorf("%s reaches the state: %v; the list says %v", name, !known, known)
		}
		if at, reads := state[name]; reads && !known {
			t.Errorf("%s: %s reads the state while it is drawn", set.Position(at), name)
		}
	}
}

// receiver is the type whose method a function is, "" = none.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	typ := f.Recv.List[0].Type
	if p, ok := typ.(*ast.StarExpr); ok {
		typ = p.X
	}
	id, _ := typ.(*ast.Ident)
	return id.Name
}
