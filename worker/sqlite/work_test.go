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
	return b.Ask(b.t.Context(), queue.Work{ID: id, Kind: "run", Body: "body of " + id,
		Owner: queue.Owner(owner, owner), Status: "{}"},
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
	b.lim = queue.Limits{Places: 6, Each: 2, Bytes: 60}
	b.must(b.ask("a", "x", "t1"))
	b.must(b.ask("b", "x", "t1"))
	if err := b.ask("c", "x", "t1"); !errors.Is(err, queue.ErrGreedy) {
		t.Errorf("one client too often: %v", err)
	}
	b.must(b.ask("c", "y", "t1"))
	b.must(b.ask("d", "z", "t1"))
	b.must(b.ask("e", "w", "t1"))
	b.must(b.ask("f", "v", "t1"))
	if err := b.ask("g", "u", "t1"); !errors.Is(err, queue.ErrFull) {
		t.Errorf("too many places: %v", err)
	}
	b.must(b.ask("a", "z", "t2")) // joins
	b.take("h")
	if b.lim.Bytes = 53; b.ask("g", "u", "t1") == nil {
		t.Error("too many bytes: accepted")
	}
	b.lim.Bytes = 54
	b.must(b.ask("g", "u", "t1"))
}

// TestWorkIsShared: whoever fills the queue, from one network with a token for each request, from many, or without
// any, leaves places and comes in turns of a few, so that the next of another network waits for a few of each, and
// work of classes for nobody.
func TestWorkIsShared(t *testing.T) {
	b := newBench(t)
	b.lim = queue.Limits{Places: 100, Each: 50, Bytes: 10_000}
	ask := func(id, owner string) error {
		return b.Ask(t.Context(), queue.Work{ID: id, Kind: "run", Body: "body", Owner: owner, Status: "{}"}, "t",
			b.lim, 1)
	}
	fill := func(name string, owner func(i int) string) (n int) {
		for i := range 200 {
			switch err := ask(fmt.Sprint(name, i), owner(i)); {
			case err == nil:
				n++
			case !errors.Is(err, queue.ErrGreedy):
				t.Fatalf("%s: %v", name, err)
			}
		}
		return n
	}
	if n := fill("none", func(int) string { return "nobody/" }); n != 25 {
		t.Errorf("without a token %d places of 100", n)
	}
	if n := fill("many", func(i int) string { return fmt.Sprint("aaaa/", i) }); n != 38 {
		t.Errorf("by many tokens %d of the other 75", n)
	}
	if n := fill("new", func(i int) string { return "bbbb/new" }); n != 19 {
		t.Errorf("by new ones of another network %d of the other 37", n)
	}
	b.must(ask("honest", "cccc/one"))
	for i := range 50 {
		b.must(ask(fmt.Sprint("handed", i), queue.ClassOwner("lesson", i)))
	}
	if w, err := b.Take(t.Context(), queue.Class, "h", 1, 10); err != nil || w.ID != "handed0" {
		t.Errorf("the worker of classes has %+v %v", w, err)
	}
	at := map[string]int{}
	for i := 0; ; i++ {
		id := b.take("h")
		if id == "" {
			break
		}
		at[id] = i
	}
	if at["honest"] > 1+queue.PerTurn+1 || at["handed1"] > 2+queue.PerTurn+1 || len(at) != 25+38+19+1+49 {
		t.Errorf("of %d the honest one is taken at %d, the second of the class at %d", len(at), at["honest"], at["handed1"])
	}
}

// TestJoinedWorkComesEarlier: who asks for what waits in a late turn of another has it in a turn of its own.
func TestJoinedWorkComesEarlier(t *testing.T) {
	b := newBench(t)
	b.lim = queue.Limits{Places: 100, Each: 50, Bytes: 10_000}
	for i := range 20 {
		b.must(b.ask(fmt.Sprint("m", i), "much", "t"))
	}
	b.must(b.ask("m15", "other", "t"))
	b.must(b.ask("m3", "much", "t"))
	var got []string
	for range 4 {
		got = append(got, b.take("h"))
	}
	if order := strings.Join(got, " "); order != "m0 m15 m1 m2" {
		t.Errorf("taken in the order %s", order)
	}
}

