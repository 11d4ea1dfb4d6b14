// Package queue is what stands between requests and simulation: who may ask (Clients), whose turn it is (Slots, and
// the turns of a Table), and what is still to be done when the program ends (Table). It knows nothing of runs, HTTP
// or SQL: work is a body that its caller can read.
//
// Flow: request → Clients.Admit → Table.Ask … Slots.Acquire → Table.Take → work → Table.End. Between Ask and Take lies
// either a pool of the same program, or a message queue that carries ids (Table.Unsent).
package queue

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
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
	Owner string // whose turn it takes, see Owner; "" once it has ended
	// Attempts counts how often it was taken. Work that its server dies under again and again is given up.
	Attempts int
	Status   string // what is told of it, as last noted
	Result   string // id of the stored result, "" = none
}

// An owner is whose turn work takes: a client of a group, which is a network or a class. Clients of a group take
// turns, and so do groups: PerTurn is how much of one group has the same turn.
const PerTurn = 4

// Owner names a client of a group.
func Owner(group, client string) string { return group + "/" + client }

// ClassOwner names a student of a class. Work of classes has places and a worker of its own.
func ClassOwner(code string, student int) string { return Owner(classes+code, strconv.Itoa(student)) }

// LargerOwner is whose turn the larger run of a class takes: one of its own among those of all others. It is not work
// of classes: a run of minutes would keep the submissions of all classes from being run again.
func LargerOwner(code string) string { return Owner(larger+code, "run") }

// GroupOf is the group of an owner.
func GroupOf(owner string) string {
	group, _, _ := strings.Cut(owner, "/")
	return group
}

const (
	// nobody is who sends no token: all who do so are one client.
	nobody = "nobody/"
	// newcomers ends the owner of all on a network whose token is new.
	newcomers = "/new"
	// classes begin the groups of classes. No network's begins so.
	classes = "class "
	// larger begins the groups of larger runs of classes.
	larger = "larger "
	// A nobodysPart-th of the places is the most that those have who send no token, a newPart-th those of a network
	// whose token is new.
	nobodysPart, newPart = 4, 3
)

// ForClasses tells whether work is a class's.
func ForClasses(owner string) bool { return strings.HasPrefix(owner, classes) }

// Class, in the place of an id, is whatever work of classes has its turn.
const Class = "class"

// Limits bound what waits. Work of classes is counted apart. A group never has more than is left for the others, in
// places and in bytes: alone it gets half, and who comes then finds room.
type Limits struct {
	Places int // of all clients
	Each   int // of one client
	Bytes  int // of all bodies that wait
}

// Group is the most places and bytes of the group of an owner, whatever is free.
func (l Limits) Group(owner string) (places, bytes int) {
	if owner == nobody {
		return max(1, l.Places/nobodysPart), l.Bytes / nobodysPart
	}
	return l.Places, l.Bytes
}

// Client is the most places of an owner.
func (l Limits) Client(owner string) int {
	switch {
	case owner == nobody:
		return l.Places + 1 // what bounds the group bounds them
	case strings.HasSuffix(owner, newcomers):
		return max(1, l.Places/newPart)
	}
	return l.Each
}

// Table keeps work until it has ended, and what became of it for a while. Every method is one or two conditional
// statements that may be repeated, alone or by two programs at once, and needs no transaction. Nothing is ordered by
// a clock: one that goes back changes no turn and loses nothing.
type Table interface {
	Admissions
	Leases
	Partition
}

// Admissions are what those meet who want work done.
type Admissions interface {
	// Ask puts w at the end of its owner's turn, or into a later one if its group has PerTurn there. If the same work
	// waits or is worked on, asker joins those who want it, and it becomes this owner's if its turn then comes
	// earlier; if it has ended it starts anew. It fails with ErrFull, ErrGreedy or ErrLeaving.
	Ask(ctx context.Context, w Work, asker string, lim Limits, nowMS int64) error
	// Leave takes asker from those who want the work. Waiting work that nobody wants is cancelled at once; of running
	// work its holder hears from Note, that it is not wanted or, where it was cancelled atOnce, not held any more.
	// last says that nobody wants it now. It fails with ErrNone or ErrForeign.
	Leave(ctx context.Context, id, asker string, atOnce bool) (state string, last bool, err error)
	// Find returns the work without its body, or ErrNone.
	Find(ctx context.Context, id string) (Work, error)
	// Waiting lists what waits, without bodies.
	Waiting(ctx context.Context) ([]Work, error)
}

