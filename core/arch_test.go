package core

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// table says which of our packages each may import (ARCHITECTURE.md, layers).
var table = func() map[string][]string {
	l0 := []string{"core/unit", "core/csv", "core/words", "core/jsondoc", "scenarios"}
	l1 := append(slices.Clone(l0), "core/model", "core/trace", "core/message")
	l2 := append(slices.Clone(l1), "core/assign", "core/primaldual", "core/fork", "core/timeshare", "core/lp",
		"core/goodput",
		"core/network", "core/host", "core/sim")
	l3 := append(slices.Clone(l2), "core/place", "core/formula", "core/program", "core/record")
	// The families of policies: none of them knows another.
	families := []string{"core/policy/queues", "core/policy/gavel", "core/policy/hadar", "core/policy/elastic",
		"core/policy/network", "core/policy/auction"}
	all := append(slices.Clone(l3), "core/policy", "core/policy/all", "core/generate", "core/scenario",
		"core/link", "core/metric", "core/figure", "core/chart", "core/chart/draw", "core/chart/data",
		"core/insights", "core/allocate", "core/class", "core/lab")
	page := append(slices.Clone(l1), "core/program", "core/record", "core/generate", "core/scenario",
		"core/link", "core/metric",
		"core/figure", "core/chart", "core/chart/draw", "core/chart/data", "core/insights", "core/class")
	rooms := []string{"app/elm", "app/edit", "app/run", "app/compare", "app/learn", "app/share", "app/class",
		"app/room", "app/student", "app/board", "app/state", "app/platform", "app/ui/charts", "app/ui/markup",
		"app/ui/html"}
	// The screens of the page: none of them knows another, or the package that composes them.
	screens := []string{"app/ui/board", "app/ui/editor", "app/ui/lesson", "app/ui/numbers",
		"app/ui/student", "app/ui/timeline", "app/ui/why"}
	// The rooms of the page say what they say by the page's own catalogue.
	ofPage := func(list []string, more ...string) []string {
		list = slices.DeleteFunc(slices.Clone(list), func(p string) bool { return p == "core/words" })
		return append(append(list, "app/words"), more...)
	}
	// The rooms of the server that need no engine; at the edge they are a program of their own.
	plainRooms := []string{"worker/vault", "worker/answer", "worker/gate", "worker/shared", "worker/page",
		"worker/lesson", "worker/host", "worker/away", "worker/class", "worker/queue", "worker/logs"}
	plain := append(slices.Clone(page), plainRooms...)
	inPage := ofPage(l1, "core/scenario", "core/figure", "core/chart", "core/insights", "app/edit")
	inRoom := append(slices.Clone(inPage), "core/link", "core/class", "app/run", "app/learn", "app/share", "app/class")
	rules := map[string][]string{
		"core/unit": {}, "core/csv": {}, "core/words": {}, "core/jsondoc": {"core/words"}, "scenarios": {},
		"core/results": {}, "core/papers": {},
		"core/model": l0, "core/trace": append(slices.Clone(l0), "core/model"), "core/message": l0,
		"core/assign": l1, "core/primaldual": l1, "core/goodput": l1, "core/network": l1,
		"core/host": l1, "core/lp": l1,
		"core/sim":       append(slices.Clone(l1), "core/network", "core/host"),
		"core/timeshare": l1, "core/fork": append(slices.Clone(l1), "core/primaldual", "core/assign"),
		"core/star":       {"core/jsondoc", "core/unit", "core/words"},
		"core/formula":    {"core/jsondoc", "core/unit", "core/words"},
		"core/program":    {"core/jsondoc", "core/words"},
		"core/record":     {"core/words"},
		"core/place":      append(slices.Clone(l1), "core/sim"),
		"core/policy":     l3,
		"core/policy/all": append(slices.Clone(families), "core/policy/own"),
		"core/generate":   l0,
		"core/scenario": append(slices.Clone(l1), "core/goodput", "core/network", "core/generate",
			"core/program", "core/record"),
		"core/link":    append(slices.Clone(l1), "core/scenario"),
		"core/imports": append(slices.Clone(l1), "core/scenario"),
		"core/metric":  append(slices.Clone(l1), "core/lp"),
		"core/figure":  {"core/unit", "core/words"},
		"core/train":   {"core/unit", "core/model", "core/fork", "core/metric"},
		"core/chart": append(slices.Clone(l1), "core/metric", "core/figure", "core/network",
			"core/host"),
		"core/chart/draw":       append(slices.Clone(l1), "core/figure", "core/chart"),
		"core/chart/data":       append(slices.Clone(l1), "core/figure", "core/chart"),
		"core/insights":         append(slices.Clone(l1), "core/metric", "core/figure", "core/chart"),
		"core/allocate":         append(slices.Clone(l1), "core/scenario", "core/policy", "core/lp"),
		"core/goodput/instance": append(slices.Clone(l1), "core/goodput"),
		"core/class":            append(slices.Clone(l1), "core/scenario", "core/program"),
		"core/lab":              all,
		"core/study": append(slices.Clone(l1), "core/network", "core/generate", "core/scenario", "core/metric",
			"core/lab"),
		"core/claims": append(slices.Clone(l1), "core/scenario", "core/metric", "core/figure", "core/lab",
			"core/study", "core/train"),
		"core/simtest": append(slices.Clone(all), "core/results"),
		"worker": append(slices.Clone(plain), "core/lab", "core/allocate", "core/goodput/instance",
			"core/study", "core/results", "core/papers"),
		"app":          ofPage(page, append(slices.Clone(rooms), screens...)...),
		"app/platform": {},
		"app/state": ofPage(page, "app/edit", "app/run", "app/compare", "app/learn", "app/share", "app/class",
			"app/room", "app/student", "app/board"),
		"app/elm":   {},
		"app/words": {"core/words", "core/figure"},
		"app/edit": ofPage(l0, "core/formula", "core/program", "core/record", "core/generate", "core/scenario",
			"core/figure"),
		"app/run":       append(slices.Clone(inPage), "core/program", "core/record"),
		"app/compare":   append(slices.Clone(inPage), "app/run", "core/program"),
		"app/learn":     append(slices.Clone(inPage), "app/run", "core/program"),
		"app/share":     append(slices.Clone(inPage), "core/chart/data", "app/run", "app/compare"),
		"app/class":     append(slices.Clone(inPage), "core/class", "app/run"),
		"app/room":      inRoom,
		"app/student":   append(slices.Clone(inRoom), "app/room"),
		"app/board":     append(slices.Clone(inRoom), "app/room", "app/compare"),
		"app/ui/markup": {"app/words", "core/chart/draw"},
		"app/ui/charts": append(slices.Clone(inPage), "core/chart/draw", "core/chart/data", "app/run", "app/ui/markup"),
		"app/ui/html": append(slices.Clone(inPage), "app/elm", "app/platform", "app/run", "app/state",
			"app/ui/markup", "core/chart/draw"),
		"wasm": append(append(slices.Clone(page), "core/lab", "core/policy/own/replay", "app", "worker", "worker/host",
			"worker/shared"),
			rooms...),
	}
	// What few visitors need is in the page's second program.
	rules["wasm/programs"] = []string{"core/policy/own/starlark", "core/policy/own/replay", "core/imports", "wasm"}
	for _, room := range plainRooms {
		rules[room] = plain
	}
	for _, family := range families {
		rules[family] = append(slices.Clone(l3), "core/policy")
	}
	// One's own policy is a queue, too; its programs are run by a package that not every build has.
	rules["core/policy/own"] = append(slices.Clone(l3), "core/policy", "core/policy/queues")
	rules["core/policy/own/starlark"] = append(slices.Clone(rules["core/policy/own"]), "core/policy/own", "core/star")
	rules["core/policy/own/remote"] = append(slices.Clone(rules["core/policy/own"]), "core/policy/own")
	rules["core/policy/own/replay"] = rules["core/policy/own/remote"]
	for _, room := range screens {
		rules[room] = ofPage(page, rooms...)
	}
	rules["worker/vault"], rules["worker/queue"], rules["worker/logs"], rules["examples"] = nil, nil, nil, nil
	return rules
}()

