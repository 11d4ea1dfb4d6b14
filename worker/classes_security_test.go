//go:build !js

package worker_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	course "hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/worker"
	"hadarlab/worker/class"
	"hadarlab/worker/gate"
	"hadarlab/worker/queue"
	"hadarlab/worker/runs"
)

// from asks from an address.
func from(h http.Handler, address, method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.RemoteAddr = address
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// clocked is a handler whose classes have a clock of the test's.
func clocked(t *testing.T) (h http.Handler, classes *class.Service, now *atomic.Int64) {
	t.Helper()
	now = &atomic.Int64{}
	now.Store(time.Now().UnixMilli())
	clock := func() time.Time { return time.UnixMilli(now.Load()) }
	classes = class.New(newStore(t).(class.Table), lab.Engine, lab.Defaults(), clock, false)
	return newHandler(t, worker.Options{Classes: classes, Now: clock}), classes, now
}

// TestGuessersAreSlowed: who names wrong codes has to wait, and learns nothing meanwhile, while 300 students join from
// the same network. Others do not wait, and after a minute nobody does.
func TestGuessersAreSlowed(t *testing.T) {
	t.Parallel()
	h, _, now := clocked(t)
	const school, other = "192.0.2.7:4000", "198.51.100.9:4000"
	l := begin(t, h) // from the school, as every request that says nothing else
	foreign := answerOf[course.Created](t, from(h, other, "POST", "/api/v1/classes",
		`{"assignment":"hadar-vs-gavel"}`), 201)
	var all sync.WaitGroup
	var slowed atomic.Int64
	all.Go(func() {
		for i := range 200 {
			switch w := from(h, school, "GET", fmt.Sprintf("/api/v1/classes/%08d", i), ""); {
			case w.Code == 429 && w.Header().Get("Retry-After") != "":
				slowed.Add(1)
			case w.Code != 404 || i >= 10:
				t.Errorf("guess %d: %d %s", i, w.Code, w.Body)
			}
		}
	})
	for range 3 {
		all.Go(func() {
			for i := range 100 {
				if w := from(h, fmt.Sprintf("192.0.2.%d:4000", i), "POST", l.path+"/students", `{}`); w.Code != 201 {
					t.Errorf("a student: %d %s", w.Code, w.Body)
				}
			}
		})
	}
	all.Wait()
	if slowed.Load() != 190 || l.board(0).State.Counts.Joined != 300 {
		t.Errorf("%d guesses were slowed, %d joined", slowed.Load(), l.board(0).State.Counts.Joined)
	}
	path := "/api/v1/classes/" + foreign.Code
	for _, r := range classRequests { // a right code tells nothing either, on any way
		method, rest, _ := strings.Cut(r.op, " ")
		rest = strings.NewReplacer("{n}", "1", "{seq}", "1").Replace(rest)
		if w := from(h, school, method, path+rest, r.body); w.Code != 429 {
			t.Errorf("%s by a guesser: %d", r.op, w.Code)
		}
	}
	if w := from(h, other, "GET", path, ""); w.Code != 200 {
		t.Errorf("from another network: %d", w.Code)
	}
	now.Add(time.Minute.Milliseconds() + 1)
	if w := from(h, school, "GET", path, ""); w.Code != 200 {
		t.Errorf("after a minute: %d %s", w.Code, w.Body)
	}
	pass := do(h, "POST", l.path+"/recover", `{"code":"00000000"}`)
	for range 10 {
		pass = do(h, "POST", l.path+"/recover", `{"code":"00000000"}`)
	}
	if pass.Code != 429 {
		t.Errorf("guessed one-time codes: %d %s", pass.Code, pass.Body)
	}
}

// TestOneSenderCannotFillAClass: 1,000 joins from one network, in a minute or over hours, leave places for others; who
// is removed frees theirs, and all who came since a moment can be removed at once.
func TestOneSenderCannotFillAClass(t *testing.T) {
	t.Parallel()
	h, _, now := clocked(t)
	l := begin(t, h)
	join := func(address string) *httptest.ResponseRecorder {
		return from(h, address, "POST", l.path+"/students", `{}`)
	}
	const flood = "203.0.113.9:1"
	early := answerOf[course.Joined](t, join("192.0.2.1:1"), 201)
	now.Add(1000)
	since := now.Load()
	codes := map[int]int{}
	for i := range 1000 {
		w := join(fmt.Sprintf("203.0.113.%d:1", i%250))
		if codes[w.Code]++; w.Code == 429 && w.Header().Get("Retry-After") == "" {
			t.Error("it is not said when to come again")
		}
	}
	if codes[201] != class.JoinsAMinute || codes[429] != 1000-class.JoinsAMinute {
		t.Errorf("in a minute: %v", codes)
	}
	for range 5 {
		now.Add(61_000)
		for range 200 {
			codes[join(flood).Code]++
		}
	}
	joined := l.board(0).State.Counts.Joined
	if joined > course.MaxStudents/2+1 || joined < 400 {
		t.Errorf("after some minutes %d have joined: %v", joined, codes)
	}
	for i := range 60 {
		if w := join("192.0.2.1:1"); w.Code != 201 {
			t.Fatalf("student %d: %d %s", i, w.Code, w.Body)
		}
	}
	last := answerOf[course.Joined](t, join("192.0.2.2:1"), 201)
	wantProblem(t, l.as(l.key, "DELETE", "/students?since=yesterday", ""), http.StatusBadRequest)
	wantProblem(t, l.as(last.Token, "DELETE", "/students?since=0", ""), http.StatusForbidden)
	gone := answerOf[map[string]int](t, l.as(l.key, "DELETE", fmt.Sprint("/students?since=", since), ""), 200)
	if u := l.board(0); gone["removed"] != joined-1+61 || u.State.Counts.Joined != 1 {
		t.Errorf("removed %v, %d are left", gone, u.State.Counts.Joined)
	}
	if w := l.as(early.Token, "GET", "/me", ""); w.Code != 200 {
		t.Errorf("who came before is removed, too: %d", w.Code)
	}
	if w := l.as(last.Token, "GET", "/me", ""); w.Code != 403 {
		t.Errorf("who came since is still there: %d", w.Code)
	}
}

// TestClearedClassIsOpenAtOnce: when the teacher has removed all who came since a moment, from one network as many as
// may in a minute, those who sit in the same room join without waiting for the minute's end, and are bounded anew.
func TestClearedClassIsOpenAtOnce(t *testing.T) {
	t.Parallel()
	for home, h := range homes(t) {
		l := begin(t, h)
		join := func() int { return from(h, "203.0.113.9:1", "POST", l.path+"/students", `{}`).Code }
		codes := map[int]int{}
		for range class.JoinsAMinute + 50 {
			codes[join()]++
		}
		if codes[201] != class.JoinsAMinute || codes[429] != 50 {
			t.Fatalf("%s: %v", home, codes)
		}
		w := l.as(l.key, "DELETE", fmt.Sprint("/students?since=", int64(1)<<50), "")
		if w.Code != 200 || join() != 429 {
			t.Errorf("%s: nobody was removed, and more may join: %d", home, w.Code)
		}
		gone := answerOf[map[string]int](t, l.as(l.key, "DELETE", "/students?since=0", ""), 200)
		for range class.JoinsAMinute + 50 {
			codes[join()]++
		}
		if gone["removed"] != class.JoinsAMinute || codes[201] != 2*class.JoinsAMinute || codes[429] != 100 {
			t.Errorf("%s: removed %v, then %v", home, gone, codes)
		}
	}
}

// TestRemovedFreeTheirPlaces: a class that is full takes others when some have been removed, each with a name that no
// other has.
func TestRemovedFreeTheirPlaces(t *testing.T) {
	t.Parallel()
	h, _, _ := clocked(t)
	l := begin(t, h)
	names := map[string]bool{}
	n := 0
	join := func() *httptest.ResponseRecorder {
		n++
		w := from(h, fmt.Sprintf("10.%d.%d.1:1", n/250, n%250), "POST", l.path+"/students", `{}`)
		if w.Code == 201 {
			names[answerOf[course.Joined](t, w, 201).Student.Name] = true
		}
		return w
	}
	for range course.MaxStudents {
		if w := join(); w.Code != 201 {
			t.Fatalf("student %d: %d %s", n, w.Code, w.Body)
		}
	}
	wantProblem(t, join(), http.StatusConflict)
	for i := range 5 {
		if w := l.as(l.key, "DELETE", fmt.Sprint("/students/", i+1), ""); w.Code != 204 {
			t.Fatal(w.Code, w.Body)
		}
	}
	for range 5 {
		if w := join(); w.Code != 201 {
			t.Errorf("in place of a removed one: %d %s", w.Code, w.Body)
		}
	}
	if w := join(); w.Code != 409 || len(names) != course.MaxStudents+5 {
		t.Errorf("then: %d, and there are %d names", w.Code, len(names))
	}
}

// TestOneSenderCannotTakeAllClasses: a network begins so many classes a day, and others go on.
func TestOneSenderCannotTakeAllClasses(t *testing.T) {
	h, _, now := clocked(t)
	begun := func(address string) int {
		return from(h, address, "POST", "/api/v1/classes", `{"assignment":"hadar-vs-gavel"}`).Code
	}
	for i := range class.MaxBegun {
		if code := begun("203.0.113.9:1"); code != 201 {
			t.Fatalf("class %d: %d", i, code)
		}
	}
	if one, other := begun("203.0.113.10:1"), begun("198.51.100.1:1"); one != 429 || other != 201 {
		t.Errorf("one more: %d, another network's: %d", one, other)
	}
	now.Add(25 * time.Hour.Milliseconds())
	if code := begun("203.0.113.9:1"); code != 201 {
		t.Errorf("the day after: %d", code)
	}
}

// TestAnotherClassOpensNothing: token and key of one class, on every request of another.
func TestAnotherClassOpensNothing(t *testing.T) {
	for home, h := range homes(t) {
		mine, other := begin(t, h), begin(t, h)
		student := other.join().Token
		own := mine.join().Token
		mine.phase(course.Predict)
		other.phase(course.Predict)
		for _, r := range classRequests {
			if r.token == "" {
				continue
			}
			method, path, _ := strings.Cut(r.op, " ")
			path = strings.NewReplacer("{n}", "1", "{seq}", "1").Replace(path)
			tokens := map[string]string{"another class's student": student, "another class's key": other.key,
				"none":   "",
				"a hash": strings.Repeat("0", 64)}
			if r.token == "key" {
				tokens["a student"] = own
			} else {
				tokens["the key"] = mine.key
			}
			for whose, token := range tokens {
				if w := mine.as(token, method, path, r.body); w.Code != 403 {
					t.Errorf("%s: %s by %s: %d %s", home, r.op, whose, w.Code, w.Body)
				}
			}
		}
		if u := mine.board(0); len(u.Students) != 1 || u.Students[0].Removed || len(u.Entries) != 0 ||
			u.State.Phase != course.Predict {
			t.Errorf("%s: the class is changed: %+v", home, u)
		}
	}
}

// TestHostileTexts: SQL, script, formulas and paths in every field stay text, and come back as JSON or quoted cells.
func TestHostileTexts(t *testing.T) {
	for home, h := range homes(t) {
		l := begin(t, h)
		for i, text := range []string{`'); DROP TABLE classes; --`, `" OR "1"="1`, `<script>alert(1)</script>`,
			`=cmd|' /C calc'!A0`,
			`@SUM(1)`, `../../etc/passwd`, `%' UNION SELECT key FROM classes --`, "+x\u2028y", `\u0000`} {
			quoted, _ := json.Marshal(text)
			w := do(h, "POST", l.path+"/students", `{"tag":`+string(quoted)+`}`)
			j := answerOf[course.Joined](t, w, 201)
			if j.Student.Tag != text || w.Header().Get("Content-Type") != "application/json" ||
				w.Header().Get("X-Content-Type-Options") != "nosniff" || strings.Contains(w.Body.String(), "<script>") {
				t.Errorf("%s: %q came back as %s", home, text, w.Body)
			}
			l.phase(course.Predict)
			l.as(j.Token, "POST", "/entries", predicted)
			l.phase(course.Run)
			e := answerOf[course.Entry](t, l.as(j.Token, "POST", "/entries",
				`{"kind":"sentence","text":`+string(quoted)+`}`), 201)
			if e.Text != text {
				t.Errorf("%s: the sentence %q is %q", home, text, e.Text)
			}
			for _, body := range []string{`{"kind":` + string(quoted) + `}`,
				`{"kind":"answers","answers":{` + string(quoted) +
					`:{"option":` + string(quoted) + `,"sure":1}}}`} {
				if w := l.as(j.Token, "POST", "/entries", body); w.Code != 422 && w.Code != 409 {
					t.Errorf("%s: %s: %d", home, body, w.Code)
				}
			}
			for _, method := range []string{"GET", "DELETE", "PATCH"} {
				path := "/api/v1/classes/" + strings.NewReplacer("%", "%25", "/", "%2f", " ", "%20", `"`, "%22",
					"\\", "%5c",
					"\u2028", "%E2%80%A8", "<", "%3c", ">", "%3e", "|", "%7c").Replace(text)
				if w := do(h, method, path, "{}", "Authorization", "Bearer "+text, "Content-Type",
					"application/json"); w.Code != 404 &&
					w.Code != 429 {
					t.Errorf("%s: %s %s: %d", home, method, path, w.Code)
				}
			}
			if u := l.board(0); len(u.Students) != i+1 {
				t.Fatalf("%s: after %q: %d students", home, text, len(u.Students))
			}
		}
		for _, file := range []string{"/students.csv", "/attempts.csv"} {
			w := l.as(l.key, "GET", file, "")
			if !strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment;") {
				t.Errorf("%s %s: shown in the page", home, file)
			}
			for _, cell := range strings.FieldsFunc(w.Body.String(), func(c rune) bool {
				return c == ',' ||
					c == '\n'
			}) {
				if cell = strings.TrimPrefix(cell, `"`); cell != "" && strings.ContainsRune("=+@", rune(cell[0])) {
					t.Errorf("%s %s: a cell begins %q", home, file, cell)
				}
			}
		}
		for _, path := range []string{"/api/v1/classes/../../../etc/passwd", l.path + "/..%2f..%2fhadarlab.db",
			l.path + "/students.csv%00.html", l.path + "/students/1;DELETE/pass", l.path + "/students/-1/pass"} {
			if w := do(h, "GET", path, ""); w.Code == 200 {
				t.Errorf("%s %s: %d", home, path, w.Code)
			}
		}
	}
}

