//go:build !js

// Command webdir fills the folder that both servers publish: the page and the manual at its root, the static files
// and the module under web/, gzip variants beside them, and notes for the edge runtime. It touches
// only what changed, so that a second run is quick and a browser's copies stay valid.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hadarlab/worker"
)

// minGzip is the size in bytes below which a variant is not worth a file.
const minGzip = 1024

func main() {
	out := flag.String("o", "build/web", "`DIR` to fill")
	page := flag.String("page", "", "`FILE` of the page, published as index.html")
	docs := flag.String("docs", "", "`DIR` of the manual, published below the root as it is")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: webdir -o DIR -page FILE SOURCE…  (files, or folders with all below them)")
		flag.PrintDefaults()
	}
	flag.Parse()
	if err := fill(*out, *page, *docs, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "webdir:", err)
		os.Exit(1)
	}
}

func fill(out, page, docs string, sources []string) error {
	keep := map[string][]byte{} // what is published, with its hash
	var offline []byte
	publish := func(from, to string) error {
		b, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if filepath.Base(from) == serviceWorker {
			offline = b
			return nil
		}
		hash := sha256.Sum256(b)
		keep[to] = hash[:]
		return put(filepath.Join(out, to), b)
	}
	publishAll := func(from, to string) error {
		return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || strings.HasPrefix(d.Name(), ".") {
				return err
			}
			name, err := filepath.Rel(from, path)
			if err != nil {
				return err
			}
			return publish(path, filepath.Join(to, name))
		})
	}
	if page != "" {
		if err := publish(page, "index.html"); err != nil {
			return err
		}
	}
	for _, source := range sources {
		info, err := os.Stat(source)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			if err := publish(source, filepath.Join("web", filepath.Base(source))); err != nil {
				return err
			}
			continue
		}
		if err := publishAll(source, "web"); err != nil {
			return err
		}
	}
	if docs != "" {
		if err := publishAll(docs, "."); err != nil {
			return err
		}
	}
	if offline != nil {
		b, err := fillServiceWorker(offline, keep)
		if err != nil {
			return err
		}
		if err := put(filepath.Join(out, serviceWorker), b); err != nil {
			return err
		}
		keep[serviceWorker] = nil
	}
	if err := prune(out, keep); err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(out, "_headers"), headers(), 0o644),
		os.WriteFile(filepath.Join(out, ".assetsignore"), []byte("*.gz\n*.br\n.assetsignore\n_headers\n"), 0o644),
	)
}

// serviceWorker is published at the root, since it serves what lies beside and below it.
const serviceWorker = "sw.js"

// fillServiceWorker tells the service worker the addresses and hashes of all published files, and their
// version: a hash over these.
func fillServiceWorker(script []byte, published map[string][]byte) ([]byte, error) {
	files := map[string]string{}
	for name, hash := range published {
		address := strings.TrimSuffix("/"+filepath.ToSlash(name), ".html")
		if address = strings.TrimSuffix(address, "/index"); address == "" {
			address = "/"
		}
		files[address] = "sha256-" + base64.StdEncoding.EncodeToString(hash)
	}
	list, err := json.MarshalIndent(files, "", " ") // keys are sorted
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(append(list, script...))
	for _, fill := range [][2]string{{`const version = "";`, `const version = "` + hex.EncodeToString(hash[:8]) + `";`}, {"const files = {};", "const files = " + string(list) + ";"}} {
		if !bytes.Contains(script, []byte(fill[0])) {
			return nil, fmt.Errorf("%s lacks the line %q", serviceWorker, fill[0])
		}
		script = bytes.Replace(script, []byte(fill[0]), []byte(fill[1]), 1)
	}
	return script, nil
}

// put writes a file and its gzip variant if the content is new, and drops variants of the old one.
func put(name string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, b) {
		if _, err := os.Stat(name + ".gz"); err == nil || len(b) < minGzip {
			return nil
		}
	}
	for _, suffix := range []string{".gz", ".br"} {
		if err := os.Remove(name + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := os.WriteFile(name, b, 0o644); err != nil {
		return err
	}
	if len(b) < minGzip {
		return nil
	}
	var z bytes.Buffer
	w, err := gzip.NewWriterLevel(&z, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(b); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(name+".gz", z.Bytes(), 0o644)
}

// prune removes what an earlier build published and this one does not.
func prune(out string, keep map[string][]byte) error {
	return filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(out, path)
		if err != nil {
			return err
		}
		original := strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".br")
		if _, ok := keep[original]; ok || name == "_headers" || name == ".assetsignore" {
			return nil
		}
		return os.Remove(path)
	})
}

// headers are the security headers in the form in which the edge runtime reads them.
func headers() []byte {
	var b bytes.Buffer
	b.WriteString("/*\n")
	all := worker.Headers()
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, "  %s: %s\n", name, all[name])
	}
	return b.Bytes()
}
