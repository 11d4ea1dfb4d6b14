//go:build !js

package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	course "hadarlab/core/class"
	"hadarlab/scenarios"
	"hadarlab/worker"
	"hadarlab/worker/runs"
)

// twin is one of two classes whose assignments differ in what is right, in what explains it, and in what is the
// teacher's alone.
type twin struct {
	*lesson
	students []course.Joined
	shared   string // id of the class's scenario among those that people share
	own      bool   // it is a homework
}

// twins begin on one server, as homeworks where there are hours.
func twins(t *testing.T, h http.Handler, hours course.Hours) (out [2]*twin) {
	t.Helper()
	doc, _ := scenarios.Assignment("hadar-vs-gavel")
	for i := range out {
		a, diags := course.Parse(doc)
		if a == nil {
			t.Fatal(diags)
		}
		one, other := "a", "b"
		if i == 1 {
			one, other = other, one
		}
		a.Questions = append(a.Questions, course.Question{ID: "why", Text: "Why?", Kind: course.Fixed, Right: one,
			Again: true, Options: []course.Option{{ID: "a", Text: "Because"}, {ID: "b", Text: "Therefore"}}})
		q := &a.Questions[len(a.Questions)-1]
		wrong := q.Option(other)
		wrong.Idea, wrong.Preset = "It is "+one, "odd-gpus-out"
		a.Questions[0].Options[1].Idea = "It is " + one
		more := *a.Task.Works[0].To + float64(i)
		a.Task.Works[0].To, a.Task.Text = &more, "It is "+one
		for k := range a.Plan {
			a.Plan[k].Teacher = "It is " + one
		}
		body, _ := json.Marshal(struct {
			Assignment *course.Assignment `json:"assignment"`
			course.Hours
		}{a, hours})
		c := answerOf[course.Created](t, do(h, "POST", "/api/v1/classes", string(body)), 201)
		w := &twin{lesson: &lesson{t, h, "/api/v1/classes/" + c.Code, c.Key}}
		w.students = []course.Joined{w.join(), w.join()}
		id := answerOf[struct{ ID string }](t, do(h, "POST", "/api/v1/scenarios", string(a.Scenario)), 201)
		w.shared = id.ID
		out[i] = w
	}
	return out
}

const (
	answeredWhy = `{"kind":"answers","answers":{"sooner":{"option":"gavel-las","sure":5},"by":{"option":"10-30","sure":2},` +
		`"why":{"option":"a","sure":5}}}`
	votedWhy = `{"kind":"vote","answers":{"sooner":{"option":"hadar","sure":4},"why":{"option":"b","sure":1}}}`
)

// chance is what differs between any two classes: secrets, receipts and times.
var chance = regexp.MustCompile(`[0-9a-f]{20,}|[0-9a-hjkmnp-tv-z]{26}|"(code|name)":"[^"]*"|"names":\[[^]]*\]|` +
	`_ms":\d+|"id":"[^"]*","cancel_token"`)

// untilEvent hangs up on a stream when its first event is there.
type untilEvent struct {
	*httptest.ResponseRecorder
	hangUp func()
}

func (u untilEvent) Write(b []byte) (int, error) {
	n, err := u.ResponseRecorder.Write(b)
	if strings.Contains(u.Body.String(), "\ndata: ") && strings.HasSuffix(u.Body.String(), "\n\n") {
		u.hangUp()
	}
	return n, err
}

// ask gives everything that an address answers, and of a stream how the class stands.
func (w *twin) ask(method, path, token, body string) string {
	ctx, hangUp := context.WithCancel(w.t.Context())
	defer hangUp()
	code := strings.TrimPrefix(w.path, "/api/v1/classes/")
	path = strings.NewReplacer("{code}", code, "{n}", "1", "{seq}", "1", "{id}", w.shared, "{other}", w.shared,
		"{lane}", "0").Replace(path)
	r := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	out := httptest.NewRecorder()
	w.h.ServeHTTP(untilEvent{out, hangUp}, r)
	said := fmt.Sprintln(out.Code, out.Header().Get("Content-Type"), out.Header().Get("Location"), out.Body)
	said = strings.ReplaceAll(said, code, "CODE")
	for _, st := range w.students {
		said = strings.ReplaceAll(said, st.Token, "TOKEN")
	}
	return chance.ReplaceAllString(said, "_")
}

// addresses are all methods and paths of the interface, and what else a page asks for, but for the assignment that ends
// what is compared.
func addresses(t *testing.T) (out [][2]string) {
	var doc struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(worker.OpenAPI(), &doc); err != nil {
		t.Fatal(err)
	}
	for path, ops := range doc.Paths {
		for method := range ops {
			if slices.Contains([]string{"get", "post", "put", "patch", "delete"}, method) {
				out = append(out, [2]string{strings.ToUpper(method), path})
			}
		}
	}
	for _, page := range []string{"/join", "/board", "/web/join.js", "/s/{id}/card.png", "/cards/{id}.png"} {
		out = append(out, [2]string{"GET", page})
	}
	slices.SortFunc(out, func(a, b [2]string) int { return strings.Compare(a[1]+a[0], b[1]+b[0]) })
	return out
}

