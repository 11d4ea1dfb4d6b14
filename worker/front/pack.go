//go:build !js

package front

import (
	"bytes"
	"compress/gzip"
	"sync"
)

// Pack returns a function that compresses pages by gzip, and keeps a few by their hash: they are asked for again and
// again, and only those of links differ.
func Pack() func(sum string, page []byte) []byte {
	const most = 64
	var mu sync.Mutex
	kept := map[string][]byte{}
	return func(sum string, page []byte) []byte {
		mu.Lock()
		packed, ok := kept[sum]
		mu.Unlock()
		if ok {
			return packed
		}
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		_, _ = z.Write(page) // into memory
		_ = z.Close()
		mu.Lock()
		defer mu.Unlock()
		if len(kept) >= most {
			clear(kept)
		}
		kept[sum] = out.Bytes()
		return out.Bytes()
	}
}
