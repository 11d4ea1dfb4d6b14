//go:build !js

package worker_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"hadarlab/worker"
	"hadarlab/worker/sqlstore"
)

// TestReadOnlyIsTold: before anything was refused, by both addresses, in one line of the log, and until it ends.
func TestReadOnlyIsTold(t *testing.T) {
	store, db, log := newFullStore(t)
	store.Probe = time.Nanosecond
	n := newNative(t, worker.RunnerOptions{Store: store}, false)
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
	n := newNative(t, worker.RunnerOptions{Store: second}, false)
	if w := do(n, "GET", "/readyz", ""); w.Code != 503 || !strings.Contains(w.Body.String(), "storage-full") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestDamageIsTold: a row that is not what was stored, once somebody has read it.
func TestDamageIsTold(t *testing.T) {
	store, db, _ := newFullStore(t)
	n := newNative(t, worker.RunnerOptions{Store: store}, false)
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
