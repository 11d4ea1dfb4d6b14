package runs

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"hadarlab/worker/queue"
	"hadarlab/worker/vault"
)

// pool does a Runner's work in goroutines of this program. Some work on whatever waits, as many as there are slots, and
// one on work of classes alone.
type pool struct {
	*Runner
	slots   *queue.Slots
	working sync.WaitGroup
	gangs   [2]gang
	away    map[*run]bool // runs that stand still while others go before them
}

// gang is goroutines that take work.
type gang struct {
	what       string // as Leases.Take has it
	busy, most int
	news       bool // that there is work
}

// NewPool makes a Runner that goes on with what an earlier one left in the table. Close it before its store.
func NewPool(o Options) *Runner {
	q := newRunner(o)
	p := &pool{Runner: q, slots: queue.NewSlots(q.Concurrent), away: map[*run]bool{}}
	p.gangs = [2]gang{{most: q.Concurrent}, {what: queue.Class, most: 1}}
	q.hands = p
	p.resume()
	return q
}

func (p *pool) wake(context.Context)               { p.startWorkers() }
func (p *pool) lasts() bool                        { return true }
func (p *pool) follow(context.Context, *run) error { return nil }
func (p *pool) noted(context.Context, *run) error  { return nil }

// stop waits for those who work, who give up by themselves.
func (p *pool) stop() {
	p.slots.Close()
	p.working.Wait()
}

// slot is one of those in which runs are simulated, if one is free.
func (p *pool) slot(ctx context.Context, owner string) (*turn, error) {
	if err := p.slots.Acquire(ctx, owner, 0); err != nil {
		return nil, err
	}
	return p.turn(owner), nil
}

// unwant leaves it to this program, which holds what runs, to end it: even where the table says already that it is
// cancelled, whoever works on x is about to tell what there is of it.
func (p *pool) unwant(ctx context.Context, x *run, asker string) (state string, last bool, err error) {
	state, last, err = p.Table.Leave(ctx, x.id, asker, false)
	if !x.elsewhere && x.snapshot().State == running {
		state = running
	}
	return state, last, err
}

func (p *pool) ends(ctx context.Context, x *run) error {
	select {
	case <-x.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-p.stopped:
		return queue.ErrClosed
	}
}

// work works on a run, or on all of a sweep, one run at a time.
func (p *pool) work(x *run) (stored, back bool) {
	if x.grid == nil {
		return p.one(x)
	}
	whole, diags := p.newSweep(x.grid)
	if whole == nil {
		return p.fail(x, diags.Errors())
	}
	whole.Bound(p.Recorded)
	x.sweep = whole
	p.takeUp(x, whole)
	if p.spend(x, x.sweepWork(), sweepFactor*p.Events) {
		return false, true
	}
	return p.finish(x)
}

// tooLarge counts what is known beforehand.
func (p *pool) tooLarge(x *run) (what string, size, most int) {
	if read := x.each * len(x.grid.Scenario); read > sweepBytes {
		return "points × replicates × bytes of the scenario", read, sweepBytes
	}
	if all, most := x.each*x.size, p.mostJobs(x.kind); all > most {
		return "jobs × policies × replicates × points", all, most
	}
	return "", 0, 0
}

func (p *pool) mostJobs(of kind) int {
	if of == sweeps {
		return sweepFactor * p.Size
	}
	return p.Size
}

// resume takes up what an earlier program left. No other can be at work on it: a data folder is one server's.
func (p *pool) resume() {
	ctx := context.Background()
	err := p.Table.Reclaim(ctx, math.MaxInt64)
	if err == nil {
		var rows []queue.Work
		rows, err = p.Table.Waiting(ctx)
		for _, row := range rows {
			p.runs[row.ID] = toldRun(row)
		}
	}
	if err != nil {
		p.Log.Error("what waited before cannot be taken up", "error", err)
	}
	for range p.Concurrent {
		p.startWorkers()
	}
}

// startWorkers wakes as many to work as there are slots, and one for work of classes.
func (p *pool) startWorkers() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.gangs {
		g := &p.gangs[i]
		g.news = true
		if g.busy < g.most && !p.closed() {
			g.busy++
			p.working.Go(func() { p.serve(g) })
		}
	}
}

// serve works off what waits, one run at a time.
func (p *pool) serve(g *gang) {
	for {
		err := p.next(g.what)
		if err == nil {
			continue
		}
		if !errors.Is(err, queue.ErrNone) && !errors.Is(err, queue.ErrClosed) {
			if !errors.Is(err, vault.ErrFull) {
				p.Log.Error("work cannot be taken", "error", err)
			}
			select {
			case <-time.After(again):
				continue
			case <-p.stopped:
			}
		}
		p.mu.Lock()
		if !g.news || p.closed() {
			g.busy--
			p.mu.Unlock()
			return
		}
		g.news = false // who brought it did so before this, or will wake us again
		p.mu.Unlock()
	}
}

// next works on the run whose turn it is. Work of classes waits for no slot: it has a worker of its own, so that no
// run of others, however long, keeps a lesson waiting.
func (p *pool) next(what string) error {
	ctx := context.Background()
	if what == queue.Class {
		if p.closed() {
			return queue.ErrClosed
		}
		row, err := p.Table.Take(ctx, what, p.holder, p.Now().UnixMilli(), p.until())
		if err == nil {
			p.workOn(row, nil)
		}
		return err
	}
	if err := p.slots.Acquire(ctx, "", math.MaxInt); err != nil {
		return err
	}
	if p.closed() {
		p.slots.Release()
		return queue.ErrClosed
	}
	row, err := p.take(ctx)
	if err != nil {
		p.slots.Release()
		return err
	}
	p.serveSlot(row)
	return nil
}

// workOn works on what was taken.
func (p *pool) workOn(row queue.Work, t *turn) {
	x := p.join(toldRun(row))
	p.mu.Lock()
	x.turn = t
	p.mu.Unlock()
	stored, back := p.simulate(x, row)
	if !back {
		p.put(x, stored)
	}
}
