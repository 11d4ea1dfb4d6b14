//go:build !js

package worker_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	course "hadarlab/core/class"
	"hadarlab/worker/class"
	"hadarlab/worker/queue"
	"hadarlab/worker/vault"
)

// jumps are what happens to clocks: set right after an hour of summer time, put on a wrong day and back, and started
// without a battery.
var jumps = map[string][]time.Duration{
	"an hour back":          {-time.Hour},
	"half an hour back":     {-30 * time.Minute},
	"a day ahead":           {24 * time.Hour},
	"a day ahead and back":  {24 * time.Hour, -24 * time.Hour},
	"fifty years back":      {-50 * 365 * 24 * time.Hour},
	"fifty years, and back": {-50 * 365 * 24 * time.Hour, 50 * 365 * 24 * time.Hour},
}

// TestClassUnderAClockThatJumps: who guesses waits a minute and not until the clock is where it was; nobody else does;
// what a student hands in last stays their last, and who came later is removed later.
func TestClassUnderAClockThatJumps(t *testing.T) {
	for name, steps := range jumps {
		t.Run(name, func(t *testing.T) {
			h, classes, now := clocked(t)
			at := time.Now()
			classes.Aged = func() time.Time { return at } // as a clock that follows slowly
			l := begin(t, h)
			first := l.join()
			l.phase(course.Predict)
			l.as(first.Token, "POST", "/entries", predicted)
			l.phase(course.Change)
			submit := func(roundS float64) course.Entry {
				body := changed(t, "/scenario/round_s", roundS)
				return answerOf[course.Entry](t, l.as(first.Token, "POST", "/entries", body), 201)
			}
			old := submit(480)
			const guesser, home = "198.51.100.9:4000", "192.0.2.7:4000"
			for range 10 {
				from(h, guesser, "GET", "/api/v1/classes/00000000", "")
			}
			if w := from(h, guesser, "GET", "/api/v1/classes/00000000", ""); w.Code != 429 {
				t.Fatalf("who guesses gets %d", w.Code)
			}
			for _, d := range steps {
				now.Add(d.Milliseconds())
				if _, err := classes.Expire(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			now.Add(time.Minute.Milliseconds() + 1)
			if w := from(h, guesser, "GET", l.path, ""); w.Code != 200 {
				t.Errorf("who guessed waits after a minute: %d %s", w.Code, w.Body)
			}
			second := answerOf[course.Joined](t, from(h, home, "POST", l.path+"/students", `{}`), 201)
			latest := submit(600)
			if latest.AtMS <= old.AtMS {
				t.Errorf("the later submission is of %d, the earlier of %d", latest.AtMS, old.AtMS)
			}
			if second.Student.JoinedMS < first.Student.JoinedMS {
				t.Errorf("who came second joined at %d, the first at %d", second.Student.JoinedMS, first.Student.JoinedMS)
			}
			if w := l.as(first.Token, "GET", "/me", ""); w.Code != 200 {
				t.Errorf("the first is gone: %d", w.Code)
			}
		})
	}
}

// TestMessagesUnderAClockThatJumps: what a program held that died when the clock jumped comes free within minutes of
// any new time, is worked on again, once, and gives the same; and what was not held is not lost.
func TestMessagesUnderAClockThatJumps(t *testing.T) {
	want := ""
	for name, steps := range jumps {
		t.Run(name, func(t *testing.T) {
			m := newMail(t)
			table := m.store.(queue.Table)
			m.now = time.Now()
			at, _ := m.post("/api/v1/sweeps", grid(5, 20))
			for range 4 {
				if err := m.runner().Deliver(t.Context(), m.next()); err != nil {
					t.Fatal(err)
				}
			}
			held, lives := m.next(), m.next()
			until := func() int64 { return m.clock().Add(time.Minute).UnixMilli() }
			for holder, id := range map[string]string{"dead": held, "alive": lives} {
				if _, err := table.Take(t.Context(), id, holder, m.clock().UnixMilli(), until()); err != nil {
					t.Fatal(err)
				}
			}
			m.sent = nil
			for _, d := range steps {
				m.pass(d)
				w, err := table.Find(t.Context(), lives)
				if err == nil { // who works on it says so, or hears that another does
					_, _, err = table.Note(t.Context(), lives, "alive", w.Status, until())
				}
				if err != nil {
					t.Fatal(err)
				}
				if err := m.runner().Resend(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for range 6 {
				m.deliver(1)
				m.pass(time.Minute)
				if err := m.runner().Resend(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			m.deliver(1)
			if s := m.status(at); s.State != "done" {
				t.Fatalf("six minutes later it is %s %+v", s.State, s.Sweep)
			}
			got := do(m, "GET", at+"/result", "").Body.String()
			if want == "" {
				want = got
			}
			if got != want || !strings.Contains(got, "points") {
				t.Errorf("the result is %.200s, after another jump %.200s", got, want)
			}
		})
	}
}

// TestTokensUnderAClockThatJumps: nobody is turned away for a clock that jumped, nor new until it is where it was.
func TestTokensUnderAClockThatJumps(t *testing.T) {
	for name, steps := range jumps {
		t.Run(name, func(t *testing.T) {
			now := time.Now()
			c := queue.NewClients(nil, queue.Rate{Burst: 3, PerSecond: 1}, queue.Rate{Burst: 3, PerSecond: 1})
			token, _ := c.Issue("home", now)
			for _, d := range append(steps, 3*time.Minute) {
				now = now.Add(d)
				a := c.Admit(token, "home", 1, now)
				if a.Wait != 0 {
					t.Fatalf("by %v: %+v", d, a)
				}
				if a.Token != "" {
					token = a.Token
				}
			}
			if a := c.Admit(token, "home", 1, now); a.Wait != 0 || a.Token != "" || strings.HasSuffix(a.Owner, "/new") {
				t.Errorf("three minutes later: %+v", a)
			}
		})
	}
}

// TestRunUnderAClockThatJumps: what is stored under one time is found under another, and a run that waits is worked on.
func TestRunUnderAClockThatJumps(t *testing.T) {
	for name, steps := range jumps {
		t.Run(name, func(t *testing.T) {
			m := newMail(t)
			m.now = time.Now()
			at, _ := m.post("/api/v1/runs", `{"scenario":`+doc(1)+`,"policies":["hadar"]}`)
			m.deliver(1)
			stored := do(m, "POST", "/api/v1/scenarios", doc(2))
			for i, d := range steps {
				m.pass(d)
				other, _ := m.post("/api/v1/runs", `{"scenario":`+doc(10+i)+`,"policies":["hadar"]}`)
				m.deliver(1)
				if s := m.status(other); s.State != "done" {
					t.Errorf("a run after %v is %s", d, s.State)
				}
			}
			if w := do(m, "GET", at+"/result", ""); w.Code != http.StatusOK {
				t.Errorf("the result is %d %s", w.Code, w.Body)
			}
			if w := do(m, "GET", stored.Header().Get("Location"), ""); w.Code != http.StatusOK {
				t.Errorf("the scenario is %d %s", w.Code, w.Body)
			}
		})
	}
}

// TestRequestsServedAtOnce: what one request has written is not of a clock that was ahead for another that came a
// millisecond earlier and is served later.
func TestRequestsServedAtOnce(t *testing.T) {
	store := newStore(t).(interface {
		vault.Store
		class.Table
	})
	const late, early, lasts = 1_000_001, 1_000_000, 60_000
	salt, err := store.Salt(t.Context(), "a", late, late+lasts)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Failed(t.Context(), "who", late, late+lasts); err != nil {
		t.Fatal(err)
	}
	if _, err := store.ExpireClasses(t.Context(), 0, 0, early, early+lasts); err != nil {
		t.Fatal(err)
	}
	if again, err := store.Salt(t.Context(), "b", early, early+lasts); err != nil || again != salt {
		t.Errorf("the salt is %q, then %q, %v", salt, again, err)
	}
	if err := store.Failed(t.Context(), "who", early, early+lasts); err != nil {
		t.Fatal(err)
	}
	if n, _, _, err := store.Guesses(t.Context(), "who", "", early, early+lasts); err != nil || n != 2 {
		t.Errorf("%d of 2 guesses count, %v", n, err)
	}
}
