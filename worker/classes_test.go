//go:build !js

package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	course "hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
	"hadarlab/worker"
	"hadarlab/worker/runs"
)

// lesson is a class on a server, with its key.
type lesson struct {
	t    *testing.T
	h    http.Handler
	path string // of the class
	key  string
}

// begin begins a class on the usual assignment.
func begin(t *testing.T, h http.Handler) *lesson {
	t.Helper()
	c := answerOf[course.Created](t, do(h, "POST", "/api/v1/classes", `{"assignment":"hadar-vs-gavel"}`), 201)
	return &lesson{t, h, "/api/v1/classes/" + c.Code, c.Key}
}

// answerOf reads an answer of a status.
func answerOf[T any](t *testing.T, w *httptest.ResponseRecorder, status int) (v T) {
	t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &v); w.Code != status || err != nil {
		t.Fatalf("got %d, want %d: %.500s", w.Code, status, w.Body)
	}
	return v
}

// as asks with a token.
func (l *lesson) as(token, method, path, body string) *httptest.ResponseRecorder {
	return do(l.h, method, l.path+path, body, "Authorization", "Bearer "+token, "Content-Type", "application/json")
}

func (l *lesson) join() course.Joined {
	l.t.Helper()
	return answerOf[course.Joined](l.t, do(l.h, "POST", l.path+"/students", `{"tag":"row 3"}`), 201)
}

// phase puts the class into a phase.
func (l *lesson) phase(p course.Phase) course.State {
	l.t.Helper()
	return answerOf[course.State](l.t, l.as(l.key, "PATCH", "", fmt.Sprintf(`{"phase":%q}`, p)), 200)
}

func (l *lesson) board(after int64) course.Update {
	l.t.Helper()
	return answerOf[course.Update](l.t, l.as(l.key, "GET", fmt.Sprint("/board?after=", after), ""), 200)
}

const (
	predicted = `{"kind":"answers","answers":{"sooner":{"option":"gavel-las","sure":5},"by":{"option":"10-30","sure":2}}}`
	voted     = `{"kind":"vote","answers":{"sooner":{"option":"hadar","sure":4}}}`
	sentence  = `{"kind":"sentence","text":"=1+1 <b>because</b> of the \"gangs\""}`
)

// usual is the scenario of the usual assignment.
func usual(t testing.TB) *course.Assignment {
	t.Helper()
	text, _ := scenarios.Assignment("hadar-vs-gavel")
	a, diags := course.Parse(text)
	if a == nil {
		t.Fatal(diags)
	}
	return a
}

// changed is a submission that makes one number of the usual scenario another, with what this engine makes of it.
func changed(t testing.TB, pointer string, to float64) string {
	t.Helper()
	a := usual(t)
	doc, _ := scenario.Parse(a.Scenario, scenario.FileLimits)
	if !doc.Alter(pointer, to) {
		t.Fatalf("%s cannot be %v", pointer, to)
	}
	return handed(t, doc)
}

