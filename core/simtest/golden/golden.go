// Package golden reads and writes text archives of cases with their expected output, for tests only. It imports nothing
// that simulates, so that the tests of a room below the simulator may use it.
package golden

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/jsondoc"
)

// update says to rewrite the golden files: `make golden`.
var update = os.Getenv("UPDATE_GOLDEN") != ""

// Case is one section of a text archive: "== kind/name", the input, "-- want", the output.
type Case struct{ Kind, Name, In, Want string }

// Read gives the cases of an archive.
func Read(t testing.TB, path string) []Case {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cases []Case
	for _, section := range strings.Split("\n"+string(b), "\n== ")[1:] {
		head, body, _ := strings.Cut(section, "\n")
		in, want, ok := strings.Cut(body, "-- want\n")
		kind, name, ok2 := strings.Cut(head, "/")
		if !ok || !ok2 {
			t.Fatalf("%s: section %q has no kind or no want", path, head)
		}
		if want = strings.TrimRight(want, "\n"); want != "" {
			want += "\n"
		}
		cases = append(cases, Case{kind, name, in, want})
	}
	return cases
}

func write(t *testing.T, path string, cases []Case) {
	var b strings.Builder
	for _, c := range cases {
		b.WriteString("== " + c.Kind + "/" + c.Name + "\n" + c.In + "-- want\n" + c.Want + "\n")
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Test compares what run gives for every case of an archive with what it should give, or rewrites the archive.
func Test(t *testing.T, path string, run func(t *testing.T, c *Case) string) {
	cases := Read(t, path)
	if update {
		for i := range cases {
			cases[i].Want = run(t, &cases[i])
		}
		write(t, path, cases)
		return
	}
	for _, c := range cases {
		t.Run(c.Kind+"/"+c.Name, func(t *testing.T) {
			if got := run(t, &c); got != c.Want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.Want)
			}
		})
	}
}

// Input is the text of a case: as it stands, or a Go string literal when bytes would not survive.
func (c *Case) Input() string {
	in := strings.TrimSuffix(c.In, "\n")
	if strings.HasPrefix(in, `"`) {
		if s, err := strconv.Unquote(in); err == nil {
			return s
		}
	}
	return in
}

// Document is the text of a document that several tests use; one that is not there ends them all.
func Document(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return strings.TrimSuffix(string(b), "\n")
}

// Lines writes findings as people see them, one a line.
func Lines(found []jsondoc.Diagnostic) string {
	var b strings.Builder
	for _, m := range found {
		b.WriteString(strconv.Itoa(m.Line) + " " + m.Level + " " + m.Code + " " + m.Path + ": " + m.Message.String())
		if !m.Fix.IsZero() {
			b.WriteString(" (" + m.Fix.String() + ")")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// EveryCode fails for each code among the constants of a file that no case of the archives shows, nor the text other.
func EveryCode(t *testing.T, file, other string, archives ...string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range archives {
		for _, c := range Read(t, path) {
			other += c.Want
		}
	}
	for _, decl := range parsed.Decls {
		for _, spec := range decl.(*ast.GenDecl).Specs {
			code, _ := strconv.Unquote(spec.(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
			if !strings.Contains(other, " "+code+" ") {
				t.Errorf("no test shows %s", code)
			}
		}
	}
}
