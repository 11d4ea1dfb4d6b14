//go:build !js

package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hadarlab/worker/sqlstore"
	"hadarlab/worker/vault"
)

// kept lists the ids of the cached results.
func kept(t *testing.T, db *sql.DB, ids ...string) (there []string) {
	t.Helper()
	for _, id := range ids {
		n := 0 // asking the store would count as reading
		if err := db.QueryRow(`SELECT count(*) FROM runs WHERE id = ?`, id).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			there = append(there, id)
		}
	}
	return there
}

func TestCachedRunsAreBounded(t *testing.T) {
	db := open(t, t.TempDir())
	s := sqlstore.New(db)
	s.Runs, s.RunBytes = 3, 100
	put := func(id string, size int, now int64) {
		t.Helper()
		if err := s.PutRun(t.Context(), vault.Run{ID: id, Sum: "s", Result: []byte(strings.Repeat("x", size))},
			now); err != nil {
			t.Fatal(err)
		}
	}
	const hour = 3_600_000
	for i, id := range []string{"a", "b", "c"} {
		put(id, 10, int64(i)*hour)
	}
	if _, err := s.GetRun(t.Context(), "a", 5*hour); err != nil {
		t.Fatal(err)
	}
	put("d", 10, 6*hour)
	if got := kept(t, db, "a", "b", "c", "d"); !slices.Equal(got, []string{"a", "c", "d"}) {
		t.Errorf("of four in a store of three %q are left: b was read longest ago", got)
	}
	put("e", 85, 7*hour)
	if got := kept(t, db, "a", "c", "d", "e"); !slices.Equal(got, []string{"d", "e"}) {
		t.Errorf("with 85 of 100 bytes taken %q are left, want the latest that fit", got)
	}
	for range 2 { // the same again changes nothing
		put("e", 85, 7*hour)
	}
	if got := kept(t, db, "d", "e"); len(got) != 2 {
		t.Errorf("after a repeated write %q are left", got)
	}
}

func TestRunRows(t *testing.T) {
	s := sqlstore.New(open(t, t.TempDir()))
	for i := range 2 {
		run := vault.Run{ID: "x", Sum: fmt.Sprint(i), Result: []byte(`{"é":` + fmt.Sprint(i) + `}`)}
		if err := s.PutRun(t.Context(), run, 1); err != nil {
			t.Fatal(err)
		}
		got, err := s.GetRun(t.Context(), "x", 2)
		if err != nil || got.Sum != run.Sum || string(got.Result) != string(run.Result) {
			t.Errorf("put %+v, got %+v, %v", run, got, err)
		}
	}
	if err := s.PutRun(t.Context(), vault.Run{ID: "large", Result: make([]byte, vault.MaxRun+1)}, 1); !errors.Is(err,
		vault.ErrTooLarge) {
		t.Errorf("a result that is too large: %v", err)
	}
}

// TestRunsInPieces: what is larger than a row comes back whole, in place of what was there, and goes whole.
func TestRunsInPieces(t *testing.T) {
	db := open(t, t.TempDir())
	s := sqlstore.New(db)
	s.Runs = 1
	large := func(n int, b string) string { return strings.Repeat(b, n<<18) + "é" }
	for _, run := range []vault.Run{{Result: []byte(large(2, "é")), Traces: large(9, "t")},
		{Result: []byte(large(3, "r"))[1:], Traces: large(3, "u")}, {Result: []byte("{}"), Traces: "p"},
		{Result: []byte(large(5, "s"))}} {
		run.ID = "x"
		if err := s.PutRun(t.Context(), run, 1); err != nil {
			t.Fatal(err)
		}
		got, err := s.GetRun(t.Context(), "x", 2)
		if err != nil || string(got.Result) != string(run.Result) || got.Traces != run.Traces {
			t.Errorf("put %d and %d bytes, got %d and %d, %v", len(run.Result), len(run.Traces), len(got.Result),
				len(got.Traces), err)
		}
	}
	if _, err := db.Exec(`DELETE FROM pieces WHERE n = 1`); err != nil {
		t.Fatal(err)
	}
	if _, err := s.GetRun(t.Context(), "x", 2); !errors.Is(err, vault.ErrNotFound) {
		t.Errorf("while it is being written: %v", err)
	}
	if err := s.PutRun(t.Context(), vault.Run{ID: "y", Result: []byte("{}")}, 3); err != nil {
		t.Fatal(err)
	}
	left := -1
	if err := db.QueryRow(`SELECT count(*) FROM pieces`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d pieces are left, %v", left, err)
	}
}

// TestClockThatGoesBack: what was put or read last stays, whatever time it is.
func TestClockThatGoesBack(t *testing.T) {
	db := open(t, t.TempDir())
	s := sqlstore.New(db)
	s.Runs = 2
	const day = 24 * 3_600_000
	put := func(id string, now int64) {
		t.Helper()
		if err := s.PutRun(t.Context(), vault.Run{ID: id, Sum: "s", Result: []byte("x")}, now); err != nil {
			t.Fatal(err)
		}
	}
	put("a", 100*day)
	put("b", 100*day+1)
	put("c", 99*day) // a day back
	if got := kept(t, db, "a", "b", "c"); !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("%q are left: what was put last is c", got)
	}
	if _, err := s.GetRun(t.Context(), "b", 98*day); err != nil {
		t.Fatal(err)
	}
	put("d", 98*day)
	if got := kept(t, db, "b", "c", "d"); len(got) != 2 || got[1] != "d" {
		t.Errorf("%q are left: what was put last is d", got)
	}
}

// TestRetention: only what nobody has stored or read for long goes, and only where that is asked for.
func TestRetention(t *testing.T) {
	db := open(t, t.TempDir())
	s := sqlstore.New(db)
	const day = 24 * time.Hour
	for id, age := range map[string]time.Duration{"old": 40 * day, "read": 40 * day, "new": day} {
		if _, err := s.Put(t.Context(), vault.Scenarios, vault.Content{ID: id,
			CreatedMS: time.Now().Add(-age).UnixMilli()}); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.Expire(t.Context(), time.Now()); n != 0 || err != nil {
		t.Errorf("without retention %d are removed, %v", n, err)
	}
	s.Retain = 30 * day
	if _, err := s.Get(t.Context(), vault.Scenarios, "read"); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Expire(t.Context(), time.Now()); n != 1 || err != nil {
		t.Errorf("%d are removed, %v", n, err)
	}
	for id, want := range map[string]error{"old": vault.ErrNotFound, "read": nil, "new": nil} {
		if _, err := s.Get(t.Context(), vault.Scenarios, id); !errors.Is(err, want) {
			t.Errorf("%s: %v", id, err)
		}
	}
}