// telling is what no answer about a class has before what is right is told.
var telling = []string{`"right":"a`, `"right":"b`, `"right":"hadar`, `"right":"1`, `"winner":"g`, `"winner":"h`,
	`"truth":`, `"idea":"`, `"works":[`, `"teacher":"`, `"svg":`, `"verdict":"`, `"lanes":[`}

// task is a homework's, which who has answered reads.
var task = regexp.MustCompile(`"task":\{[^}]*\},`)

// differ asks every address for both twins, with the code alone and as each student, and tells what differs between
// them, or has what nothing has before that is told. Every student but the idle one sends what hands says. Who has
// answered a homework may read its task, and nothing else that differs.
func differ(t *testing.T, pair [2]*twin, told bool, idle int, hands ...string) (out []string) {
	for _, a := range addresses(t) {
		for s := -1; s < len(pair[0].students); s++ {
			bodies := []string{`{}`}
			if strings.HasSuffix(a[1], "/entries") && s != idle {
				bodies = hands
			}
			for _, body := range bodies {
				var said [2]string
				for i, w := range pair {
					token := ""
					if s >= 0 {
						token = w.students[s].Token
					}
					said[i] = w.ask(a[0], a[1], token, body)
					if w.own && s >= 0 && s != idle && a[1] == "/api/v1/classes/{code}/assignment" {
						said[i] = task.ReplaceAllString(said[i], "")
					}
				}
				if said[0] != said[1] {
					out = append(out, fmt.Sprintf("%s %s, student %d:\n%.1500s\n%.1500s", a[0], a[1], s, said[0],
						said[1]))
				}
				for _, tells := range telling {
					if strings.Contains(a[1], "/classes") && !told && strings.Contains(said[0], tells) {
						out = append(out, fmt.Sprintf("%s %s, student %d, has %s", a[0], a[1], s, tells))
					}
				}
			}
		}
	}
	return out
}

// tell releases what is right of both twins, which has to be heard by the addresses that tell it.
func tell(t *testing.T, pair [2]*twin, by course.Phase) {
	t.Helper()
	for _, w := range pair {
		w.phase(by)
	}
	told := strings.Join(differ(t, pair, true, -2, answeredWhy, votedWhy), "\n")
	for _, path := range []string{"{code}/assignment", "{code}/me"} {
		if !strings.Contains(told, "GET /api/v1/classes/"+path) {
			t.Errorf("%s does not tell by %s: %s", by, path, told)
		}
	}
}

// TestNothingTellsBeforeTheRun: what a student reaches, with a token or with the code alone, is the same for two
// classes that differ in what is right alone, in every phase before the run; from the run on it is not.
func TestNothingTellsBeforeTheRun(t *testing.T) {
	for home, h := range homes(t) {
		t.Run(home, func(t *testing.T) {
			pair := twins(t, h, course.Hours{})
			for _, phase := range []course.Phase{course.Lobby, course.Predict, course.Discuss, course.VoteAgain} {
				for _, w := range pair {
					w.phase(phase)
				}
				for _, told := range differ(t, pair, false, -2, answeredWhy, votedWhy) {
					t.Errorf("in %s: %s", phase, told)
				}
				for _, w := range pair { // the teacher shows first votes as bars
					answerOf[course.State](t, w.as(w.key, "PATCH", "", `{"revealed":["sooner","by","why"]}`), 200)
				}
				for _, told := range differ(t, pair, false, -2, answeredWhy, votedWhy) {
					t.Errorf("in %s, with bars: %s", phase, told)
				}
				for _, w := range pair { // a larger run would tell it to everybody
					if got := w.as(w.key, "POST", "/larger", `{"replicates":2}`); got.Code != 409 {
						t.Errorf("a larger run in %s: %d %s", phase, got.Code, got.Body)
					}
				}
			}
			for _, w := range pair {
				me := answerOf[course.Me](t, w.as(w.students[0].Token, "GET", "/me", ""), 200)
				if len(me.Entries) != 2 || len(me.Tallies) != 3 {
					t.Fatalf("nothing was to be told: %+v", me)
				}
			}
			tell(t, pair, course.Run)
			for _, w := range pair { // one scenario, one picture: its address was among those that told nothing
				p := answerOf[course.Drawing](t, w.as(w.students[0].Token, "GET", "/picture", ""), 200)
				if len(p.Lanes) != 2 || !strings.HasPrefix(p.SVG, "<svg ") {
					t.Errorf("the run shows no runs: %+v", p)
				}
			}
		})
	}
}