// TestWholesYield: the parts of a sweep take turns of their owner, one after another, so that others come in between.
func TestWholesYield(t *testing.T) {
	b, ctx := newBench(t), t.Context()
	b.must(b.ask("sweep", "x", "t"))
	b.take("h")
	b.must(b.Split(ctx, "sweep", 20, 1))
	b.must(b.Split(ctx, "sweep", 20, 1)) // the message came twice
	b.must(b.GiveBack(ctx, "h", 5))
	b.must(b.ask("late", "x", "t"))
	for i := range 4 { // a client that asks for one after another
		b.must(b.ask(fmt.Sprint("one", i), "y", "t"))
		if part, one := b.take("h"), b.take("h"); part != queue.PartID("sweep", i) || one != fmt.Sprint("one", i) {
			t.Errorf("taken are %s and %s", part, one)
		}
	}
	ids, err := b.Unsent(ctx, 1e6, 2e6, 30) // all leases have ended
	if err != nil || len(ids) != 18 || ids[15] != "sweep" && ids[16] != "sweep" {
		t.Errorf("to be sent are %q %v", ids, err)
	}
}

// TestLittleIsUnderway: only so much is on its way or worked on at once, of classes and of all else each; a whole that
// waits for its parts holds no place.
func TestLittleIsUnderway(t *testing.T) {
	b, ctx := newBench(t), t.Context()
	b.lim = queue.Limits{Places: 100, Each: 100, Bytes: 10_000}
	for i := range 20 {
		b.must(b.ask(fmt.Sprint("a", i), "x", "t"))
		b.must(b.ask(fmt.Sprint("c", i), "class lesson", "t"))
	}
	send := func(now int64, want ...string) {
		t.Helper()
		ids, err := b.Unsent(ctx, now, now+10, 3)
		if got := strings.Join(ids, " "); err != nil || got != strings.Join(want, " ") {
			t.Errorf("at %d are sent %q %v", now, got, err)
		}
	}
	send(1_000_000, "a0", "c0", "a1", "c1", "a2", "c2")
	send(1_000_000)
	for _, id := range []string{"a0", "a1"} {
		if _, err := b.Take(ctx, id, "h", 1_000_000, 1_000_900); err != nil {
			t.Fatal(err)
		}
	}
	send(1_000_001) // they are worked on
	if _, err := b.End(ctx, "a0", "h", queue.Done, "{}", ""); err != nil {
		t.Fatal(err)
	}
	send(1_000_002, "a3")
	send(1_000_015) // c0 to c2 and a2 count as on their way while something is worked on
	b.must(b.Split(ctx, "a1", 2, 1))
	b.must(b.GiveBack(ctx, "h", 1_000_200))
	// nothing is worked on: what was on its way is lost
	send(1_000_016, "c0", "c1", "a1-000000", "a2", "c2", "a1-000001")
}

