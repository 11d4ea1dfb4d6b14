//go:build !js

package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFill(t *testing.T) {
	dir := t.TempDir()
	src, out := filepath.Join(dir, "src"), filepath.Join(dir, "out")
	long := strings.Repeat("text ", 1000)
	write(t, filepath.Join(src, "a.css"), long)
	write(t, filepath.Join(src, "b.js"), "short")
	write(t, filepath.Join(src, "icons/i.svg"), "<svg/>")
	write(t, filepath.Join(src, ".note"), "not published")
	write(t, filepath.Join(dir, "page.html"), "page")
	run := func() {
		t.Helper()
		if err := fill(out, filepath.Join(dir, "page.html"), "", []string{src}); err != nil {
			t.Fatal(err)
		}
	}
	run()
	if got := read(t, filepath.Join(out, "index.html")); got != "page" {
		t.Errorf("index.html is %q", got)
	}
	if got := gunzip(t, filepath.Join(out, "web/a.css.gz")); got != long {
		t.Errorf("a.css.gz holds %.20q", got)
	}
	if got := read(t, filepath.Join(out, "web/icons/i.svg")); got != "<svg/>" {
		t.Errorf("the icon is %q", got)
	}
	for _, absent := range []string{"web/b.js.gz", "web/.note"} {
		if _, err := os.Stat(filepath.Join(out, absent)); err == nil {
			t.Errorf("%s was published", absent)
		}
	}
	if got := read(t, filepath.Join(out, "_headers")); !strings.HasPrefix(got, "/*\n  Content-Security-Policy: default-src 'none'") {
		t.Errorf("_headers is %q", got)
	}

	// A second run leaves what is the same alone, with the slower compression made beside it.
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	write(t, filepath.Join(out, "web/a.css.br"), "brotli")
	for _, name := range []string{"web/a.css", "web/a.css.gz", "web/a.css.br"} {
		if err := os.Chtimes(filepath.Join(out, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	run()
	if info, err := os.Stat(filepath.Join(out, "web/a.css")); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("the unchanged file was rewritten: %v %v", info, err)
	}
	if read(t, filepath.Join(out, "web/a.css.br")) != "brotli" {
		t.Error("the variant of the unchanged file is gone")
	}

	// A change drops the variants of the old content; a removed source disappears.
	write(t, filepath.Join(src, "a.css"), "new "+long)
	if err := os.Remove(filepath.Join(src, "b.js")); err != nil {
		t.Fatal(err)
	}
	run()
	if got := gunzip(t, filepath.Join(out, "web/a.css.gz")); got != "new "+long {
		t.Errorf("a.css.gz holds %.20q after the change", got)
	}
	for _, absent := range []string{"web/a.css.br", "web/b.js"} {
		if _, err := os.Stat(filepath.Join(out, absent)); err == nil {
			t.Errorf("%s is still there", absent)
		}
	}
}

// TestServiceWorker: it knows every published file by its address and hash, and any change is a new version.
func TestServiceWorker(t *testing.T) {
	dir := t.TempDir()
	src, docs, out := filepath.Join(dir, "src"), filepath.Join(dir, "docs"), filepath.Join(dir, "out")
	write(t, filepath.Join(src, "sw.js"), "const version = \"\";\nconst files = {}; // filled in\n")
	write(t, filepath.Join(src, "a.css"), "text")
	write(t, filepath.Join(docs, "docs.html"), "manual")
	write(t, filepath.Join(docs, "docs/teach.html"), "teach")
	write(t, filepath.Join(dir, "page.html"), "page")
	run := func() string {
		t.Helper()
		if err := fill(out, filepath.Join(dir, "page.html"), docs, []string{src}); err != nil {
			t.Fatal(err)
		}
		return read(t, filepath.Join(out, "sw.js"))
	}
	first := run()
	for _, want := range []string{`"/": "sha256-`, `"/docs": "sha256-`, `"/docs/teach": "sha256-`, `"/web/a.css": "sha256-mC2ePrmW9VnmM/TRlN7zdh2Qn1o7ZH0ahR/q1nwyydE="`} {
		if !strings.Contains(first, want) {
			t.Errorf("the service worker lacks %s:\n%s", want, first)
		}
	}
	if strings.Contains(first, "sw.js") || strings.Contains(first, "_headers") || strings.Contains(first, `version = ""`) {
		t.Errorf("the service worker holds what it should not:\n%s", first)
	}
	if _, err := os.Stat(filepath.Join(out, "web/sw.js")); err == nil {
		t.Error("the service worker is published below /web too, where it serves nothing")
	}
	if run() != first {
		t.Error("equal files give another version")
	}
	write(t, filepath.Join(src, "a.css"), "other")
	if second := run(); strings.SplitN(second, "\n", 2)[0] == strings.SplitN(first, "\n", 2)[0] {
		t.Error("a changed file gives the same version")
	}
	write(t, filepath.Join(src, "sw.js"), "no marks")
	if err := fill(out, "", "", []string{src}); err == nil {
		t.Error("a service worker without its marks is published")
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

func gunzip(t *testing.T, path string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
