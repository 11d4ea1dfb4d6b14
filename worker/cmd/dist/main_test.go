//go:build !js

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hadarlab/core/lab"
)

// tree writes files below a new folder, each a little later and with other rights than the last time.
func tree(t *testing.T, at time.Time, mode fs.FileMode, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), mode),
			os.Chtimes(path, at, at))
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSameFilesGiveTheSameBytes: times and rights of the machine stay out, names are sorted, the program may be run.
func TestSameFilesGiveTheSameBytes(t *testing.T) {
	var all [2]map[string][]byte
	for i := range all {
		at := time.Unix(int64(1e9*(i+1)), 0)
		mode := []fs.FileMode{0o644, 0o700}[i]
		programs := tree(t, at, mode, map[string]string{"linux-amd64/hadarlab": "elf",
			"windows-arm64/hadarlab.exe": "pe"})
		texts := tree(t, at, mode, map[string]string{"LICENSE": "free", "scenarios/examples/jobs.csv": "id"})
		t.Chdir(texts)
		out := filepath.Join(t.TempDir(), "dist")
		if err := pack(out, programs, []string{"LICENSE", "scenarios/examples/jobs.csv"}); err != nil {
			t.Fatal(err)
		}
		all[i] = map[string][]byte{}
		entries, err := os.ReadDir(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if all[i][e.Name()], err = os.ReadFile(filepath.Join(out, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	name := "hadarlab-" + lab.Engine + "-linux-amd64.tar.gz"
	for file, b := range all[0] {
		if !bytes.Equal(b, all[1][file]) {
			t.Errorf("%s differs from run to run", file)
		}
	}
	if sum := fmt.Sprintf("%x  %s\n", sha256.Sum256(all[0][name]), name); len(all[0]) != 3 ||
		!strings.Contains(string(all[0]["SHA256SUMS"]), sum) {
		t.Errorf("%d files, sums %s", len(all[0]), all[0]["SHA256SUMS"])
	}

	z, err := gzip.NewReader(bytes.NewReader(all[0][name]))
	if err != nil || !z.ModTime.IsZero() || z.Name != "" {
		t.Fatalf("%v, head %+v", err, z)
	}
	var names []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		_, short, _ := strings.Cut(h.Name, "/")
		names = append(names, short)
		if h.ModTime.Unix() != 0 || h.Uid != 0 || h.Gid != 0 || h.Uname != "" ||
			(h.Mode == 0o755) != (short == "hadarlab") {
			t.Errorf("%+v", h)
		}
	}
	want := []string{"LICENSE", "hadarlab", "scenarios/examples/jobs.csv"}
	if !slices.Equal(names, want) {
		t.Errorf("it holds %q", names)
	}

	name = "hadarlab-" + lab.Engine + "-windows-arm64.zip"
	zr, err := zip.NewReader(bytes.NewReader(all[0][name]), int64(len(all[0][name])))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range zr.File {
		if f.Modified.Year() != 1980 || len(f.Extra) > 0 {
			t.Errorf("%s is of %v, extra %x", f.Name, f.Modified, f.Extra)
		}
	}
}
