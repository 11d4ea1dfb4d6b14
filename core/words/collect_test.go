package words_test

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/policy"
	"hadarlab/core/program/templates"
	"hadarlab/core/words"
	"hadarlab/scenarios"
)

// collector gathers message keys by where they were found.
type collector struct {
	t    *testing.T
	keys map[string]string
	told map[string]bool // expressions met that stand for a key
}

func (c *collector) add(key, where string) {
	// the comma stands between thousands, the point before decimals
	if strings.ContainsFunc(key, unicode.IsLetter) || key == "," || key == "." {
		c.keys[key] = where
	}
}

// handed is a catalogue that is a field, and made a text that is in the reader's language.
var (
	handed = regexp.MustCompile(`^\w+\.(in|In)\b`)
	made   = regexp.MustCompile(`^(words|in|\w+\.(in|In))\.`)
)

// labels are the parts of an element's spec that people read.
var labels = regexp.MustCompile(`\|(?:aria-label|title|placeholder)=([^|]+)`)

func (c *collector) file(dir, path string) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, nil, 0)
	if err != nil {
		c.t.Fatal(err)
	}
	if strings.HasPrefix(dir, "app/ui/") { // its rooms are written in one vocabulary
		dir = "app/ui"
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := text(fset, n.Fun)
			places := keyed[name]
			if places == nil {
				handed := handed.ReplaceAllString(name, "in")
				if at := strings.LastIndex(name, "."); at >= 0 {
					name = "*" + name[at:]
				}
				if places = keyed[handed]; places == nil {
					places = keyed[dir+"."+name]
				}
			}
			if noun, ok := "", false; name == "*.Plural" {
				if noun, ok = literal(n.Args[len(n.Args)-1]); ok {
					c.add("{0} "+noun, path)
					c.add("{0} "+noun+"s", path)
				}
			}
			if name == "*.NewTable" {
				for _, e := range n.Args[1:] {
					c.head(path, e)
				}
			}
			for _, at := range places {
				if at < len(n.Args) {
					c.key(path, name, n.Args[at], text(fset, n.Args[at]))
				}
			}
		case *ast.BasicLit:
			if s, ok := literal(n); ok && dir == "app/ui" {
				for _, m := range labels.FindAllStringSubmatch(s, -1) {
					c.add(m[1], path)
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if fields, ok := tables[dir+"."+name.Name]; ok && i < len(n.Values) {
					c.table(path, n.Values[i].(*ast.CompositeLit), fields)
				}
			}
		case *ast.CompositeLit:
			c.term(dir, path, n)
		case *ast.KeyValueExpr:
			if text(fset, n.Key) == "Head" {
				c.heads(path, n.Value)
			}
		case *ast.AssignStmt:
			to := text(fset, n.Lhs[0])
			if dir == "app/ui" && (to == "head" || to == "d.Head") {
				c.heads(path, n.Rhs[0])
			}
			for i, to := range n.Lhs {
				if says := text(fset, to); strings.Contains(says, ".Names.") && i < len(n.Rhs) {
					if key, ok := literal(n.Rhs[i]); ok {
						c.add(key, path)
					}
				}
			}
		}
		return true
	})
}

// key adds an argument that is a message key. What is in the reader's language already may stand in its place.
func (c *collector) key(path, fn string, arg ast.Expr, says string) {
	if key, ok := literal(arg); ok {
		c.add(key, path)
		return
	}
	c.told[says] = true
	if _, isFunc := arg.(*ast.FuncLit); !isFunc && !made.MatchString(says) && shown[says] == "" {
		c.t.Errorf("%s: %s(%s): a key must be a literal, or %q be explained in shown", path, fn, says, says)
	}
}

