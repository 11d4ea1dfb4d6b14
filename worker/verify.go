package worker

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"

	course "hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/worker/class"
	"hadarlab/worker/queue"
)

// verifier runs submissions again in the queue of a Runner: students take turns there, and of each one submission
// waits, the latest.
type verifier struct {
	classes *class.Service
	runner  *Runner
	mu      sync.Mutex
	waits   map[string]*class.Due // by student; nil while one is worked on and none waits
}

// verifySize is the largest jobs × policies that is run again by itself.
const verifySize = 2000

// studentOwner is whose turn the runs of a student take.
func studentOwner(code string, n int) string {
	return queue.ClassOwner(code, strconv.Itoa(n))
}

func (v *verifier) verdict(ctx context.Context, d class.Due, lanes []course.Lane) {
	err := v.classes.Verdict(ctx, d, course.Verify(&d.Entry.Body, lab.Engine, lanes), lanes)
	if err != nil && !errors.Is(err, class.ErrNone) && ctx.Err() == nil {
		v.runner.Log.Error("a verdict could not be written", "error", err)
	}
}

// Settle gives verdicts on submissions whose runs have ended, and asks for the others: who works by messages calls it
// again and again.
func Settle(ctx context.Context, s *class.Service, runner *Runner) error {
	due, err := s.Table.Pending(ctx)
	v := &verifier{classes: s, runner: runner}
	for _, d := range due {
		v.settle(ctx, d)
	}
	return err
}

// settle is what work does with one submission, where nobody may wait for its run.
func (v *verifier) settle(ctx context.Context, d class.Due) {
	x, b, lanes, err := v.prepare(ctx, d)
	switch {
	case err != nil:
	case lanes != nil:
		v.verdict(ctx, d, lanes)
	case x != nil:
		// One that failed stays pending: asked for again with every tick of the clock it would fail again.
		if w, found := v.runner.Table.Find(ctx, x.id); found == nil &&
			(w.State == queued || w.State == running || w.State == failed) {
			return
		}
		_, _, err = v.runner.ask(ctx, x, studentOwner(d.Code, d.Entry.Student), b)
	}
	if err != nil && !errors.Is(err, queue.ErrFull) && !errors.Is(err, queue.ErrGreedy) { // else others are before it
		v.runner.Log.Error("a submission could not be run again", "error", err)
	}
}

// prepare makes a run of a submission, nil when it is too large, and gives its lanes where it has been run before.
func (v *verifier) prepare(ctx context.Context, d class.Due) (x *run, b *runBody, lanes []course.Lane, err error) {
	doc, err := v.classes.Submitted(ctx, d)
	if err != nil {
		return nil, nil, nil, err
	}
	b = &runBody{Scenario: doc.Marshal(false)}
	if x = newRun(runs, b, doc); x.size > verifySize {
		return nil, nil, nil, nil
	}
	if row, err := v.runner.Store.GetRun(ctx, x.id, v.runner.Now().UnixMilli()); err == nil && row.sound() {
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
