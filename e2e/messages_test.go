package e2e

import (
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	messages = flag.Int("messages", 40, "points of the sweep during which the edge runtime is killed")
	kills    = flag.Int("kills", 1, "how often it is")
)

// gridOf is the body of a sweep of n points.
func gridOf(title string, seed, n int) string {
	values := make([]string, n)
	for i := range values {
		values[i] = strconv.Itoa(60 + i)
	}
	return `{"scenario":` + strings.Replace(small(title, seed), `"steps":9000`, `"steps":900000`, 1) +
		`,"policies":["hadar","srtf"],"vary":[{"path":"/scenario/round_s","values":[` + strings.Join(values, ",") + `]}]}`
}

// asked is how long after one look at the edge comes the next: looks take its one processor from the work.
const asked = 300 * time.Millisecond

// pointsDone is how many points of a sweep under two policies are done.
func pointsDone(t *testing.T, s *server, at string) (state string, done int) {
	t.Helper()
	var got struct {
		State string
		Sweep struct{ Done int }
	}
	ask(t, "GET", s.url+at, "").want(t, 200, "application/json").decode(t, &got)
	return got.State, got.Sweep.Done / 2
}

// TestSweepOutlivesTheRuntime: everything that is the edge is killed in the middle of a sweep, with the queue's memory,
// and started again over its database. What was done is not done again, what was lost is sent again, and the table
// is to the byte what the native server gives: one row a point, in order.
func TestSweepOutlivesTheRuntime(t *testing.T) {
	body := gridOf("outlives", 95, *messages)
	want := submit(t, native(t), "/api/v1/sweeps", body)
	s := &server{name: "edge", start: startEdge, data: t.TempDir()}
	s.running(t)
	defer func() {
		s.stop()
		if t.Failed() {
			t.Log(s.log.String())
		}
	}()
	at := submit(t, s, "/api/v1/sweeps", body)
	for k := range *kills {
		before := 0
		for ; before <= *messages*(k+1)/(*kills+2); time.Sleep(asked) {
			if _, before = pointsDone(t, s, at); before == *messages {
				t.Fatal("it is done before it could be killed")
			}
		}
		s.kill()
		written := configWritten(t)
		s = &server{name: "edge", start: startEdge, data: s.data}
		s.running(t)
		if again := configWritten(t); again != written { // an edge that runs begins anew by that
			t.Errorf("the configuration of %v is written again at %v", written, again)
		}
		if k%2 == 1 { // nobody asks: the clock finds it
			byTheClock(t, s)
		}
		state, after := pointsDone(t, s, at)
		t.Logf("killed after %d points, %s again with %d", before, state, after)
		if after < before || state == "done" {
			t.Errorf("%d points of %d are left, and it is %s", after, before, state)
		}
	}
	for state := ""; state != "done"; time.Sleep(asked) {
		if state, _ = pointsDone(t, s, at); state == "failed" {
			t.Fatalf("it failed: %s", ask(t, "GET", s.url+at, "").body)
		}
	}
	awaitPath(t, native(t), want, "done")
	got := ask(t, "GET", s.url+at+"/result", "").want(t, 200, "application/json")
	if string(got.body) != string(ask(t, "GET", native(t).url+want+"/result", "").body) {
		t.Error("the table is not that of the native server")
	}
	var table struct{ Points []struct{ Values []float64 } }
	if got.decode(t, &table); len(table.Points) != *messages {
		t.Errorf("%d rows of %d points", len(table.Points), *messages)
	}
	for i, p := range table.Points {
		if p.Values[0] != float64(60+i) {
			t.Errorf("row %d is of %v", i, p.Values)
		}
	}
}

// configWritten is when the page's configuration of a local edge was written.
func configWritten(t *testing.T) time.Time {
	t.Helper()
	config, err := os.Stat(filepath.Join(root, "worker/cmd/edge/page/.wrangler.paid.worker-cmd-edge-local-page.mjs.jsonc"))
	if err != nil {
		t.Fatal(err)
	}
	return config.ModTime()
}

// byTheClock calls what the runtime calls every minute when it is deployed, until there is one more point done.
func byTheClock(t *testing.T, s *server) {
	t.Helper()
	const query = `SELECT count(*) FROM work WHERE state = 'done'`
	db, before, now := database(t, s), 0, 0
	if err := db.QueryRow(query).Scan(&before); err != nil {
		t.Fatal(err)
	}
	for ; now <= before; time.Sleep(asked) {
		ask(t, "GET", s.url+"/__scheduled", "").want(t, 200, "")
		if err := db.QueryRow(query).Scan(&now); err != nil {
			t.Fatal(err)
		}
	}
}

// database opens the edge's database beside its runtime.
func database(t *testing.T, s *server) *sql.DB {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(s.data, "v3/d1/miniflare-D1DatabaseObject/*.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		if _, err := db.Exec(`SELECT 1 FROM work`); err == nil {
			return db
		}
	}
	t.Fatalf("no database of work among %v", found)
	return nil
}

// TestMessagesTwice: messages that come again and again while their work waits, is worked on, or is done change
// nothing.
func TestMessagesTwice(t *testing.T) {
	s, body := edge(t), gridOf("twice", 96, 20)
	want := submit(t, native(t), "/api/v1/sweeps", body)
	db := database(t, s)
	at := submit(t, s, "/api/v1/sweeps", body)
	for range 3 { // each look sends all again that wait
		if _, err := db.Exec(`UPDATE work SET lease_ms = 0 WHERE state = 'queued'`); err != nil {
			t.Fatal(err)
		}
		pointsDone(t, s, at)
	}
	awaitPath(t, s, at, "done")
	awaitPath(t, native(t), want, "done")
	if got := ask(t, "GET", s.url+at+"/result", ""); string(got.body) !=
		string(ask(t, "GET", native(t).url+want+"/result", "").body) {
		t.Errorf("the table is not that of the native server: %.300s", got.body)
	}
}

// TestDeadLetter: work that fails in every attempt ends as failed, and says so; what is beside it goes on.
func TestDeadLetter(t *testing.T) {
	s, body := edge(t), `{"scenario":`+small("dead", 97)+`,"policies":["hadar"]}`
	id := submit(t, native(t), "/api/v1/runs", body)[len("/api/v1/runs/"):]
	if _, err := database(t, s).Exec(fmt.Sprintf(`CREATE TRIGGER poison BEFORE UPDATE ON work
		WHEN new.id = '%s' AND new.state = 'running' BEGIN SELECT RAISE(ABORT, 'poison'); END`, id)); err != nil {
		t.Fatal(err)
	}
	at := submit(t, s, "/api/v1/runs", body)
	other := submit(t, s, "/api/v1/runs", `{"scenario":`+small("not dead", 98)+`,"policies":["hadar"]}`)
	awaitPath(t, s, other, "done")
	awaitPath(t, s, at, "failed")
	if a := ask(t, "GET", s.url+at, ""); !strings.Contains(string(a.body), `"given-up"`) {
		t.Errorf("%s", a.body)
	}
	if _, err := database(t, s).Exec(`DROP TRIGGER poison`); err != nil {
		t.Fatal(err)
	}
	awaitPath(t, s, submit(t, s, "/api/v1/runs", body), "done") // asked for again, it starts anew
}
