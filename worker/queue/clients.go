package queue

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"sync"
	"time"
)

// Rate is a bucket of tokens: Burst at first and at most, PerSecond more each second.
type Rate struct{ Burst, PerSecond float64 }

// Clients bounds how much one client may ask for, and says whose turn it takes. A client is whoever sends a token that
// this program has issued: an address alone does not tell, since a class sits behind one. A token costs nothing, so
// having many must gain nothing: those of one network share what a network may take (PerTurn, Limits), and while they
// are new they share one turn and one bucket. All who send no token, wherever they are, share one turn and one bucket.
// Use NewClients.
type Clients struct {
	each, all Rate
	key       [32]byte

	mu      sync.Mutex
	buckets map[string]*bucket // by owner
}

type bucket struct {
	left float64
	at   time.Time
}

const (
	// newFor is how long a token is new: who throws tokens away stays with the new ones of the network for ever.
	newFor = 2 * time.Minute
	// lasts is how long a token is known, so that nobody gathers them.
	lasts = 24 * time.Hour
)

// NewClients makes one that knows no client yet. It knows tokens of other programs that were given the same key;
// without one, none. each is the bucket of a client, all that of the new ones of a network, and that of all without a
// token.
func NewClients(key []byte, each, all Rate) *Clients {
	c := &Clients{each: each, all: all, key: sha256.Sum256(key), buckets: map[string]*bucket{}}
	if len(key) == 0 {
		_, _ = rand.Read(c.key[:]) // never fails
	}
	return c
}

// Admission is what became of one request.
type Admission struct {
	Owner string        // whose turn it takes
	Token string        // to be sent the next time, "" = as sent, or none could be issued now
	Wait  time.Duration // until it may come again; 0 = it is admitted
}

// Admit draws cost from the bucket of the client whose token it is, who asks from a network.
func (c *Clients) Admit(token, network string, cost float64, now time.Time) Admission {
	age, known := c.issued(token, now)
	switch code, ok := c.class(token); {
	case ok:
		owner := LargerOwner(code)
		return Admission{Owner: owner, Wait: c.Draw(owner, cost, now)}
	case !known:
		a := Admission{Owner: nobody, Wait: c.draw(nobody, c.all, cost, now)}
		a.Token, _ = c.Issue(network, now)
		return a
	case age < newFor:
		owner := Owner(c.group(network, now), "new")
		return Admission{Owner: owner, Wait: c.draw(owner, c.all, cost, now)}
	}
	owner := Owner(c.group(network, now), Hash(token))
	return Admission{Owner: owner, Wait: c.Draw(owner, cost, now)}
}

// Issue makes a token for somebody on a network, or says how long until there is another: it draws on the bucket of
// the network's new ones.
func (c *Clients) Issue(network string, now time.Time) (token string, wait time.Duration) {
	if wait = c.Newcomer(network, now); wait > 0 {
		return "", wait
	}
	return c.issue(now), 0
}

// Newcomer draws on the bucket of the new ones of a network, and says how long until one may come again.
func (c *Clients) Newcomer(network string, now time.Time) (wait time.Duration) {
	return c.draw(Owner(c.group(network, now), "new"), c.all, 1, now)
}

// Knows tells whether a token is one that counts.
func (c *Clients) Knows(token string, now time.Time) bool {
	_, known := c.issued(token, now)
	return known
}

// group stands for a network for a day. There are 65,536, so that it tells none: two that meet in one share a turn.
func (c *Clients) group(network string, now time.Time) string {
	return hex.EncodeToString(c.sign([]byte("network\n" + now.UTC().Format(time.DateOnly) + "\n" + network))[:2])
}

// Draw draws cost from the bucket of a client who is known by other means, and says how long until it may come again.
func (c *Clients) Draw(owner string, cost float64, now time.Time) (wait time.Duration) {
	return c.draw(owner, c.each, cost, now)
}

func (c *Clients) draw(owner string, r Rate, cost float64, now time.Time) (wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.buckets[owner]
	if b == nil {
		c.forget(now)
		b = &bucket{}
		c.buckets[owner] = b
	}
	return b.draw(r, cost, now)
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
	full := time.Duration(max(c.each.Burst/c.each.PerSecond, c.all.Burst/c.all.PerSecond) * float64(time.Second))
	for k, b := range c.buckets {
		if now.Sub(b.at).Abs() >= full { // a clock that went back left it in the future
			delete(c.buckets, k)
		}
	}
}

// A token is a random part, the second in which it was issued and a signature of both, so that none need be remembered
// and none can be made up.
const half, random = 16, 12

func (c *Clients) issue(now time.Time) string {
	b := make([]byte, random, 2*half)
	_, _ = rand.Read(b)
	b = binary.BigEndian.AppendUint32(b, uint32(now.Unix()))
	return hex.EncodeToString(append(b, c.sign(b)...))
}

// issued tells how old a token is, if it is one. What was issued later than now, by a clock that was ahead, is not new:
// it would be so until then.
func (c *Clients) issued(token string, now time.Time) (age time.Duration, ok bool) {
	b, err := hex.DecodeString(token)
	if err != nil || len(b) != 2*half || !hmac.Equal(b[half:], c.sign(b[:half])) {
		return 0, false
	}
	age = now.Sub(time.Unix(int64(binary.BigEndian.Uint32(b[random:])), 0))
	if age < -newFor {
		age = newFor
	}
	return age, age < lasts
}

// ClassToken is the token by which a server asks for the larger run of a class: it takes the class's turn. Nobody is
// told it, and it never ends.
func (c *Clients) ClassToken(code string) string {
	return code + "." + hex.EncodeToString(c.sign([]byte("class\n"+code)))
}

// class is the class whose token this is.
func (c *Clients) class(token string) (code string, ok bool) {
	code, _, ok = strings.Cut(token, ".")
	return code, ok && hmac.Equal([]byte(token), []byte(c.ClassToken(code)))
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