// heads adds the heads of a table made as text, from the list or the call of append that makes them.
func (c *collector) heads(path string, e ast.Expr) {
	switch e := e.(type) {
	case *ast.CompositeLit:
		if list, ok := e.Type.(*ast.ArrayType); ok {
			if of, ok := list.Elt.(*ast.Ident); ok && of.Name == "string" {
				for _, one := range e.Elts {
					c.head(path, one)
				}
			}
		}
	case *ast.CallExpr:
		if fn, ok := e.Fun.(*ast.Ident); !ok || fn.Name != "append" {
			return
		}
		for _, one := range e.Args {
			c.head(path, one)
		}
	}
}

// head adds one of them; # marks a column of numbers.
func (c *collector) head(path string, e ast.Expr) {
	if key, ok := literal(e); ok {
		c.add(strings.TrimPrefix(key, "#"), path)
	}
}

// table adds the texts of a variable: the given fields of its entries, or all texts of an entry.
func (c *collector) table(path string, lit *ast.CompositeLit, fields []int) {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if key, ok := literal(e); ok {
			c.add(key, path)
			continue
		}
		for _, i := range fields {
			if key, ok := literal(e.(*ast.CompositeLit).Elts[i]); ok {
				c.add(key, path)
			}
		}
	}
}

// term adds names and units of the numbers that policies show; parameters, which have titles, come from the registry.
func (c *collector) term(dir, path string, lit *ast.CompositeLit) {
	if strings.HasSuffix(path, "app/edit/forms.go") {
		c.form(path, lit)
	}
	of, ok := lit.Type.(*ast.SelectorExpr)
	// the engine adds columns to the policies' tables
	named := strings.HasPrefix(dir, "core/policy") || ok && of.Sel.Name == "Column"
	if !named && dir != "core/scenario" {
		return
	}
	var found []string
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		name, ok := kv.Key.(*ast.Ident)
		if !ok {
			continue
		}
		switch name.Name {
		case "Title", "Summary":
			return
		case "Name", "Unit", "Along", "title":
			if key, ok := literal(kv.Value); ok && named {
				found = append(found, key)
			}
		case "id": // what a text of the document names
			if key, ok := literal(kv.Value); ok && dir == "core/scenario" {
				found = append(found, key)
			}
		case "unit": // of a number of the document
			if key, ok := literal(kv.Value); ok {
				found = append(found, strings.TrimSpace(key))
			}
		}
	}
	for _, key := range found {
		c.add(key, path)
	}
}

// form adds what the editor says of a figure, or of a word and its choices.
func (c *collector) form(path string, lit *ast.CompositeLit) {
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			switch kv.Key.(*ast.Ident).Name {
			case "Name", "Label", "Help", "Empty", "Unit":
				if key, ok := literal(kv.Value); ok {
					c.add(key, path)
				}
			}
			continue
		}
		titles, isList := e.(*ast.CompositeLit)
		switch { // a Word: path, name, label, help, choices, their titles
		case len(lit.Elts) != 8:
		case i == 5 && isList:
			c.table(path, titles, nil)
		case 1 <= i && i <= 3:
			if key, ok := literal(e); ok {
				c.add(key, path)
			}
		}
	}
}

func literal(e ast.Expr) (string, bool) {
	b, ok := e.(*ast.BasicLit)
	if !ok || b.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(b.Value)
	return s, err == nil
}

func text(fset *token.FileSet, e ast.Expr) string {
	var b strings.Builder
	_ = printer.Fprint(&b, fset, e) // a builder takes everything
	return b.String()
}

