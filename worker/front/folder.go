//go:build !js

package front

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Folder is a folder to serve from. Unlike os.DirFS it follows no link that leads out of it, and it is looked up for
// each file, so that it may be built, or built anew, while the server runs.
type Folder string

// Open implements fs.FS.
func (d Folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return os.OpenInRoot(string(d), filepath.FromSlash(name))
}

// Stat implements fs.StatFS: to open what is no file, as a pipe, could wait for ever.
func (d Folder) Stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrInvalid}
	}
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Stat(filepath.FromSlash(name))
}

// Within tells whether one of two folders lies in the other or is the other, wherever links lead. What is not there yet
// lies where its parent is.
func Within(a, b string) bool {
	a, b = real(a), real(b)
	inside := func(a, b string) bool {
		rel, err := filepath.Rel(b, a)
		return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	}
	return inside(a, b) || inside(b, a)
}

func real(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if links, err := filepath.EvalSymlinks(path); err == nil {
		return links
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(real(parent), filepath.Base(path))
	}
	return path
}
