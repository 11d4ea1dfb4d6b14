//go:build !js

package worker_test

import (
	"compress/gzip"
	"database/sql"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	course "hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/worker/runs"
	"hadarlab/worker/sqlite"
	"hadarlab/worker/sqlstore"
)

// made is what the program of a commit said of the data that it left; testdata/upgrade/make.py says how it was made.
type made struct {
	Shared, Run, Engine, Sweep, Working, Waiting string
	SweepWaiting                                 string        `json:"sweep_waiting"`
	Lanes                                        []course.Lane // of the run
	Class                                        course.Created
	Students                                     []string // tokens
	Board                                        course.Update
}

// upgraded opens the data of a commit with today's program.
func upgraded(t *testing.T, commit string) (then made, n *native) {
	t.Helper()
	text, err := os.ReadFile("testdata/upgrade/" + commit + ".json")
	if err == nil {
		err = json.Unmarshal(text, &then)
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("testdata/upgrade/" + commit + ".sql.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	dump, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	raw, err := sql.Open("sqlite", filepath.Join(dir, sqlite.File))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.ExecContext(t.Context(), string(dump)); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	// two at once, as the long run that was under way is made anew
	return then, newNative(t, runs.Options{Store: sqlstore.New(db), Concurrent: 2}, false)
}

// TestUpgrade: of data that earlier programs left nothing is lost, nothing old passes for new, and what is asked for
// again is what this program makes of it.
func TestUpgrade(t *testing.T) {
	for _, commit := range []string{"8de8a50", "8906d61"} {
		t.Run(commit, func(t *testing.T) {
			then, n := upgraded(t, commit)
			shared := do(n, "GET", "/api/v1/scenarios/"+then.Shared, "")
			if shared.Code != 200 {
				t.Fatalf("the shared scenario: %d %s", shared.Code, shared.Body)
			}
			for _, kept := range []string{`"title":"Odd GPUs out"`, `"question":"`, `"notes":"`} {
				// 8de8a50 kept no texts by themselves, and its links name none
				if commit != "8de8a50" && !strings.Contains(shared.Body.String(), kept) {
					t.Errorf("the shared scenario has lost %s: %s", kept, shared.Body)
				}
			}
			keptRun(t, n, then)
			again := n.submit("/api/v1/runs", `{"scenario_id":"`+then.Shared+`"}`)
			if again == then.Run {
				t.Fatal("asked for again, the run is that of the earlier program")
			}
			if s := n.await(again, "done"); s.Old || s.Engine != lab.Engine {
				t.Errorf("asked for again: %+v", s)
			}
			today, failed, diags := lab.Run(&message.RunRequest{Scenario: shared.Body.Bytes()})
			if len(failed) > 0 || diags.HasErrors() {
				t.Fatal(failed, diags)
			}
			for i, r := range n.result(again).Runs {
				if r.TraceHash != today.Runs[i].TraceHash || !reflect.DeepEqual(r.Metrics, today.Runs[i].Metrics) {
					t.Errorf("%s run again: %+v, and today it is %+v", r.Policy, r.Metrics, today.Runs[i].Metrics)
				}
			}
			if then.Class.Code != "" {
				keptWork(t, n, then)
				keptClass(t, n, then)
			}
		})
	}
}

// keptRun: a result is there as it was, and says in status and result that another version made it.
func keptRun(t *testing.T, n *native, then made) {
	t.Helper()
	if s := n.status(then.Run); s.State != "done" || !s.Old || s.Engine != then.Engine {
		t.Errorf("the run of before: %+v", s)
	}
	answer := do(n, "GET", "/api/v1/runs/"+then.Run+"/result", "")
	const says = `{"old":"made by engine 0.1.0; this is ` + lab.Engine
	if !strings.HasPrefix(answer.Body.String(), says) || answer.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("the result does not say whose it is: %.200s", answer.Body)
	}
	var lanes []course.Lane
	for _, r := range n.result(then.Run).Runs {
		lanes = append(lanes, course.LaneOf(&r))
	}
	if !slices.Equal(lanes, then.Lanes) {
		t.Errorf("the result has become %+v, and was %+v", lanes, then.Lanes)
	}
	if w := do(n, "GET", "/api/v1/runs/"+then.Run+"/trace/1", ""); w.Code != 200 || w.Body.Len() == 0 {
		t.Errorf("the trace of before: %d %.200s", w.Code, w.Body)
	}
}

// keptWork: a sweep that had ended says whose it is; what was under way or waited ends with why, and names the run that
// asks today's program for the same, which nobody had to send again.
func keptWork(t *testing.T, n *native, then made) {
	t.Helper()
	swept := do(n, "GET", "/api/v1/sweeps/"+then.Sweep, "").Body.String()
	if !strings.Contains(swept, `"state":"done"`) || !strings.Contains(swept, `"old":true`) {
		t.Errorf("the sweep of before: %s", swept)
	}
	for _, c := range []struct{ path, id string }{{"/api/v1/runs/", then.Working}, {"/api/v1/runs/", then.Waiting},
		{"/api/v1/sweeps/", then.SweepWaiting}} {
		path := c.path + c.id
		var s runs.RunStatus
		for ; !over(s.State); time.Sleep(time.Millisecond) {
			s = answerOf[runs.RunStatus](t, do(n, "GET", path, ""), 200)
		}
		if s.State != "failed" || len(s.Errors) != 1 || s.Errors[0].Code != "engine-changed" ||
			s.Next == "" || !strings.Contains(s.Errors[0].Fix.String(), c.path+s.Next) {
			t.Errorf("%s: %+v", path, s)
		}
		next := answerOf[runs.RunStatus](t, do(n, "GET", c.path+s.Next, ""), 200)
		for ; c.id != then.Working && !over(next.State); time.Sleep(time.Millisecond) {
			next = answerOf[runs.RunStatus](t, do(n, "GET", c.path+s.Next, ""), 200)
		}
		if next.Old || next.Engine != lab.Engine || c.id != then.Working && next.State != "done" ||
			next.State == "failed" {
			t.Errorf("%s: next is %+v", path, next)
		}
		if c.id == then.Waiting {
			again := n.submit("/api/v1/runs", `{"scenario_id":"`+then.Shared+`","policies":["srtf","las"]}`)
			if again != s.Next {
				t.Errorf("sent again it is %s, and next is %s", again, s.Next)
			}
		}
	}
}

// keptClass: a class goes on with its students, what it found to be right and its verdicts, says that an earlier
// version found that, and can begin afresh.
func keptClass(t *testing.T, n *native, then made) {
	t.Helper()
	l := &lesson{t: t, h: n, path: "/api/v1/classes/" + then.Class.Code, key: then.Class.Key}
	b := l.board(0)
	for b.Entries[len(b.Entries)-1].Verdict == course.Pending {
		time.Sleep(time.Millisecond)
		b = l.board(0)
	}
	if !b.State.Old || b.State.Engine != then.Engine || b.State.Phase != course.Change ||
		b.State.Counts.Committed != 3 || b.State.Counts.Submitted != 2 {
		t.Errorf("the class: %+v", b.State)
	}
	if !reflect.DeepEqual(b.Truth, then.Board.Truth) || !slices.Equal(b.Students, then.Board.Students) {
		t.Errorf("right was %v, and is %v; students %v, and are %v", then.Board.Truth, b.Truth, then.Board.Students,
			b.Students)
	}
	last := len(then.Board.Entries) // the submission without a verdict came after the board was read
	if len(b.Entries) != last+1 || !reflect.DeepEqual(b.Entries[:last], then.Board.Entries) {
		t.Errorf("the entries were %+v, and are %+v", then.Board.Entries, b.Entries)
	}
	if e := b.Entries[last]; e.Verdict != course.Other || e.Lanes[0].TraceHash != then.Lanes[0].TraceHash {
		t.Errorf("what an earlier version made is told as %+v", e)
	}
	me := answerOf[course.Me](t, l.as(then.Students[2], "GET", "/me", ""), 200)
	if me.Student.Tag != "seat 3" || len(me.Entries) != 1 || !me.State.Old {
		t.Errorf("a student comes back to %+v", me)
	}
	l.as(then.Students[2], "POST", "/entries", changed(t, "/scenario/round_s", 480))
	verdict := course.Pending
	for ; verdict == course.Pending; time.Sleep(time.Millisecond) {
		all := l.board(0).Entries
		verdict = all[len(all)-1].Verdict
	}
	if verdict != course.Verified {
		t.Errorf("a submission of today in a class of before is %s", verdict)
	}
	assignment := l.as(l.key, "GET", "/assignment", "").Body.String()
	fresh := answerOf[course.Created](t, do(n, "POST", "/api/v1/classes", `{"assignment":`+assignment+`}`), 201)
	l = &lesson{t: t, h: n, path: "/api/v1/classes/" + fresh.Code, key: fresh.Key}
	if b := l.board(0); b.State.Old || b.State.Engine != lab.Engine || len(b.State.Revs) != 2 || len(b.Truth) == 0 {
		t.Errorf("a fresh class: %+v %v", b.State, b.Truth)
	}
}

// TestAPatchMakesNothingOld: results are found again by what decides, and what waits goes on, under another patch.
func TestAPatchMakesNothingOld(t *testing.T) {
	for _, c := range []struct {
		engine string
		rev    int
		old    bool
	}{{message.Minor(lab.Engine) + ".99", 1, false}, {lab.Engine, 7, true}, {"0.1.0", 1, true}} {
		result := message.Result{Engine: c.engine, Runs: []message.Lane{{Policy: "fifo", Rev: c.rev}}}
		if got := lab.Old(result.Engine, result.Runs); got != c.old {
			t.Errorf("%+v: old %v", c, got)
		}
	}
}