// handed is a submission of a scenario, with what this engine makes of it.
func handed(t testing.TB, doc *scenario.Document) string {
	t.Helper()
	h := course.Handed{Kind: course.Submission, Scenario: doc.Marshal(false)}
	result, failures, diags := lab.Run(&message.RunRequest{Scenario: h.Scenario})
	if result == nil || len(failures) > 0 {
		t.Fatal(failures, diags)
	}
	h.Engine, h.Lanes = lab.Engine, course.LanesOf(result.Runs)
	b, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// homes are a native server and one as at the edge.
func homes(t *testing.T) map[string]http.Handler {
	return map[string]http.Handler{"native": newNative(t, runs.Options{}, false),
		"edge": newHandler(t, worker.Options{})}
}

// TestLesson goes through a lesson as two students and their teacher do.
func TestLesson(t *testing.T) {
	for home, h := range homes(t) {
		t.Run(home, func(t *testing.T) {
			l := begin(t, h)
			one, two := l.join(), l.join()
			if one.Student.N != 1 || two.Student.N != 2 || one.Student.Name == two.Student.Name ||
				one.Student.Tag != "row 3" ||
				len(one.Token) != 26 || one.Token == two.Token {
				t.Fatalf("joined as %+v and %+v", one, two)
			}
			if st := answerOf[course.State](t, do(h, "GET", l.path, ""), 200); st.Counts.Joined != 2 ||
				st.Phase != course.Lobby || st.Title != usual(t).Title || (st.PollMS == 0) != (home == "native") {
				t.Errorf("state %+v", st)
			}
			if w := l.as(one.Token, "POST", "/entries", predicted); w.Code != 409 {
				t.Errorf("answers before their time: %d %s", w.Code, w.Body)
			}
			l.phase(course.Predict)
			hidden := answerOf[course.Assignment](t, l.as(one.Token, "GET", "/assignment", ""), 200)
			first := answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries", predicted), 201)
			again := answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries", predicted), 201)
			if first.Hash == "" || again.Seq != first.Seq || again.Hash != first.Hash || again.AtMS != first.AtMS {
				t.Errorf("the same twice: %+v and %+v", first, again)
			}
			if w := l.as(one.Token, "POST", "/entries", strings.Replace(predicted, "gavel-las", "hadar",
				1)); w.Code != 409 {
				t.Errorf("another answer: %d %s", w.Code, w.Body)
			}
			still := answerOf[course.Assignment](t, l.as(one.Token, "GET", "/assignment", ""), 200)
			if w := l.as(one.Token, "POST", "/entries", sentence); w.Code != 409 {
				t.Errorf("a sentence before its time: %d %s", w.Code, w.Body)
			}
			three := l.join()
			answerOf[course.Entry](t, l.as(three.Token, "POST", "/entries", predicted), 201)
			for _, p := range []course.Phase{course.Predict, course.Discuss} {
				l.phase(p)
				if w := l.as(one.Token, "POST", "/entries", voted); w.Code != 409 {
					t.Errorf("a vote in %s: %d %s", p, w.Code, w.Body)
				}
			}
			if me := answerOf[course.Me](t, l.as(one.Token, "GET", "/me", ""), 200); len(me.Tallies) != 0 {
				t.Errorf("me before anything is revealed: %+v", me)
			}
			answerOf[course.State](t, l.as(l.key, "PATCH", "", `{"revealed":["sooner"]}`), 200)
			l.phase(course.VoteAgain)
			answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries", voted), 201)
			if me := answerOf[course.Me](t, l.as(one.Token, "GET", "/me", ""), 200); len(me.Tallies) != 1 ||
				me.Tallies[0].Right != "" || me.Tallies[0].Options[1].Count() != 2 ||
				me.Tallies[0].Options[0].Votes() != 0 || me.Tallies[0].Voted != 0 || me.State.Counts.Voted != 1 {
				t.Errorf("me before the run: %+v", me)
			}
			if st := l.phase(course.Run); st.ToldMS == 0 || !slices.Equal(st.Revealed, []string{"sooner", "by"}) {
				t.Errorf("the run tells %+v", st)
			}
			open := answerOf[course.Assignment](t, l.as(one.Token, "GET", "/assignment", ""), 200)
			whole := answerOf[course.Assignment](t, l.as(l.key, "GET", "/assignment", ""), 200)
			if ideas(&hidden)+ideas(&still) != 0 || ideas(&open) == 0 || ideas(&whole) != ideas(&open) ||
				open.Plan[1].Teacher != "" || whole.Plan[1].Teacher == "" {
				t.Error("what students see of the assignment")
			}
			if hidden.Task.Works != nil || open.Task.Works != nil || len(whole.Task.Works) == 0 {
				t.Error("changes that work are not for the teacher alone")
			}
			answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries", sentence), 201)
			if w := l.as(two.Token, "POST", "/entries", sentence); w.Code != 409 {
				t.Errorf("a sentence before the answers: %d %s", w.Code, w.Body)
			}
			// What comes late is practice, in the class's course and when it has gone back: it was told.
			late := answerOf[course.Entry](t, l.as(two.Token, "POST", "/entries", predicted), 201)
			l.phase(course.Predict)
			back := answerOf[course.Entry](t, l.as(three.Token, "POST", "/entries", voted), 201)
			if !late.Practice || !back.Practice || first.Practice {
				t.Errorf("practice: %+v, %+v", late, back)
			}
			me := answerOf[course.Me](t, l.as(one.Token, "GET", "/me", ""), 200)
			if len(me.Tallies) != 2 || me.Tallies[0].Right != "hadar" || me.Tallies[0].Options[1].Count() != 2 ||
				me.Tallies[0].Voted != 1 || me.Tallies[0].Moved[1][0] != 1 {
				t.Errorf("me after the run: %+v", me.Tallies)
			}
			l.phase(course.Change)
			sub := changed(t, "/scenario/round_s", 480)
			e := answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries", sub), 201)
			if len(e.Changes) != 1 || e.Changes[0].Path != "/scenario/round_s" || e.Verdict != course.Pending {
				t.Errorf("submitted %+v", e)
			}
			u := l.judged(home, e)
			if u.Truth["sooner"] != "hadar" || len(u.Students) != 3 || u.Verifies != (home == "native") {
				t.Errorf("board %+v", u)
			}
			csv := l.as(l.key, "GET", "/students.csv?names=0", "")
			if rows := strings.Split(csv.Body.String(), "\n"); len(rows) != 5 || !strings.Contains(rows[1],
				`'=1+1 <b>`) ||
				strings.Contains(rows[1], one.Student.Name) || !strings.Contains(rows[1], "verified") {
				t.Errorf("table %q", rows)
			}
			moves := l.as(l.key, "GET", "/moves.csv", "").Body.String()
			if !strings.Contains(moves, "\nsooner,Gavel,Hadar,1,no,yes\n") || strings.Count(moves, "\n") != 10 {
				t.Errorf("moves %q", moves)
			}
			record := answerOf[course.Record](t, l.as(l.key, "GET", "/record.json?names=0", ""), 200)
			if len(record.Entries) != 7 || record.Students[0].Name != "" || record.Students[0].Tag != "" {
				t.Errorf("record %+v", record)
			}
			if w := l.as(l.key, "DELETE", "", ""); w.Code != 204 {
				t.Fatalf("delete: %d %s", w.Code, w.Body)
			}
			for _, path := range []string{"", "/me", "/board"} {
				if w := l.as(one.Token, "GET", path, ""); w.Code != 404 {
					t.Errorf("afterwards %q: %d %s", path, w.Code, w.Body)
				}
			}
		})
	}
}

// judged waits for the verdict on a submission, or gives it as a board does, and returns the board.
func (l *lesson) judged(home string, e course.Entry) course.Update {
	l.t.Helper()
	if home == "edge" {
		body, _ := json.Marshal(map[string]any{"verdict": course.Verified, "lanes": e.Lanes})
		if w := l.as(l.key, "PUT", fmt.Sprint("/verdicts/", e.Seq), string(body)); w.Code != 204 {
			l.t.Fatalf("verdict: %d %s", w.Code, w.Body)
		}
	} else if w := l.as(l.key, "PUT", fmt.Sprint("/verdicts/", e.Seq), `{"verdict":"differs"}`); w.Code != 409 {
		l.t.Errorf("a verdict from outside: %d %s", w.Code, w.Body)
	}
	for ; ; time.Sleep(time.Millisecond) {
		u := l.board(0)
		i := slices.IndexFunc(u.Entries, func(x course.Entry) bool { return x.Hash == e.Hash })
		if i < 0 {
			l.t.Fatalf("the submission is not on the board: %+v", u)
		}
		if u.Entries[i].Verdict != course.Pending {
			if u.Entries[i].Verdict != course.Verified || u.Entries[i].Seq <= e.Seq {
				l.t.Errorf("judged %+v at %d", u.Entries[i], u.State.Seq)
			}
			return u
		}
	}
}

// ideas counts what the assignment tells of misconceptions.
func ideas(a *course.Assignment) (n int) {
	for _, q := range a.Questions {
		for _, o := range q.Options {
			if o.Idea != "" || o.Preset != "" {
				n++
			}
		}
	}
	return n
}

// TestStudentComesBack: by a one-time code, once, and the old token opens nothing any more. Who is removed is out.
func TestStudentComesBack(t *testing.T) {
	for home, h := range homes(t) {
		t.Run(home, func(t *testing.T) {
			l := begin(t, h)
			one := l.join()
			pass := answerOf[course.Pass](t, l.as(l.key, "POST", "/students/1/pass", ""), 201)
			recover := func() *httptest.ResponseRecorder {
				return do(h, "POST", l.path+"/recover", fmt.Sprintf(`{"code":%q}`, strings.ToUpper(pass.Code)))
			}
			back := answerOf[course.Joined](t, recover(), 200)
			if back.Student.Name != one.Student.Name || back.Token == one.Token {
				t.Errorf("came back as %+v", back)
			}
			if w := recover(); w.Code != 404 {
				t.Errorf("a second time: %d", w.Code)
			}
			if w := l.as(one.Token, "GET", "/me", ""); w.Code != 403 {
				t.Errorf("by the old token: %d", w.Code)
			}
			if w := l.as(l.key, "POST", "/students/2/pass", ""); w.Code != 404 {
				t.Errorf("a pass for nobody: %d", w.Code)
			}
			if w := l.as(l.key, "DELETE", "/students/1", ""); w.Code != 204 {
				t.Errorf("remove: %d %s", w.Code, w.Body)
			}
			if w := l.as(back.Token, "GET", "/me", ""); w.Code != 403 {
				t.Errorf("who was removed: %d", w.Code)
			}
			u := l.board(0)
			if len(u.Entries) != 2 || u.Entries[0].Text != course.Recovered || u.Entries[1].Text != course.Removed ||
				!u.Students[0].Removed || u.State.Counts.Joined != 0 || u.Students[0].Seq != u.State.Seq {
				t.Errorf("the board shows %+v", u)
			}
		})
	}
}

// TestClassIsFollowedLive: a listener hears of every change, the last one at least, and reads it whole.
func TestClassIsFollowedLive(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	server := httptest.NewServer(n)
	defer server.Close()
	l := begin(t, n)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	next, body := listen(t, ctx, server.URL+l.path+"/events")
	defer body.Close()
	until := func(what string, there func(course.State) bool) {
		for e, ok := next(); ; e, ok = next() {
			var st course.State
			if err := json.Unmarshal([]byte(e.data), &st); !ok || err != nil || e.name != "message" {
				t.Fatalf("%s did not come: %+v %v", what, e, err)
			}
			if there(st) {
				return
			}
		}
	}
	until("the lobby", func(st course.State) bool { return st.Phase == course.Lobby })
	for range 20 {
		l.join()
	}
	until("everybody", func(st course.State) bool { return st.Counts.Joined == 20 })
	l.phase(course.Predict)
	until("the next phase", func(st course.State) bool { return st.Phase == course.Predict && st.EndsMS > st.NowMS })
	if w := l.as(l.key, "DELETE", "", ""); w.Code != 204 {
		t.Fatal(w.Code)
	}
	if e, ok := next(); ok {
		t.Errorf("after the class: %+v", e)
	}
}
