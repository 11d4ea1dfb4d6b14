//go:build !js

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"hadarlab/wasm/webdir"
	"hadarlab/wasm/webdir/compress"
)

// TestSiteIsWritten: the page that a program carries becomes a site, with a service worker that knows its files; a
// folder that holds anything stays as it is, and a program without the page says how to come by one.
func TestSiteIsWritten(t *testing.T) {
	const page = "<html lang=\"en\">\n<head>\n<meta content=\"./web/card.png\"></head></html>"
	files := webdir.Files{"index.html": []byte(page), "docs.html": []byte(page), "web/app.wasm": []byte("\x00asm"),
		webdir.ServiceWorker: []byte("const version = \"\";\nconst files = {};\nconst later = {};\n")}
	folder := t.TempDir()
	if err := webdir.Fill(folder, files, compress.Compressor{Cache: t.TempDir()}.All); err != nil {
		t.Fatal(err)
	}
	carries := fstest.MapFS{}
	for name := range files {
		b, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		carries[name] = &fstest.MapFile{Data: b}
		carries[name+".br"] = &fstest.MapFile{Data: []byte("small")}
	}
	site := filepath.Join(t.TempDir(), "a", "site")
	write := func(page fstest.MapFS, args ...string) (out, errs string, code int) {
		var o, e bytes.Buffer
		std, c := streams{&o, &o, &e}, command{name: "site"}
		if page == nil {
			code = writeSite(c, std, args, nil)
		} else {
			code = writeSite(c, std, args, page)
		}
		return o.String(), e.String(), code
	}
	out, errs, code := write(carries, "-o", site, "--address", "https://lab.example/x/")
	if code != exitOK || !strings.Contains(out, site) {
		t.Fatalf("%d %s %s", code, out, errs)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(site, name))
		if err != nil {
			t.Error(err)
		}
		return string(b)
	}
	if !strings.Contains(read("docs/index.html"), `content="https://lab.example/x/web/card.png"`) ||
		read("e/index.html") == "" || read("404.html") == "" {
		t.Errorf("the manual is %s", read("docs/index.html"))
	}
	if script := read(webdir.ServiceWorker); strings.Count(script, "sha256-") != 4 ||
		!strings.Contains(script, `"./docs/"`) {
		t.Errorf("the service worker is %s", script)
	}
	if _, err := os.Stat(filepath.Join(site, "web/app.wasm.br")); err == nil {
		t.Error("variants are written, which such a host does not send")
	}
	for want, args := range map[string][]string{"is not empty": {"-o", site}, "-o is needed": {},
		"is no address": {"-o", site + "2", "--address", "lab.example"}} {
		if _, errs, code := write(carries, args...); code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%q: %d %s", args, code, errs)
		}
	}
	if _, errs, code := write(nil, "-o", site+"2"); code != exitUsage || !strings.Contains(errs, "make site") {
		t.Errorf("without the page: %d %s", code, errs)
	}
}
