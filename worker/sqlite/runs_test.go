//go:build !js

package sqlite

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hadarlab/worker"
	"hadarlab/worker/sqlstore"
)

// kept lists the ids of the cached results.
func kept(t *testing.T, s *sqlstore.Store, ids ...string) (there []string) {
	t.Helper()
	for _, id := range ids {
		switch _, err := s.GetRun(t.Context(), id, 0); { // time 0 is never a newer reading
		case err == nil:
			there = append(there, id)
		case !errors.Is(err, worker.ErrNotFound):
			t.Fatal(err)
		}
	}
	return there
}

func TestCachedRunsAreBounded(t *testing.T) {
	s := sqlstore.New(open(t, t.TempDir()))
	s.Runs, s.RunBytes = 3, 100
	put := func(id string, size int, now int64) {
		t.Helper()
		if err := s.PutRun(t.Context(), worker.Run{ID: id, Sum: "s", Result: []byte(strings.Repeat("x", size))}, now); err != nil {
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
	if got := kept(t, s, "a", "b", "c", "d"); !slices.Equal(got, []string{"a", "c", "d"}) {
		t.Errorf("of four in a store of three %q are left: b was read longest ago", got)
	}
	put("e", 85, 7*hour)
	if got := kept(t, s, "a", "c", "d", "e"); !slices.Equal(got, []string{"d", "e"}) {
		t.Errorf("with 85 of 100 bytes taken %q are left, want the latest that fit", got)
	}
	for range 2 { // the same again changes nothing
		put("e", 85, 7*hour)
	}
	if got := kept(t, s, "d", "e"); len(got) != 2 {
		t.Errorf("after a repeated write %q are left", got)
	}
}

func TestRunRows(t *testing.T) {
	s := sqlstore.New(open(t, t.TempDir()))
	for i := range 2 {
		run := worker.Run{ID: "x", Sum: fmt.Sprint(i), Result: []byte(`{"é":` + fmt.Sprint(i) + `}`)}
		if err := s.PutRun(t.Context(), run, 1); err != nil {
			t.Fatal(err)
		}
		got, err := s.GetRun(t.Context(), "x", 2)
		if err != nil || got.Sum != run.Sum || string(got.Result) != string(run.Result) {
			t.Errorf("put %+v, got %+v, %v", run, got, err)
		}
	}
	if err := s.PutRun(t.Context(), worker.Run{ID: "large", Result: make([]byte, worker.MaxDoc+1)}, 1); !errors.Is(err, worker.ErrTooLarge) {
		t.Errorf("a result that is too large: %v", err)
	}
}
