package engine

import (
	"strings"
	"testing"

	"hadarlab/core/message"
)

// world is a client's surroundings: links that answer only when told to, and time in the test's hands.
type world struct {
	t     *testing.T
	links []*fake
	later []func()
	after []int // ms of each in later
	got   []*message.Message
	loads int
	died  []bool
	c     *Client
}

type fake struct {
	receive func([]byte)
	fail    func(string)
	posted  []*message.Message
	stopped bool

	programs bool // its kind
}

func (f *fake) Post(b []byte) {
	m, err := message.Decode(b)
	if err != nil {
		panic(err)
	}
	f.posted = append(f.posted, m)
}
func (f *fake) Stop() { f.stopped = true }

func (f *fake) say(t *testing.T, m *message.Message) {
	t.Helper()
	b, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	f.receive(b)
}

func newWorld(t *testing.T) *world {
	w := &world{t: t}
	w.c = New(Options{
		Engines: 2,
		Spawn: func(programs bool, onMessage func([]byte), onFailure func(string)) Link {
			f := &fake{receive: onMessage, fail: onFailure, programs: programs}
			w.links = append(w.links, f)
			return f
		},
		Later:   func(ms int, f func()) { w.later, w.after = append(w.later, f), append(w.after, ms) },
		Deliver: func(m *message.Message) { w.got = append(w.got, m) },
		Loads:   func() { w.loads++ },
		Died:    func(_ string, again bool) { w.died = append(w.died, again) },
	})
	return w
}

// pass calls what was put off for so many ms or less.
func (w *world) pass(ms int) {
	later, after := w.later, w.after
	w.later, w.after = nil, nil
	for i, f := range later {
		if after[i] <= ms {
			f()
		} else {
			w.later, w.after = append(w.later, f), append(w.after, after[i])
		}
	}
}

// patienceEnds calls what was put off, but for what waits for a helper to have rested.
func (w *world) patienceEnds() { w.pass(rest - 1) }

func (w *world) last() *message.Message {
	if len(w.got) == 0 {
		w.t.Fatal("nothing was delivered")
	}
	return w.got[len(w.got)-1]
}

func TestRequestsWaitUntilTheEngineIsReady(t *testing.T) {
	w := newWorld(t)
	w.c.Send(&message.Message{ID: 1, Run: &message.RunRequest{}})
	if len(w.links) != 1 || len(w.links[0].posted) != 0 {
		t.Fatal("a request was posted to an engine that is not there yet")
	}
	w.links[0].say(t, &message.Message{Ready: true})
	if len(w.links[0].posted) != 1 || w.links[0].posted[0].ID != 1 {
		t.Error("the request was lost")
	}
	if len(w.links) != 1 {
		t.Error("another engine is started before there is need")
	}
	w.patienceEnds()
	if len(w.links) != 2 {
		t.Error("no other engine is started while a run lasts")
	}
}

func TestCancelIsAskedForFirst(t *testing.T) {
	w := newWorld(t)
	w.links[0].say(t, &message.Message{Ready: true})
	w.c.Send(&message.Message{ID: 1, Run: &message.RunRequest{}})
	w.c.End(1, false)
	if p := w.links[0].posted; len(p) != 2 || !p[1].Cancel {
		t.Fatal("the engine was not asked to stop")
	}
	w.links[0].say(t, &message.Message{ID: 1, Finished: true})
	w.patienceEnds()
	if w.links[0].stopped || !w.last().Finished {
		t.Error("an engine that answered was ended by force")
	}
}

// TestStopHasMoreTime: what a stopped run has done is worth a wait, that of a cancelled one is not.
func TestStopHasMoreTime(t *testing.T) {
	w := newWorld(t)
	w.links[0].say(t, &message.Message{Ready: true})
	for id, keep := range map[int64]bool{1: false, 2: true} {
		w.c.Send(&message.Message{ID: id, Run: &message.RunRequest{}})
		w.later, w.after = nil, nil
		w.c.End(id, keep)
		if p := w.links[0].posted; !p[len(p)-1].Cancel || len(w.after) != 1 || (w.after[0] > 1000) != (id == 2) {
			t.Errorf("request %d is waited for %v ms", id, w.after)
		}
	}
}

