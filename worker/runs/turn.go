package runs

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"hadarlab/worker/answer"
	"hadarlab/worker/queue"
)

// What those ask for who send no token, or a new one, gives way: when it has had a share of work and another's turn
// waits, its goroutine stands still, with all that it has, and its slot is theirs for as long a share. So one who asks
// for a run as long as any may be keeps a slot from others for a share, and loses nothing by that.

const (
	// shares is how many shares there are in the longest run, by events and by the clock alike.
	shares = 15
	// looks is how often in a share a run looks again whether others wait, when it has had its own.
	looks = 16
	// mostAway is how many runs that give way are begun before one of them has to end: they are in memory.
	mostAway = 4
)

// turn is a slot that a run has, and what it has had of it.
type turn struct {
	of     *pool
	owner  string // whose run it is
	held   bool   // the slot is the run's; else others have it
	events int
	since  time.Time
	look   float64 // after so many shares it looks whether others wait
}

// turn is that of a run which has just been given a slot.
func (p *pool) turn(owner string) *turn {
	return &turn{of: p, owner: owner, held: true, since: p.Now(), look: 1}
}

// giveUp ends a turn. Where none is counted it is nil.
func (t *turn) giveUp() {
	if t != nil && t.held {
		t.of.slots.Release()
	}
}

// had is how many shares a turn has had. Events bound it where the clock stands still.
func (p *pool) had(t *turn) float64 {
	return shares * max(float64(t.events)/float64(p.Events), p.Now().Sub(t.since).Seconds()/p.Time.Seconds())
}

// pause notes that x was worked on for so many events. If it has had its share and is to give way, it returns when x
// is to go on, and how long that took; meanwhile still is called now and then, nil for nothing. x goes on without a
// slot only if ctx has ended, x is to end, or the server is.
func (p *pool) pause(ctx context.Context, x *run, events int, still func()) (away time.Duration) {
	t := x.turn
	if t == nil || !t.held {
		return 0
	}
	t.events += events
	if !queue.GivesWay(t.owner) || x.known.Load() {
		return 0
	}
	had := p.had(t)
	if had < t.look {
		return 0
	}
	t.look = had + 1.0/looks
	ctx, goOn := context.WithCancel(ctx)
	defer goOn()
	defer context.AfterFunc(x.wanted, goOn)()
	p.mu.Lock()
	if p.closed() || x.wanted.Err() != nil {
		p.mu.Unlock()
		return 0
	}
	p.away[x] = true
	p.working.Add(1) // while the server takes work
	p.mu.Unlock()
	defer beats(still)()

	began, gave := p.Now(), true
	row, err := p.take(ctx)
	if err == nil {
		go func() {
			defer p.working.Done()
			p.serveSlot(row)
		}()
		err = p.slots.Acquire(ctx, t.owner, math.MaxInt)
	} else {
		p.working.Done()
		gave, err = p.slots.Pass(ctx, t.owner) // others may stand still, too
	}
	p.mu.Lock()
	delete(p.away, x)
	p.mu.Unlock()
	p.startWorkers() // what was not taken because x stood still
	if gave {
		*t = turn{of: p, owner: t.owner, held: err == nil, since: p.Now(), look: 1}
	}
	return p.Now().Sub(began)
}

// beats calls still now and then, until stop returns.
func beats(still func()) (stop func()) {
	if still == nil {
		return func() {}
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for pulse := time.Tick(answer.Beat); ; {
			select {
			case <-pulse:
				still()
			case <-over:
				return
			}
		}
	}()
	return func() {
		close(over)
		<-ended
	}
}

// joined hears that an owner wants a run, too: it gives way only as long as all do who want it.
func (x *run) joined(owner string) {
	if !queue.GivesWay(owner) {
		x.known.Store(true)
	}
}

// others are the owners of what stands still.
func (p *pool) others() (owners []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for x := range p.away {
		owners = append(owners, x.turn.owner)
	}
	return owners
}

// take takes what is next. While runs stand still, their owners get nothing else, and when there are many of those only
// what gives no way is begun.
func (p *pool) take(ctx context.Context) (queue.Work, error) {
	next := func(id string) (queue.Work, error) {
		return p.Table.Take(ctx, id, p.holder, p.Now().UnixMilli(), p.until())
	}
	away := p.others()
	if len(away) == 0 {
		return next("")
	}
	rows, err := p.Table.Waiting(ctx)
	for _, row := range rows {
		if queue.GivesWay(row.Owner) && (len(away) >= mostAway || slices.Contains(away, row.Owner)) {
			continue
		}
		// Else another has taken it, or it was cancelled.
		if row, err := next(row.ID); !errors.Is(err, queue.ErrNone) {
			return row, err
		}
	}
	return queue.Work{}, cmp.Or(err, queue.ErrNone)
}

// serveSlot works on a run, and while others stand still on more of what waits, until that has had a share as they had.
func (p *pool) serveSlot(row queue.Work) {
	for had := 0.0; ; {
		t := p.turn(row.Owner)
		p.workOn(row, t)
		if had += p.had(t); !t.held {
			return
		}
		if had >= 1 || p.closed() || len(p.others()) == 0 {
			break
		}
		var err error
		if row, err = p.take(context.Background()); err != nil {
			break
		}
	}
	p.slots.Release()
}
