package session

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hadarlab/app/state"
)

// TestEveryActionIsKnown: what a reader can do can be read from a recording; what follows by itself, by the list in
// state's follows, is in none.
func TestEveryActionIsKnown(t *testing.T) {
	var files []string
	for _, dir := range []string{"room", "state", "student", "board"} {
		in, err := filepath.Glob("../" + dir + "/*.go")
		if err != nil || len(in) == 0 {
			t.Fatal(dir, err)
		}
		files = append(files, in...)
	}
	var actions []string
	follows := map[string]bool{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			switch {
			case !ok:
			case fn.Name.Name == "follows" && fn.Recv == nil:
				ast.Inspect(fn, func(n ast.Node) bool {
					if c, ok := n.(*ast.CaseClause); ok {
						for _, e := range c.List {
							if of, ok := e.(*ast.SelectorExpr); ok {
								e = of.Sel
							}
							follows[e.(*ast.Ident).Name] = true
						}
					}
					return true
				})
			case fn.Name.Name == "on" && fn.Recv != nil:
				if name := fn.Recv.List[0].Type.(*ast.Ident).Name; ast.IsExported(name) {
					actions = append(actions, name)
				}
			}
		}
	}
	for _, name := range actions {
		if a, err := Action(state.RecordedAction{Did: name}); (a == nil) != follows[name] {
			t.Errorf("%s follows by itself: %v; read as %v, %v", name, follows[name], a, err)
		}
	}
	if len(actions)-len(follows) < 100 || len(follows) < 10 {
		t.Errorf("only %d actions were found, of which %d follow", len(actions), len(follows))
	}
}

// TestActionsAreData: none has a function in it. An edit is a value that makes a document, whatever it is made of.
func TestActionsAreData(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var hasFunc func(of reflect.Type) bool
	hasFunc = func(of reflect.Type) bool {
		if seen[of] {
			return false
		}
		seen[of] = true
		switch of.Kind() {
		case reflect.Func:
			return true
		case reflect.Struct:
			for i := range of.NumField() {
				if hasFunc(of.Field(i).Type) {
					return true
				}
			}
		case reflect.Slice, reflect.Array, reflect.Map:
			return hasFunc(of.Elem())
		}
		return false
	}
	all := maps.Clone(plain)
	for _, a := range []state.Action{state.Do{}, state.Try{}, state.Mend{}, state.Typed{}, state.Load{},
		state.Moved{}} {
		all[reflect.TypeOf(a).Name()] = reflect.TypeOf(a)
	}
	for name, of := range all {
		clear(seen)
		if hasFunc(of) {
			t.Errorf("%s has a function in it", name)
		}
	}
}

// TestStrangeRecordings are refused with a word on why.
func TestStrangeRecordings(t *testing.T) {
	for _, text := range []string{"", "{}", `{"kind":"scenario","version":1}`, `{"kind":"hadarlab-session","version":2}`} {
		if r, err := Read([]byte(text)); err == nil {
			t.Errorf("%q is read as %+v", text, r)
		}
	}
	for _, r := range []state.RecordedAction{{Did: "Nobody"}, {Did: "Go", With: []byte(`{"To":"there"}`)},
		{Did: "Load", With: []byte(`{"Doc":"nothing"}`)}} {
		if a, err := Action(r); err == nil {
			t.Errorf("%s %s is read as %+v", r.Did, r.With, a)
		}
	}
}
