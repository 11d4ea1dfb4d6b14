package papers

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hadarlab/core/lab"
)

// sources is what texts may name, and what may cite them: files, functions and constants by name, and all comments.
type sources struct {
	folders, files, funcs map[string]bool
	consts                map[string]string // with their values
	comments              []comment
}

// comment is a group of lines, as one; or the name of a test, which is read like one.
type comment struct{ at, text string }

func read(t *testing.T) *sources {
	t.Helper()
	x := &sources{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]string{}, nil}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			x.folders[strings.TrimPrefix(filepath.ToSlash(path), "../../")] = true
			if n := d.Name(); n == "node_modules" || n == "build" || n == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		x.files[d.Name()] = true
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, group := range f.Comments {
			text := strings.Join(strings.Fields(group.Text()), " ")
			x.comments = append(x.comments, comment{set.Position(group.Pos()).String(), text})
		}
		for _, decl := range f.Decls {
			switch v := decl.(type) {
			case *ast.FuncDecl:
				x.funcs[v.Name.Name] = true
				x.comments = append(x.comments, comment{set.Position(v.Pos()).String(), v.Name.Name})
			case *ast.GenDecl:
				for _, spec := range v.Specs {
					if c, ok := spec.(*ast.ValueSpec); ok && v.Tok == token.CONST && len(c.Values) == len(c.Names) {
						for i, name := range c.Names {
							if lit, ok := c.Values[i].(*ast.BasicLit); ok {
								x.consts[name.Name] = lit.Value
							}
						}
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// defaults are the parameters' defaults of the policies that a text is about, by name.
func defaults(text *Text) map[string][]string {
	list := map[string][]string{}
	for _, p := range lab.Policies() {
		for _, param := range p.Params {
			if text.Is(p.ID) {
				list[param.Name] = append(list[param.Name], fmt.Sprint(param.Default))
			}
		}
	}
	return list
}

var (
	named   = regexp.MustCompile("`([^`]+)`")
	setTo   = regexp.MustCompile("`([a-z][a-z0-9_]*)` \\(default `([^`]+)`\\)")
	fixedAt = regexp.MustCompile("`([a-z][A-Za-z]+)` \\(([0-9.]+)\\)")
	leads   = regexp.MustCompile(`\]\(([a-z-]+)\.md(?:#([a-z0-9-]+))?\)`)
	heading = regexp.MustCompile(`(?m)^##+ (.+)$`)
	sign    = regexp.MustCompile(`[^\pL\pN]+`)
)

// sections are the anchors of a text.
func sections(text *Text) map[string]bool {
	list := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(text.Source(), -1) {
		list[strings.Trim(sign.ReplaceAllString(strings.ToLower(m[1]), "-"), "-")] = true
		list[m[1]] = true
	}
	return list
}

// TestTextsNameWhatExists: files, folders and tests that a text names are there, the defaults that it gives are the
// registry's, the figures of constants those of the code, and its links lead to sections.
func TestTextsNameWhatExists(t *testing.T) {
	code, byName := read(t), map[string]Text{}
	for _, text := range All() {
		byName[text.Name] = text
	}
	for _, text := range All() {
		source := strings.Join(strings.Fields(text.Source()), " ")
		for _, m := range named.FindAllStringSubmatch(source, -1) {
			name := m[1]
			switch {
			case strings.HasPrefix(name, "core/") && !code.folders[name],
				strings.HasSuffix(name, ".go") && !code.files[name],
				strings.HasPrefix(name, "Test") && !code.funcs[name]:
				t.Errorf("%s names %s, which is not there", text.Name, name)
			}
		}
		params := defaults(&text)
		for _, m := range setTo.FindAllStringSubmatch(source, -1) {
			if !strings.Contains("\n"+strings.Join(params[m[1]], "\n")+"\n", "\n"+m[2]+"\n") {
				t.Errorf("%s says that %s is %s by default, and the registry %v", text.Name, m[1], m[2], params[m[1]])
			}
		}
		for _, m := range fixedAt.FindAllStringSubmatch(source, -1) {
			if code.consts[m[1]] != m[2] && code.consts[m[1]] != m[2]+".0" {
				t.Errorf("%s says that %s is %s, and the code %q", text.Name, m[1], m[2], code.consts[m[1]])
			}
		}
		for _, m := range leads.FindAllStringSubmatch(source, -1) {
			if to, ok := byName[m[1]]; !ok || m[2] != "" && !sections(&to)[m[2]] {
				t.Errorf("%s leads to %s#%s, which is not there", text.Name, m[1], m[2])
			}
		}
	}
}

// What comments cite: a section of a text here, or something that is in no repository.
var (
	cites  = regexp.MustCompile(`\b(hadar|gavel|pollux|sia|dally|a-srpt)\.md, ([A-Z].*)`)
	beyond = regexp.MustCompile(`\b(Hadar|HadarE|Gavel|Pollux|Sia|Dally) \d\.\d|\bthe notes'|\b(as|which|what|where) the notes\b` +
		`|\([1-9]\.[1-9]\)|[A-Za-z][1-9]\.[1-9]|Example[1-9][1-9]|\b(design|contract|toolchain|findings)\.md\b`)
)

// TestCommentsCiteWhatCanBeOpened: no comment, and no test's name, leads to notes that are not in the repository, and
// the sections of texts that comments name are there.
func TestCommentsCiteWhatCanBeOpened(t *testing.T) {
	of := map[string]map[string]bool{}
	for _, text := range All() {
		of[text.Name] = sections(&text)
	}
	seen := 0
	for _, c := range read(t).comments {
		if m := beyond.FindString(c.text); m != "" && !strings.Contains(c.at, "papers/laws_test.go") {
			t.Errorf("%s cites %q, which nobody can open", c.at, m)
		}
		for _, m := range cites.FindAllStringSubmatch(c.text, -1) {
			found := false
			for name := range of[m[1]] {
				found = found || strings.HasPrefix(m[2], name)
			}
			if seen++; !found {
				t.Errorf("%s cites a section of %s.md that is not there: %q", c.at, m[1], m[2])
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d citations were seen: is the test looking at the right folders?", seen)
	}
}