// TestNothingTellsBeforeTheFeedback: the same of two homeworks, before they open, while students answer, change and
// write, when their submissions are judged, and when they have closed; the feedback tells it. Who has answered reads
// the task, who has not does not.
func TestNothingTellsBeforeTheFeedback(t *testing.T) {
	for home, h := range homes(t) {
		t.Run(home, func(t *testing.T) {
			now := time.Now()
			pair := twins(t, h, course.Hours{OpensMS: now.Add(time.Hour).UnixMilli(),
				ClosesMS: now.Add(2 * time.Hour).UnixMilli()})
			const idle = 2
			for _, w := range pair {
				w.own, w.students = true, append(w.students, w.join())
			}
			sent := [2]string{changed(t, "/scenario/round_s", 480)}
			sent[1] = strings.Replace(sent[0], `"avg_jct_s":`, `"avg_jct_s":1,"was":`, 1) // forged
			check := func(when string, hands ...string) {
				t.Helper()
				for _, told := range differ(t, pair, false, idle, hands...) {
					t.Errorf("%s: %s", when, told)
				}
			}
			set := func(body string) {
				for _, w := range pair {
					answerOf[course.State](t, w.as(w.key, "PATCH", "", body), 200)
				}
			}
			reads := func(student int) bool {
				w := pair[0].as(pair[0].students[student].Token, "GET", "/assignment", "")
				return answerOf[course.Assignment](t, w, 200).Task.Text != ""
			}
			check("before it opens", answeredWhy, votedWhy, sent[0], sentence)
			set(`{"opens_ms":0}`)
			if reads(0) {
				t.Error("who has not answered reads the task")
			}
			check("as it opens", answeredWhy, votedWhy)
			if !reads(0) || reads(idle) {
				t.Error("it is not who has answered who reads the task")
			}
			for i, w := range pair {
				e := answerOf[course.Entry](t, w.as(w.students[0].Token, "POST", "/entries", sent[i]), 201)
				for home == "native" && w.kept(e.Hash).Verdict == course.Pending {
					time.Sleep(time.Millisecond)
				}
			}
			check("when one is judged", answeredWhy, sentence)
			for i, w := range pair {
				me := answerOf[course.Me](t, w.as(w.students[0].Token, "GET", "/me", ""), 200)
				want, e := []string{course.Verified, course.Differs}[i], w.kept(me.Entries[1].Hash)
				if home == "native" && e.Verdict != want {
					t.Errorf("the board has %+v, want it %s", e, want)
				}
			}
			set(`{"closes_ms":1}`)
			check("when it has closed", answeredWhy, changed(t, "/scenario/round_s", 600), sentence)
			tell(t, pair, course.Closed)
		})
	}
}

// TestClassOfBefore: a class that was kept in the order of before, run before discussion, goes on in it: what was told
// stays told, the lab open, the vote after the discussion a vote, what counted counts.
func TestClassOfBefore(t *testing.T) {
	store := newStore(t)
	n := newNative(t, runs.Options{Store: store}, false)
	doc, _ := scenarios.Assignment("hadar-vs-gavel")
	a, _ := course.Parse(doc)
	step := func(p course.Phase) course.Step {
		return a.Plan[slices.IndexFunc(a.Plan, func(s course.Step) bool { return s.Phase == p })]
	}
	a.Plan = []course.Step{step(course.Lobby), step(course.Predict), step(course.Run), step(course.Discuss),
		step(course.Change), step(course.Closed)}
	body, _ := json.Marshal(map[string]any{"assignment": a})
	c := answerOf[course.Created](t, do(n, "POST", "/api/v1/classes", string(body)), 201)
	l := &lesson{t, n, "/api/v1/classes/" + c.Code, c.Key}
	one, late := l.join(), l.join()
	l.phase(course.Predict)
	if w := l.as(one.Token, "POST", "/entries", voted); w.Code != 409 {
		t.Errorf("a vote before its time: %d", w.Code)
	}
	answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries", predicted), 201)
	l.phase(course.Run)
	l.phase(course.Discuss)
	e := answerOf[course.Entry](t, l.as(one.Token, "POST", "/entries", voted), 201)
	answerOf[course.Entry](t, l.as(late.Token, "POST", "/entries", predicted), 201)
	u := l.board(0)
	tally := a.Tally(u.Truth, u.Students, u.Entries)
	if first, then, of := tally.Questions[0].RightTwice(); e.Practice || first != 0 || then != 1 || of != 1 ||
		tally.Committed != 1 || tally.Practised != 1 {
		t.Errorf("%+v", tally)
	}
}
