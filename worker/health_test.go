//go:build !js

package worker_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"hadarlab/worker/runs"
	"hadarlab/worker/sqlstore"
	"hadarlab/worker/vault"
)

// TestReadOnlyIsTold: before anything was refused, by both addresses, in one line of the log, and until it ends.
func TestReadOnlyIsTold(t *testing.T) {
	store, db, log := newFullStore(t)
	store.Probe = time.Nanosecond
	n := newNative(t, runs.Options{Store: store}, false)
	id := shareID(t, do(n, "POST", "/api/v1/scenarios", scenarioA))
	if w := do(n, "GET", "/readyz", ""); w.Code != 200 || !strings.Contains(w.Body.String(), `"status":"ok"`) {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	pragma := func(value string) {
		t.Helper()
		if _, err := db.Change(t.Context(), nil, `PRAGMA query_only = `+value); err != nil {
			t.Fatal(err)
		}
	}
	pragma("1")
	for range 3 {
		for path, code := range map[string]int{"/healthz": 200, "/readyz": 503} {
			if w := do(n, "GET", path, ""); w.Code != code ||
				!strings.Contains(w.Body.String(), `"status":"read-only"`) {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
		}
	}
	p := wantProblem(t, do(n, "POST", "/api/v1/scenarios", doc(400)), http.StatusInsufficientStorage)
	if len(p.Errors) != 1 || p.Errors[0].Code != "read-only" {
		t.Errorf("problem %+v", p)
	}
	if w := do(n, "GET", "/api/v1/scenarios/"+id, ""); w.Code != 200 {
		t.Errorf("reading: %d", w.Code)
	}
	if lines := strings.Count(log.String(), "\n"); lines != 1 {
		t.Errorf("%d lines are logged:\n%s", lines, log)
	}
	pragma("0")
	for deadline := time.Now().Add(time.Minute); do(n, "GET", "/readyz", "").Code != 200 &&
		time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond) // it asks once a second only
	}
	if w := do(n, "POST", "/api/v1/scenarios", doc(401)); w.Code != http.StatusCreated {
		t.Errorf("when it can be written again: %d %s", w.Code, w.Body)
	}
	if lines := strings.Count(log.String(), "\n"); lines != 2 {
		t.Errorf("%d lines are logged:\n%s", lines, log)
	}
}

// TestFullFromTheStartIsTold: a server that is started anew on a full disk does not wait for somebody to be refused.
func TestFullFromTheStartIsTold(t *testing.T) {
	first, db, log := newFullStore(t)
	fill(t, first)
	second := sqlstore.On(db, slog.New(slog.NewTextHandler(log, nil)))
	second.Probe = time.Hour
	n := newNative(t, runs.Options{Store: second}, false)
	if w := do(n, "GET", "/readyz", ""); w.Code != 503 || !strings.Contains(w.Body.String(), "storage-full") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestDamageIsTold: a row that is not what was stored, once somebody has read it. What looks through all rows tells
// before that (TestDataTellsDamage).
func TestDamageIsTold(t *testing.T) {
	store, db, _ := newFullStore(t)
	n := newNative(t, runs.Options{Store: store}, false)
	id := shareID(t, do(n, "POST", "/api/v1/scenarios", scenarioA))
	if _, err := db.Change(t.Context(), nil, `UPDATE scenarios SET sum = 'x'`); err != nil {
		t.Fatal(err)
	}
	if w := do(n, "GET", "/healthz", ""); !strings.Contains(w.Body.String(), `"status":"ok"`) {
		t.Errorf("before it was read: %s", w.Body)
	}
	do(n, "GET", "/s/"+id, "")
	for _, path := range []string{"/healthz", "/readyz"} { // all else is as good as before
		if w := do(n, "GET", path, ""); w.Code != 200 || !strings.Contains(w.Body.String(), `"status":"damaged"`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestCheckReadsEverything: every row of both kinds however many there are, and no row counts as read by that.
func TestCheckReadsEverything(t *testing.T) {
	store, db, _ := newFullStore(t)
	n := newNative(t, runs.Options{Store: store}, false)
	const all = 45 // more than two batches
	for i := range all {
		shareID(t, do(n, "POST", "/api/v1/scenarios", doc(i)))
	}
	shareID(t, do(n, "POST", "/api/v1/scenarios", scenarioA))
	store.Retain = 24 * time.Hour
	if _, err := db.Change(t.Context(), nil, `UPDATE scenarios SET read_ms = 1`); err != nil {
		t.Fatal(err)
	}
	check := func() (rows, pauses int, bad []string) {
		t.Helper()
		rows, err := store.Check(t.Context(), func(context.Context) { pauses++ },
			func(kind vault.Kind, id string) { bad = append(bad, string(kind)+" "+id) })
		if err != nil {
			t.Fatal(err)
		}
		return rows, pauses, bad
	}
	count := func(query string) (n int) {
		t.Helper()
		if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	want := count(`SELECT (SELECT count(*) FROM scenarios) + (SELECT count(*) FROM texts)`)
	if rows, pauses, bad := check(); rows != want || want <= all || pauses < 3 || bad != nil {
		t.Errorf("%d of %d rows with %d pauses: %v", rows, want, pauses, bad)
	}
	if read := count(`SELECT count(*) FROM scenarios WHERE read_ms <> 1`); read > 0 {
		t.Errorf("%d rows count as read", read)
	}
	for _, kind := range []string{"scenarios", "texts"} {
		if _, err := db.Change(t.Context(), nil, `UPDATE `+kind+` SET sum = 'x' WHERE id =
			(SELECT max(id) FROM `+kind+`)`); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, bad := check(); len(bad) != 2 || !strings.HasPrefix(bad[0], "scenarios ") ||
		!strings.HasPrefix(bad[1], "texts ") {
		t.Errorf("damaged are %q", bad)
	}
}