func TestSilentEngineIsReplacedByAnother(t *testing.T) {
	w := newWorld(t)
	w.links[0].say(t, &message.Message{Ready: true})
	w.c.Send(&message.Message{ID: 1, Run: &message.RunRequest{}})
	w.patienceEnds()
	w.links[1].say(t, &message.Message{Ready: true})
	w.c.End(1, false)
	w.c.Send(&message.Message{ID: 2, Run: &message.RunRequest{}})
	w.patienceEnds()
	if !w.links[0].stopped {
		t.Fatal("the silent engine goes on")
	}
	if p := w.links[1].posted; len(p) != 1 || p[0].ID != 2 {
		t.Errorf("the other got %v, want request 2 again", p)
	}
	if m := w.last(); m.ID != 1 || m.Failure == nil {
		t.Error("the cancelled run got no answer")
	}
	w.links[0].say(t, &message.Message{ID: 1, Finished: true})
	if m := w.last(); m.Finished {
		t.Error("a message of the ended engine came through")
	}
	w.links[1].say(t, &message.Message{ID: 2, Finished: true})
	if m := w.last(); m.ID != 2 || !m.Finished {
		t.Error("the other's answer did not come through")
	}
}

func TestCrashRestartsButNotForEver(t *testing.T) {
	w := newWorld(t)
	for i := range maxDeaths {
		var alive *fake
		for _, l := range w.links {
			if !l.stopped {
				alive = l
				break
			}
		}
		if alive == nil {
			t.Fatalf("no engine after %d crashes", i)
		}
		alive.fail("boom")
	}
	if len(w.died) != maxDeaths || w.died[0] != true || w.died[maxDeaths-1] != false {
		t.Errorf("deaths %v", w.died)
	}
	w.c.Send(&message.Message{ID: 9, Run: &message.RunRequest{}})
	if m := w.last(); m.ID != 9 || m.Failure == nil {
		t.Error("a request to no engine got no answer")
	}
}

func TestGarbageCountsAsACrash(t *testing.T) {
	w := newWorld(t)
	w.links[0].receive([]byte{1, 2, 3})
	if len(w.died) != 1 {
		t.Error("garbage was taken for a message")
	}
}

func TestEveryEngineSpeaksThePagesLanguage(t *testing.T) {
	w := newWorld(t)
	w.c.Words([]byte(`{"Undo":"Rückgängig"}`))
	w.c.Send(&message.Message{ID: 1, Run: &message.RunRequest{}})
	w.links[0].say(t, &message.Message{Ready: true})
	w.patienceEnds()
	w.links[1].say(t, &message.Message{Ready: true})
	for i, l := range w.links {
		if len(l.posted) == 0 || string(l.posted[0].Words) != `{"Undo":"Rückgängig"}` {
			t.Errorf("engine %d was not told the language before anything else", i)
		}
	}
	w.c.Words(nil)
	for i, l := range w.links {
		if last := l.posted[len(l.posted)-1]; string(last.Words) != "{}" {
			t.Errorf("engine %d goes on in the language before", i)
		}
	}
}

// helped is a run of four lanes in a world in which the first engine has begun it and another one has the last.
func helped(t *testing.T) (w *world, owner, helper *fake) {
	w = newWorld(t)
	owner = w.links[0]
	owner.say(t, &message.Message{Ready: true})
	w.c.Send(&message.Message{ID: 1, Run: &message.RunRequest{Scenario: []byte(`{"a":1}`)}})
	w.patienceEnds()
	if len(w.links) != 2 {
		t.Fatal("nobody was hired")
	}
	helper = w.links[1]
	helper.say(t, &message.Message{Ready: true})
	owner.say(t, &message.Message{ID: 1, Progress: &message.Progress{}})
	if !owner.last().Help || owner.last().ID != 1 {
		t.Fatalf("the engine was asked %+v, not for a part", owner.last())
	}
	owner.say(t, &message.Message{ID: 1, Lent: &message.Lent{Part: 3, Run: &message.RunRequest{
		Scenario: []byte(`{"a":1}`), Policies: []message.PolicyRef{{ID: "las"}}}}})
	if p := helper.last(); p.Run == nil || p.ID >= 0 || p.Bare {
		t.Fatalf("the helper was asked %+v", p)
	}
	return w, owner, helper
}

func (f *fake) last() *message.Message { return f.posted[len(f.posted)-1] }

