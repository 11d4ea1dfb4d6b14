package session

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hadarlab/app/state"
)

// TestEveryActionIsKnown: what a reader can do can be read from a recording, or follows by itself.
func TestEveryActionIsKnown(t *testing.T) {
	follows := " Answer Written TraceRead Ticked Posted Fetched Copied Told EngineDied ListSnapshots Sight " +
		"Broke Nothing "
	files, err := filepath.Glob("../state/*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
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
			if !ok || fn.Recv == nil || fn.Name.Name != "on" {
				continue
			}
			name := fn.Recv.List[0].Type.(*ast.Ident).Name
			if !ast.IsExported(name) || strings.Contains(follows, " "+name+" ") {
				continue
			}
			found++
			if a, err := Action(state.Recorded{Did: name}); a == nil && !strings.Contains(err.Error(), "document") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d actions were found", found)
	}
}

// TestStrangeRecordings are refused with a word on why.
func TestStrangeRecordings(t *testing.T) {
	for _, text := range []string{"", "{}", `{"kind":"scenario","version":1}`, `{"kind":"hadarlab-session","version":2}`} {
		if r, err := Read([]byte(text)); err == nil {
			t.Errorf("%q is read as %+v", text, r)
		}
	}
	for _, r := range []state.Recorded{{Did: "Nobody"}, {Did: "Go", With: []byte(`{"To":"there"}`)},
		{Did: "Load", With: []byte(`{"Doc":"nothing"}`)}} {
		if a, err := Action(r); err == nil {
			t.Errorf("%s %s is read as %+v", r.Did, r.With, a)
		}
	}
}
