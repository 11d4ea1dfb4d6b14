//go:build !js

package worker_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	course "hadarlab/core/class"
	"hadarlab/worker"
	"hadarlab/worker/class"
	"hadarlab/worker/runs"
)

// TestSettle: where work goes by messages, the clock gives verdicts on submissions whose runs have ended, once each,
// and asks again for runs whose messages were lost. Each request has a program of its own.
func TestSettle(t *testing.T) {
	m := newMail(t)
	classes := func() (*class.Service, *runs.Mailbox) {
		r := m.runner()
		s := worker.NewClasses(m.store.(class.Table), r.Runner, m.clock)
		s.Verify = func(d class.Due) { // as a message has the edge do
			if err := r.Settle(t.Context(), s, d.ID()); err != nil {
				t.Error(err)
			}
		}
		return s, r
	}
	settle := func() {
		t.Helper()
		s, r := classes()
		if err := r.Settle(context.Background(), s, ""); err != nil {
			t.Fatal(err)
		}
	}
	l := begin(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, runner := classes()
		newHandler(t, worker.Options{Store: m.store, Runner: runner.Runner, Classes: s, Gate: sameKey}).ServeHTTP(w, r)
	}))
	wants := func(when, want string) {
		t.Helper()
		verdicts := make([]string, 4) // by student
		for _, e := range l.board(0).Entries {
			if e.Kind == course.Submission {
				verdicts[e.Student-1] = e.Verdict
			}
		}
		if got := strings.Join(verdicts, " "); got != want {
			t.Errorf("%s the verdicts are %q, want %q", when, got, want)
		}
	}
	var students []course.Joined
	for range 4 {
		students = append(students, l.join())
	}
	l.phase(course.Predict)
	for _, s := range students {
		answerOf[course.Entry](t, l.as(s.Token, "POST", "/entries", predicted), 201)
	}
	l.phase(course.Change)
	good, bad := changed(t, "/scenario/round_s", 300), changed(t, "/scenario/round_s", 310)
	bad = strings.Replace(bad, `"outcome":"done"`, `"outcome":"stopped"`, 1)
	for i, body := range []string{good, bad, good, strings.Replace(good, `"engine":"`, `"engine":"not-`, 1)} {
		answerOf[course.Entry](t, l.as(students[i].Token, "POST", "/entries", body), 201)
	}
	wants("before anything is run", "pending pending pending other")
	settle()
	wants("while the runs wait", "pending pending pending other")

	// All messages are lost with the queue. The clock sends them again, and a run that two have handed in is one.
	for m.next() != "" {
	}
	m.pass(2 * m.options.Lease)
	settle()
	if err := m.runner().Resend(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := m.deliver(1); n != 2 {
		t.Errorf("%d messages for two scenarios", n)
	}
	seq := l.board(0).State.Seq
	settle()
	wants("when they have been run", "verified differs verified other")
	u := l.board(seq)
	if len(u.Entries) != 3 {
		t.Errorf("the board hears of %d verdicts", len(u.Entries))
	}
	if e := u.Entries[0]; len(e.Lanes) != 2 || e.Lanes[0].TraceHash == "" {
		t.Errorf("the verdict comes with %+v", e.Lanes)
	}
	m.pass(time.Minute)
	settle()
	if again := l.board(0).State.Seq; again != u.State.Seq {
		t.Errorf("what has its verdict is judged again: %d after %d", again, u.State.Seq)
	}

	// A run that failed leaves its submission pending, and is not asked for again.
	answerOf[course.Entry](t, l.as(students[2].Token, "POST", "/entries", changed(t, "/scenario/round_s", 320)), 201)
	if err := m.runner().Abandon(t.Context(), m.next()); err != nil {
		t.Fatal(err)
	}
	m.pass(2 * m.options.Lease)
	settle()
	if id := m.next(); id != "" {
		t.Errorf("the failed run %s is asked for again", id)
	}
	wants("after a failure", "verified differs pending other")

	// Who is told of one submission looks at no other.
	s, r := classes()
	if err := r.Settle(t.Context(), s, class.Due{Code: "00000000"}.ID()); err != nil || m.next() != "" {
		t.Errorf("of none it asks for some: %v", err)
	}

	// What was run for somebody else has its verdict as it is handed in.
	late := answerOf[course.Entry](t, l.as(students[1].Token, "POST", "/entries", good), 201)
	if m.deliver(1) != 0 {
		t.Error("it is run once more")
	}
	for _, e := range l.board(0).Entries {
		if e.Hash == late.Hash && e.Verdict != course.Verified {
			t.Errorf("it is %s", e.Verdict)
		}
	}
}

// TestARaceSettles: where work goes by messages, all scenarios of a race are asked for at once, and the verdict comes
// when the last has ended.
func TestARaceSettles(t *testing.T) {
	m := newMail(t)
	classes := func() (*class.Service, *runs.Mailbox) {
		r := m.runner()
		return worker.NewClasses(m.store.(class.Table), r.Runner, m.clock), r
	}
	settle := func() {
		t.Helper()
		s, r := classes()
		if err := r.Settle(context.Background(), s, ""); err != nil {
			t.Fatal(err)
		}
	}
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, runner := classes()
		s.Verify = func(class.Due) {}
		newHandler(t, worker.Options{Store: m.store, Runner: runner.Runner, Classes: s, Gate: sameKey}).ServeHTTP(w, r)
	})
	c := answerOf[course.Created](t, do(h, "POST", "/api/v1/classes", `{"assignment":"write-an-order"}`), 201)
	l := &lesson{t, h, "/api/v1/classes/" + c.Code, c.Key}
	one := l.join()
	l.phase(course.Predict)
	answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries",
		`{"kind":"answers","answers":{"sooner":{"option":"hadar","sure":3}}}`), 201)
	l.phase(course.Change)
	e := answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries",
		written(t, "def key(job, cluster):\n    return job.steps\n")), 201)
	settle()
	n := 0
	for id := m.next(); id != ""; id = m.next() {
		if err := m.runner().Deliver(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 4 {
		t.Errorf("%d runs are asked for, want 4", n)
	}
	settle()
	u := l.board(0)
	i := slices.IndexFunc(u.Entries, func(x course.Entry) bool { return x.Hash == e.Hash })
	if got := u.Entries[i]; got.Verdict != course.Verified || len(got.Races) != 3 {
		t.Errorf("it is %s, with %d races", got.Verdict, len(got.Races))
	}
}