func lane(id int64, k int) *message.Message {
	return &message.Message{ID: id, Lane: &message.Lane{}, At: k, Body: []byte{byte(k)}}
}

func TestLanesOfHelpersComeInTurn(t *testing.T) {
	w, owner, helper := helped(t)
	w.got = nil
	part := helper.last().ID
	helper.say(t, &message.Message{ID: part, Progress: &message.Progress{}})
	helper.say(t, lane(part, 0))
	helper.say(t, &message.Message{ID: part, Finished: true})
	if len(w.got) != 0 {
		t.Fatalf("%+v was delivered before its turn", w.got)
	}
	if s := owner.posted[len(owner.posted)-2].Settled; s == nil || s.Part != 3 || s.Back || !owner.last().Help {
		t.Errorf("the engine was told %+v", s)
	}
	owner.say(t, &message.Message{ID: 1, Lent: &message.Lent{}})
	for k := range 3 {
		owner.say(t, &message.Message{ID: 1, Progress: &message.Progress{Lane: k}})
		owner.say(t, lane(1, k))
	}
	owner.say(t, &message.Message{ID: 1, Finished: true})
	next, progress := 0, -1
	for _, m := range w.got {
		switch {
		case m.ID != 1:
			t.Errorf("%+v is nobody's", m)
		case m.Progress != nil && m.Progress.Lane < progress:
			t.Error("progress falls")
		case m.Progress != nil:
			progress = m.Progress.Lane
		case m.Lane != nil:
			if m.Lane.Lane != next {
				t.Errorf("lane %d comes where %d is due", m.Lane.Lane, next)
			}
			next++
		}
	}
	if next != 4 || !w.last().Finished {
		t.Errorf("%d lanes came, at last %+v", next, w.last())
	}
}

func TestAQuestionGoesToWhoeverRanTheLane(t *testing.T) {
	w, owner, helper := helped(t)
	part := helper.last().ID
	ask := func(id int64, scenario, policy string) {
		w.c.Send(&message.Message{ID: id, Explain: &message.ExplainRequest{Scenario: []byte(scenario),
			Policy: message.PolicyRef{ID: policy}}})
	}
	ask(2, `{"a":1}`, "las")
	if owner.last().Explain == nil {
		t.Error("an engine was asked in the middle of a lane")
	}
	helper.say(t, lane(part, 0))
	helper.say(t, &message.Message{ID: part, Finished: true})
	owner.say(t, &message.Message{ID: 1, Lent: &message.Lent{}})
	ask(3, `{"a":1}`, "fifo")
	ask(4, `{"a":2}`, "las")
	if owner.last().ID != 4 {
		t.Error("questions about other lanes went elsewhere")
	}
	ask(5, `{ "a": 1 }`, "las")
	if helper.last().ID != 5 {
		t.Fatal("the one who ran the lane was not asked")
	}
	helper.fail("boom")
	if owner.last().ID != 5 || len(w.died) != 0 {
		t.Error("a question died with the one who was asked")
	}
	owner.say(t, &message.Message{ID: 5, Explanation: &message.Explanation{}})
	if w.last().ID != 5 {
		t.Error("the answer did not come")
	}
}

func TestAHelperThatDiesGivesItsPartBack(t *testing.T) {
	w, owner, helper := helped(t)
	helper.fail("boom")
	if s := owner.last().Settled; s == nil || s.Part != 3 || !s.Back || len(w.died) != 0 {
		t.Errorf("the engine was told %+v", owner.last())
	}
	owner.say(t, lane(1, 0))
	if len(owner.posted) != 3 {
		t.Error("a part was asked for nobody")
	}
}

func TestEndingARunEndsItsParts(t *testing.T) {
	w, owner, helper := helped(t)
	part := helper.last().ID
	w.c.End(1, true)
	if !owner.last().Cancel || owner.last().ID != 1 || !helper.last().Cancel || helper.last().ID != part {
		t.Error("not both were told")
	}
	w.patienceEnds() // a stopped run has more
	w.pass(stopPatience)
	if !owner.stopped || !helper.stopped || len(w.links) != 3 {
		t.Error("an engine that works on a part for one that is gone goes on")
	}
}