// TestForgedAndReplayedEntries: the server alone says when, who and in which order, and what is sent twice is there
// once.
func TestForgedAndReplayedEntries(t *testing.T) {
	for home, h := range homes(t) {
		l := begin(t, h)
		one, two := l.join(), l.join()
		l.phase(course.Predict)
		before := time.Now().UnixMilli()
		forged := strings.Replace(predicted, `{"kind"`,
			`{"seq":999,"student":2,"at_ms":1,"phase":"lobby","hash":"x","verdict":"verified","changes":[{"path":"/x"}],"text":"t","kind"`, 1)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if w := l.as(one.Token, "POST", "/entries", forged); w.Code != 201 {
					t.Errorf("%s: %d %s", home, w.Code, w.Body)
				}
			})
		}
		all.Wait()
		u := l.board(0)
		if len(u.Entries) != 1 {
			t.Fatalf("%s: %d entries", home, len(u.Entries))
		}
		e := u.Entries[0]
		if e.Student != 1 || e.Seq > 10 || e.AtMS < before || e.Phase != course.Predict || len(e.Hash) != 20 ||
			e.Verdict != "" ||
			e.Changes != nil || e.Text != "" {
			t.Errorf("%s: %+v", home, e)
		}
		// another's same answers are theirs
		answerOf[course.Entry](t, l.as(two.Token, "POST", "/entries", predicted), 201)
		if u := l.board(u.State.Seq); len(u.Entries) != 1 || u.Entries[0].Hash == e.Hash {
			t.Errorf("%s: %+v", home, u.Entries)
		}
	}
}

