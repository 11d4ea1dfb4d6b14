//go:build !js

package front

import (
	"io"
	"net/http"
	"sync"
	"time"

	"hadarlab/worker/answer"
)

const (
	// smallBody is the most bytes of a body that needs no room of its own: a shared scenario, a run of a class.
	smallBody = 64 << 10
	// smallBytes and largeBytes are the most bytes of bodies of either size that are held at once. They are apart,
	// so that a few clients with large scenarios keep nobody from sharing a small one.
	smallBytes, largeBytes = 16 << 20, 32 << 20
	// firstBytes and slowest are how long a body may take: ten seconds, and one for each 128 KiB.
	firstBytes = 10 * time.Second
	slowest    = 128 << 10
	// drained is the most bytes of a refused body that are read before the answer, so that a proxy hands that on.
	drained = 16 << 20
)

// bodies bounds the request bodies that are held at once, from their first byte until they are answered.
type bodies struct {
	largest      int64
	mu           sync.Mutex
	small, large int64
}

func (b *bodies) held() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.small + b.large
}

// add takes room for n bytes in one of the two counts, or gives it back.
func (b *bodies) add(count *int64, n, most int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > 0 && *count+n > most {
		return false
	}
	*count += n
	return true
}

// take makes room for the request's body and bounds how long it may take to arrive. A large body has its room from the
// start, since a half-read one that has to go would have been read for nothing; a small one as it arrives, so that
// nobody holds room by announcing a body that never comes. Call done when the request is answered.
func (b *bodies) take(w http.ResponseWriter, r *http.Request) (done func(), ok bool) {
	size := r.ContentLength
	if size < 0 || size > b.largest {
		size = b.largest // the handler refuses what is larger
	}
	if r.Body == nil || r.Body == http.NoBody {
		return func() {}, true
	}
	in := &body{ReadCloser: r.Body, of: b, rc: http.NewResponseController(w)}
	if size > smallBody {
		if !b.add(&b.large, size, largeBytes) {
			return nil, false
		}
		in.large = size
	}
	_ = in.rc.SetReadDeadline(time.Now().Add(firstBytes + time.Duration(size)*time.Second/slowest))
	r.Body = in
	return in.release, true
}

// body is a request's body that counts what it holds.
type body struct {
	io.ReadCloser
	of           *bodies
	rc           *http.ResponseController
	small, large int64
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.large == 0 {
		if !b.of.add(&b.of.small, int64(n), smallBytes) {
			return 0, answer.ErrBusy
		}
		b.small += int64(n)
	}
	if err == io.EOF {
		_ = b.rc.SetReadDeadline(time.Time{}) // the answer may take longer than the body might have
	}
	return n, err
}

func (b *body) release() {
	b.of.add(&b.of.small, -b.small, 0)
	b.of.add(&b.of.large, -b.large, 0)
}
