package core

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// table says which of our packages each may import (ARCHITECTURE.md, layers).
var table = func() map[string][]string {
	l0 := []string{"core/unit", "core/words", "scenarios"}
	l1 := append(slices.Clone(l0), "core/model", "core/trace", "core/message")
	l2 := append(slices.Clone(l1), "core/primaldual", "core/fork", "core/share", "core/lp", "core/goodput", "core/network", "core/sim")
	l3 := append(slices.Clone(l2), "core/place")
	all := append(slices.Clone(l3), "core/policy", "core/scenario", "core/metric", "core/chart", "core/lab")
	page := append(slices.Clone(l1), "core/scenario", "core/metric", "core/chart")
	return map[string][]string{
		"core/unit": {}, "core/words": {}, "scenarios": {},
		"core/model": l0, "core/trace": l0, "core/message": l0,
		"core/primaldual": l1, "core/goodput": l1, "core/network": l1, "core/sim": l1, "core/lp": l1,
		"core/share": append(slices.Clone(l1), "core/lp"), "core/fork": append(slices.Clone(l1), "core/primaldual"),
		"core/place":    append(slices.Clone(l1), "core/sim"),
		"core/policy":   l3,
		"core/scenario": append(slices.Clone(l1), "core/goodput", "core/network"),
		"core/metric":   append(slices.Clone(l1), "core/lp"),
		"core/chart":    append(slices.Clone(l1), "core/metric"),
		"core/lab":      all,
		"core/simtest":  all,
		"worker":        append(slices.Clone(page), "core/lab"),
		"app":           page,
		"wasm":          append(slices.Clone(page), "core/lab", "app"),
	}
}()

// root is the package that owns a folder: its own sub-folders follow its rules.
func root(dir string) string {
	parts := strings.Split(dir, "/")
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
			// The command line reads the registry for --set; its texts are the policies' own.
			if dir == "worker/cmd/hadarlab" && own == "core/policy" {
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

// TestArchPurity keeps clocks, files, network and unstable arithmetic out of the core.
func TestArchPurity(t *testing.T) {
	banned := []string{"os", "io/fs", "net", "net/http", "time", "syscall/js", "math/rand", "log", "runtime", "sync", "context", "os/exec"}
	eachFile(t, func(dir, path string) {
		if !strings.HasPrefix(dir, "core/") || root(dir) == "core/simtest" || strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, imp := range imports(t, path) {
			if slices.Contains(banned, imp) || strings.HasPrefix(imp, "gonum.org/") {
				t.Errorf("%s imports %s: the core is bytes in, bytes out", path, imp)
			}
			if imp == "fmt" && (root(dir) == "core/sim" || root(dir) == "core/policy") {
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

func eachFile(t *testing.T, f func(dir, path string)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "build" || d.Name() == ".git" || d.Name() == "testdata") {
			return filepath.SkipDir
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