// TestTamperedResults: what a page claims is run again: a prettier figure differs, another engine is told, and what is
// no change the task allows is refused.
func TestTamperedResults(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	l := begin(t, n)
	good := changed(t, "/scenario/round_s", 480)
	var claim course.Handed
	if err := json.Unmarshal([]byte(good), &claim); err != nil {
		t.Fatal(err)
	}
	l.phase(course.Predict)
	var students []string
	for range 4 {
		j := l.join()
		students = append(students, j.Token)
		l.as(j.Token, "POST", "/entries", predicted)
	}
	l.phase(course.Change)
	hand := func(student int, change func(h *course.Handed)) *httptest.ResponseRecorder {
		h := claim
		h.Lanes = slices.Clone(claim.Lanes)
		change(&h)
		b, _ := json.Marshal(h)
		return l.as(students[student], "POST", "/entries", string(b))
	}
	hand(0, func(h *course.Handed) {})
	hand(1, func(h *course.Handed) { h.Lanes[1].Figures.AvgJCTS = 1 })
	hand(2, func(h *course.Handed) { h.Lanes[0].TraceHash = strings.Repeat("0", 64) })
	hand(3, func(h *course.Handed) { h.Engine = "0.0.9" })
	for _, bad := range []func(h *course.Handed){
		func(h *course.Handed) { h.Lanes[0].Policy = "<b>" },
		func(h *course.Handed) { h.Lanes = append(h.Lanes, h.Lanes[0]) },
		func(h *course.Handed) { h.Engine = "" },
		func(h *course.Handed) { h.Scenario = usual(t).Scenario },
		func(h *course.Handed) { h.Scenario = []byte(`{"kind":"scenario"}`) },
		func(h *course.Handed) {
			h.Scenario = []byte(strings.Replace(string(h.Scenario), `"steps":18000`, `"steps":18001`, 1))
		},
	} {
		if w := hand(0, bad); w.Code != 422 {
			t.Errorf("got %d: %s", w.Code, w.Body)
		}
	}
	want := []string{course.Verified, course.Differs, course.Differs, course.Other}
	for ; ; time.Sleep(time.Millisecond) {
		var got []string
		for _, e := range l.board(0).Entries {
			if e.Kind == course.Submission {
				got = append(got, fmt.Sprint(e.Student, e.Verdict))
			}
		}
		slices.Sort(got)
		if slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, course.Pending) }) {
			continue
		}
		for i := range want {
			if len(got) != 4 || got[i] != fmt.Sprint(i+1, want[i]) {
				t.Fatalf("verdicts %q, want %q", got, want)
			}
		}
		break
	}
}