func TestAHelperRests(t *testing.T) {
	w, owner, helper := helped(t)
	w.pass(rest)
	if helper.stopped {
		t.Fatal("a helper was ended at its work")
	}
	part := helper.last().ID
	helper.say(t, lane(part, 0))
	helper.say(t, &message.Message{ID: part, Finished: true})
	w.pass(rest)
	if !helper.stopped || owner.stopped {
		t.Error("the helper stays for ever")
	}
	w.patienceEnds()
	if len(w.links) != 2 {
		t.Error("another one was hired for nothing")
	}
}

func TestNoMoreEnginesThanThereMayBe(t *testing.T) {
	w, owner, _ := helped(t)
	w.c.Send(&message.Message{ID: 2, Sweep: &message.SweepRequest{}})
	w.patienceEnds()
	if len(w.links) != 2 {
		t.Fatal("a third engine was started")
	}
	w.c.o.Engines = 3
	w.c.Send(&message.Message{ID: 3, Run: &message.RunRequest{}})
	w.patienceEnds()
	if len(w.links) != 3 {
		t.Fatal("no third engine was started")
	}
	third := w.links[2]
	third.say(t, &message.Message{Ready: true})
	owner.say(t, &message.Message{ID: 1, Lent: &message.Lent{}}) // the run has no more
	owner.say(t, &message.Message{ID: 2, Swept: &message.SweepNews{}})
	if m := owner.last(); !m.Help || m.ID != 2 {
		t.Fatalf("the engine was asked %+v, not for a part of the sweep", m)
	}
	owner.say(t, &message.Message{ID: 2, Lent: &message.Lent{Part: 5, Run: &message.RunRequest{}}})
	part := third.last()
	third.say(t, lane(part.ID, 0))
	third.say(t, lane(part.ID, 1))
	third.say(t, &message.Message{ID: part.ID, Finished: true})
	if s := owner.posted[len(owner.posted)-2].Settled; !part.Bare || s == nil || s.Part != 5 || len(s.Lanes) != 2 {
		t.Errorf("a sweep's part was asked as %+v and settled as %+v", part, s)
	}
}

// TestProgramsHaveTheirEngine: the first request with a program ends the page's own engines and goes to one of the
// other kind, with all that was not answered; if that cannot be loaded, it is told, and the page goes on.
func TestProgramsHaveTheirEngine(t *testing.T) {
	plain := &message.RunRequest{Scenario: []byte(`{"scenario":{}}`)}
	written := &message.RunRequest{Scenario: []byte(`{"scenario":{"policies":[{"params":{"program":"x"}}]}}`)}
	w := newWorld(t)
	w.links[0].say(t, &message.Message{Ready: true})
	w.c.Send(&message.Message{ID: 1, Run: plain})
	w.c.Send(&message.Message{ID: 2, Run: written})
	if len(w.links) != 2 || w.links[0].programs || !w.links[0].stopped || !w.links[1].programs {
		t.Fatal("a program did not bring its engine")
	}
	if w.loads != 1 {
		t.Error("nobody is told that it is being fetched")
	}
	w.links[1].say(t, &message.Message{Ready: true})
	if p := w.links[1].posted; len(p) != 2 || p[0].ID != 1 || p[1].ID != 2 {
		t.Errorf("the new engine is asked %v", p)
	}
	w.c.Send(&message.Message{ID: 3, Run: written})
	if len(w.links) != 2 || len(w.links[1].posted) != 3 || w.loads != 1 {
		t.Error("a second program brought another engine")
	}

	w = newWorld(t)
	w.links[0].say(t, &message.Message{Ready: true})
	w.c.Send(&message.Message{ID: 1, Run: written})
	w.links[1].fail("no network")
	if m := w.last(); m.ID != 1 || m.Failure == nil ||
		!strings.Contains(m.Failure.Message, "check the network") || len(w.died) > 0 || len(w.links) != 3 ||
		w.links[2].programs {
		t.Fatalf("after a failed fetch: %+v, %d engines, %d deaths", m, len(w.links), len(w.died))
	}
	w.links[2].say(t, &message.Message{Ready: true})
	w.c.Send(&message.Message{ID: 2, Run: plain})
	if len(w.links[2].posted) != 1 {
		t.Error("what has no program does not go on")
	}
	w.c.Send(&message.Message{ID: 3, Run: written})
	if len(w.links) != 4 || !w.links[3].programs {
		t.Error("what failed is not tried anew")
	}
}