// Leases are by what work is done once, and never lost: whoever has one works, and who does no more loses it.
type Leases interface {
	// Take gives work to holder until the lease ends: that of the id, if it waits or its lease has ended at nowMS, or
	// where id is "" what waits and whose turn it is, or where it is Class the same of classes alone. ErrNone if there
	// is none such. A part comes with the body of the whole.
	Take(ctx context.Context, id, holder string, nowMS, leaseMS int64) (Work, error)
	// Note keeps the lease and says how far the work is. held is false if another has it now, wanted if nobody wants
	// it any more.
	Note(ctx context.Context, id, holder, status string, leaseMS int64) (held, wanted bool, err error)
	// End is how work ends: once, by its holder. ended is false if another has it now.
	End(ctx context.Context, id, holder, state, status, result string) (ended bool, err error)
	// Fail is how work ends that has no holder any more; see End.
	Fail(ctx context.Context, id, status string, nowMS int64) (ended bool, err error)
	// Renew puts work that holder has into the queue once more under the id and with the status of w: with the same
	// body, at the turn that it had, whatever Limits say, since it was let in, and for those who want it. Where that
	// is there they join it, and where it has ended it starts anew. ok is false if another has the work now, or nobody
	// wants it any more, or the other is being left. The work itself is still to be ended.
	Renew(ctx context.Context, id, holder string, w Work, nowMS int64) (ok bool, err error)
	// GiveBack puts everything that holder has into the queue again, not counted as an attempt. Until untilMS it is
	// not among Unsent.
	GiveBack(ctx context.Context, holder string, untilMS int64) error
	// Reclaim puts work into the queue again whose lease has ended at nowMS, or ends later than any lease does: its
	// clock was wrong. What nobody wants any more is cancelled.
	Reclaim(ctx context.Context, nowMS int64) error
	// Unsent names what waits and is on its way to nobody, those first whose turn it is, as long as no more than most
	// are on their way or worked on, of classes and of all others each: what is on its way keeps its place before
	// whoever comes. Until untilMS it counts as on its way. What was on its way for that long is named again if
	// nothing is worked on any more, so that it seems lost, or if that was ten minutes ago.
	Unsent(ctx context.Context, nowMS, untilMS int64, most int) ([]string, error)
}

// Partition is work whose parts are done one by one.
type Partition interface {
	// Split adds those parts of work, PartID 0 to n-1, that are not there. They wait, each in a turn of its owner;
	// only the whole has a body, and is counted against Limits.
	Split(ctx context.Context, id string, n int, nowMS int64) error
	// Keep adds a part that its holder has already done, or replaces it, while holder has the whole.
	Keep(ctx context.Context, part, holder, status string) error
	// Parts says how far the parts of work are.
	Parts(ctx context.Context, id string) (Parts, error)
	// Told lists the statuses of its parts from one on, at most so many, in their order.
	Told(ctx context.Context, id string, from, most int) ([]string, error)
	// Unsplit removes the parts of work. Who holds one hears it from Note.
	Unsplit(ctx context.Context, id string) error
}

// Parts is how many parts of work there are, how many were ever taken, and how many are done; Failed is one that
// failed, "" if none did.
type Parts struct {
	All, Begun, Done int
	Failed           string
}

// PartID is the id of one part of work, counted from 0. They sort as they count.
func PartID(whole string, i int) string { return fmt.Sprintf("%s-%06d", whole, i) }

// PartOf takes an id apart; part is -1 if it is that of a whole.
func PartOf(id string) (whole string, part int) {
	whole, digits, ok := strings.Cut(id, "-")
	if part, err := strconv.Atoi(digits); ok && err == nil {
		return whole, part
	}
	return id, -1
}
