//go:build !js

package worker_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	course "hadarlab/core/class"
	"hadarlab/worker"
	"hadarlab/worker/class"
	"hadarlab/worker/runs"
)

// hour is an hour in ms.
const hour = int64(time.Hour / time.Millisecond)

// assign begins a homework on the usual assignment.
func assign(t *testing.T, h http.Handler, opensMS, closesMS int64) *lesson {
	t.Helper()
	body := fmt.Sprintf(`{"assignment":"hadar-vs-gavel","opens_ms":%d,"closes_ms":%d}`, opensMS, closesMS)
	c := answerOf[course.Created](t, do(h, "POST", "/api/v1/classes", body), 201)
	return &lesson{t, h, "/api/v1/classes/" + c.Code, c.Key}
}

// set changes the class as its teacher does, and is answered with a status.
func (l *lesson) set(body string, status int) {
	l.t.Helper()
	if w := l.as(l.key, "PATCH", "", body); w.Code != status {
		l.t.Errorf("%s: %d %s, want %d", body, w.Code, w.Body, status)
	}
}

// refusedAs checks why something that a student hands in is not taken.
func (l *lesson) refusedAs(token, body, code string) {
	l.t.Helper()
	p := wantProblem(l.t, l.as(token, "POST", "/entries", body), 409)
	if len(p.Errors) != 1 || p.Errors[0].Code != code {
		l.t.Errorf("refused as %+v, want %s", p, code)
	}
}

// clocks are a native server and one as at the edge, by clocks that a test sets.
func clocks(t *testing.T) map[string]func() (http.Handler, *atomic.Int64) {
	return map[string]func() (http.Handler, *atomic.Int64){
		"edge": func() (http.Handler, *atomic.Int64) { h, _, now := clocked(t); return h, now },
		"native": func() (http.Handler, *atomic.Int64) {
			store, now := newStore(t), &atomic.Int64{}
			now.Store(time.Now().UnixMilli())
			n := newNative(t, runs.Options{Store: store}, false)
			clock := func() time.Time { return time.UnixMilli(now.Load()) }
			classes := worker.NewClasses(store.(class.Table), n.runner, clock)
			n.Handler = newHandler(t, worker.Options{Store: store, Runner: n.runner, Classes: classes, Gate: sameKey})
			return n, now
		},
	}
}

