// Package queue is what stands between requests and simulation: who may ask (Clients), whose turn it is (Slots, and
// the turns of a Table), and what is still to be done when the program ends (Table). It knows nothing of runs, HTTP
// or SQL: work is a body that its caller can read.
//
// Flow: request → Clients.Admit → Table.Ask … Table.Take → Slots.Acquire → work → Table.End.
package queue

import (
	"context"
	"errors"
)

// Errors that callers branch on.
var (
	ErrFull    = errors.New("queue: no place is free")
	ErrGreedy  = errors.New("queue: one client has too many places")
	ErrLeaving = errors.New("queue: the work is being stopped; ask again when it has ended")
	ErrNone    = errors.New("queue: there is no such work")
	ErrForeign = errors.New("queue: the token is not of one who asked for this work")
	ErrBusy    = errors.New("queue: no slot came free in time")
	ErrClosed  = errors.New("queue: closed")
)

// States of work. The last three are final.
const (
	Queued    = "queued"
	Running   = "running"
	Done      = "done"
	Failed    = "failed"
	Cancelled = "cancelled"
)

// Work is one piece of work in a Table.
type Work struct {
	ID    string // content id: who asks for the same gets the same work
	Kind  string // what the body is
	Body  string // "" once it has ended
	State string
	Owner string // whose turn it takes: a hash of the client's token
	// Attempts counts how often it was taken. Work that its server dies under again and again is given up.
	Attempts int
	Status   string // what is told of it, as last noted
	Result   string // id of the stored result, "" = none
}

// Limits bound what waits.
type Limits struct {
	Places int // of all clients
	Each   int // of one client
	Bytes  int // of all bodies that wait
}

// Table keeps work until it has ended, and what became of it for a while. Every method is one or two conditional
// statements that may be repeated, alone or by two programs at once, and needs no transaction. Nothing is ordered by
// a clock: one that goes back changes no turn and loses nothing.
type Table interface {
	// Ask puts w at the end of its owner's turn. If the same work waits or is worked on, asker joins those who want it;
	// if it has ended it starts anew. It fails with ErrFull, ErrGreedy or ErrLeaving.
	Ask(ctx context.Context, w Work, asker string, lim Limits, nowMS int64) error
	// Take gives the work whose turn it is to holder until the lease ends; ErrNone if nothing waits.
	Take(ctx context.Context, holder string, leaseMS int64) (Work, error)
	// Note keeps the lease and says how far the work is. held is false if another has it now, wanted if nobody wants it
	// any more.
	Note(ctx context.Context, id, holder, status string, leaseMS int64) (held, wanted bool, err error)
	// End is how work ends: once, by its holder. ended is false if another has it now.
	End(ctx context.Context, id, holder, state, status, result string) (ended bool, err error)
	// Leave takes asker from those who want the work. Waiting work that nobody wants is cancelled at once; of running
	// work its holder hears from Note. last says that nobody wants it now. It fails with ErrNone or ErrForeign.
	Leave(ctx context.Context, id, asker string) (state string, last bool, err error)
	// Find returns the work without its body, or ErrNone.
	Find(ctx context.Context, id string) (Work, error)
	// Waiting lists what waits, without bodies.
	Waiting(ctx context.Context) ([]Work, error)
	// GiveBack puts everything that holder has into the queue again, not counted as an attempt.
	GiveBack(ctx context.Context, holder string) error
	// Reclaim puts work into the queue again whose lease has ended at nowMS, or ends later than any lease does: its
	// clock was wrong. What nobody wants any more is cancelled.
	Reclaim(ctx context.Context, nowMS int64) error
}
