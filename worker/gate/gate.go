// Package gate is who may ask the server for how much, and whose turn it is to have what they send read. It tells
// clients apart by the tokens that it issues, see queue.Clients.
//
// Flow: request → Admit (the client's bucket) → its body → Reads (its turn to be parsed) → a room.
package gate

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"runtime"
	"time"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
	"hadarlab/worker/answer"
	"hadarlab/worker/queue"
)

// Header carries the token by which a client is told from others. The server issues it with GET /api/v1/client, and
// with the first answer to a POST; who sends it back takes turns of its own.
const Header = "Hadarlab-Client"

const (
	// patience is how long a request may wait to be read.
	patience = 10 * time.Second
	// readWaits is how many requests may wait to be read.
	readWaits = 1000
)

// Options bounds a Gate. Zero values are defaults.
type Options struct {
	// Key signs the tokens by which clients are told apart. Default a random one, which other programs do not know.
	Key []byte
	// Each and All are the buckets of one client, and of all who send no token, or whose token is new, of one network.
	// A request costs 1, a stored scenario 1 for each 16 KiB more. Default 120 and 2 a second, 2000 and 50 a second.
	Each, All queue.Rate
	// Address is where a request came from, of which only the network is used, and kept hashed for a while. Default
	// that of the connection: what a header says is anybody's word, see front.Proxies.
	Address func(*http.Request) string
	// Now is the time by which buckets fill. Default time.Now.
	Now func() time.Time
}

// Gate lets requests in. Use New or Open.
type Gate struct {
	clients *queue.Clients // nil = all are let in
	reading *queue.Slots   // for requests that are parsed
	address func(*http.Request) string
	now     func() time.Time
}

// New makes a gate that knows no client yet.
func New(o Options) *Gate {
	if o.Each == (queue.Rate{}) {
		o.Each = queue.Rate{Burst: 120, PerSecond: 2}
	}
	if o.All == (queue.Rate{}) {
		o.All = queue.Rate{Burst: 2000, PerSecond: 50}
	}
	g := Open(o.Address, o.Now)
	g.clients = queue.NewClients(o.Key, o.Each, o.All)
	return g
}

// Open makes one that lets everybody in, for a server that lets nobody wait; see Options.
func Open(address func(*http.Request) string, now func() time.Time) *Gate {
	if address == nil {
		address = func(r *http.Request) string { return r.RemoteAddr }
	}
	if now == nil {
		now = time.Now
	}
	return &Gate{address: address, now: now, reading: queue.NewSlots(max(1, runtime.GOMAXPROCS(0)-1))}
}

// Routes are what the gate answers itself.
func (g *Gate) Routes() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{"GET /api/v1/client": g.getClient}
}

// getClient answers with a token, the one that was sent where it counts. Without a queue nobody needs one.
func (g *Gate) getClient(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	token := r.Header.Get(Header)
	if g.clients != nil && !g.clients.Knows(token, g.now()) {
		var wait time.Duration
		if token, wait = g.clients.Issue(g.Network(r), g.now()); wait > 0 {
			g.tooMany(w, r, wait)
			return
		}
	}
	answer.JSON(w, r, http.StatusOK, map[string]string{"client": token})
}

// Admit draws on the client's bucket, and says whose turn the request takes; if it is not ok the problem has been
// answered.
func (g *Gate) Admit(w http.ResponseWriter, r *http.Request, cost float64) (owner string, ok bool) {
	if g.clients == nil {
		return "", true
	}
	a := g.clients.Admit(r.Header.Get(Header), g.Network(r), cost, g.now())
	if a.Token != "" {
		w.Header().Set(Header, a.Token)
	}
	return a.Owner, g.let(w, r, a.Wait)
}

// AsClass has a request that the server itself makes take the turn of a class's larger run.
func (g *Gate) AsClass(r *http.Request, code string) {
	if g.clients != nil {
		r.Header.Set(Header, g.clients.ClassToken(code))
	}
}

