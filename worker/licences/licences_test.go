//go:build !js

package licences

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// shipped is what is compiled into what we ship. The systems differ in modules, not their processors.
func shipped(t *testing.T) (page, edge, native []Module) {
	t.Helper()
	of := func(targets ...Target) []Module {
		list, err := Of(root, targets...)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	native = of(Native("linux", "amd64"), Native("darwin", "arm64"), Native("windows", "amd64"))
	return of(Page()...), of(Edge()), native
}

// TestThirdPartyAgrees: THIRD_PARTY.md names exactly the modules that are compiled in, with their versions, and where.
func TestThirdPartyAgrees(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(root, "THIRD_PARTY.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(b), "## In what we ship\n")
	text, _, ok := strings.Cut(text, "\n## ")
	if !ok {
		t.Fatal("THIRD_PARTY.md lacks its parts")
	}
	told := map[string]string{} // by path and version, where it is
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) != 5 || !strings.Contains(cells[0], ".") || strings.Contains(cells[0], " ") { // it is no path
			continue
		}
		told[cells[0]+" "+cells[1]] = cells[3]
	}
	is := map[string][]string{}
	page, edge, native := shipped(t)
	for _, in := range []struct {
		name string
		list []Module
	}{{"page", page}, {"edge worker", edge}, {"native program", native}} {
		for _, m := range in.list {
			if m.Path != goModule {
				is[m.Path+" "+m.Version] = append(is[m.Path+" "+m.Version], in.name)
			}
		}
	}
	for _, m := range slices.Sorted(maps.Keys(is)) {
		if want := strings.Join(is[m], ", "); told[m] != want {
			t.Errorf("THIRD_PARTY.md says that %s is in %q, it is in %q", m, told[m], want)
		}
	}
	for m := range told {
		if is[m] == nil {
			t.Errorf("THIRD_PARTY.md names %s, which is compiled into nothing", m)
		}
	}
}

// TestTexts: Go, and every module with each of its texts; among them those that are not called LICENSE, or lie in a
// folder of their own.
func TestTexts(t *testing.T) {
	page, edge, native := shipped(t)
	has := func(list []Module, module, file, says string) {
		t.Helper()
		for _, m := range list {
			for _, text := range m.Texts {
				if m.Path == module && text.Name == file && strings.Contains(string(text.Data), says) {
					return
				}
			}
		}
		t.Errorf("%s of %s is missing", file, module)
	}
	for _, list := range [][]Module{page, edge, native} {
		if list[0].Path != goModule || list[0].Version == "" {
			t.Errorf("it begins with %s %s", list[0].Path, list[0].Version)
		}
		has(list, goModule, "LICENSE", "The Go Authors")
		for _, m := range list {
			if len(m.Texts) == 0 {
				t.Errorf("%s has no text", m.Path)
			}
		}
	}
	has(page, "github.com/maxence-charriere/go-app/v9", "LICENSE", "MIT License")
	has(page, "gonum.org/v1/gonum", "THIRD_PARTY_LICENSES/Cephes-LICENSE", "Moshier")
	has(edge, "github.com/syumai/workers", "LICENSE.md", "MIT")
	has(native, "modernc.org/sqlite", "LICENSE-SQLITE", "public domain")
	has(native, "modernc.org/libc", "LICENSE-3RD-PARTY.md", "musl")
	has(native, "github.com/mattn/go-isatty", "LICENSE", "MIT")
}

// TestWithoutLicence: a module that has no text is an error that names it.
func TestWithoutLicence(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module mine\n\ngo 1.26\n\nrequire example.test/bare v1.2.3\n\n" +
			"replace example.test/bare => ./bare\n",
		"wasm/main.go":    "package main\n\nimport _ \"example.test/bare/inner\"\n\nfunc main() {}\n",
		"bare/go.mod":     "module example.test/bare\n",
		"bare/inner/a.go": "package inner\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Of(dir, Page()[0]); err == nil || !strings.Contains(err.Error(), "example.test/bare v1.2.3") {
		t.Errorf("a module without a licence gives %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bare/inner/COPYING"), []byte("do as you like"), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err := Of(dir, Page()[0])
	if err != nil || len(list) != 2 || fmt.Sprintf("%s", list[1].Texts) != "[{inner/COPYING do as you like}]" {
		t.Errorf("%v, %d modules", err, len(list))
	}
}

// TestJoined: every text once, under the names of all that carry it.
func TestJoined(t *testing.T) {
	got := string(Joined("Head.\n", []Module{{"go", "1", []Text{{"LICENSE", []byte("free\n")}}},
		{"a/b", "v2", []Text{{"COPYING", []byte("other")}, {"LICENSE", []byte("free")}}}}))
	want := regexp.MustCompile(`^Head\.\n\n\n=+ go 1, LICENSE\n\nfree\n\n\n=+ a/b v2, COPYING\n\nother\n\n\n` +
		`=+ a/b v2, LICENSE\n\nThe same as go 1, LICENSE, above\.\n$`)
	if !want.MatchString(got) {
		t.Errorf("it is %q", got)
	}
}
