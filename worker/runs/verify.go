package runs

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	course "hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/worker/class"
	"hadarlab/worker/queue"
)

// verdicts are given on submissions of classes by running them again, in the queue of a Runner, where students take
// turns.
type verdicts struct {
	classes *class.Service
	runner  *Runner
}

// verdict is given by the lanes of each scenario of a submission, of which the first is what the student ran.
func (v *verdicts) verdict(ctx context.Context, d class.Due, all [][]course.Lane) {
	err := v.classes.Verdict(ctx, d, course.Verify(&d.Entry.Body, lab.Engine, all[0]), all[0], all[1:]...)
	if err != nil && !errors.Is(err, class.ErrNone) && ctx.Err() == nil {
		v.runner.Log.Error("a verdict could not be written", "error", err)
	}
}

// prepare makes a run of a submission's scenario, nil when it is too large, and gives its lanes where it has been run
// before.
func (v *verdicts) prepare(ctx context.Context, doc *scenario.Document) (x *run, b *runBody, lanes []course.Lane,
	err error) {
	b = &runBody{Scenario: doc.Marshal(false)}
	if x = newRun(runs, b, doc); x.size > course.MaxVerified {
		return nil, nil, nil, nil
	}
	if row, err := v.runner.Store.GetRun(ctx, x.id, v.runner.Now().UnixMilli()); err == nil && row.Whole() {
		lanes, err = lanesOf(row.Result)
		return x, b, lanes, err
	}
	return x, b, nil, nil
}

// lanesOf takes from a result what a class needs.
func lanesOf(result []byte) (lanes []course.Lane, err error) {
	var r message.Result
	if err := json.Unmarshal(result, &r); err != nil {
		return nil, err
	}
	for i := range r.Runs {
		lanes = append(lanes, course.LaneOf(&r.Runs[i]))
	}
	return lanes, nil
}

// verify leaves it to Settle, for which others call.
func (m *Mailbox) verify(*class.Service) {}

// Settle gives verdicts on submissions whose runs have ended, and asks for the others: it is called again and again, by
// a clock and by who is named a submission in a message. Where id is that of one (class.Due) it looks at no other.
func (m *Mailbox) Settle(ctx context.Context, s *class.Service, id string) error {
	due, err := s.Table.Pending(ctx)
	v := &verdicts{s, m.Runner}
	for _, d := range due {
		if id == "" || id == d.ID() {
			v.settle(ctx, d)
		}
	}
	return err
}

// settle is what verifier.work does with one submission, where nobody may wait for its run.
func (v *verdicts) settle(ctx context.Context, d class.Due) {
	docs, err := v.classes.Submitted(ctx, d)
	all, there := make([][]course.Lane, len(docs)), 0
	for i := 0; i < len(docs) && err == nil; i++ {
		var x *run
		var b *runBody
		switch x, b, all[i], err = v.prepare(ctx, docs[i]); {
		case err != nil:
		case all[i] != nil:
			there++
		case x != nil: // all that are missing at once: the clock looks again in a minute
			err = v.ask(ctx, d, x, b)
		}
	}
	if err == nil && there == len(docs) {
		v.verdict(ctx, d, all)
	}
	if err != nil && !errors.Is(err, queue.ErrFull) && !errors.Is(err, queue.ErrGreedy) { // else others are before it
		v.runner.Log.Error("a submission could not be run again", "error", err)
	}
}

// ask has a submission run again, unless it waits, or has failed: one that failed stays pending, since asked for again
// with every tick of the clock it would fail again.
func (v *verdicts) ask(ctx context.Context, d class.Due, x *run, b *runBody) error {
	if w, err := v.runner.Table.Find(ctx, x.id); err == nil &&
		(w.State == queued || w.State == running || w.State == failed) {
		return nil
	}
	_, _, err := v.runner.ask(ctx, x, queue.ClassOwner(d.Code, d.Entry.Student), b)
	return err
}

// verifier gives verdicts and waits for each run. Of each student one submission waits, the latest.
type verifier struct {
	verdicts
	mu    sync.Mutex
	waits map[string]*class.Due // by student; nil while one is worked on and none waits
}

// verify takes up what has no verdict yet, and every submission from now on.
func (p *pool) verify(s *class.Service) {
	v := &verifier{verdicts: verdicts{s, p.Runner}, waits: map[string]*class.Due{}}
	s.Verify = v.add
	due, err := s.Table.Pending(context.Background())
	if err != nil {
		p.Log.Error("submissions that waited before cannot be taken up", "error", err)
	}
	for _, d := range due {
		v.add(d)
	}
}

func (v *verifier) add(d class.Due) {
	who := queue.ClassOwner(d.Code, d.Entry.Student)
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
		docs, err := v.classes.Submitted(ctx, *d)
		all := make([][]course.Lane, len(docs))
		whole := err == nil
		for i := 0; i < len(docs) && whole; i++ {
			all[i], err = v.again(ctx, docs[i], who)
			whole = err == nil && all[i] != nil
		}
		switch {
		case ctx.Err() != nil: // the next server takes it up
		case err != nil:
			v.runner.Log.Error("a submission could not be run again", "error", err)
		case whole:
			v.verdict(ctx, *d, all)
		}
	}
}

// again gives the lanes of a submission's scenario as this engine makes them; none when it is too large.
func (v *verifier) again(ctx context.Context, doc *scenario.Document, who string) ([]course.Lane, error) {
	x, b, lanes, err := v.prepare(ctx, doc)
	if err != nil || x == nil || lanes != nil {
		return lanes, err
	}
	for {
		there, _, err := v.runner.ask(ctx, x, who, b)
		switch {
		case errors.Is(err, queue.ErrFull), errors.Is(err, queue.ErrGreedy): // others are before it
			select {
			case <-time.After(again):
				if x, b, _, err = v.prepare(ctx, doc); err != nil {
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
		l := there.snapshot()
		if l.State != done || l.result == nil {
			return nil, errors.New("runs: it ended as " + l.State)
		}
		return lanesOf(l.result)
	}
}
