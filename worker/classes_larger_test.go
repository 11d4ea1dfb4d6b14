//go:build !js

package worker_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	course "hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/scenarios"
	"hadarlab/worker"
	"hadarlab/worker/away"
	"hadarlab/worker/class"
	"hadarlab/worker/gate"
	"hadarlab/worker/queue"
	"hadarlab/worker/runs"
)

// larger is the larger run of the class, as everybody who knows its code is told.
func (l *lesson) larger() *course.LargerRun {
	l.t.Helper()
	return answerOf[course.State](l.t, do(l.h, "GET", l.path, ""), 200).LargerRun
}

// TestLargerRunOfAClass: natively, and where a message queue stands between two programs, a class has one larger run
// at a time, whose result is that of the engine; everybody is told how far it is, and in the end where it opens.
func TestLargerRunOfAClass(t *testing.T) {
	type home struct {
		h    http.Handler
		work func(r *course.LargerRun) // until it has ended
	}
	n, m := newNative(t, runs.Options{}, false), newMail(t)
	page := worker.NewClasses(m.store.(class.Table), nil, time.Now) // the other Worker's, which has no engine
	page.Runs = &away.Larger{To: away.Within(m.Handler), Gate: gate.New(sameKey),
		Standing: away.Told(m.store.(queue.Table), m.store, m.clock)}
	for name, home := range map[string]home{
		"native": {n, func(r *course.LargerRun) { do(n, "GET", r.Path()+"/events", "") }},
		"edge": {newHandler(t, worker.Options{Store: m.store, Classes: page}),
			func(*course.LargerRun) { m.deliver(1) }},
	} {
		t.Run(name, func(t *testing.T) {
			l := begin(t, home.h)
			l.phase(course.Run)
			for _, wrong := range []string{`{}`, `{"replicates":1}`, `{"replicates":201}`,
				`{"replicates":3,"vary":{"path":"/scenario/round_s","values":[60,120]}}`,
				`{"vary":{"path":"/scenario/round_s","values":[60]}}`,
				`{"vary":{"path":"/scenario/round_s","values":[60,12000]}}`,
				`{"vary":{"path":"/scenario/seed","values":[1,2]}}`,
				`{"jobs480":true,"vary":{"path":"","values":[1,2]}}`} {
				if w := l.as(l.key, "POST", "/larger", wrong); w.Code != 422 {
					t.Errorf("%s: %d %s", wrong, w.Code, w.Body)
				}
			}
			if w := l.as(l.join().Token, "POST", "/larger", `{"replicates":3}`); w.Code != 403 {
				t.Errorf("a student's: %d", w.Code)
			}
			if w := l.as(l.key, "PATCH", "", `{"wall":{"shows":"larger"}}`); w.Code != 422 {
				t.Errorf("a picture of nothing: %d", w.Code)
			}
			for _, body := range []string{`{"replicates":3}`,
				`{"vary":{"path":"/scenario/round_s","values":[60,120,360]}}`} {
				st := answerOf[course.State](t, l.as(l.key, "POST", "/larger", body), 202)
				if r := st.LargerRun; r == nil || r.ID == "" || !r.Ended() && r.Link != "" {
					t.Fatalf("%s: %+v", body, r)
				}
				answerOf[course.State](t, l.as(l.key, "PATCH", "", `{"wall":{"shows":"larger"}}`), 200)
				if l.larger().Lives() {
					if w := l.as(l.key, "POST", "/larger", `{"replicates":4}`); w.Code != 409 {
						t.Errorf("a second one: %d", w.Code)
					}
				}
				home.work(st.LargerRun)
				r := l.larger()
				if !r.Ended() || r.Done != 6 || r.Runs != 6 {
					t.Fatalf("%s: %+v", body, r)
				}
				code, view, _ := strings.Cut(strings.TrimPrefix(r.Link, "#"), "&v=")
				doc, diags := link.Decode(code)
				if diags.HasErrors() || doc.ID(lab.Defaults()) != usual(t).Document().ID(lab.Defaults()) ||
					view != r.View() {
					t.Errorf("the link opens another scenario: %s, %v", r.Link, diags)
				}
				sameAsEngine(t, home.h, r)
				if w := l.as(l.key, "DELETE", "/larger", ""); w.Code != 204 || l.larger() != nil {
					t.Errorf("it stays: %d %+v", w.Code, l.larger())
				}
				if w := l.board(0).State.Wall.Shows; w != "" {
					t.Errorf("the walls show %s", w)
				}
			}
			if w := l.as(l.key, "DELETE", "/larger", ""); w.Code != 404 {
				t.Errorf("nothing is stopped: %d", w.Code)
			}
		})
	}
}

