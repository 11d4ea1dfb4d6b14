package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"hadarlab/worker/answer"
)

// placeholder is the page of a server without the build folder.
//
//go:embed placeholder.html
var placeholder []byte

// missing is the page for an address that is none.
//
//go:embed missing.html
var missing string

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

// Static answers every other address: with a file, or with what says that there is none.
func (s *Site) Static(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		answer.NotAllowed(http.MethodGet)(w, r)
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	switch {
	case name == "":
		s.index(w, r)
	case strings.HasSuffix(r.URL.Path, "/"): // what a page names is found from where it lies, which is no folder
		http.Redirect(w, r, "/"+(&url.URL{Path: name}).EscapedPath(), http.StatusSeeOther)
	case strings.HasPrefix(name, "#") || strings.HasPrefix(name, "%23"):
		s.shell(w, r) // a link whose # was escaped on its way, once or twice: the page repairs it
	case strings.HasPrefix(name, "join#") || strings.HasPrefix(name, "join%23"): // the same, of a class's link
		code := strings.TrimPrefix(strings.TrimPrefix(name, "join"), "%23")
		http.Redirect(w, r, "/join#"+url.PathEscape(strings.TrimPrefix(code, "#")), http.StatusSeeOther)
	case strings.HasPrefix(path.Base(name), "_") || strings.Contains("/"+name, "/."):
		s.notFound(w, r) // notes of the build for the edge runtime
	case s.files.serve(w, r, name):
	case path.Ext(name) == "" && s.files.serve(w, r, name+".html"): // a page of the manual
	default:
		s.notFound(w, r)
	}
}

// notFound is plain for what looks like a file: a script or a module must never be html.
func (s *Site) notFound(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if path.Ext(r.URL.Path) != "" {
		answer.Bytes(w, r, http.StatusNotFound, types[".txt"], []byte("404: no such file\n"))
		return
	}
	answer.Bytes(w, r, http.StatusNotFound, types[".html"], placed(missing, r))
}

// serve answers with a file, or reports that there is none. No file's name carries the hash of its content, so each is
// asked for again and answered 304 when it is the same; a query could promise anything.
func (f *files) serve(w http.ResponseWriter, r *http.Request, name string) bool {
	if f.fsys == nil || !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(f.fsys, name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	h := w.Header()
	chosen, encoding := f.variant(r, name, info)
	file, t, err := f.open(chosen)
	if err != nil {
		return false
	}
	defer file.Close()
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", t.etag)
	h.Set("Cache-Control", "no-cache")
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	contentType := types[path.Ext(name)]
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	h.Set("Content-Type", contentType)
	http.ServeContent(w, r, "", time.Time{}, file)
	return true
}

// page is the page's file, nil where there is none.
func (f *files) page(*http.Request) ([]byte, error) {
	if f.fsys == nil {
		return nil, nil
	}
	file, err := f.fsys.Open("index.html")
	if err != nil {
		return nil, nil // it is not built yet
	}
	defer file.Close()
	return io.ReadAll(file)
}

// variant picks the precompressed file that the client wants most, of equals the smaller. One older than its original
// is left over from an earlier build.
func (f *files) variant(r *http.Request, name string, info fs.FileInfo) (file, encoding string) {
	file = name
	most := 0.0
	for _, e := range encodings {
		w := weight(r, e.name)
		if !(w > most) {
			continue
		}
		if v, err := fs.Stat(f.fsys, name+e.suffix); err == nil && !v.ModTime().Before(info.ModTime()) {
			file, encoding, most = name+e.suffix, e.name, w
		}
	}
	return file, encoding
}

// seekable is a file of a folder on disk or within the program.
type seekable interface {
	fs.File
	io.Seeker
}

// open opens a file and gives its tag, which is made from its content once for each state on disk.
func (f *files) open(name string) (file seekable, t tag, err error) {
	opened, err := f.fsys.Open(name)
	if err != nil {
		return nil, t, err
	}
	file = opened.(seekable)
	info, err := file.Stat()
	if err == nil {
		f.mu.Lock()
		t = f.tags[name]
		f.mu.Unlock()
		if !t.mod.Equal(info.ModTime()) || t.size != info.Size() || t.etag == "" {
			t, err = f.read(name, file, info)
		}
	}
	if err != nil {
		return nil, t, errors.Join(err, file.Close())
	}
	return file, t, nil
}

// read makes the tag of an open file, and leaves the file at its start.
func (f *files) read(name string, file seekable, info fs.FileInfo) (t tag, err error) {
	hash := sha256.New()
	size, err := io.Copy(hash, file)
	if err != nil {
		return t, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return t, err
	}
	t = tag{info.ModTime(), size, `"` + hex.EncodeToString(hash.Sum(nil)[:8]) + `"`}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tags[name] = t
	return t, nil
}

// weight is how much the client wants an encoding, 0 = not at all: what it says of it, or else of all others.
func weight(r *http.Request, encoding string) float64 {
	others := 0.0
	for _, item := range answer.List(r, "Accept-Encoding") {
		name, params, _ := strings.Cut(item, ";")
		w := 1.0
		if _, q, ok := strings.Cut(params, "q="); ok {
			if v, err := strconv.ParseFloat(strings.TrimSpace(q), 64); err == nil {
				w = v
			}
		}
		switch name = strings.TrimSpace(name); {
		case strings.EqualFold(name, encoding):
			return w
		case name == "*":
			others = w
		}
	}
	return others
}
