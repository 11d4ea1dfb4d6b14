//go:build !js

package sqlite

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"hadarlab/worker/queue"
	"hadarlab/worker/sqlstore"
)

// bench is a table of work with what a test asks of it.
type bench struct {
	*sqlstore.Store
	t   *testing.T
	lim queue.Limits
}

func newBench(t *testing.T) *bench {
	return &bench{sqlstore.New(open(t, t.TempDir())), t, queue.Limits{Places: 100, Each: 50, Bytes: 1000}}
}

func (b *bench) ask(id, owner, asker string) error {
	return b.Ask(b.t.Context(), queue.Work{ID: id, Kind: "run", Body: "body of " + id, Owner: owner, Status: "{}"},
		asker, b.lim, 1)
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// take takes work and returns its id, "" if there is none.
func (b *bench) take(holder string) string {
	b.t.Helper()
	w, err := b.Take(b.t.Context(), "", holder, 1, 10)
	if errors.Is(err, queue.ErrNone) {
		return ""
	}
	b.must(err)
	return w.ID
}

func (b *bench) state(id string) string {
	b.t.Helper()
	w, err := b.Find(b.t.Context(), id)
	b.must(err)
	return w.State
}

// TestWorkGoesRound: owners take turns, whoever asked first, and newcomers do not push in before those who wait.
func TestWorkGoesRound(t *testing.T) {
	b := newBench(t)
	for _, w := range []string{"m1", "m2", "m3", "m4", "s1", "o1", "o2"} {
		b.must(b.ask(w, w[:1], "t"))
	}
	var got []string
	for i := range 10 {
		if i == 3 { // others come when some have been taken
			b.must(b.ask("n1", "n", "t"))
			b.must(b.ask("m5", "m", "t"))
			b.must(b.ask("s2", "s", "t"))
		}
		got = append(got, b.take("h"))
	}
	if order := strings.Join(got, " "); order != "m1 s1 o1 m2 o2 n1 s2 m3 m4 m5" {
		t.Errorf("taken in the order %s", order)
	}
	if b.take("h") != "" {
		t.Error("there is work when all is taken")
	}
}

func TestWorkIsBounded(t *testing.T) {
	b := newBench(t)
	b.lim = queue.Limits{Places: 3, Each: 2, Bytes: 30}
	b.must(b.ask("a", "x", "t1"))
	b.must(b.ask("b", "x", "t1"))
	if err := b.ask("c", "x", "t1"); !errors.Is(err, queue.ErrGreedy) {
		t.Errorf("one client too often: %v", err)
	}
	b.must(b.ask("c", "y", "t1"))
	if err := b.ask("d", "z", "t1"); !errors.Is(err, queue.ErrFull) {
		t.Errorf("too many places: %v", err)
	}
	b.must(b.ask("a", "z", "t2")) // joins
	b.take("h")
	if b.lim.Bytes = 26; b.ask("d", "z", "t1") == nil {
		t.Error("too many bytes: accepted")
	}
	b.lim.Bytes = 27
	b.must(b.ask("d", "z", "t1"))
}

// TestWorkEndsOnce: of all who hold it, only the one whose turn it is ends it, and once.
func TestWorkEndsOnce(t *testing.T) {
	b, ctx := newBench(t), t.Context()
	b.must(b.ask("a", "x", "t1"))
	if b.take("dead") != "a" {
		t.Fatal("not taken")
	}
	b.must(b.Reclaim(ctx, 5)) // its lease lasts until 10
	if b.state("a") != queue.Running {
		t.Error("taken away before the lease ended")
	}
	b.must(b.Reclaim(ctx, 11))
	if w, err := b.Take(ctx, "", "next", 11, math.MaxInt64); err != nil || w.ID != "a" || w.Attempts != 2 ||
		w.Body != "body of a" {
		t.Fatalf("%+v %v", w, err)
	}
	b.must(b.Reclaim(ctx, 12)) // a lease from a clock that was ahead
	if b.take("last") != "a" {
		t.Error("a lease without end holds it for ever")
	}
	if ended, err := b.End(ctx, "a", "dead", queue.Done, "{}", "a"); ended || err != nil {
		t.Errorf("the dead one ends it: %v %v", ended, err)
	}
	if held, _, err := b.Note(ctx, "a", "dead", "{}", 20); held || err != nil {
		t.Errorf("the dead one holds it: %v %v", held, err)
	}
	ends := 0
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i := range 8 {
		wg.Go(func() {
			ended, err := b.End(ctx, "a", "last", queue.Done, fmt.Sprint(i), "a")
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if ended {
				ends++
			}
		})
	}
	wg.Wait()
	if w, err := b.Find(ctx, "a"); ends != 1 || w.State != queue.Done || w.Result != "a" || err != nil {
		t.Errorf("ended %d times: %+v %v", ends, w, err)
	}
	b.must(b.ask("a", "x", "t1")) // anew
	if w, err := b.Take(ctx, "", "h", 1, 10); w.Attempts != 1 || w.Result != "" || err != nil {
		t.Errorf("anew: %+v %v", w, err)
	}
	b.must(b.GiveBack(ctx, "h", 0))
	if w, err := b.Take(ctx, "", "h", 1, 10); w.Attempts != 1 || err != nil {
		t.Errorf("given back: %+v %v", w, err)
	}
}

// TestWorkEndsWithItsLastAsker: each goes back on it for itself, and nobody for others.
func TestWorkEndsWithItsLastAsker(t *testing.T) {
	b, ctx := newBench(t), t.Context()
	leave := func(id, asker string) string {
		state, last, err := b.Leave(ctx, id, asker, false)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(state, last)
	}
	b.must(b.ask("a", "x", "t1"))
	b.must(b.ask("a", "y", "t2"))
	for _, step := range []struct{ asker, want string }{{"t3", queue.ErrForeign.Error()},
		{"", queue.ErrForeign.Error()}, {"t", queue.ErrForeign.Error()}, {"t1", "queuedfalse"},
		{"t1", queue.ErrForeign.Error()}, {"t2", "cancelledtrue"}} {
		if got := leave("a", step.asker); got != step.want {
			t.Errorf("%q leaves: %s, want %s", step.asker, got, step.want)
		}
	}
	if b.take("h") != "" {
		t.Error("what nobody wants is taken")
	}
	if got := leave("none", "t1"); got != queue.ErrNone.Error() {
		t.Errorf("what is not there: %s", got)
	}
	b.must(b.ask("b", "x", "t1"))
	b.take("h")
	if got := leave("b", "t1"); got != "runningtrue" {
		t.Errorf("the last leaves what runs: %s", got)
	}
	if held, wanted, err := b.Note(ctx, "b", "h", "{}", 20); !held || wanted || err != nil {
		t.Errorf("its holder hears %v %v %v", held, wanted, err)
	}
	if err := b.ask("b", "y", "t2"); !errors.Is(err, queue.ErrLeaving) {
		t.Errorf("asked for while it is being stopped: %v", err)
	}
	b.must(b.Reclaim(ctx, math.MaxInt64)) // its server dies over it
	if b.state("b") != queue.Cancelled {
		t.Errorf("nobody wants it, and it is %s", b.state("b"))
	}
	b.must(b.ask("c", "x", "t"))
	for i := range 1100 { // more than are told apart: nobody ends it for the others any more
		b.must(b.ask("c", "x", fmt.Sprintf("%016d", i)))
	}
	for i := range 1100 {
		if got := leave("c", fmt.Sprintf("%016d", i)); got != "queuedfalse" {
			t.Fatalf("asker %d of very many leaves: %s", i, got)
		}
	}
}

// TestOldWorkGoes: what ended long ago is forgotten, what waits never.
func TestOldWorkGoes(t *testing.T) {
	db := open(t, t.TempDir())
	b := &bench{sqlstore.New(db), t, queue.Limits{Places: 1e6, Each: 1e6, Bytes: 1e9}}
	b.must(b.ask("ended", "x", "t"))
	b.take("h")
	if _, err := b.End(t.Context(), "ended", "h", queue.Failed, "{}", ""); err != nil {
		t.Fatal(err)
	}
	b.must(b.ask("waits", "x", "t"))
	if _, err := db.Exec(`INSERT INTO work (seq, id, kind, state, owner, turn, size, created_ms, askers, status, body)
		VALUES (100000, 'late', 'run', 'queued', 'x', -1, 0, 0, '(t)', '{}', '')`); err != nil {
		t.Fatal(err)
	}
	if b.take("h") != "late" {
		t.Fatal("order")
	}
	if _, err := b.End(t.Context(), "late", "h", queue.Done, "{}", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Find(t.Context(), "ended"); !errors.Is(err, queue.ErrNone) {
		t.Errorf("what ended long ago: %v", err)
	}
	if b.state("waits") != queue.Queued || b.state("late") != queue.Done {
		t.Error("what waits, or has just ended, is gone")
	}
}