// sameAsEngine compares what stands at the address of a larger run with what the engine makes of it.
func sameAsEngine(t *testing.T, h http.Handler, r *course.LargerRun) {
	t.Helper()
	_, doc, _ := usual(t).Larger(r.Larger)
	req := &message.SweepRequest{Scenario: doc.Marshal(false), Replicates: r.Replicates, LengthNoise: r.Noise}
	if r.Vary != nil {
		req.Vary = []message.Axis{*r.Vary}
	}
	sweep, diags := lab.NewSweep(req)
	if sweep == nil {
		t.Fatal(diags)
	}
	for sweep.Spend(1 << 20) {
	}
	want, _ := sweep.Result()
	body := do(h, "GET", r.Path()+"/result", "")
	var got struct {
		Points  []message.SweepPoint
		Summary *message.Summary
	}
	if err := json.Unmarshal(body.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if r.Vary == nil {
		got.Points = []message.SweepPoint{{Summary: got.Summary}}
	}
	for i := range want.Points {
		if !reflect.DeepEqual(got.Points[i].Summary, asJSON(t, want.Points[i].Summary)) {
			t.Errorf("another summary: %+v", got.Points[i].Summary)
		}
	}
}

// asJSON is what a reader gets of a summary.
func asJSON(t *testing.T, s *message.Summary) (out *message.Summary) {
	t.Helper()
	b, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestLargerRunIsStopped: the board stops it, and with it what the server works on; a class that is deleted does, too.
func TestLargerRunIsStopped(t *testing.T) {
	n := newNative(t, runs.Options{Concurrent: 1}, true)
	for _, path := range []string{"/larger", ""} {
		l := begin(t, n)
		l.phase(course.Run)
		st := answerOf[course.State](t, l.as(l.key, "POST", "/larger", `{"replicates":30}`), 202)
		n.await(st.LargerRun.ID, "running")
		go n.release()
		if w := l.as(l.key, "DELETE", path, ""); w.Code != 204 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if got := n.await(st.LargerRun.ID, "cancelled"); got.Sweep.Done == got.Sweep.Runs {
			t.Errorf("it was worked off: %+v", got)
		}
		n.hold = make(chan struct{})
	}
}

// TestLargerRunGivesWay: it takes a turn of the class, among those of all others, which nobody else can take.
func TestLargerRunGivesWay(t *testing.T) {
	rate := queue.Rate{Burst: 9, PerSecond: 1}
	owner, c := queue.LargerOwner("code"), queue.NewClients([]byte("key"), rate, rate)
	if queue.ForClasses(owner) || !queue.GivesWay(owner) || queue.GivesWay(queue.ClassOwner("code", 1)) {
		t.Error("a larger run keeps submissions from being run again")
	}
	token, now := c.ClassToken("code"), time.Now()
	if a := c.Admit(token, "network", 1, now); a.Owner != owner || a.Token != "" {
		t.Errorf("it takes the turn of %q", a.Owner)
	}
	others := queue.NewClients([]byte("another"), rate, rate)
	for _, forged := range []string{others.ClassToken("code"), "doce" + token[4:], "code.", "code", token + "."} {
		if a := c.Admit(forged, "network", 1, now); strings.HasPrefix(a.Owner, queue.GroupOf(owner)) {
			t.Errorf("%q takes the turn of %q", forged, a.Owner)
		}
	}
}

// TestLargerRunFails: one that is too large is refused in the words of who would run it, and where there is no queue
// the class is told so.
func TestLargerRunFails(t *testing.T) {
	for want, h := range map[string]http.Handler{
		"the most is 20": newNative(t, runs.Options{Size: 20}, false),
		"has no queue":   newHandler(t, worker.Options{}),
	} {
		l := begin(t, h)
		l.phase(course.Run)
		w := l.as(l.key, "POST", "/larger", `{"replicates":20}`)
		if !slices.Contains([]int{409, 422}, w.Code) || !strings.Contains(w.Body.String(), want) || l.larger() != nil {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
}

// TestLargerRunsOfAssignments: the lanes of every shipped assignment can run on the 480 jobs, with the seeds that a
// board offers.
func TestLargerRunsOfAssignments(t *testing.T) {
	for _, id := range scenarios.Assignments {
		text, _ := scenarios.Assignment(id)
		a, _ := course.Parse(text)
		lanes := len(a.Document().Scenario.Policies)
		_, doc, _ := a.Larger(course.Larger{Jobs480: true, Replicates: 20_000 / 480 / lanes})
		if w, diags := lab.NewSweep(&message.SweepRequest{Scenario: doc.Marshal(false), Replicates: 2}); w == nil {
			t.Errorf("%s: %v", id, diags)
		}
	}
}
