package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestViewsAreValues: a view has no way to the state, in no field of its own nor of what it is made of, here and in
// each room. Host alone reads the state, hands it to selectors, and draws nothing but the screen that they make. No
// components are made but elm's.
func TestViewsAreValues(t *testing.T) {
	set := token.NewFileSet()
	views, fields, methods := map[string]bool{}, map[string][]string{}, 0
	for _, name := range drawing(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		room := filepath.Dir(name) + "."
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				of := receiver(n)
				if n.Name.Name == "Render" && of != "" {
					views[room+of] = true
				}
				ast.Inspect(n, func(n ast.Node) bool {
					if a, ok := n.(*ast.AssignStmt); ok && slices.ContainsFunc(a.Lhs, ofState) {
						t.Errorf("%s: the state is changed by another than its reducer", set.Position(n.Pos()))
					}
					return true
				})
				if of == "Host" {
					methods++
					if n.Name.Name != "screen" && draws(n) {
						t.Errorf("%s: the host draws", set.Position(n.Pos()))
					}
					return true
				}
				ast.Inspect(n, func(n ast.Node) bool {
					if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "S" {
						t.Errorf("%s: the state is read by another than the host", set.Position(n.Pos()))
					}
					return true
				})
			case *ast.TypeSpec:
				if s, ok := n.Type.(*ast.StructType); ok {
					for _, f := range s.Fields.List {
						ast.Inspect(f.Type, func(of ast.Node) bool {
							name := room + n.Name.Name
							switch of := of.(type) {
							case *ast.Ident:
								fields[name] = append(fields[name], room+of.Name)
							case *ast.SelectorExpr:
								if of.Sel.Name == "Compo" {
									t.Errorf("%s: a component", set.Position(of.Pos()))
								}
								if from, ok := of.X.(*ast.Ident); ok {
									fields[name] = append(fields[name], from.Name+"."+of.Sel.Name)
								}
							}
							return true
						})
					}
				}
			}
			return true
		})
	}
	if methods < 20 || methods >= 40 {
		t.Errorf("the host has %d methods", methods)
	}
	if len(views) < 20 {
		t.Errorf("only %d views were found", len(views))
	}
	for name := range views {
		seen := map[string]bool{}
		var reaches func(name string) bool
		reaches = func(name string) bool {
			if seen[name] {
				return false
			}
			seen[name] = true
			return name == "..Host" || name == "state.State" || slices.ContainsFunc(fields[name], reaches)
		}
		if reaches(name) {
			t.Errorf("%s reaches the state", name)
		}
	}
}

// ofState says that what is assigned to is a part of the state.
func ofState(to ast.Expr) bool {
	for {
		switch e := to.(type) {
		case *ast.SelectorExpr:
			if to = e.X; e.Sel.Name == "S" {
				return true
			}
		case *ast.IndexExpr:
			to = e.X
		default:
			return false
		}
	}
}

// draws says that a function makes a part of the screen.
func draws(f *ast.FuncDecl) bool {
	if f.Type.Results == nil {
		return false
	}
	for _, r := range f.Type.Results.List {
		typ := r.Type
		if list, ok := typ.(*ast.ArrayType); ok {
			typ = list.Elt
		}
		if s, ok := typ.(*ast.SelectorExpr); ok && s.Sel.Name == "UI" {
			return true
		}
	}
	return false
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
