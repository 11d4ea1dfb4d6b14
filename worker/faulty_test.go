//go:build !js

package worker_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hadarlab/worker/runs"
	"hadarlab/worker/sqlite"
	"hadarlab/worker/sqlstore"
)

// faulty is a database that fails as one does behind a network: a statement is not made, or is made and its answer
// lost, or its answer comes late.
type faulty struct {
	*sql.DB

	mu sync.Mutex
	n  int // statements so far
	// fault says what becomes of the n-th statement.
	fault func(n int, query string, args []any) fault
	late  func() // while an answer is on its way
}

type fault int

const (
	sound fault = iota
	fails       // and nothing is changed
	lost        // but it is made
	late
)

var errFaulty = errors.New("D1_ERROR: Network connection lost")

func (f *faulty) next(query string, args []any) fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	if f.fault == nil {
		return sound
	}
	return f.fault(f.n, query, args)
}

// unreached is a context in which nothing can be asked.
func unreached() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errFaulty)
	return ctx
}

func (f *faulty) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	switch f.next(query, args) {
	case fails:
		return nil, errFaulty
	case lost: // rows that are read through have been changed
		rows, err := f.DB.QueryContext(ctx, query, args...)
		if err == nil {
			for rows.Next() {
			}
			rows.Close()
			err = errFaulty
		}
		return nil, err
	case late:
		f.late() // before it, since a row that is read holds the connection
	}
	return f.DB.QueryContext(ctx, query, args...)
}

func (f *faulty) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	switch f.next(query, args) {
	case fails, lost:
		ctx = unreached()
	case late:
		f.late() // before it, since a row that is read holds the connection
	}
	return f.DB.QueryRowContext(ctx, query, args...)
}

func (f *faulty) Change(ctx context.Context, dest []any, query string, args ...any) (int64, error) {
	what := f.next(query, args)
	if what == fails {
		return 0, errFaulty
	}
	n, err := sqlstore.Change(ctx, f.DB, dest, query, args...)
	switch {
	case what == lost && err == nil:
		return 0, errFaulty
	case what == late:
		f.late()
	}
	return n, err
}

// newFaultyMail is a mail over such a database.
func newFaultyMail(t *testing.T) (*mail, *faulty) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`PRAGMA synchronous = OFF`); err != nil { // no power is cut here
		t.Fatal(err)
	}
	f, m := &faulty{DB: db}, newMail(t)
	store := sqlstore.On(f, quiet)
	m.store = store
	m.options.Store, m.options.Table = store, store
	return m, f
}

// anew empties the database, which is faster than another.
func (f *faulty) anew(t *testing.T, fault func(n int, query string, args []any) fault) {
	t.Helper()
	for _, table := range []string{"work", "runs", "pieces"} {
		if _, err := f.DB.Exec(`DELETE FROM ` + table); err != nil {
			t.Fatal(err)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n, f.fault = 0, fault
}

// edge does what the edge runtime does for so many minutes: a message that fails comes again, three times, and then its
// work is given up (max_retries of wrangler.jsonc); every minute what was lost is sent.
func (m *mail) edge(minutes int) {
	attempts := map[string]int{}
	for range minutes {
		for id := m.next(); id != ""; id = m.next() {
			handle := m.runner().Deliver
			if attempts[id] > 3 {
				handle = m.runner().Abandon
			}
			if err := handle(m.t.Context(), id); err == nil {
				delete(attempts, id)
			} else if attempts[id]++; attempts[id] < 14 {
				_ = m.send(m.t.Context(), []string{id})
			}
		}
		m.pass(time.Minute)
		_ = m.runner().Resend(m.t.Context()) // the next minute tries again
	}
}

// insist asks again as long as the answer says that the server failed.
func (m *mail) insist(method, path, body string) (w *httptest.ResponseRecorder) {
	for range 50 {
		if w = do(m, method, path, body); w.Code < 500 {
			break
		}
	}
	return w
}

// sweepThrough asks for a sweep of three points and says how it has ended some minutes later.
func (m *mail) sweepThrough(minutes int) (s runs.RunStatus, result string) {
	m.t.Helper()
	w := m.insist("POST", "/api/v1/sweeps", grid(3, 3))
	at := w.Header().Get("Location")
	if at == "" {
		m.t.Fatalf("%d %s", w.Code, w.Body)
	}
	m.edge(minutes)
	if err := json.Unmarshal(m.insist("GET", at, "").Body.Bytes(), &s); err != nil {
		m.t.Fatal(err)
	}
	return s, m.insist("GET", at+"/result", "").Body.String()
}

// TestADatabaseThatFailsLosesNothing: whichever statement fails, whether or not it was made, or is answered so late
// that others have taken the work over, a sweep ends with the result of a database that never fails, and leaves nothing
// beside it. In an outage of some statements it may be given up; but it ends, says so, and can be asked for again.
func TestADatabaseThatFailsLosesNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		what   fault
		length int
	}{{"fails", fails, 1}, {"is made, its answer lost,", lost, 1}, {"is late", late, 1},
		{"and nine more fail", fails, 10}, {"and nine more are made, their answers lost,", lost, 10}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m, f := newFaultyMail(t)
			_, want := m.sweepThrough(4)
			statements := f.n
			if statements < 30 || !strings.Contains(want, "points") {
				t.Fatalf("%d statements, and %s", statements, want)
			}
			f.late = func() {
				m.pass(61 * time.Second)
				_ = m.runner().Resend(t.Context())
				m.edge(1)
			}
			for k := 1; k <= statements; k++ {
				what := ""
				f.anew(t, func(n int, query string, _ []any) fault {
					if n < k || n >= k+c.length {
						return sound
					}
					if n == k {
						what = fmt.Sprintf("statement %d %s: %.60s", k, c.name, query)
					}
					return c.what
				})
				s, got := m.sweepThrough(4 * c.length)
				switch {
				case c.length > 1 && s.State == "failed" && len(s.Errors) == 1 && s.Errors[0].Code == "given-up":
					if s, got = m.sweepThrough(4); s.State != "done" || got != want {
						t.Errorf("%s: asked for again it is %s, its result %.100s", what, s.State, got)
					}
				case s.State != "done" || got != want:
					t.Errorf("%s: it is %s %+v, its result %.100s", what, s.State, s.Errors, got)
				}
				left := 0
				err := f.DB.QueryRow(`SELECT count(*) FROM work WHERE id LIKE '%-%'`).Scan(&left)
				if err != nil || left > 0 {
					t.Errorf("%s: %d parts are left, %v", what, left, err)
				}
			}
		})
	}
}

