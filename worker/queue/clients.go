package queue

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"
)

// Rate is a bucket of tokens: Burst at first and at most, PerSecond more each second.
type Rate struct{ Burst, PerSecond float64 }

// Clients bounds how much one client may ask for. A client is whoever sends a token that this program has issued:
// never an address, since a class sits behind one. Who sends none draws on a bucket that all such share, and gets a
// token for the next time. Use NewClients.
type Clients struct {
	each, all Rate
	key       [32]byte

	mu      sync.Mutex
	shared  bucket
	buckets map[string]*bucket
}

type bucket struct {
	left float64
	at   time.Time
}

// NewClients makes one that knows no client yet. It knows tokens of other programs that were given the same key;
// without one, none.
func NewClients(key []byte, each, all Rate) *Clients {
	c := &Clients{each: each, all: all, key: sha256.Sum256(key), buckets: map[string]*bucket{}}
	if len(key) == 0 {
		_, _ = rand.Read(c.key[:]) // never fails
	}
	return c
}

// Admission is what became of one request.
type Admission struct {
	Client string        // whose turn it takes
	Token  string        // to be sent the next time, "" = as sent
	Wait   time.Duration // until it may come again; 0 = it is admitted
}

// Admit draws cost from the bucket of the client whose token it is.
func (c *Clients) Admit(token string, cost float64, now time.Time) Admission {
	known := c.issued(token)
	a := Admission{Client: Hash(token)}
	if !known {
		a.Token = c.issue()
		a.Client = Hash(a.Token)
	}
	if known {
		a.Wait = c.Draw(a.Client, cost, now)
		return a
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	a.Wait = c.shared.draw(c.all, cost, now)
	return a
}

// Draw draws cost from the bucket of a client who is known by other means, and says how long until it may come again.
func (c *Clients) Draw(client string, cost float64, now time.Time) (wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.buckets[client]
	if b == nil {
		c.forget(now)
		b = &bucket{}
		c.buckets[client] = b
	}
	return b.draw(c.each, cost, now)
}

// draw takes cost, or says how long it takes until there is as much. A clock that goes back fills nothing and locks
// nobody out.
func (b *bucket) draw(r Rate, cost float64, now time.Time) time.Duration {
	if b.at.IsZero() {
		b.left = r.Burst
	} else if passed := now.Sub(b.at); passed > 0 {
		b.left = min(r.Burst, b.left+passed.Seconds()*r.PerSecond)
	}
	b.at = now
	cost = min(cost, r.Burst) // what is larger than the bucket costs all of it
	if b.left < cost {
		return time.Duration((cost - b.left) / r.PerSecond * float64(time.Second))
	}
	b.left -= cost
	return 0
}

// most is how many clients are remembered before those are forgotten whose buckets are full again: which changes
// nothing for them.
const most = 10_000

func (c *Clients) forget(now time.Time) {
	if len(c.buckets) < most {
		return
	}
	full := time.Duration(c.each.Burst / c.each.PerSecond * float64(time.Second))
	for k, b := range c.buckets {
		if now.Sub(b.at) >= full {
			delete(c.buckets, k)
		}
	}
}

// A token is a random half and its signature, so that none need be remembered and none can be made up.
const half = 16

func (c *Clients) issue() string {
	b := make([]byte, half, 2*half)
	_, _ = rand.Read(b)
	return hex.EncodeToString(append(b, c.sign(b)...))
}

func (c *Clients) issued(token string) bool {
	b, err := hex.DecodeString(token)
	return err == nil && len(b) == 2*half && hmac.Equal(b[half:], c.sign(b[:half]))
}

func (c *Clients) sign(b []byte) []byte {
	h := hmac.New(sha256.New, c.key[:])
	h.Write(b)
	return h.Sum(nil)[:half]
}

// Secret is a random token that nobody can guess.
func Secret() string {
	b := make([]byte, half)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

// Hash is what is kept of a token in its place: who reads a table learns none.
func Hash(token string) string {
	h := sha256.Sum256([]byte(token))
	return hex.EncodeToString(h[:8])
}
