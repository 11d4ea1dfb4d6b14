//go:build !js

package worker_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	course "hadarlab/core/class"
	_ "hadarlab/core/policy/own/starlark"
	"hadarlab/scenarios"
	"hadarlab/worker/runs"
)

// written is a submission of the shipped race with a program, with what this engine makes of it.
func written(t *testing.T, program string) string {
	t.Helper()
	text, _ := scenarios.Assignment("write-an-order")
	a, diags := course.Parse(text)
	if a == nil {
		t.Fatal(diags)
	}
	doc := a.Entered(map[string]any{"program": program, "preempt": true})[0]
	return handed(t, doc)
}

// TestARaceOnAServer: what is handed in is run here on the assignment's scenario and on those that nobody sees; places
// follow, names with them; programs and hidden scenarios are told when the class has closed, and not before. Attempts
// are counted.
func TestARaceOnAServer(t *testing.T) {
	h := newNative(t, runs.Options{}, false)
	c := answerOf[course.Created](t, do(h, "POST", "/api/v1/classes", `{"assignment":"write-an-order"}`), 201)
	l := &lesson{t, h, "/api/v1/classes/" + c.Code, c.Key}
	one, two := l.join(), l.join()
	l.phase(course.Predict)
	for _, j := range []course.Joined{one, two} {
		answerOf[course.Entry](t, l.as(j.Token, "POST", "/entries",
			`{"kind":"answers","answers":{"sooner":{"option":"hadar","sure":3}}}`), 201)
	}
	l.phase(course.Change)
	const soonest = "def key(job, cluster):\n    return job.steps_left / max(job.speed, 0.001)\n"
	const faults = "def key(job, cluster):\n    if job.name == \"j16\":\n        fail(\"no such job here\")\n    return job.arrival\n"
	good := answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries", written(t, soonest)), 201)
	if good.Written["program"] != soonest || len(good.Changes) > 0 || good.Verdict != course.Pending {
		t.Errorf("handed in: %+v", good)
	}
	bad := answerOf[course.Entry](t, l.as(two.Token, "POST", "/entries", written(t, faults)), 201)
	l.judged("native", good)
	u := l.judged("native", bad)
	whole, diags := course.ParseRecord(l.as(l.key, "GET", "/record.json", "").Body.Bytes())
	if whole == nil {
		t.Fatal(diags)
	}
	places := map[int]course.Racer{}
	var rivals []string
	for _, r := range whole.Assignment.Racers(u.Students, u.Entries) {
		if places[r.Student] = r; r.Student == 0 {
			rivals = append(rivals, r.Policy)
		}
	}
	if r := places[1]; r.Score <= 0 || r.Score > 0.7 || len(r.Figures) != 4 || r.Tries != 1 {
		t.Errorf("the shortest first came to %+v", r)
	}
	if r := places[2]; r.Score != 0 || r.Broke != course.Unfinished {
		t.Errorf("a program that faults where nobody looks came to %+v", r)
	}
	if got := strings.Join(rivals, " "); got != "hadar fifo" {
		t.Errorf("the rivals are %s", got)
	}
	secret := []string{"Race: one long job first", "job.steps_left / max", "no such job here"}
	asks := func(path, token string) string { return l.as(token, "GET", path, "").Body.String() }
	for _, shows := range []string{"changes", "learned"} {
		answerOf[course.State](t, l.as(l.key, "PATCH", "", fmt.Sprintf(`{"wall":{"shows":%q}}`, shows)), 200)
		for path, token := range map[string]string{"/assignment": two.Token, "/wall": "", "/me": two.Token} {
			for i, text := range secret {
				if told := strings.Contains(asks(path, token), text); told && !(i == 2 && path == "/me") {
					t.Errorf("%s tells %q while the race is on", path, text)
				}
			}
		}
		if scene := asks("/wall", ""); !strings.Contains(scene, one.Student.Name) ||
			strings.Contains(scene, `"student":1`) {
			t.Errorf("the wall's places: %s", scene)
		}
	}
	for range 9 {
		program := soonest + "# " + fmt.Sprint(time.Now().UnixNano())
		answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries", written(t, program)), 201)
	}
	if w := l.as(one.Token, "POST", "/entries", written(t, soonest+"# once more")); w.Code != 409 ||
		!strings.Contains(w.Body.String(), "no-attempts-left") {
		t.Errorf("an eleventh attempt: %d %s", w.Code, w.Body)
	}
	l.phase(course.Closed)
	if !strings.Contains(asks("/assignment", two.Token), secret[0]) || !strings.Contains(asks("/wall", ""), secret[1]) {
		t.Error("a race that is closed does not tell its scenarios and programs")
	}
}

// TestARaceAsHomework: what is hidden and what a program came to are told with the feedback, to the student too.
func TestARaceAsHomework(t *testing.T) {
	h := newNative(t, runs.Options{}, false)
	now := time.Now().UnixMilli()
	body := fmt.Sprintf(`{"assignment":"write-an-order","opens_ms":%d,"closes_ms":%d}`, now, now+hour)
	c := answerOf[course.Created](t, do(h, "POST", "/api/v1/classes", body), 201)
	l := &lesson{t, h, "/api/v1/classes/" + c.Code, c.Key}
	one := l.join()
	answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries",
		`{"kind":"answers","answers":{"sooner":{"option":"hadar","sure":3}}}`), 201)
	e := answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries",
		written(t, "def key(job, cluster):\n    return job.steps_left\n")), 201)
	if e.Verdict != "" || e.Lanes != nil {
		t.Errorf("handed in, the student hears %+v", e)
	}
	l.judged("native", e)
	asks := func(path string) string { return l.as(one.Token, "GET", path, "").Body.String() }
	for _, path := range []string{"/me", "/assignment", "/wall"} {
		for _, secret := range []string{`"races":[`, "Race: one long job first", `"score":`} {
			if strings.Contains(asks(path), secret) {
				t.Errorf("before the feedback %s has %s", path, secret)
			}
		}
	}
	l.phase(course.Closed)
	if !strings.Contains(asks("/me"), `"races":[`) ||
		!strings.Contains(asks("/assignment"), "Race: one long job first") {
		t.Error("with the feedback it is not told")
	}
}