// TestPendingIsTakenUpAgain: what had no verdict when the server ended gets one from the next, each student's latest.
func TestPendingIsTakenUpAgain(t *testing.T) {
	store := newStore(t)
	edge := newHandler(t, worker.Options{Store: store})
	l := begin(t, edge)
	token := l.join().Token
	l.phase(course.Predict)
	l.as(token, "POST", "/entries", predicted)
	l.phase(course.Change)
	older := answerOf[course.Entry](t, l.as(token, "POST", "/entries", changed(t, "/scenario/round_s", 480)), 201)
	e := answerOf[course.Entry](t, l.as(token, "POST", "/entries", changed(t, "/scenario/overheads/restart_s", 30)),
		201)
	l.h = newNative(t, runs.Options{Store: store}, false)
	u := l.judged("native", e)
	if i := slices.IndexFunc(u.Entries,
		func(x course.Entry) bool { return x.Hash == older.Hash }); u.Entries[i].Verdict !=
		course.Pending {
		t.Errorf("the older one is %+v", u.Entries[i])
	}
}

// TestClassEnds: a code opens nothing to newcomers after a day, and everything goes after 120.
func TestClassEnds(t *testing.T) {
	h, classes, now := clocked(t)
	l := begin(t, h)
	token := l.join().Token
	empty := begin(t, h)
	now.Add(25 * time.Hour.Milliseconds())
	if w := do(h, "POST", l.path+"/students", `{}`); w.Code != 409 {
		t.Errorf("joining the day after: %d %s", w.Code, w.Body)
	}
	if w := l.as(token, "GET", "/me", ""); w.Code != 200 {
		t.Errorf("coming back the day after: %d %s", w.Code, w.Body)
	}
	if _, err := classes.Expire(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w := empty.as(empty.key, "GET", "/board", ""); w.Code != 404 {
		t.Errorf("a class that nobody joined: %d", w.Code)
	}
	if u := l.board(0); u.GoneMS-u.CreateMS != 120*24*time.Hour.Milliseconds() {
		t.Errorf("it goes at %d", u.GoneMS)
	}
	now.Add(119 * 24 * time.Hour.Milliseconds())
	if gone, err := classes.Expire(t.Context()); gone != 1 || err != nil {
		t.Errorf("after 120 days: %d %v", gone, err)
	}
	if w := l.as(l.key, "GET", "/board", ""); w.Code != 404 {
		t.Errorf("after 120 days: %d", w.Code)
	}
}

// TestClassIsBounded: students and entries of a class, and what one student asks for.
func TestClassIsBounded(t *testing.T) {
	n := newNative(t, runs.Options{}, false, gate.Options{Each: queue.Rate{Burst: 250, PerSecond: 1e-9},
		All: queue.Rate{Burst: 2000, PerSecond: 1}})
	l := begin(t, n)
	one, two := l.join().Token, l.join().Token
	l.phase(course.Predict)
	l.as(one, "POST", "/entries", predicted)
	l.phase(course.Run)
	say := func(i int) *httptest.ResponseRecorder {
		return l.as(one, "POST", "/entries", fmt.Sprintf(`{"kind":"sentence","text":"because %d"}`, i))
	}
	for i := range class.MaxEntries - 1 {
		if w := say(i); w.Code != 201 {
			t.Fatalf("sentence %d: %d %s", i, w.Code, w.Body)
		}
	}
	for i := range 60 {
		want := 409
		if i >= 50 {
			want = 429 // the student's bucket is empty
		}
		if w := say(1000 + i); w.Code != want {
			t.Fatalf("beyond, %d: %d %s", i, w.Code, w.Body)
		}
	}
	if w := l.as(two, "GET", "/me", ""); w.Code != 200 {
		t.Errorf("another student: %d %s", w.Code, w.Body)
	}
	answerOf[course.State](t, l.as(l.key, "PATCH", "", `{"locked":true}`), 200)
	if w := do(n, "POST", l.path+"/students", `{}`); w.Code != 409 {
		t.Errorf("joining a locked class: %d", w.Code)
	}
}

// TestForeignPagesCannotWrite: a form of another site is refused, and no answer lets a foreign page read it.
func TestForeignPagesCannotWrite(t *testing.T) {
	h := newHandler(t, worker.Options{})
	l := begin(t, h)
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"} {
		for _, path := range []string{"/api/v1/classes", l.path + "/students", l.path + "/recover"} {
			w := do(h, "POST", path, `{"assignment":"hadar-vs-gavel"}`, "Content-Type", kind, "Origin",
				"http://evil.example")
			if w.Code != 415 {
				t.Errorf("%s as %s: %d", path, kind, w.Code)
			}
		}
	}
	for _, method := range []string{"GET", "OPTIONS", "DELETE"} {
		w := do(h, method, l.path, "", "Origin", "http://evil.example", "Access-Control-Request-Headers",
			"authorization")
		for name := range w.Header() {
			if strings.HasPrefix(name, "Access-Control") {
				t.Errorf("%s answers %s", method, name)
			}
		}
	}
}

// TestBoardMissesNothing: whatever comes at once, who asks for what came after the last answer has everything.
func TestBoardMissesNothing(t *testing.T) {
	n := newNative(t, runs.Options{}, false)
	l := begin(t, n)
	l.phase(course.Predict)
	l.phase(course.Run)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for k := range 10 {
				token := l.join().Token
				l.as(token, "POST", "/entries", predicted)
				l.as(token, "POST", "/entries", fmt.Sprintf(`{"kind":"sentence","text":"%d of %d"}`, k, i))
			}
		})
	}
	over := make(chan struct{})
	go func() { all.Wait(); close(over) }()
	students, entries := map[int]bool{}, map[string]bool{}
	after, last := int64(0), false
	for {
		u := l.board(after)
		for _, s := range u.Students {
			students[s.N] = true
		}
		for _, e := range u.Entries {
			entries[e.Hash] = true
		}
		if u.State.Seq < after {
			t.Fatalf("seq %d after %d", u.State.Seq, after)
		}
		after = u.State.Seq
		if last {
			break
		}
		select {
		case <-over:
			last = true
		default:
		}
	}
	if len(students) != 80 || len(entries) != 160 {
		t.Errorf("%d students and %d entries of 80 and 160", len(students), len(entries))
	}
}
