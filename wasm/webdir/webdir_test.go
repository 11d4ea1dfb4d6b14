//go:build !js

package webdir

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"hadarlab/wasm/webdir/compress"
)

// long is a text that is worth compressing.
var long = strings.Repeat("text ", 1000)

// TestFill: the folder holds exactly the files, their variants and the notes; what is unchanged is not touched.
func TestFill(t *testing.T) {
	dir := t.TempDir()
	out, cache := filepath.Join(dir, "out"), filepath.Join(dir, "cache")
	run := func(files Files, best bool) {
		t.Helper()
		if err := Fill(out, files, compress.Compressor{Cache: cache, Best: best}.All); err != nil {
			t.Fatal(err)
		}
	}
	files := Files{"index.html": []byte("page"), "web/a.css": []byte(long), "web/b.js": []byte("short"),
		"web/icons/i.svg": []byte("<svg/>")}
	run(files, false)
	for name, want := range map[string]string{"index.html": "page", "web/a.css": long, "web/icons/i.svg": "<svg/>"} {
		if got := read(t, filepath.Join(out, name)); got != want {
			t.Errorf("%s is %.20q", name, got)
		}
	}
	for suffix, open := range unpack {
		if got := open(t, filepath.Join(out, "web/a.css"+suffix)); got != long {
			t.Errorf("a.css%s holds %.20q", suffix, got)
		}
		absent(t, filepath.Join(out, "web/b.js"+suffix))
	}
	if got := read(t, filepath.Join(out, "_headers")); !strings.HasPrefix(got,
		"/*\n  Content-Security-Policy: default-src 'none'") {
		t.Errorf("_headers is %q", got)
	}

	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	all := []string{"web/a.css", "web/a.css.gz", "web/a.css.br", "_headers", "index.html"}
	for _, name := range all {
		if err := os.Chtimes(filepath.Join(out, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	run(files, false)
	for _, name := range all {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || !info.ModTime().Equal(old) {
			t.Errorf("%s did not change and was rewritten: %v %v", name, info, err)
		}
	}

	// A change makes new variants; a file that is no more disappears with its own.
	files["web/a.css"] = []byte("new " + long)
	delete(files, "web/b.js")
	run(files, false)
	for suffix, open := range unpack {
		if got := open(t, filepath.Join(out, "web/a.css"+suffix)); got != "new "+long {
			t.Errorf("a.css%s holds %.20q after the change", suffix, got)
		}
	}
	delete(files, "web/a.css")
	run(files, false)
	for _, name := range []string{"web/a.css", "web/a.css.gz", "web/a.css.br", "web/b.js"} {
		absent(t, filepath.Join(out, name))
	}
	if left, err := os.ReadDir(cache); err != nil || len(left) > 0 {
		t.Errorf("the cache keeps what nobody uses: %v %v", left, err)
	}
}

// TestBestVariants: the best replace quick ones, are made once, and serve a quick build too.
func TestBestVariants(t *testing.T) {
	dir := t.TempDir()
	out, cache := filepath.Join(dir, "out"), filepath.Join(dir, "cache")
	var text strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&text, "line %d of %d, ", i*i, i%7)
	}
	files := Files{"a.js": []byte(text.String())}
	size := func(best bool) [2]int {
		t.Helper()
		if err := Fill(out, files, compress.Compressor{Cache: cache, Best: best}.All); err != nil {
			t.Fatal(err)
		}
		var n [2]int
		for i, suffix := range []string{".br", ".gz"} {
			name := filepath.Join(out, "a.js"+suffix)
			if got := unpack[suffix](t, name); got != text.String() {
				t.Errorf("%s holds %.20q", name, got)
			}
			n[i] = len(read(t, name))
		}
		return n
	}
	first := size(false)
	smallest := size(true)
	if smallest[0] >= first[0] || smallest[1] != first[1] {
		t.Errorf("the best variants have %d bytes, the quick ones %d", smallest, first)
	}
	kept, err := filepath.Glob(filepath.Join(cache, "*"))
	if err != nil || len(kept) != 2 {
		t.Fatalf("the cache holds %v, %v", kept, err)
	}
	mark := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, name := range kept {
		if err := os.Chtimes(name, mark, mark); err != nil {
			t.Fatal(err)
		}
	}
	if size(false) != smallest || size(true) != smallest {
		t.Error("the best variants were given up")
	}
	for _, name := range kept {
		if info, err := os.Stat(name); err != nil || !info.ModTime().Equal(mark) {
			t.Errorf("%s was made again: %v %v", name, info, err)
		}
	}
}

func TestAdd(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.css"), "text")
	write(t, filepath.Join(dir, "icons/i.svg"), "<svg/>")
	write(t, filepath.Join(dir, ".note"), "not published")
	files := Files{}
	if err := errors.Join(files.Add(dir, "web"), files.Add(dir, ".")); err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got,
		[]string{"a.css", "icons/i.svg", "web/a.css", "web/icons/i.svg"}) {
		t.Errorf("it took up %q", got)
	}
	if err := files.Add(filepath.Join(dir, "none"), "."); err == nil {
		t.Error("a folder that is not there gives no error")
	}
}

