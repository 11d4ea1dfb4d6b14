//go:build !js

// Package webdir fills the folder that both servers publish: every file, gzip and brotli variants beside it, the
// service worker that knows them all, and notes for the edge runtime. It touches only what changed, so that a
// second build is quick and a browser's copies stay valid.
package webdir

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"hadarlab/worker/host"
)

// ServiceWorker is published at the root, since it serves what lies beside and below it.
const ServiceWorker = "sw.js"

// Lines of it that are filled in.
const (
	emptyVersion = `const version = "";`
	emptyFiles   = "const files = {};"
	emptyLater   = "const later = {};"
)

// Notes for the edge runtime: the headers of its answers, and what it shall not publish.
const (
	headersFile = "_headers"
	ignoreFile  = ".assetsignore"
)

// Files are the published files by their address without the first slash. The one at ServiceWorker is still without
// the list of the others, which Fill puts in.
type Files map[string][]byte

// Add takes up all files of a folder below an address, but those whose names begin with a dot.
func (f Files) Add(dir, to string) error {
	return fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		f[path.Join(to, name)] = b
		return err
	})
}

// What fillServiceWorker fills in.
var (
	filledVersion = regexp.MustCompile(`const version = "[0-9a-f]+";`)
	filledFiles   = regexp.MustCompile(`const files = \{[^}]+\};`)
	filledLater   = regexp.MustCompile(`const later = \{[^}]+\};`)
)

// Published reads back what Fill has put into a folder, as it was given to it, so that it can be laid out anew: without
// variants and notes.
func Published(folder fs.FS) (Files, error) {
	files := Files{}
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || name == headersFile || strings.HasPrefix(d.Name(), ".") ||
			slices.Contains([]string{".gz", ".br"}, path.Ext(name)) {
			return err
		}
		files[name], err = fs.ReadFile(folder, name)
		return err
	})
	if script, ok := files[ServiceWorker]; ok && err == nil {
		script = filledVersion.ReplaceAllLiteral(script, []byte(emptyVersion))
		script = filledLater.ReplaceAllLiteral(script, []byte(emptyLater))
		files[ServiceWorker] = filledFiles.ReplaceAllLiteral(script, []byte(emptyFiles))
	}
	return files, err
}

// left are files that the service worker does not keep: nobody opens them without a network.
var left = []string{"e/index.html", NotFound, Card}

// later are files that the service worker keeps once somebody has asked for them: they are large, and few need them.
var later = []string{"web/programs.wasm"}

// NotFound is what static hosts answer with where there is nothing, and Card the picture that other programs show of
// a link to the page.
const (
	NotFound = "404.html"
	Card     = "web/card.png"
)

// Fill makes out the folder of exactly these files and what compress makes of them, nil = nothing: for hosts that
// compress by themselves.
func Fill(out string, files Files, compress func(map[string][]byte) (map[string][]byte, error)) error {
	files = maps.Clone(files)
	if script, ok := files[ServiceWorker]; ok {
		delete(files, ServiceWorker)
		filled, err := fillServiceWorker(script, files)
		if err != nil {
			return err
		}
		files[ServiceWorker] = filled
	}
	var variants Files
	if compress != nil {
		var err error
		if variants, err = compress(files); err != nil {
			return err
		}
	}
	notes := Files{headersFile: headers(), ignoreFile: []byte("*.gz\n*.br\n" + ignoreFile + "\n" + headersFile + "\n")}
	keep := map[string]bool{}
	// A variant that is older than its file is taken for one of an earlier build, so the files come first.
	for _, part := range []Files{notes, files, variants} {
		for name, b := range part {
			keep[name] = true
			if err := put(filepath.Join(out, filepath.FromSlash(name)), b); err != nil {
				return err
			}
		}
	}
	return prune(out, keep)
}

// fillServiceWorker tells the service worker the addresses and hashes of all published files, and their
// version: a hash over these.
func fillServiceWorker(script []byte, published Files) ([]byte, error) {
	files, kept := map[string]string{}, map[string]string{}
	for name, b := range published {
		if slices.Contains(left, name) {
			continue
		}
		address := "./" + strings.TrimSuffix(name, ".html")
		if path.Base(name) == "index.html" {
			address = strings.TrimSuffix(address, "index") // as every host answers for a folder
		}
		hash := sha256.Sum256(b)
		to := files
		if slices.Contains(later, name) {
			to = kept
		}
		to[address] = "sha256-" + base64.StdEncoding.EncodeToString(hash[:])
	}
	list, err := json.MarshalIndent(files, "", " ") // keys are sorted
	if err != nil {
		return nil, err
	}
	asked, err := json.MarshalIndent(kept, "", " ")
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(slices.Concat(list, asked, script))
	for _, fill := range [][2]string{
		{emptyVersion, `const version = "` + hex.EncodeToString(hash[:8]) + `";`},
		{emptyFiles, "const files = " + string(list) + ";"},
		{emptyLater, "const later = " + string(asked) + ";"},
	} {
		if !bytes.Contains(script, []byte(fill[0])) {
			return nil, fmt.Errorf("%s lacks the line %q", ServiceWorker, fill[0])
		}
		script = bytes.Replace(script, []byte(fill[0]), []byte(fill[1]), 1)
	}
	return script, nil
}

// put writes a file if its content is new.
func put(name string, b []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, b) {
		return nil
	}
	return errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, b, 0o644))
}

// prune removes what an earlier build published and this one does not.
func prune(out string, keep map[string]bool) error {
	return fs.WalkDir(os.DirFS(out), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || keep[name] {
			return err
		}
		return os.Remove(filepath.Join(out, filepath.FromSlash(name)))
	})
}

// headers are the security headers in the form in which the edge runtime reads them.
func headers() []byte {
	var b bytes.Buffer
	b.WriteString("/*\n")
	all := host.Headers()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "  %s: %s\n", name, all[name])
	}
	return b.Bytes()
}