// TestHomework goes through a homework as two students and their teacher do: each student at their own pace, from the
// opening to the closing time of the server's clock, and what came of it with the feedback.
func TestHomework(t *testing.T) {
	for home, made := range clocks(t) {
		t.Run(home, func(t *testing.T) {
			h, now := made()
			opens, closes := now.Load()+hour, now.Load()+3*hour
			l := assign(t, h, opens, closes)
			one, two := l.join(), l.join()
			if st := one.State; st.Phase != course.Homework || st.OpensMS != opens || st.ClosesMS != closes ||
				st.ToldMS != 0 || st.Shut() {
				t.Fatalf("it begins as %+v", st)
			}
			me := func() course.Me {
				t.Helper()
				return answerOf[course.Me](t, l.as(one.Token, "GET", "/me", ""), 200)
			}
			work := usual(t).Task.Works[0]
			right, other := changed(t, work.Path, *work.To), changed(t, "/scenario/round_s", 480)
			l.refusedAs(one.Token, predicted, "not-open")
			l.set(fmt.Sprintf(`{"opens_ms":%d}`, now.Load()+2*hour), 200)
			now.Store(opens)
			l.refusedAs(one.Token, predicted, "not-open")
			l.set(`{"opens_ms":0}`, 200)

			if got := me().Pace; got != course.OwnPredict {
				t.Errorf("who has handed in nothing is at %s", got)
			}
			for _, early := range []string{other, sentence} {
				l.refusedAs(one.Token, early, "answer-first")
			}
			first := answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries", predicted), 201)
			if first.Practice || first.Phase != course.Homework || me().Pace != course.OwnRun {
				t.Errorf("answered as %+v", first)
			}
			l.refusedAs(one.Token, strings.Replace(predicted, "gavel-las", "hadar", 1), "given-once")
			l.refusedAs(one.Token, voted, "not-now")
			e := answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries", other), 201)
			if e.Verdict != "" || e.Lanes != nil || len(e.Changes) != 1 || me().Pace != course.OwnWrite {
				t.Errorf("handed in as %+v", e)
			}
			answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries", sentence), 201)
			if got := me().Pace; got != course.OwnDone {
				t.Errorf("who has handed in all is at %s", got)
			}
			better := `{"kind":"sentence","text":"because of turns"}`
			answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries", better), 201)
			latest := answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries", right), 201)
			answerOf[course.Entry](t, l.as(two.Token, "POST", "/entries", predicted), 201)
			for _, body := range []string{`{"phase":"run"}`, `{"phase":"predict"}`, `{"minutes":5}`,
				`{"revealed":["sooner"]}`, `{"wall":{"shows":"lanes"}}`,
				fmt.Sprintf(`{"opens_ms":%d}`, now.Load()+hour)} {
				l.set(body, 409)
			}
			l.set(`{"phase":"homework"}`, 422)
			l.set(fmt.Sprintf(`{"closes_ms":%d}`, now.Load()+29*24*hour), 422)

			// It closes by the server's clock; the same once more, as after a lost answer, is the same entry.
			now.Store(closes)
			l.refusedAs(two.Token, right, "homework-over")
			again := answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries", right), 201)
			if again.Hash != latest.Hash {
				t.Errorf("the same once more is %+v", again)
			}
			if w := do(h, "POST", l.path+"/students", `{}`); w.Code != 409 {
				t.Errorf("joined when it had closed: %d", w.Code)
			}
			l.set(fmt.Sprintf(`{"closes_ms":%d}`, now.Load()+hour), 200) // longer
			answerOf[course.Entry](t, l.as(two.Token, "POST", "/entries", other), 201)
			l.set(`{"closes_ms":1}`, 200) // now
			l.refusedAs(two.Token, sentence, "homework-over")
			now.Add(hour)
			l.set(`{"closes_ms":1}`, 200)
			if st := me().State; st.ClosesMS != closes || st.ToldMS != 0 {
				t.Errorf("closed now it is %+v", st)
			}
			for _, entry := range me().Entries {
				if entry.Verdict != "" || entry.Lanes != nil {
					t.Errorf("before the feedback a student reads %+v", entry)
				}
			}
			sent := l.kept(latest.Hash)
			sent.Seq = latest.Seq // its verdict may have come since
			u := l.judged(home, sent)

			if st := l.phase(course.Closed); st.ToldMS == 0 || len(st.Revealed) != 2 || st.ClosesMS != closes {
				t.Errorf("released it is %+v", st)
			}
			after := me()
			if after.Pace != "" || len(after.Entries) != 5 || after.Entries[4].Verdict != course.Verified ||
				len(after.Entries[4].Lanes) != 2 || after.Tallies[0].Right != "hadar" {
				t.Errorf("after the feedback: %+v", after)
			}
			for _, body := range []string{`{"phase":"homework"}`, `{"phase":"run"}`,
				fmt.Sprintf(`{"closes_ms":%d}`, now.Load()+hour)} {
				if w := l.as(l.key, "PATCH", "", body); w.Code != 409 && w.Code != 422 {
					t.Errorf("after the feedback %s: %d", body, w.Code)
				}
			}
			csv := strings.Split(l.as(l.key, "GET", "/students.csv", "").Body.String(), "\n")
			if u.State.Counts.Joined != 2 || !strings.Contains(csv[1], "because of turns") ||
				!strings.Contains(csv[1], "yes,verified,") || !strings.Contains(csv[2], "no,") {
				t.Errorf("the table is %q", csv)
			}
			attempts := l.as(l.key, "GET", "/attempts.csv", "").Body.String()
			if n := strings.Count(attempts, ",homework,submission,"); n != 6 { // a row a lane
				t.Errorf("%d rows of attempts: %s", n, attempts)
			}
		})
	}
}

