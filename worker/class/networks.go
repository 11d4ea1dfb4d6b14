package class

import (
	"context"
	"sync"
	"time"
)

// networks is what is kept for a while of where requests came from: how often something was done there, under hashes
// whose key goes.
type networks struct {
	table Table
	now   func() time.Time

	mu       sync.Mutex
	salt     string
	saltEnds time.Time
}

// hashed are a prefix, and the same with a class, as they are kept for a while.
func (n *networks) hashed(ctx context.Context, prefix, code string) (who, known string, err error) {
	hash, err := n.hash(ctx)
	if err != nil {
		return "", "", err
	}
	return hash(prefix), hash(prefix + "\n" + code), nil
}

// hash gives the hash under which something is kept for a day at most.
func (n *networks) hash(ctx context.Context) (hash func(text string) string, err error) {
	now := n.now()
	n.mu.Lock()
	salt := n.salt
	if !now.Before(n.saltEnds) || n.saltEnds.Sub(now) > time.Hour { // or the clock went back
		salt = ""
	}
	n.mu.Unlock()
	if salt == "" {
		if salt, err = n.table.Salt(ctx, secret(), now.UnixMilli(), now.Add(Joinable).UnixMilli()); err != nil {
			return nil, err
		}
		n.mu.Lock()
		n.salt, n.saltEnds = salt, now.Add(time.Hour)
		n.mu.Unlock()
	}
	return func(text string) string { return digest(salt + "\n" + text) }, nil
}

// counted is how often something has been counted under a hash, where a count lasts so long, and for how much longer.
func (n *networks) counted(ctx context.Context, hash string, lasts time.Duration) (times int, wait time.Duration,
	err error) {
	now := n.now()
	times, ends, _, err := n.table.Guesses(ctx, hash, "", now.UnixMilli(), now.Add(lasts).UnixMilli())
	return times, time.UnixMilli(ends).Sub(now), err
}

// count counts under a hash, which starts anew when it has lasted so long.
func (n *networks) count(ctx context.Context, hash string, lasts time.Duration) error {
	now := n.now()
	return n.table.Failed(ctx, hash, now.UnixMilli(), now.Add(lasts).UnixMilli())
}