// TestRenewedWorkKeepsItsPlace: under another id it has the body, the turn and the askers that it had, however full the
// queue is; asked for twice it is one, and work that is there is joined.
func TestRenewedWorkKeepsItsPlace(t *testing.T) {
	b, ctx := newBench(t), t.Context()
	renew := func(id, holder, next string, want bool) {
		t.Helper()
		ok, err := b.Renew(ctx, id, holder, queue.Work{ID: next, Status: `"new"`}, 1)
		if ok != want || err != nil {
			t.Errorf("%s of %s renewed as %s: %v %v", id, holder, next, ok, err)
		}
	}
	b.must(b.ask("a", "x", "t1"))
	b.must(b.ask("a", "x", "t2"))
	for i := range 3 * queue.PerTurn {
		b.must(b.ask(fmt.Sprint("later", i), "x", "t"))
	}
	if b.take("h") != "a" {
		t.Fatal("not taken")
	}
	b.lim = queue.Limits{Places: 1, Each: 1, Bytes: 1}
	if err := b.ask("more", "x", "t"); err == nil {
		t.Fatal("the queue is not full")
	}
	renew("a", "another", "a2", false)
	renew("later0", "h", "a2", false) // nobody holds it
	renew("a", "h", "a2", true)
	renew("a", "h", "a2", true) // its answer was lost
	if b.state("a") != queue.Running || b.state("a2") != queue.Queued {
		t.Errorf("a is %s, a2 %s", b.state("a"), b.state("a2"))
	}
	if _, last, err := b.Leave(ctx, "a2", "t3", false); last || !errors.Is(err, queue.ErrForeign) {
		t.Errorf("somebody else leaves it: %v %v", last, err)
	}
	if _, last, err := b.Leave(ctx, "a2", "t1", false); last || err != nil {
		t.Errorf("one of two leaves it: %v %v", last, err)
	}
	w, err := b.Take(ctx, "a2", "h2", 1, 10)
	if err != nil || w.Kind != "run" || w.Body != "body of a" || w.Status != `"new"` || w.Attempts != 1 {
		t.Errorf("%+v %v", w, err)
	}
	if _, last, err := b.Leave(ctx, "a2", "t2", false); !last || err != nil {
		t.Errorf("the last leaves it: %v %v", last, err)
	}
	renew("a", "h", "a2", false) // it is being left
	if _, err := b.End(ctx, "a2", "h2", queue.Cancelled, "{}", ""); err != nil {
		t.Fatal(err)
	}
	renew("a", "h", "a2", true) // it had ended
	b.must(b.ask("a2", "y", "t4"))
	if _, last, err := b.Leave(ctx, "a2", "t1", false); last || err != nil {
		t.Errorf("one of three leaves it: %v %v", last, err)
	}
	if id := b.take("h3"); id != "a2" {
		t.Errorf("%s comes before what had waited longer", id)
	}
	renew("a", "h", "later0", true) // somebody has asked for the same
	if _, last, err := b.Leave(ctx, "later0", "t", false); last || err != nil {
		t.Errorf("one of two leaves it: %v %v", last, err)
	}
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

// TestPartsAreKept: only who holds the whole keeps parts of it, and another that keeps the same part replaces it.
func TestPartsAreKept(t *testing.T) {
	b, ctx := newBench(t), t.Context()
	b.must(b.ask("a", "x", "t"))
	keep := func(part int, holder, status string) { b.must(b.Keep(ctx, queue.PartID("a", part), holder, status)) }
	keep(0, "h", "waits")
	b.take("h")
	keep(0, "other", "of another")
	keep(0, "h", "first")
	keep(30, "h", "second")
	keep(0, "h", "first again")
	if got, err := b.Told(ctx, "a", 0, 9); err != nil || strings.Join(got, ", ") != "first again, second" {
		t.Errorf("%q are kept, %v", got, err)
	}
	if b.take("other") != "" {
		t.Error("a part that is done is taken")
	}
}

// TestOldWorkGoes: what ended long ago is forgotten, what waits, and what is done of that, never.
func TestOldWorkGoes(t *testing.T) {
	db := open(t, t.TempDir())
	b := &bench{sqlstore.New(db), t, queue.Limits{Places: 1e6, Each: 1e6, Bytes: 1e9}}
	b.must(b.ask("ended", "x", "t"))
	b.take("h")
	if _, err := b.End(t.Context(), "ended", "h", queue.Failed, "{}", ""); err != nil {
		t.Fatal(err)
	}
	b.must(b.ask("waits", "x", "t"))
	b.take("h")
	b.must(b.Keep(t.Context(), "waits-000000", "h", "{}"))
	b.must(b.GiveBack(t.Context(), "h", 0))
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
	if b.state("waits") != queue.Queued || b.state("waits-000000") != queue.Done || b.state("late") != queue.Done {
		t.Error("what waits, or has just ended, is gone")
	}
}