// kept is an entry as its teacher has it.
func (l *lesson) kept(hash string) course.Entry {
	l.t.Helper()
	for _, e := range l.board(0).Entries {
		if e.Hash == hash {
			return e
		}
	}
	l.t.Fatalf("nothing has the receipt %s", hash)
	return course.Entry{}
}

// TestHomeworkHoursAreChecked when it begins, and a class that is led has none.
func TestHomeworkHoursAreChecked(t *testing.T) {
	h, _, now := clocked(t)
	for hours, code := range map[[2]int64]string{{0, now.Load() - 1}: "closes-first", {hour, 0}: "missing-member",
		{now.Load() + 2*hour, now.Load() + hour}: "closes-first", {0, now.Load() + 29*24*hour}: "too-long",
		{now.Load() + 29*24*hour, now.Load() + 30*24*hour}: "too-late"} {
		body := fmt.Sprintf(`{"assignment":"hadar-vs-gavel","opens_ms":%d,"closes_ms":%d}`, hours[0], hours[1])
		p := wantProblem(t, do(h, "POST", "/api/v1/classes", body), 422)
		if len(p.Errors) != 1 || p.Errors[0].Code != code || !strings.HasSuffix(p.Errors[0].Path, "s_ms") ||
			p.Errors[0].Fix.String() == "" {
			t.Errorf("%v: %+v, want %s", hours, p, code)
		}
	}
	led := begin(t, h)
	led.set(fmt.Sprintf(`{"closes_ms":%d}`, now.Load()+hour), 409)
	led.set(`{"phase":"homework"}`, 422)
	if st := answerOf[course.State](t, do(h, "GET", led.path, ""), 200); st.Homework() {
		t.Errorf("a class that is led has hours: %+v", st)
	}
}

// TestHomeworkOutlivesADay: it can be joined until it closes, also by the first, and is kept for weeks after that.
func TestHomeworkOutlivesADay(t *testing.T) {
	h, classes, now := clocked(t)
	day := 24 * hour
	l := assign(t, h, now.Load()+27*day, now.Load()+54*day)
	expire := func() {
		t.Helper()
		if _, err := classes.Expire(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	now.Add(20 * day)
	expire() // nobody has joined yet
	one := l.join()
	now.Add(33 * day)
	late := l.join()
	answerOf[course.Entry](t, l.as(late.Token, "POST", "/entries", predicted), 201)
	now.Add(31 * day) // four weeks after it has closed
	expire()
	if w := l.as(one.Token, "GET", "/me", ""); w.Code != 200 {
		t.Errorf("four weeks after closing: %d %s", w.Code, w.Body)
	}
	if u := l.board(0); u.GoneMS-u.State.ClosesMS < 30*day {
		t.Errorf("what was handed in is kept for %d days after closing", (u.GoneMS-u.State.ClosesMS)/day)
	}
	empty := assign(t, h, 0, now.Load()+2*day)
	now.Add(4 * day)
	expire()
	if w := empty.as(empty.key, "GET", "/board", ""); w.Code != 404 {
		t.Errorf("a homework that nobody joined is there days after it closed: %d", w.Code)
	}
}

// TestClosingIsOnTheEntry: an entry that was let in and is written when the homework has closed is not written.
func TestClosingIsOnTheEntry(t *testing.T) {
	h, classes, now := clocked(t)
	l := assign(t, h, 0, now.Load()+hour)
	one := l.join()
	code := strings.TrimPrefix(l.path, "/api/v1/classes/")
	for at, want := range map[int64]error{now.Load() + hour: class.ErrNone, now.Load() - 1: class.ErrNone,
		now.Load() + hour - 1: nil} {
		e := course.Entry{Student: one.Student.N, Kind: course.Answers, AtMS: at, Phase: course.Homework}
		_, err := classes.Table.AddEntry(t.Context(), code, 0, e)
		if err != want {
			t.Errorf("at %d: %v, want %v", at-now.Load(), err, want)
		}
	}
}
