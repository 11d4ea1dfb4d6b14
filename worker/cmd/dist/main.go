//go:build !js

// Command dist packs programs, which carry the page, with all that a packager needs into one archive a platform, zip
// for windows and tar.gz for the others, and writes their checksums. Nothing of the machine enters: names are sorted,
// times, users and groups are zero, so that the same files give the same bytes.
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
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hadarlab/core/lab"
	"hadarlab/worker/licences"
)

func main() {
	out := flag.String("o", "dist", "`DIR` for the archives, emptied first")
	programs := flag.String("programs", "build/dist", "`DIR` with a folder for each platform, named as linux-amd64")
	quick := flag.Bool("quick", false, "compress quickly, for tests")
	flag.Parse()
	if err := run(*out, *programs, *quick); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// run packs what lies in the project's folder, in which it is started.
func run(out, programs string, quick bool) error {
	platforms, err := os.ReadDir(programs)
	if err != nil {
		return err
	}
	var targets []licences.Target
	for _, p := range platforms {
		system, arch, ok := strings.Cut(p.Name(), "-")
		if !ok {
			return fmt.Errorf("%s is no platform: a folder of programs is named as linux-amd64", p.Name())
		}
		targets = append(targets, licences.Native(system, arch))
	}
	common, err := collect(".", targets)
	if err != nil {
		return err
	}
	level := usual
	if quick {
		level = flate.BestSpeed
	}
	return pack(out, programs, common, level)
}

// usual is the level of the archives. The best takes three times the time and makes them 0.5 % smaller.
const usual = 6

// contents are the project's files and folders that every archive holds, by where they lie in it.
var contents = map[string]string{
	"README.md": "worker/deploy/archive.md", "LICENSE": "LICENSE", "THIRD_PARTY.md": "THIRD_PARTY.md",
	"CHANGELOG.md": "CHANGELOG.md", "CITATION.cff": "CITATION.cff", "DATA.md": "DATA.md", "SECURITY.md": "SECURITY.md",
	"lab.png": "app/lab.png", "deploy": "worker/deploy", "examples": "scenarios/examples",
}

// left out of those folders: what is for who has the sources, and the archive's own first page.
var leftOut = []string{"deploy/archive.md", "deploy/cloudflare.md", "deploy/pages.md"}

// moved are the paths of the sources that texts name, and what they are in an archive.
var moved = strings.NewReplacer("worker/deploy/", "deploy/", "scenarios/examples/", "examples/")

// collect reads what every archive holds beside its program: contents, and the licence texts of all that is compiled
// into the targets and into the page that they carry.
func collect(root string, targets []licences.Target) (list []file, err error) {
	add := func(to string, b []byte) {
		if !bytes.Contains(b, []byte{0}) {
			b = []byte(moved.Replace(string(b)))
		}
		list = append(list, file{to, false, b})
	}
	for to, from := range contents {
		err := fs.WalkDir(os.DirFS(root), from, func(name string, d fs.DirEntry, err error) error {
			at := to + strings.TrimPrefix(name, from)
			if err != nil || d.IsDir() || slices.Contains(leftOut, at) {
				return err
			}
			b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			add(at, b)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	modules, err := licences.Of(root, append(slices.Clone(targets), licences.Page()...)...)
	for _, m := range modules {
		for _, t := range m.Texts {
			list = append(list, file{path.Join("licences", m.Path, t.Name), false, t.Data})
		}
	}
	return list, err
}

// file is one entry of an archive, below the archive's own folder.
type file struct {
	name string
	exec bool
	data []byte
}

// pack writes an archive for each platform and SHA256SUMS into out. Each archive has the sums of its files, too.
func pack(out, programs string, common []file, level int) error {
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
	var all bytes.Buffer
	for _, p := range platforms {
		own, err := folder(filepath.Join(programs, p.Name()))
		if err != nil {
			return err
		}
		files := slices.Concat(own, common)
		slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
		files = append(files, file{"SHA256SUMS", false, sums(files)})
		top := "hadarlab-" + lab.Engine + "-" + p.Name()
		write, name := tarball, top+".tar.gz"
		if strings.HasPrefix(p.Name(), "windows") {
			write, name = zipped, top+".zip"
		}
		var b bytes.Buffer
		if err := write(&b, top, files, level); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(out, name), b.Bytes(), 0o644); err != nil {
			return err
		}
		all.Write(sums([]file{{name, false, b.Bytes()}}))
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), all.Bytes(), 0o644)
}

// sums are checksums in the form that sha256sum checks.
func sums(files []file) []byte {
	var b bytes.Buffer
	for i := range files {
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(files[i].data), files[i].name)
	}
	return b.Bytes()
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

func tarball(w io.Writer, top string, files []file, level int) error {
	z, err := gzip.NewWriterLevel(w, level)
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

func zipped(w io.Writer, top string, files []file, level int) error {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, level) })
	for i := range files {
		f := &files[i]
		// The first day that the format knows. Its newer field would say the time once more, in an extra part.
		//lint:ignore SA1019 nothing else writes a date alone
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
