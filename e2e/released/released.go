// Package released holds what each release wrote: documents, links, results, traces, what classes keep, the requests
// that it took and what it said of itself. Its test opens all of it with the program as it is now, so that what one
// release wrote is read by every later one.
//
// Each release has an archive, NAME.tar.gz, whose name begins with its version; SHA256SUMS names them all. Archives of
// releases before the present one are frozen: their sums never change. `make corpus` writes that of the present one, by
// its program (e2e/released/make), and its sum; do that as the last step before a release is tagged.
package released

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

//go:embed *.tar.gz SHA256SUMS
var archives embed.FS

// Names are those of the archives.
func Names() []string {
	names, err := fs.Glob(archives, "*.tar.gz")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for i := range names {
		names[i] = strings.TrimSuffix(names[i], ".tar.gz")
	}
	return names
}

// Sums are the recorded checksums by archive.
func Sums() map[string]string {
	b, err := archives.ReadFile("SHA256SUMS")
	if err != nil {
		panic(err) // it is embedded
	}
	return ParseSums(b)
}

// ParseSums reads a file of checksums, by archive.
func ParseSums(b []byte) map[string]string {
	sums := map[string]string{}
	for line := range strings.Lines(string(b)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sums[strings.TrimSuffix(name, ".tar.gz")] = sum
	}
	return sums
}

// Sum is the checksum of an archive.
func Sum(archive []byte) string {
	sum := sha256.Sum256(archive)
	return hex.EncodeToString(sum[:])
}

// Files are the files of an archive by name, with its checksum.
func Files(name string) (files map[string][]byte, sum string, err error) {
	b, err := archives.ReadFile(name + ".tar.gz")
	if err != nil {
		return nil, "", err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, "", err
	}
	files = map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files, Sum(b), nil
		} else if err != nil {
			return nil, "", fmt.Errorf("%s: %w", name, err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			return nil, "", fmt.Errorf("%s: %w", name, err)
		}
	}
}

// Pack makes an archive: the same files, the same bytes.
func Pack(files map[string][]byte) ([]byte, error) {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w := tar.NewWriter(z)
	for _, name := range names {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name]))}); err != nil {
			return nil, err
		}
		if _, err := w.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err := z.Close()
	return b.Bytes(), err
}

// Document is what a release said of a scenario: the id that its server gave, and its link. The document as it came,
// as the release writes it for people, and in canonical form stand beside it.
type Document struct{ Name, ID, Link string }

// Request is one that a release took. Code and token of a class are those of the answers before.
type Request struct {
	Op   string // "METHOD /path", with {code} for that of the class
	As   string // "key", "student" or ""
	Body json.RawMessage
}
