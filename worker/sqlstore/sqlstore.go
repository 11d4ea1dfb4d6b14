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
type Store struct{ db *sql.DB }

// New returns a store on db.
func New(db *sql.DB) *Store { return &Store{db} }

// PutScenario implements worker.Store.
func (s *Store) PutScenario(ctx context.Context, sc worker.Scenario) (created bool, err error) {
	if len(sc.Doc) > worker.MaxDoc {
		return false, worker.ErrTooLarge
	}
	res, err := s.db.ExecContext(ctx,
		`INSERT INTO scenarios (id, sum, title, doc, created_ms) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
		sc.ID, sc.Sum, sc.Title, string(sc.Doc), sc.CreatedMS)
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
	err := s.db.QueryRowContext(ctx, `SELECT sum, title, doc, created_ms FROM scenarios WHERE id = ?`, id).
		Scan(&sc.Sum, &sc.Title, &sc.Doc, &sc.CreatedMS)
	if errors.Is(err, sql.ErrNoRows) {
		return sc, worker.ErrNotFound
	}
	if err != nil {
		return sc, fmt.Errorf("sqlstore: get scenario %s: %w", id, err)
	}
	return sc, nil
}