// TestServiceWorker: it knows every published file by its address and hash, and any change is a new version.
func TestServiceWorker(t *testing.T) {
	files := Files{
		"sw.js":             []byte("const version = \"\";\nconst files = {}; // filled in\nconst later = {};\n"),
		"web/programs.wasm": []byte("large"),
		"web/a.css":         []byte("text"),
		"docs.html":         []byte("manual"),
		"docs/teach.html":   []byte("teach"),
		"index.html":        []byte("page"),
	}
	out := t.TempDir()
	fill := func() error { return Fill(out, files, compress.Compressor{Cache: t.TempDir()}.All) }
	run := func() string {
		t.Helper()
		if err := fill(); err != nil {
			t.Fatal(err)
		}
		return read(t, filepath.Join(out, "sw.js"))
	}
	first := run()
	for _, want := range []string{`"./": "sha256-`, `"./docs": "sha256-`, `"./docs/teach": "sha256-`,
		`"./web/a.css": "sha256-mC2ePrmW9VnmM/TRlN7zdh2Qn1o7ZH0ahR/q1nwyydE="`} {
		if !strings.Contains(first, want) {
			t.Errorf("the service worker lacks %s:\n%s", want, first)
		}
	}
	if now, asked, _ := strings.Cut(first, "const later"); strings.Contains(now, "programs.wasm") ||
		!strings.Contains(asked, `"./web/programs.wasm": "sha256-`) {
		t.Errorf("what is kept when it is asked for stands elsewhere:\n%s", first)
	}
	if strings.Contains(first, "sw.js") || strings.Contains(first, "_headers") ||
		strings.Contains(first, `version = ""`) {
		t.Errorf("the service worker holds what it should not:\n%s", first)
	}
	if run() != first {
		t.Error("equal files give another version")
	}
	files["web/a.css"] = []byte("other")
	if second := run(); strings.SplitN(second, "\n", 2)[0] == strings.SplitN(first, "\n", 2)[0] {
		t.Error("a changed file gives the same version")
	}
	files["sw.js"] = []byte("no marks")
	if fill() == nil {
		t.Error("a service worker without its marks is published")
	}
}

func absent(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); err == nil {
		t.Errorf("%s is there", path)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// unpack reads a variant.
var unpack = map[string]func(*testing.T, string) string{".gz": gunzip, ".br": unbrotli}

func gunzip(t *testing.T, path string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	return all(t, z)
}

func unbrotli(t *testing.T, path string) string {
	t.Helper()
	return all(t, brotli.NewReader(strings.NewReader(read(t, path))))
}

func all(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