// root is the package whose rules a folder follows: its own where the table has it, else those of the room it lies in.
func root(dir string) string {
	parts := strings.Split(dir, "/")
	if _, ok := table[dir]; ok {
		return dir
	}
	if parts[0] == "core" && len(parts) > 1 {
		return "core/" + parts[1]
	}
	return parts[0]
}

// TestArchImports parses every import of the module against the table. Test files are exempt.
func TestArchImports(t *testing.T) {
	seen := 0
	eachFile(t, func(dir, path string) {
		if strings.HasSuffix(path, "_test.go") || root(dir) == "e2e" || dir == "core" {
			return
		}
		may, ok := table[root(dir)]
		if !ok {
			t.Errorf("%s: package %s is not in the layer table", path, dir)
			return
		}
		for _, imp := range imports(t, path) {
			own, ours := strings.CutPrefix(imp, "hadarlab/")
			if !ours || root(own) == root(dir) {
				continue
			}
			// The command line reads the registry for --set; its texts are the policies' own. Of the programs it alone
			// trains, and of what serves it alone runs programs that somebody wrote.
			if dir == "worker/cmd/hadarlab" && slices.Contains([]string{"core/policy", "core/train", "core/claims",
				"core/program", "core/policy/own/starlark", "core/policy/own/remote", "core/policy/own/replay",
				"core/record", "core/star", "core/imports", "examples/exec"}, own) {
				continue
			}
			// It lays out the page that it carries, for hosts of files.
			if dir == "worker/cmd/hadarlab" && own == "wasm/webdir" {
				continue
			}
			seen++
			if root(own) == "core/simtest" || !slices.Contains(may, root(own)) {
				t.Errorf("%s imports %s, which its layer may not", path, own)
			}
		}
	})
	if seen < 40 {
		t.Errorf("only %d imports of our own were seen: is the test looking at the right folder?", seen)
	}
}