// AdmitNetwork draws on what all new clients of a network share: who joins a class has no token yet.
func (g *Gate) AdmitNetwork(w http.ResponseWriter, r *http.Request) bool {
	return g.clients == nil || g.let(w, r, g.clients.Newcomer(g.Network(r), g.now()))
}

// AdmitOwner draws on the bucket of somebody who is known by other means.
func (g *Gate) AdmitOwner(w http.ResponseWriter, r *http.Request, owner string) bool {
	return g.clients == nil || g.let(w, r, g.clients.Draw(owner, 1, g.now()))
}

// let tells a client who has to wait when to come again.
func (g *Gate) let(w http.ResponseWriter, r *http.Request, wait time.Duration) bool {
	if wait > 0 {
		g.tooMany(w, r, wait)
	}
	return wait == 0
}

func (g *Gate) tooMany(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	answer.Later(w, wait)
	answer.Refuse(w, r, http.StatusTooManyRequests, "too many requests from this client",
		jsondoc.Error("", "too-many-requests", words.Say("the server takes only so many requests of a client in a while"),
			words.Say("send it again when Retry-After has passed; who sends back the header {0} is not counted with others",
				Header)))
}

// Payer is whose share of large scenarios a request takes: that of its token, or what all have together who send none.
func (g *Gate) Payer(w http.ResponseWriter, r *http.Request) string {
	if g.clients == nil || w.Header().Get(Header) != "" { // it was given one just now
		return ""
	}
	return queue.Hash(r.Header.Get(Header))
}

// Reads waits until it is this client's turn to have a request read: parsing takes a processor as simulation does, and
// those who send much would keep all others from being answered. If it is not ok the problem has been answered.
func (g *Gate) Reads(w http.ResponseWriter, r *http.Request, owner string) (done func(), ok bool) {
	if g.clients == nil {
		return func() {}, true
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	if err := g.reading.Acquire(ctx, owner, readWaits); err != nil {
		Refuse(w, r, err)
		return nil, false
	}
	return g.reading.Release, true
}

// ReadKept reads what a client sends to be kept, for which it pays by size, and waits until it is its turn to have it
// parsed. If it is not ok the problem has been answered.
func (g *Gate) ReadKept(w http.ResponseWriter, r *http.Request, limit int64) (body []byte, done func(), ok bool) {
	owner, ok := g.Admit(w, r, 1+float64(max(0, r.ContentLength))/(16<<10))
	if !ok {
		return nil, nil, false
	}
	if body, ok = answer.ReadJSON(w, r, limit); !ok {
		return nil, nil, false
	}
	done, ok = g.Reads(w, r, owner)
	return body, done, ok
}

// Refuse answers that a turn did not come, and reports whether err says so.
func Refuse(w http.ResponseWriter, r *http.Request, err error) bool {
	switch {
	case r.Context().Err() != nil: // nobody is left to tell
	case errors.Is(err, queue.ErrBusy):
		answer.Later(w, 10*time.Second)
		answer.Refuse(w, r, http.StatusServiceUnavailable, "the server is busy with other requests",
			jsondoc.Error("", "busy", words.Say("its turn to be read did not come in time"), Again))
	case errors.Is(err, queue.ErrClosed), errors.Is(err, queue.ErrLeaving):
		answer.Later(w, 10*time.Second)
		answer.Refuse(w, r, http.StatusServiceUnavailable,
			"the server, or this run, is being stopped; send it again in a while")
	default:
		return false
	}
	return true
}

// Again is what to do about a turn that did not come.
var Again = words.Say("send it again in a while, or run it in the page")

// Network is where a request came from: the first 24 bits of its address, or the first 48 of one of IPv6.
func (g *Gate) Network(r *http.Request) string { return network(g.address(r)) }

func network(address string) string {
	if at, err := netip.ParseAddrPort(address); err == nil {
		address = at.Addr().String()
	}
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	bits := 48
	if ip = ip.Unmap().WithZone(""); ip.Is4() {
		bits = 24
	}
	p, _ := ip.Prefix(bits) // of as many bits as it has
	return p.String()
}
