// Package sqlstore is worker.Store on database/sql, in the statements that SQLite and D1 both take:
// TEXT ids, times as Unix milliseconds, typed scans, one statement a call and no transaction.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"hadarlab/worker"
)

// Store is a worker.Store over a database that has the tables of worker/migrations.
type Store struct {
	db *sql.DB
	// Runs and RunBytes bound the cached results. New sets 1000 and 128 MiB.
	Runs, RunBytes int64
}

// New returns a store on db.
func New(db *sql.DB) *Store { return &Store{db: db, Runs: 1000, RunBytes: 128 << 20} }

// PutScenario implements worker.Store.
func (s *Store) PutScenario(ctx context.Context, sc worker.Scenario) (created bool, err error) {
	if len(sc.Doc) > worker.MaxDoc {
		return false, worker.ErrTooLarge
	}
	res, err := s.db.ExecContext(ctx,
		`INSERT INTO scenarios (id, sum, title, origin, doc, created_ms) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
		sc.ID, sc.Sum, sc.Title, sc.Origin, string(sc.Doc), sc.CreatedMS)
	if err != nil {
		return false, fmt.Errorf("sqlstore: put scenario %s: %w", sc.ID, err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("sqlstore: put scenario %s: %w", sc.ID, err)
	}
	return n > 0, nil
}

// GetScenario implements worker.Store.
func (s *Store) GetScenario(ctx context.Context, id string) (worker.Scenario, error) {
	sc := worker.Scenario{ID: id}
	err := s.db.QueryRowContext(ctx, `SELECT sum, title, origin, doc, created_ms FROM scenarios WHERE id = ?`, id).
		Scan(&sc.Sum, &sc.Title, &sc.Origin, &sc.Doc, &sc.CreatedMS)
	if errors.Is(err, sql.ErrNoRows) {
		return sc, worker.ErrNotFound
	}
	if err != nil {
		return sc, fmt.Errorf("sqlstore: get scenario %s: %w", id, err)
	}
	return sc, nil
}

// PutRun implements worker.Store. Both statements may be repeated, alone or by two writers at once,
// and leave the same rows.
func (s *Store) PutRun(ctx context.Context, run worker.Run, nowMS int64) error {
	size := len(run.Result) + len(run.Traces)
	if size > worker.MaxDoc {
		return worker.ErrTooLarge
	}
	if _, err := s.db.ExecContext(ctx,
		`INSERT OR REPLACE INTO runs (id, sum, size, read_ms, result, traces) VALUES (?, ?, ?, ?, ?, ?)`,
		run.ID, run.Sum, size, nowMS, string(run.Result), run.Traces); err != nil {
		return fmt.Errorf("sqlstore: put run %s: %w", run.ID, err)
	}
	if _, err := s.db.ExecContext(ctx, `DELETE FROM runs WHERE id IN (SELECT id FROM (
		SELECT id, row_number() OVER latest AS n, sum(size) OVER latest AS total
		FROM runs WINDOW latest AS (ORDER BY read_ms DESC, id ROWS UNBOUNDED PRECEDING)
		) WHERE n > ? OR total > ?)`, s.Runs, s.RunBytes); err != nil {
		return fmt.Errorf("sqlstore: drop old runs: %w", err)
	}
	return nil
}

// readEvery is how exactly a reading is noted, in milliseconds: a write for each would cost more
// than the order is worth.
const readEvery = 10 * 60 * 1000

// GetRun implements worker.Store.
func (s *Store) GetRun(ctx context.Context, id string, nowMS int64) (worker.Run, error) {
	run, read := worker.Run{ID: id}, int64(0)
	err := s.db.QueryRowContext(ctx, `SELECT sum, read_ms, result, traces FROM runs WHERE id = ?`, id).
		Scan(&run.Sum, &read, &run.Result, &run.Traces)
	if errors.Is(err, sql.ErrNoRows) {
		return run, worker.ErrNotFound
	}
	if err == nil && nowMS-read >= readEvery {
		_, err = s.db.ExecContext(ctx, `UPDATE runs SET read_ms = ? WHERE id = ?`, nowMS, id)
	}
	if err != nil {
		return run, fmt.Errorf("sqlstore: get run %s: %w", id, err)
	}
	return run, nil
}
