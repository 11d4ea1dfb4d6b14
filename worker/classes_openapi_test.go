//go:build !js

package worker_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	course "hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/worker"
	"hadarlab/worker/class"
)

// classRequest is a good request of every operation of a class but the first. Path and token are put in.
type classRequest struct {
	op, body string
	token    string // "key", "student" or ""
}

var classRequests = []classRequest{
	{"GET ", "", ""}, {"GET /events", "", ""}, {"GET /assignment", "", ""}, {"GET /wall", "", ""},
	{"POST /students", `{}`, ""},
	{"GET /me", "", "student"}, {"POST /ready", "", "student"}, {"GET /picture", "", "student"},
	{"POST /entries", predicted, "student"}, {"GET /board", "", "key"},
	{"PATCH ", `{"phase":"predict"}`, "key"}, {"POST /students/{n}/pass", "", "key"},
	{"POST /recover", `{"code":"0000 0000"}`, ""}, {"DELETE /students/{n}", "", "key"},
	{"POST /assistant", "", "key"}, {"DELETE /assistant", "", "key"},
	{"DELETE /students", "", "key"},
	{"GET /students.csv", "", "key"}, {"GET /attempts.csv", "", "key"}, {"GET /moves.csv", "", "key"},
	{"GET /record.json", "", "key"},
	{"PUT /verdicts/{seq}", `{"verdict":"differs"}`, "key"}, {"POST /larger", `{"replicates":2}`, "key"},
	{"DELETE /larger", "", "key"}, {"DELETE ", "", "key"},
}

// brokenTable is a table whose every statement fails.
type brokenTable struct{ class.Table }

func (brokenTable) GetClass(context.Context, string) (class.Row, error) {
	return class.Row{}, errors.New("disk I/O error at secret/path")
}
func (brokenTable) AddClass(context.Context, class.Row, string, int, int64) error {
	return errors.New("disk I/O error at secret/path")
}
func (brokenTable) Salt(context.Context, string, int64, int64) (string, error) {
	return "", errors.New("disk I/O error at secret/path")
}
func (brokenTable) ExpireClasses(context.Context, int64, int64, int64, int64) (int64, error) {
	return 0, nil
}

// crowdedTable has no room for another class.
type crowdedTable struct{ brokenTable }

func (crowdedTable) Salt(context.Context, string, int64, int64) (string, error) { return "salt", nil }
func (crowdedTable) Guesses(context.Context, string, string, int64, int64) (int, int64, bool, error) {
	return 0, 0, false, nil
}
func (crowdedTable) Failed(context.Context, string, int64, int64) error { return nil }

func (crowdedTable) AddClass(context.Context, class.Row, string, int, int64) error {
	return class.ErrFull
}

// oneRun takes one larger run and has no room for another, nor for who goes back on it.
type oneRun struct{ taken bool }

var errCrowded = &class.Refusal{Reason: class.Crowded, Detail: "the server is busy"}

func (o *oneRun) Ask(context.Context, string, bool, any) (id, token string, err error) {
	if o.taken {
		return "", "", errCrowded
	}
	o.taken = true
	return strings.Repeat("0", 26), "token", nil
}
func (o *oneRun) Look(context.Context, string) (class.Standing, error) {
	return class.Standing{State: "running", Runs: 4}, nil
}
func (o *oneRun) Leave(context.Context, string, string) error { return errCrowded }

func crowdedRuns(t *testing.T) http.Handler {
	table, ok := newStore(t).(class.Table)
	if !ok {
		t.Fatal("the store keeps no classes")
	}
	s := worker.NewClasses(table, nil, time.Now)
	s.Runs = &oneRun{}
	return newHandler(t, worker.Options{Classes: s})
}

func classHandler(t *testing.T, table class.Table) http.Handler {
	return newHandler(t, worker.Options{Classes: class.New(table, lab.Engine, lab.Defaults(), time.Now, false)})
}

