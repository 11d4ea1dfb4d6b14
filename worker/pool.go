//go:build !small

package worker

import (
	"context"
	"errors"
	"math"
	"net/http"
	"time"

	course "hadarlab/core/class"
	"hadarlab/worker/class"
	"hadarlab/worker/queue"
)

// The pool of a program that lasts. Where nothing outlives its request it is not linked (pool_small.go).

// resume takes up what an earlier program left. No other can be at work on it: a data folder is one server's.
func (q *Runner) resume() {
	ctx := context.Background()
	err := q.Table.Reclaim(ctx, math.MaxInt64)
	if err == nil {
		var rows []queue.Work
		rows, err = q.Table.Waiting(ctx)
		for _, row := range rows {
			q.runs[row.ID] = toldRun(row)
		}
	}
	if err != nil {
		q.Log.Error("what waited before cannot be taken up", "error", err)
	}
	for range q.Concurrent {
		q.kick()
	}
}

// kick wakes as many to work as there are slots, and one for work of classes.
func (q *Runner) kick() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range q.pools {
		p := &q.pools[i]
		p.news = true
		if p.busy < p.most && !q.closed() {
			p.busy++
			q.work.Go(func() { q.serve(p) })
		}
	}
}

// serve works off what waits, one run at a time.
func (q *Runner) serve(p *pool) {
	for {
		err := q.next(p.what)
		if err == nil {
			continue
		}
		if !errors.Is(err, queue.ErrNone) && !errors.Is(err, queue.ErrClosed) {
			if !errors.Is(err, ErrFull) {
				q.Log.Error("work cannot be taken", "error", err)
			}
			select {
			case <-time.After(again):
				continue
			case <-q.stopped:
			}
		}
		q.mu.Lock()
		if !p.news || q.closed() {
			p.busy--
			q.mu.Unlock()
			return
		}
		p.news = false // who brought it did so before this look, or will kick again
		q.mu.Unlock()
	}
}

// next works on the run whose turn it is. Work of classes waits for no slot: it has a worker of its own, so that no
// run of others, however long, keeps a lesson waiting.
func (q *Runner) next(what string) error {
	ctx := context.Background()
	if what == queue.Class {
		if q.closed() {
			return queue.ErrClosed
		}
		row, err := q.Table.Take(ctx, what, q.holder, q.Now().UnixMilli(), q.until())
		if err == nil {
			q.workOn(row, nil)
		}
		return err
	}
	if err := q.slots.Acquire(ctx, "", math.MaxInt); err != nil {
		return err
	}
	if q.closed() {
		q.slots.Release()
		return queue.ErrClosed
	}
	row, err := q.take(ctx)
	if err != nil {
		q.slots.Release()
		return err
	}
	q.serveSlot(row)
	return nil
}

// workOn works on what was taken.
func (q *Runner) workOn(row queue.Work, t *turn) {
	x := q.join(toldRun(row))
	q.mu.Lock()
	x.turn = t
	q.mu.Unlock()
	stored, back := q.simulate(x, row)
	if !back {
		q.put(x, stored)
	}
}

// verify takes up what has no verdict yet, and every submission from now on.
func verify(s *class.Service, runner *Runner) {
	v := &verifier{classes: s, runner: runner, waits: map[string]*class.Due{}}
	s.Verify = v.add
	due, err := s.Table.Pending(context.Background())
	if err != nil {
		runner.Log.Error("submissions that waited before cannot be taken up", "error", err)
	}
	for _, d := range due {
		v.add(d)
	}
}

func (v *verifier) add(d class.Due) {
	who := studentOwner(d.Code, d.Entry.Student)
	v.mu.Lock()
	defer v.mu.Unlock()
	_, works := v.waits[who]
	v.waits[who] = &d
	if !works && !v.runner.closed() {
		go v.work(who)
	}
}

// next is the student's latest submission that waits, nil when there is none.
func (v *verifier) next(who string) *class.Due {
	v.mu.Lock()
	defer v.mu.Unlock()
	d := v.waits[who]
	if d == nil {
		delete(v.waits, who)
	} else {
		v.waits[who] = nil
	}
	return d
}

// work runs a student's submissions again, until none waits.
func (v *verifier) work(who string) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		select {
		case <-v.runner.stopped:
			stop()
		case <-ctx.Done():
		}
	}()
	for d := v.next(who); d != nil && ctx.Err() == nil; d = v.next(who) {
		lanes, err := v.again(ctx, *d, who)
		switch {
		case ctx.Err() != nil: // the next server takes it up
		case err != nil:
			v.runner.Log.Error("a submission could not be run again", "error", err)
		case lanes != nil:
			v.verdict(ctx, *d, lanes)
		}
	}
}

// again gives the lanes of a submission as this engine makes them; none when it is too large.
func (v *verifier) again(ctx context.Context, d class.Due, who string) ([]course.Lane, error) {
	x, b, lanes, err := v.prepare(ctx, d)
	if err != nil || x == nil || lanes != nil {
		return lanes, err
	}
	for {
		there, _, err := v.runner.ask(ctx, x, who, b)
		switch {
		case errors.Is(err, queue.ErrFull), errors.Is(err, queue.ErrGreedy): // others are before it
			select {
			case <-time.After(again):
				if x, b, _, err = v.prepare(ctx, d); err != nil {
					return nil, err
				}
				continue
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		case err != nil:
			return nil, err
		}
		select {
		case <-there.ended:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		l := there.look()
		if l.State != done || l.result == nil {
			return nil, errors.New("worker: it ended as " + l.State)
		}
		return lanesOf(l.result)
	}
}

// streamQueued queues a run and streams what becomes of it to its client, who goes back on it by leaving.
func (s *server) streamQueued(w http.ResponseWriter, r *http.Request, owner string, x *run, b *runBody) {
	x, token, err := s.Runner.ask(r.Context(), x, owner, b)
	if err != nil {
		s.refuseWork(w, r, err)
		return
	}
	w.Header().Set("Location", x.path())
	out := openStream(w)
	switch last, ended := s.follow(out, r, x, x.look()); {
	case ended:
		out.last(last)
		return
	case r.Context().Err() == nil: // the server is being stopped; the run is found at its place with the next
		return
	}
	if _, err := s.Runner.leave(context.WithoutCancel(r.Context()), x, token); err != nil {
		s.Log.Error("a run that nobody waits for cannot be ended", "run", x.id, "error", err)
	}
}
