package engine

import (
	"testing"

	"hadarlab/core/message"
)

// world is a client's surroundings: links that answer only when told to, and time in the test's hands.
type world struct {
	t     *testing.T
	links []*fake
	later []func()
	after []int // ms of each
	got   []*message.Message
	died  []bool
	c     *Client
}

type fake struct {
	receive func([]byte)
	fail    func(string)
	posted  []*message.Message
	stopped bool
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
		Spawn: func(onMessage func([]byte), onFailure func(string)) Link {
			f := &fake{receive: onMessage, fail: onFailure}
			w.links = append(w.links, f)
			return f
		},
		Later:   func(ms int, f func()) { w.later, w.after = append(w.later, f), append(w.after, ms) },
		Deliver: func(m *message.Message) { w.got = append(w.got, m) },
		Died:    func(_ string, again bool) { w.died = append(w.died, again) },
	})
	return w
}

// patienceEnds calls what was put off.
func (w *world) patienceEnds() {
	later := w.later
	w.later = nil
	for _, f := range later {
		f()
	}
}

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
		t.Error("a spare engine is started before there is need")
	}
	w.patienceEnds()
	if len(w.links) != 2 {
		t.Error("no spare engine is warmed up while a run lasts")
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
		w.after = nil
		w.c.End(id, keep)
		if p := w.links[0].posted; !p[len(p)-1].Cancel || len(w.after) != 1 || (w.after[0] > 1000) != (id == 2) {
			t.Errorf("request %d is waited for %v ms", id, w.after)
		}
	}
}

func TestSilentEngineIsReplacedByTheSpare(t *testing.T) {
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
		t.Errorf("the spare got %v, want request 2 again", p)
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
		t.Error("the spare's answer did not come through")
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