// data adds the texts of the registry, the presets, the gallery and the lessons.
func (c *collector) data() {
	for _, p := range policy.All() {
		all := []string{p.Title, p.Summary, p.Formula, p.Source}
		for _, q := range p.Params {
			all = append(all, q.Title, q.Unit, q.Help)
			for _, f := range q.Facts {
				all = append(all, f.Unit, f.Means)
			}
		}
		for _, key := range all {
			c.add(key, "registry")
		}
	}
	for i := range templates.All {
		c.add(templates.All[i].Title, "templates")
		c.add(templates.All[i].Says, "templates")
	}
	for _, p := range lab.Presets() {
		c.add(p.Title, "presets")
		c.add(p.Question, "presets")
	}
	cards, err := scenarios.Gallery()
	if err != nil {
		c.t.Fatal(err)
	}
	for i := range cards {
		k := &cards[i]
		for _, key := range slices.Concat([]string{k.Goal, k.Surprise, k.Teacher}, k.Ideas, k.Misconceptions) {
			c.add(key, "gallery")
		}
	}
	lessons, err := scenarios.Lessons()
	if err != nil {
		c.t.Fatal(err)
	}
	for i := range lessons {
		l := &lessons[i]
		c.add(l.Title, "lessons")
		c.add(l.Goal, "lessons")
		c.add(l.Learned, "lessons")
		c.add(l.Next, "lessons")
		for k := range l.Steps {
			s := &l.Steps[k]
			c.add(s.Title, "lessons")
			c.add(s.Text, "lessons")
			if s.Change != nil {
				c.add(s.Change.Say, "lessons")
				c.add(s.Change.Sets, "lessons")
			}
			if s.Ask != nil {
				for _, key := range append([]string{s.Ask.Question, s.Ask.Because}, s.Ask.Options...) {
					c.add(key, "lessons")
				}
			}
		}
	}
}

// assignments adds what students and teachers read of the assignments that come with the page.
func (c *collector) assignments() {
	for _, id := range scenarios.Assignments {
		doc, _ := scenarios.Assignment(id)
		a, diags := class.Parse(doc)
		if a == nil {
			c.t.Fatal(id, diags)
		}
		for _, key := range a.Texts() {
			c.add(key, "assignments")
		}
		for _, step := range a.Plan {
			c.add(step.Teacher, "assignments")
		}
		for i := range a.Questions {
			for k := range a.Questions[i].Options {
				c.add(a.Questions[i].Options[k].Idea, "assignments")
			}
		}
	}
}

// markup adds the texts outside the program: of the shell's page and of its scripts.
func (c *collector) markup() {
	read := func(path string) string {
		b, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			c.t.Fatal(err)
		}
		return string(b)
	}
	for _, page := range []string{"index.html", "app/web/join.html"} {
		for _, m := range regexp.MustCompile(`(?:<title|<[^>]* data-say[^>]*)>([^<]+)<`).FindAllStringSubmatch(read(page),
			-1) {
			c.add(m[1], page)
		}
	}
	scripts, err := filepath.Glob(filepath.Join(root, "app/web/*.js"))
	if err != nil || len(scripts) < 10 {
		c.t.Fatal(scripts, err)
	}
	said, joined := regexp.MustCompile(`\bsay\("((?:[^"]|"\s*\+\s*")+)"[),]`), regexp.MustCompile(`"\s*\+\s*"`)
	for _, script := range scripts {
		name := filepath.Base(script)
		for _, m := range said.FindAllStringSubmatch(read("app/web/"+name), -1) {
			c.add(joined.ReplaceAllString(m[1], ""), name)
		}
	}
}

func collect(t *testing.T) map[string]string {
	c := &collector{t, map[string]string{}, map[string]bool{}}
	for _, top := range []string{"app", "core", "wasm", "worker"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			dir, _ := filepath.Rel(root, filepath.Dir(path))
			if dir = filepath.ToSlash(dir); !slices.Contains(english, dir) {
				c.file(dir, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	c.data()
	c.assignments()
	c.markup()
	for _, term := range words.Glossary {
		c.add(term.Means, "glossary")
		c.add(term.Said, "glossary")
	}
	for _, key := range alone {
		c.add(key, "alone")
	}
	for says := range shown {
		if !c.told[says] {
			t.Errorf("no key is given as %s any more: take it out of shown", says)
		}
	}
	if len(c.keys) < 500 {
		t.Errorf("only %d keys were found: is the test looking at the right folder?", len(c.keys))
	}
	return c.keys
}