// everyClassAnswer makes the answers that are about classes.
func everyClassAnswer(t *testing.T, n *native, mean, full http.Handler, out map[string]*httptest.ResponseRecorder) {
	const all, one = "/api/v1/classes", "/api/v1/classes/{code}"
	const good = `{"assignment":"hadar-vs-gavel"}`
	note := func(what string, status int, variant string, w *httptest.ResponseRecorder) {
		out[fmt.Sprintf("%s → %d, %s", what, status, variant)] = w
	}
	post := func(h http.Handler, status int, variant, body string, headers ...string) {
		note("POST "+all, status, variant, do(h, "POST", all, body, headers...))
	}
	broken := classHandler(t, brokenTable{})
	post(n, 201, "shipped", good)
	post(n, 400, "", "[]")
	post(n, 413, "", strings.Repeat(" ", course.MaxBytes+2000))
	post(n, 415, "", good, "Content-Type", "text/plain")
	post(n, 422, "no such", `{"assignment":"none"}`)
	post(n, 422, "a faulty document", `{"assignment":{"kind":"assignment"}}`)
	post(mean, 429, "", good)
	post(broken, 500, "", good)
	post(classHandler(t, crowdedTable{}), 503, "", good)
	post(full, 507, "", good)

	l, edge := begin(t, n), begin(t, newHandler(t, worker.Options{}))
	who := map[string]string{"key": l.key, "student": l.join().Token}
	for _, r := range classRequests { // what is refused whatever is asked for
		method, path, _ := strings.Cut(r.op, " ")
		name := method + " " + one + path
		path = strings.NewReplacer("{n}", "99", "{seq}", "99").Replace(path)
		at := func(h http.Handler, code, token, body, kind string) *httptest.ResponseRecorder {
			return do(h, method, "/api/v1/classes/"+code+path, body, "Authorization", "Bearer "+token, "Content-Type",
				kind)
		}
		code := strings.TrimPrefix(l.path, all+"/")
		const json = "application/json"
		note(name, 404, "no class", at(newHandler(t, worker.Options{}), "00000000", who[r.token], r.body, json))
		note(name, 500, "", at(broken, "00000000", who[r.token], r.body, json))
		guessed := newHandler(t, worker.Options{})
		for range 10 {
			do(guessed, "GET", all+"/00000000", "")
		}
		note(name, 429, "too many codes", at(guessed, "00000000", who[r.token], r.body, json))
		if r.token != "" {
			note(name, 403, "", at(n, code, "wrong", r.body, json))
		}
		if r.body != "" {
			note(name, 415, "", at(n, code, who[r.token], r.body, "text/plain"))
			note(name, 400, "", at(n, code, who[r.token], "[", json))
			note(name, 413, "", at(n, code, who[r.token], strings.Repeat(" ", course.MaxBytes+50_000), json))
		}
	}
	ask := func(l *lesson, what string, status int, variant, token, body string) *httptest.ResponseRecorder {
		method, path, _ := strings.Cut(what, " ")
		w := l.as(token, method, path, body)
		path, _, _ = strings.Cut(path, "?")
		path = strings.Replace(path, "/students/1", "/students/{n}", 1)
		if strings.HasPrefix(path, "/verdicts/") {
			path = "/verdicts/{seq}"
		}
		note(method+" "+one+path, status, variant, w)
		return w
	}
	student := who["student"]
	ask(l, "GET ", 200, "", "", "")
	ask(edge, "GET /events", 200, "once", "", "")
	ask(l, "GET /assignment", 200, "", student, "")
	ask(l, "GET /wall", 200, "", "", "")
	ask(l, "POST /students", 201, "", "", `{}`)
	ask(l, "POST /students", 422, "", "", `{"tag":"`+strings.Repeat("x", 41)+`"}`)
	ask(l, "POST /entries", 409, "", student, predicted)
	ask(l, "POST /ready", 204, "", student, "")
	ask(l, "GET /picture", 409, "", student, "")
	ask(l, "PATCH ", 200, "", l.key, `{"phase":"predict"}`)
	ask(l, "PATCH ", 409, "", l.key, `{"wall":{"shows":"lanes"}}`)
	ask(l, "PATCH ", 422, "", l.key, `{"phase":"party"}`)
	ask(l, "POST /entries", 201, "", student, predicted)
	ask(l, "POST /entries", 422, "", student, `{"kind":"poem"}`)
	ask(l, "GET /me", 200, "", student, "")
	ask(l, "GET /board", 200, "", l.key, "")
	ask(l, "GET /board?after=x", 400, "", l.key, "")
	pass := answerOf[course.Pass](t, ask(l, "POST /students/1/pass", 201, "", l.key, ""), 201)
	ask(l, "POST /recover", 200, "", "", fmt.Sprintf(`{"code":%q}`, pass.Code))
	ask(l, "POST /assistant", 201, "", l.key, "")
	ask(l, "DELETE /assistant", 204, "", l.key, "")
	for _, path := range []string{"/students.csv", "/attempts.csv", "/moves.csv", "/record.json"} {
		ask(l, "GET "+path, 200, "", l.key, "")
	}
	ask(l, "PUT /verdicts/1", 409, "", l.key, `{"verdict":"verified"}`)
	ask(edge, "PUT /verdicts/1", 422, "", edge.key, `{"verdict":"fine"}`)
	pupil := edge.join().Token
	edge.phase(course.Predict)
	edge.as(pupil, "POST", "/entries", predicted)
	edge.phase(course.Change)
	e := answerOf[course.Entry](t, edge.as(pupil, "POST", "/entries", changed(t, "/scenario/round_s", 480)), 201)
	ask(edge, fmt.Sprint("PUT /verdicts/", e.Seq), 204, "", edge.key, `{"verdict":"verified"}`)
	ask(edge, "GET /picture", 200, "", pupil, "")
	slow := begin(t, newHandler(t, worker.Options{RunSize: 1})) // it runs nothing as large
	late := slow.join().Token
	slow.phase(course.Run)
	ask(slow, "GET /picture", 204, "", late, "")
	ask(l, "POST /larger", 409, "", l.key, `{"replicates":2}`)
	l.phase(course.Run)
	ask(l, "POST /larger", 422, "", l.key, `{"replicates":1}`)
	ask(l, "POST /larger", 202, "", l.key, `{"replicates":2}`)
	ask(l, "DELETE /larger", 204, "", l.key, "")
	busy := begin(t, crowdedRuns(t))
	busy.phase(course.Run)
	ask(busy, "POST /larger", 202, "", busy.key, `{"replicates":2}`)
	ask(busy, "DELETE /larger", 503, "", busy.key, "")
	other := begin(t, busy.h)
	other.phase(course.Run)
	ask(other, "POST /larger", 503, "", other.key, `{"replicates":2}`)
	ask(l, "DELETE /students/1", 204, "", l.key, "")
	ask(l, "DELETE /students?since=x", 400, "", l.key, "")
	ask(l, "DELETE /students?since=0", 200, "", l.key, "")
	l.phase(course.Closed)
	ask(l, "POST /students", 409, "", "", `{}`)
	ask(l, "DELETE ", 204, "", l.key, "")
}
