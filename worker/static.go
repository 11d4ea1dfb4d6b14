package worker

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

// placeholder is the page of a server without the build folder.
//
//go:embed placeholder.html
var placeholder []byte

// missing is the page for an address that is none.
//
//go:embed missing.html
var missing []byte

// types lists every kind of file that is served. What is not here is served as bytes.
var types = map[string]string{
	".html":        "text/html; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".css":         "text/css; charset=utf-8",
	".json":        "application/json",
	".svg":         "image/svg+xml",
	".png":         "image/png",
	".ico":         "image/x-icon",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
	".woff2":       "font/woff2",
}

// encodings are the precompressed variants, best first.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// files serves a folder with its precompressed variants.
type files struct {
	fsys fs.FS
	mu   sync.Mutex
	tags map[string]tag // by file name
}

type tag struct {
	mod  time.Time
	size int64
	etag string
}

func newFiles(fsys fs.FS) *files { return &files{fsys: fsys, tags: map[string]tag{}} }

func (s *server) static(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	switch {
	case name == "":
		s.index(w, r)
	case strings.HasPrefix(name, "#") || strings.HasPrefix(name, "%23"):
		s.shell(w, r) // a link whose # was escaped on its way, once or twice: the page repairs it
	case strings.HasPrefix(path.Base(name), "_") || strings.Contains("/"+name, "/."):
		s.notFound(w, r) // notes of the build for the edge runtime
	case s.files.serve(w, r, name):
	case path.Ext(name) == "" && s.files.serve(w, r, name+".html"): // a page of the manual
	default:
		s.notFound(w, r)
	}
}

func (s *server) index(w http.ResponseWriter, r *http.Request) {
	if !s.files.serve(w, r, "index.html") {
		w.Header().Set("Cache-Control", "no-store")
		writeBytes(w, r, http.StatusOK, types[".html"], placeholder)
	}
}

// notFound is plain for what looks like a file: a script or a module must never be html.
func (s *server) notFound(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if path.Ext(r.URL.Path) != "" {
		writeBytes(w, r, http.StatusNotFound, types[".txt"], []byte("404: no such file\n"))
		return
	}
	writeBytes(w, r, http.StatusNotFound, types[".html"], missing)
}

// serve answers with a file, or reports that there is none. Names with a version in the query never
// change; everything else is asked for again and answered 304 when it is the same.
func (f *files) serve(w http.ResponseWriter, r *http.Request, name string) bool {
	if f.fsys == nil || !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(f.fsys, name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	h := w.Header()
	file, encoding := f.variant(r, name, info)
	b, etag, err := f.read(file)
	if err != nil {
		return false
	}
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", etag)
	h.Set("Cache-Control", "no-cache")
	if r.URL.Query().Has("v") {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if matches(r, etag) {
		w.WriteHeader(http.StatusNotModified)
		return true
	}
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	contentType := types[path.Ext(name)]
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	h.Set("Content-Length", strconv.Itoa(len(b)))
	writeBytes(w, r, http.StatusOK, contentType, b)
	return true
}

// variant picks the best precompressed file that the client takes. One older than its original is
// left over from an earlier build.
func (f *files) variant(r *http.Request, name string, info fs.FileInfo) (file, encoding string) {
	for _, e := range encodings {
		if !accepts(r, e.name) {
			continue
		}
		if v, err := fs.Stat(f.fsys, name+e.suffix); err == nil && !v.ModTime().Before(info.ModTime()) {
			return name + e.suffix, e.name
		}
	}
	return name, ""
}

// read returns a file and its tag, which is made from its content once for each state on disk.
func (f *files) read(name string) ([]byte, string, error) {
	info, err := fs.Stat(f.fsys, name)
	if err != nil {
		return nil, "", err
	}
	b, err := fs.ReadFile(f.fsys, name)
	if err != nil {
		return nil, "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	t, ok := f.tags[name]
	if !ok || !t.mod.Equal(info.ModTime()) || t.size != int64(len(b)) {
		hash := sha256.Sum256(b)
		t = tag{info.ModTime(), int64(len(b)), `"` + hex.EncodeToString(hash[:8]) + `"`}
		f.tags[name] = t
	}
	return b, t.etag, nil
}

// list reads a comma-separated request header. The edge runtime splits headers at their commas, so
// the values are joined first.
func list(r *http.Request, name string) []string {
	return strings.Split(strings.Join(r.Header.Values(name), ","), ",")
}

// matches tells whether the client holds this version already.
func matches(r *http.Request, etag string) bool {
	for _, t := range list(r, "If-None-Match") {
		if t = strings.TrimSpace(t); t == "*" || strings.TrimPrefix(t, "W/") == etag {
			return true
		}
	}
	return false
}

// accepts tells whether the client takes an encoding.
func accepts(r *http.Request, encoding string) bool {
	for _, item := range list(r, "Accept-Encoding") {
		name, params, _ := strings.Cut(item, ";")
		if strings.TrimSpace(name) != encoding {
			continue
		}
		_, q, ok := strings.Cut(params, "q=")
		weight, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
		return !ok || err != nil || weight > 0
	}
	return false
}