// trace is a request to read one.
func trace(id int64) *message.Message {
	return &message.Message{ID: id, Import: &message.ImportRequest{}, Body: []byte("rows")}
}

// TestTracesHaveTheirEngine: a trace is read by an engine of the larger kind beside the one that runs, which goes on
// whatever becomes of it, and is not asked for traces. The next trace finds the same one, until that has rested.
func TestTracesHaveTheirEngine(t *testing.T) {
	w := newWorld(t)
	w.links[0].say(t, &message.Message{Ready: true})
	w.c.Send(&message.Message{ID: 1, Run: &message.RunRequest{}})
	w.c.Send(trace(2))
	if len(w.links) != 2 || w.links[0].stopped || !w.links[1].programs || len(w.links[0].posted) != 1 {
		t.Fatal("a trace did not bring its engine, or took the run's")
	}
	reader := w.links[1]
	reader.say(t, &message.Message{Ready: true})
	if w.pass(rest); len(reader.posted) != 1 || string(reader.posted[0].Body) != "rows" || reader.stopped {
		t.Fatalf("the reader was asked %+v, and its reading is given up %v", reader.posted, reader.stopped)
	}
	reader.say(t, &message.Message{ID: 2, Imported: &message.Imported{}, Body: []byte("made")})
	if m := w.last(); m.ID != 2 || m.Imported == nil || string(m.Body) != "made" {
		t.Errorf("the answer arrives as %+v", m)
	}
	w.c.Send(trace(3))
	w.pass(rest)
	if len(reader.posted) != 2 || reader.stopped {
		t.Error("the next trace does not go to the same engine, or is given up")
	}
	reader.say(t, &message.Message{ID: 3, Imported: &message.Imported{}})
	w.pass(rest)
	w.c.Send(trace(4))
	if !reader.stopped || w.links[len(w.links)-1] == reader || !w.links[len(w.links)-1].programs {
		t.Error("an engine that has rested stays, or is asked again")
	}
	w.links[0].say(t, &message.Message{ID: 1, Finished: true})
	if m := w.last(); m.ID != 1 || !m.Finished || w.links[0].stopped {
		t.Errorf("the run ends with %+v", m)
	}
}

// TestTracesThatAreNotRead: an engine for traces that cannot be loaded, or fails, costs the trace alone, and the next
// is tried anew; one that is not wanted any more, or gives way to another, is ended, and nothing is heard of it.
func TestTracesThatAreNotRead(t *testing.T) {
	w := newWorld(t)
	w.links[0].say(t, &message.Message{Ready: true})
	w.c.Send(&message.Message{ID: 1, Run: &message.RunRequest{}})
	failed := func(id int64, want string) {
		t.Helper()
		if m := w.last(); m.ID != id || m.Failure == nil || m.Failure.Message != want || w.links[0].stopped ||
			len(w.died) > 0 {
			t.Errorf("trace %d is answered with %+v", id, m)
		}
	}
	w.c.Send(trace(2))
	w.links[1].fail("no network")
	failed(2, "what reads traces could not be loaded: no network")
	w.c.Send(trace(3))
	w.links[2].say(t, &message.Message{Ready: true})
	w.links[2].fail("boom")
	failed(3, "what reads traces has failed: boom")

	w.c.Send(trace(4))
	w.c.End(4, false)
	failed(4, "stopped")
	if !w.links[3].stopped {
		t.Error("who reads what nobody wants goes on")
	}
	w.c.Send(trace(5))
	w.c.Send(trace(6))
	failed(5, "stopped")
	if len(w.links) != 6 || !w.links[4].stopped || w.links[5].stopped {
		t.Fatal("the trace before goes on, or the one after does not")
	}
	heard := len(w.got)
	w.links[4].say(t, &message.Message{ID: 5, Imported: &message.Imported{}})
	w.links[3].fail("no network")
	if len(w.got) != heard {
		t.Errorf("of engines that are gone is heard %+v", w.last())
	}
	w.links[5].say(t, &message.Message{Ready: true})
	w.links[5].say(t, &message.Message{ID: 6, Imported: &message.Imported{}})
	if m := w.last(); m.ID != 6 || m.Imported == nil {
		t.Errorf("the last trace is answered with %+v", m)
	}
}
