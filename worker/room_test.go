//go:build !js

package worker_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"hadarlab/worker/queue"
	"hadarlab/worker/runs"
	"hadarlab/worker/sqlite"
	"hadarlab/worker/sqlstore"
	"hadarlab/worker/vault"
)

// newFullStore is a store on a database that has reached its bound, and what it logs. Fill it up with fill.
func newFullStore(t *testing.T) (*sqlstore.Store, *sqlite.DB, *bytes.Buffer) {
	t.Helper()
	db, err := sqlite.OpenServer(t.Context(), t.TempDir(), 256<<10)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	log := &bytes.Buffer{}
	return sqlstore.On(db, slog.New(slog.NewTextHandler(log, nil))), db, log
}

// fill stores until there is no more room in any table.
func fill(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	n := 0
	until := func(put func(id string, doc []byte) error) {
		for size := 16 << 10; size > 0; n++ { // no larger than what the store probes with
			switch err := put(fmt.Sprint("fill", n), bytes.Repeat([]byte("x"), size)); {
			case errors.Is(err, vault.ErrFull):
				size /= 2
			case err != nil:
				t.Fatal(err)
			}
		}
	}
	for _, kind := range []vault.Kind{vault.Texts, vault.Scenarios} {
		until(func(id string, doc []byte) error {
			_, err := s.Put(t.Context(), kind, vault.Content{ID: id, Doc: doc})
			return err
		})
	}
	until(func(id string, doc []byte) error { // waits for ever: nobody is told of it
		return s.Ask(t.Context(), queue.Work{ID: id, Body: string(doc)}, "nobody",
			queue.Limits{Places: 1 << 20, Each: 1 << 20, Bytes: 1 << 30}, 0)
	})
}

// TestFullDiskIsTold: by the status of every answer that would store, by the health, and by one line of the log. What
// is stored can be read, and it ends when there is room.
func TestFullDiskIsTold(t *testing.T) {
	store, db, log := newFullStore(t)
	n := newNative(t, runs.Options{Store: store}, false)
	id := shareID(t, do(n, "POST", "/api/v1/scenarios", scenarioA))
	if w := do(n, "GET", "/healthz", ""); w.Code != 200 || log.Len() > 0 {
		t.Fatalf("with room: %d %s %s", w.Code, w.Body, log)
	}
	fill(t, store)
	// How often there was still room for a probe on the way depends on the pages of empty tables.
	if told := log.String(); !strings.Contains(told[strings.LastIndex(strings.TrimSpace(told), "\n")+1:], "is full") {
		t.Errorf("the last line of the log is of room:\n%s", told)
	}
	log.Reset()
	for i := range 50 {
		p := wantProblem(t, do(n, "POST", "/api/v1/scenarios", doc(200+i)), http.StatusInsufficientStorage)
		if len(p.Errors) != 1 || p.Errors[0].Code != "storage-full" || p.Errors[0].Fix.IsZero() {
			t.Fatalf("problem %+v", p)
		}
		wantProblem(t, do(n, "POST", "/api/v1/runs", `{"scenario":`+doc(200+i)+`}`), http.StatusInsufficientStorage)
	}
	for path, code := range map[string]int{"/healthz": 200, "/readyz": 503} { // a restart would make no room
		if w := do(n, "GET", path, ""); w.Code != code ||
			!strings.Contains(w.Body.String(), `"status":"storage-full"`) {
			t.Errorf("%s %d %s", path, w.Code, w.Body)
		}
	}
	if log.Len() > 0 {
		t.Errorf("it is told again:\n%s", log)
	}
	if w := do(n, "GET", "/s/"+id, ""); w.Code != 200 {
		t.Errorf("reading: %d", w.Code)
	}
	if _, err := db.Change(t.Context(), nil, `DELETE FROM texts WHERE id LIKE 'fill%'`); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); do(n, "GET", "/readyz", "").Code != 200 &&
		time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond) // it asks the disk once a second only
	}
	if w := do(n, "GET", "/readyz", ""); w.Code != 200 {
		t.Errorf("with room again: health %d %s", w.Code, w.Body)
	}
	if w := do(n, "POST", "/api/v1/scenarios", doc(300)); w.Code != http.StatusCreated {
		t.Errorf("with room again: %d %s", w.Code, w.Body)
	}
	if lines := strings.Count(log.String(), "\n"); lines != 1 {
		t.Errorf("%d lines are logged:\n%s", lines, log)
	}
}
