//go:build !js

// Package compress makes the smaller copies of files that a server sends in their place. It is apart from what lays a
// site out, so that the native program needs no compressor.
package compress

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/andybalholm/brotli"
)

const (
	// minSize is the size in bytes below which a variant is not worth a file.
	minSize = 1024
	// quick is brotli's quality while one works on the page: two seconds for the program, 15 % larger than the best,
	// which takes more than a minute. Of gzip there is one variant, which takes a second.
	quick, best = 5, brotli.BestCompression
)

// Compressor makes the variants of files.
type Compressor struct {
	// Cache is a folder that keeps every variant in use under the hash of its content, so that what is unchanged is
	// not compressed again.
	Cache string
	// Best asks for brotli's smallest variants. Without it quick ones serve, or the best if there is one already.
	Best bool
}

// All are the variants of files, by the file's name and .gz or .br. The cache holds these and no others afterwards.
func (c Compressor) All(files map[string][]byte) (map[string][]byte, error) {
	var names []string
	for name, b := range files {
		if len(b) >= minSize {
			names = append(names, name)
		}
	}
	// The largest first: it takes longer than all others together, which are done beside it.
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(len(files[b]), len(files[a])) })
	if err := os.MkdirAll(c.Cache, 0o755); err != nil {
		return nil, err
	}
	var (
		mu     sync.Mutex
		faults []error
		out    = map[string][]byte{}
		used   = map[string]bool{}
		wait   sync.WaitGroup
		places = make(chan struct{}, runtime.GOMAXPROCS(0))
	)
	for _, name := range names {
		for _, suffix := range []string{".br", ".gz"} {
			places <- struct{}{}
			wait.Go(func() {
				defer func() { <-places }()
				kept, b, err := c.variant(files[name], suffix)
				mu.Lock()
				defer mu.Unlock()
				faults = append(faults, err)
				out[name+suffix], used[kept] = b, true
			})
		}
	}
	wait.Wait()
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return out, c.prune(used)
}

// prune removes from the cache what is not in use any more.
func (c Compressor) prune(used map[string]bool) error {
	entries, err := os.ReadDir(c.Cache)
	for _, e := range entries {
		if !used[e.Name()] && err == nil {
			err = os.Remove(filepath.Join(c.Cache, e.Name()))
		}
	}
	return err
}

// variant compresses b, or finds that in the cache, and says under which name it is kept there.
func (c Compressor) variant(b []byte, suffix string) (kept string, packed []byte, err error) {
	hash := sha256.Sum256(b)
	name := hex.EncodeToString(hash[:16])
	tries := []string{name + suffix}
	if suffix == ".br" {
		tries = []string{name + "." + strconv.Itoa(best) + "w24" + suffix, name + "." + strconv.Itoa(quick) + suffix}
	}
	if c.Best {
		tries = tries[:1]
	}
	for _, kept := range tries {
		if packed, err = os.ReadFile(filepath.Join(c.Cache, kept)); !errors.Is(err, fs.ErrNotExist) {
			return kept, packed, err
		}
	}
	kept = tries[len(tries)-1]
	if packed, err = c.pack(b, suffix); err != nil {
		return "", nil, err
	}
	// Under another name until it is whole: half a file would be taken for the variant for ever.
	whole := filepath.Join(c.Cache, kept)
	if err := os.WriteFile(whole+".part", packed, 0o644); err != nil {
		return "", nil, err
	}
	return kept, packed, os.Rename(whole+".part", whole)
}

func (c Compressor) pack(b []byte, suffix string) ([]byte, error) {
	var z bytes.Buffer
	w, err := c.writer(&z, suffix)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	err = w.Close()
	return z.Bytes(), err
}

func (c Compressor) writer(to io.Writer, suffix string) (io.WriteCloser, error) {
	switch {
	case suffix == ".gz":
		return gzip.NewWriterLevel(to, gzip.BestCompression)
	case c.Best: // the largest window that browsers take: 1 % less
		return brotli.NewWriterOptions(to, brotli.WriterOptions{Quality: best, LGWin: 24}), nil
	}
	return brotli.NewWriterLevel(to, quick), nil
}