// TestArchPrograms: what few visitors need is in the second of the page's programs, and in the first nowhere, by
// whatever way round.
func TestArchPrograms(t *testing.T) {
	uses := map[string][]string{}
	eachFile(t, func(dir, path string) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, "_test.go") || strings.HasPrefix(string(src), "//go:build !js") {
			return
		}
		for _, imp := range imports(t, path) {
			if own, ours := strings.CutPrefix(imp, "hadarlab/"); ours {
				uses[dir] = append(uses[dir], own)
			}
		}
	})
	linked := func(program string) map[string]bool {
		in := map[string]bool{}
		for next := []string{program}; len(next) > 0; next = next[1:] {
			if !in[next[0]] {
				in[next[0]] = true
				next = append(next, uses[next[0]]...)
			}
		}
		return in
	}
	first, second := linked("wasm"), linked("wasm/programs")
	for _, rare := range []string{"core/imports", "core/policy/own/starlark", "core/policy/own/replay"} {
		if first[rare] || !second[rare] {
			t.Errorf("%s: in the first program %v, in the second %v", rare, first[rare], second[rare])
		}
	}
	if !first["app/ui"] || !first["core/lab"] || second["app/ui"] || len(first) < 40 {
		t.Errorf("the first program has %d of our packages: is the test looking at the right folder?", len(first))
	}
}