// TestPoisonedWorkEnds: work whose every change fails is given up after its attempts, and says so; what is beside it
// goes on, and when the poison is gone it can be asked for again.
func TestPoisonedWorkEnds(t *testing.T) {
	t.Parallel()
	for _, poison := range []string{"-000001", ""} { // a part, and the whole
		m, f := newFaultyMail(t)
		w := do(m, "POST", "/api/v1/sweeps", grid(3, 3))
		at := w.Header().Get("Location")
		id := at[len(at)-26:] + poison
		f.anew(t, func(_ int, query string, args []any) fault {
			if strings.HasPrefix(query, "UPDATE work SET state = 'running'") && slices.Contains(args, any(id)) {
				return fails
			}
			return sound
		})
		s, _ := m.sweepThrough(6)
		if s.State != "failed" || len(s.Errors) != 1 || s.Errors[0].Code != "given-up" || s.Errors[0].Fix.IsZero() {
			t.Errorf("poison of %q: it is %s %+v", poison, s.State, s.Errors)
		}
		other, _ := m.post("/api/v1/sweeps", grid(4, 3))
		m.edge(2)
		if s := m.status(other); s.State != "done" {
			t.Errorf("poison of %q: what is beside it is %s", poison, s.State)
		}
		f.fault = nil
		if s, _ := m.sweepThrough(2); s.State != "done" {
			t.Errorf("poison of %q that is gone: it is %s %+v", poison, s.State, s.Errors)
		}
	}
}

// TestAnIsolateThatIsKilledLosesNothing: whoever works on a part ends between any two slices and says nothing, its
// message neither taken nor given back. Another goes on when the lease is over, and the result is the same.
func TestAnIsolateThatIsKilledLosesNothing(t *testing.T) {
	t.Parallel()
	m, f := newFaultyMail(t)
	worked, at := 0, 0
	m.options.Slice = 5
	m.options.Yield = func() {
		if worked++; worked == at {
			runtime.Goexit()
		}
	}
	deliver := func() { // the first message after the post and those after it, until one dies over its message
		over := make(chan struct{})
		go func() {
			defer close(over)
			m.edge(1)
		}()
		<-over
	}
	_, want := m.sweepThrough(4)
	all := worked
	if all < 20 {
		t.Fatalf("%d slices: does it go by them?", all)
	}
	for at = 1; at <= all; at++ {
		worked = 0
		f.anew(t, nil)
		if w := do(m, "POST", "/api/v1/sweeps", grid(3, 3)); w.Code != 202 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		deliver()
		if worked != at {
			t.Fatalf("nobody died after %d slices, but %d", at, worked)
		}
		if s, got := m.sweepThrough(4); s.State != "done" || got != want {
			t.Errorf("killed after %d slices of %d it is %s %+v, its result %.100s", at, all, s.State, s.Errors, got)
		}
		if worked > all+all/3+1 { // what a part had done is done again, and no other part
			t.Errorf("killed after %d slices of %d, %d were worked off", at, all, worked)
		}
	}
}
