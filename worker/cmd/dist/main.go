//go:build !js

// Command dist packs programs, which carry the page, and some texts into one archive a platform, zip for windows and
// tar.gz for the others, and writes their checksums. Nothing of the machine enters: names are sorted, times, users and
// groups are zero, so that the same files give the same bytes.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hadarlab/core/lab"
)

func main() {
	out := flag.String("o", "dist", "`DIR` for the archives, emptied first")
	programs := flag.String("programs", "build/dist", "`DIR` with a folder for each platform, named as linux-amd64")
	flag.Parse()
	if err := pack(*out, *programs, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// file is one entry of an archive, below the archive's own folder.
type file struct {
	name string
	exec bool
	data []byte
}

// pack writes an archive for each platform and SHA256SUMS into out. Texts keep their paths.
func pack(out, programs string, texts []string) error {
	platforms, err := os.ReadDir(programs)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var common []file
	for _, text := range texts {
		b, err := os.ReadFile(text)
		if err != nil {
			return err
		}
		common = append(common, file{filepath.ToSlash(text), false, b})
	}
	var sums bytes.Buffer
	for _, p := range platforms {
		own, err := folder(filepath.Join(programs, p.Name()))
		if err != nil {
			return err
		}
		files := slices.Concat(own, common)
		slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
		top := "hadarlab-" + lab.Engine + "-" + p.Name()
		write, name := tarball, top+".tar.gz"
		if strings.HasPrefix(p.Name(), "windows") {
			write, name = zipped, top+".zip"
		}
		var b bytes.Buffer
		if err := write(&b, top, files); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(out, name), b.Bytes(), 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(b.Bytes()), name)
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), sums.Bytes(), 0o644)
}

// folder reads the programs in dir.
func folder(dir string) (out []file, err error) {
	root := os.DirFS(dir)
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(root, name)
		out = append(out, file{name, true, b})
		return err
	})
	return out, err
}

func (f *file) mode() fs.FileMode {
	if f.exec {
		return 0o755
	}
	return 0o644
}

func tarball(w io.Writer, top string, files []file) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for i := range files {
		f := &files[i]
		if err := t.WriteHeader(&tar.Header{Name: top + "/" + f.name, Mode: int64(f.mode()), Size: int64(len(f.data)),
			ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR}); err != nil {
			return err
		}
		if _, err := t.Write(f.data); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

func zipped(w io.Writer, top string, files []file) error {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser,
		error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for i := range files {
		f := &files[i]
		// the first day that the format knows
		h := &zip.FileHeader{Name: top + "/" + f.name, Method: zip.Deflate, ModifiedDate: 1<<5 | 1}
		h.SetMode(f.mode())
		to, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := to.Write(f.data); err != nil {
			return err
		}
	}
	return z.Close()
}