// TestArchPurity keeps clocks, files, network and unstable arithmetic out of the core.
func TestArchPurity(t *testing.T) {
	banned := []string{"os", "io/fs", "net", "net/http", "time", "syscall/js", "math/rand", "log", "runtime", "sync",
		"sync/atomic", "context", "os/exec"}
	eachFile(t, func(dir, path string) {
		if !strings.HasPrefix(dir, "core/") || root(dir) == "core/simtest" || strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, imp := range imports(t, path) {
			if slices.Contains(banned, imp) {
				t.Errorf("%s imports %s: the core is bytes in, bytes out", path, imp)
			}
			if strings.HasPrefix(imp, "gonum.org/") && root(dir) != "core/metric" {
				t.Errorf("%s imports %s, which serves figures for people and never a decision", path, imp)
			}
			if imp == "fmt" && (root(dir) == "core/sim" || strings.HasPrefix(dir, "core/policy")) {
				t.Errorf("%s imports fmt: text is made where it is shown", path)
			}
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []string{"math.Exp(", "math.Log(", "math.Pow(", "math.FMA(", "math.Tanh(", "math.Log2("} {
			if strings.Contains(string(src), f) {
				t.Errorf("%s uses %s): its bits differ between targets, use unit's", path, f)
			}
		}
		if root(dir) == "core/sim" && strings.Contains(string(src), "map[") {
			t.Errorf("%s: no maps in the kernel", path)
		}
	})
}

// TestArchReaders: the core keeps no reader's language. core/words has no variable but the glossary, and no package has
// a variable that is a catalogue: whoever says something is handed one.
func TestArchReaders(t *testing.T) {
	seen := 0
	eachFile(t, func(dir, path string) {
		if !strings.HasPrefix(dir, "core/") || strings.HasSuffix(path, "_test.go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			v, ok := d.(*ast.GenDecl)
			if !ok || v.Tok != token.VAR {
				continue
			}
			seen++
			if name := v.Specs[0].(*ast.ValueSpec).Names[0].Name; dir == "core/words" && name != "Glossary" {
				t.Errorf("%s keeps %s: whoever says something is handed a catalogue", path, name)
			}
			ast.Inspect(v, func(n ast.Node) bool {
				if of, ok := n.(*ast.SelectorExpr); ok && (of.Sel.Name == "Catalogue" || of.Sel.Name == "Read") {
					if from, ok := of.X.(*ast.Ident); ok && from.Name == "words" {
						t.Errorf("%s keeps a catalogue: whoever says something is handed one", path)
					}
				}
				_, isFunc := n.(*ast.FuncType)
				return !isFunc
			})
		}
	})
	if seen < 100 {
		t.Errorf("only %d variables were seen: is the test looking at the right folder?", seen)
	}
}

// TestArchOneWay: the files of a package in which many subjects meet use one another one way, so that each can be read
// with what stands below it alone: none uses, by whatever way round, a file that uses it.
func TestArchOneWay(t *testing.T) {
	rooms := map[string][]string{"app/state": nil, "app/ui": nil}
	eachFile(t, func(dir, path string) {
		if _, ok := rooms[dir]; ok && !strings.HasSuffix(path, "_test.go") {
			rooms[dir] = append(rooms[dir], path)
		}
	})
	for dir, paths := range rooms {
		uses, seen := usesOf(t, paths), 0
		for _, of := range uses {
			seen += len(of)
		}
		if seen < 50 {
			t.Errorf("%s: only %d uses were seen: is the test looking at the right folder?", dir, seen)
		}
		left := func(file string) bool { _, ok := uses[file]; return ok }
		for before := -1; before != len(uses); { // what uses nothing that is left is in no circle
			before = len(uses)
			maps.DeleteFunc(uses, func(_ string, of map[string]string) bool {
				return !slices.ContainsFunc(slices.Collect(maps.Keys(of)), left)
			})
		}
		for file, of := range uses {
			t.Errorf("%s: %s is in a circle of files, or above one: it uses %v", dir, file, of)
		}
	}
}

// usesOf are, for each file of a package, the files whose names it uses, and for what.
func usesOf(t *testing.T, paths []string) map[string]map[string]string {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	// What other packages have is not looked up: names of this one resolve without it.
	check := types.Config{Importer: nothing{}, Error: func(error) {}}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, _ := check.Check(paths[0], fset, files, &info)
	uses := map[string]map[string]string{}
	for id, of := range info.Uses {
		method := false
		if f, ok := of.(*types.Func); ok {
			method = f.Signature().Recv() != nil
		}
		if of.Pkg() != pkg || of.Parent() != pkg.Scope() && !method {
			continue // another package's, a local name, or a field
		}
		from, to := fset.Position(id.Pos()).Filename, fset.Position(of.Pos()).Filename
		if from = filepath.Base(from); from != filepath.Base(to) {
			if uses[from] == nil {
				uses[from] = map[string]string{}
			}
			uses[from][filepath.Base(to)] = id.Name
		}
	}
	return uses
}

// nothing imports packages without what is in them.
type nothing struct{}

func (nothing) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
	p.MarkComplete()
	return p, nil
}

func eachFile(t *testing.T, f func(dir, path string)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || path == filepath.Join("..", "build") || d.Name() == ".git" ||
			d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); d.IsDir() && err == nil && path != ".." {
			return filepath.SkipDir // a module of its own
		}
		if strings.HasSuffix(path, ".go") {
			dir, _ := filepath.Rel("..", filepath.Dir(path))
			f(filepath.ToSlash(dir), path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func imports(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, i := range file.Imports {
		s, _ := strconv.Unquote(i.Path.Value)
		out = append(out, s)
	}
	return out
}

// TestArchMethods: nothing of the page or the server does more than forty things. What it composes does them.
func TestArchMethods(t *testing.T) {
	const most = 40
	methods, of := map[string]int{}, 0
	eachFile(t, func(dir, path string) {
		if !strings.HasPrefix(dir, "app/") && !strings.HasPrefix(dir+"/", "worker/") ||
			strings.HasSuffix(path, "_test.go") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			typ := fn.Recv.List[0].Type
			if p, ok := typ.(*ast.StarExpr); ok {
				typ = p.X
			}
			if g, ok := typ.(*ast.IndexExpr); ok {
				typ = g.X
			}
			if name, ok := typ.(*ast.Ident); ok {
				methods[dir+"."+name.Name]++
				of++
			}
		}
	})
	for name, n := range methods {
		if n > most {
			t.Errorf("%s has %d methods, the most is %d", name, n, most)
		}
	}
	if of < 500 {
		t.Errorf("only %d methods were seen: is the test looking at the right folders?", of)
	}
}

// TestArchLines: a line is at most 120 columns wide, a tab as four, unless a text in it cannot be parted: one of 40
// bytes or more, since a shorter one could begin on the next line.
func TestArchLines(t *testing.T) {
	const most, text = 120, 40
	eachFile(t, func(_, path string) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		whole := map[int]bool{} // lines with a long text
		set := token.NewFileSet()
		file := set.AddFile(path, -1, len(src))
		var s scanner.Scanner
		s.Init(file, src, nil, scanner.ScanComments)
		for pos, tok, lit := s.Scan(); tok != token.EOF; pos, tok, lit = s.Scan() {
			if tok == token.STRING && len(lit) >= text || tok == token.COMMENT && strings.HasPrefix(lit, "//go:") {
				for i := range strings.Count(lit, "\n") + 1 {
					whole[file.Line(pos)+i] = true
				}
			}
		}
		n := 0
		for line := range strings.Lines(string(src)) {
			n++
			line = strings.TrimRight(line, "\n")
			if w := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); w > most && !whole[n] {
				t.Errorf("%s:%d is %d columns wide, the most is %d", path, n, w, most)
			}
		}
	})
}

// TestOldGoReadsTheModule: a Go that is too old reads go.mod as far as the version that is needed, and says that. It
// stops at a directive that it does not know.
func TestOldGoReadsTheModule(t *testing.T) {
	b, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(b), "\n") {
		word, _, _ := strings.Cut(line, " ")
		switch word {
		case "", "module", "go", "require", "replace", "exclude", "retract", ")":
		default:
			if !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "//") {
				t.Errorf("an old Go does not know %q in go.mod", word)
			}
		}
	}
}
