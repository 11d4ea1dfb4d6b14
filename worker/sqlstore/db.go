package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"hadarlab/worker"
)

// DB runs one statement at a time.
type DB interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	// Change runs a statement that changes rows, which are kept when it returns, and tells how many. Where dest is
	// given, the row that the statement returns is read into it; sql.ErrNoRows if it returns none.
	Change(ctx context.Context, dest []any, query string, args ...any) (rows int64, err error)
}

// one is a DB of which nothing is known but that it is one.
type one struct{ *sql.DB }

// Runner is what runs a statement: a database, or a transaction in it.
type Runner interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (o one) Change(ctx context.Context, dest []any, query string, args ...any) (int64, error) {
	return Change(ctx, o.DB, dest, query, args...)
}

// Change is DB.Change of one statement by itself.
func Change(ctx context.Context, on Runner, dest []any, query string, args ...any) (int64, error) {
	if dest != nil {
		if err := on.QueryRowContext(ctx, query, args...).Scan(dest...); err != nil {
			return 0, err
		}
		return 1, nil
	}
	res, err := on.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// exec runs a statement that changes rows, and counts them.
func (s *Store) exec(ctx context.Context, query string, args ...any) (int64, error) {
	n, err := s.db.Change(ctx, nil, query, args...)
	return n, s.saw(ctx, err)
}

// change runs one that also returns a row.
func (s *Store) change(ctx context.Context, query string, args ...any) func(dest ...any) error {
	return func(dest ...any) error {
		_, err := s.db.Change(ctx, dest, query, args...)
		return s.saw(ctx, err)
	}
}

// row reads one row.
func (s *Store) row(ctx context.Context, query string, args ...any) func(dest ...any) error {
	return s.db.QueryRowContext(ctx, query, args...).Scan
}

// saw passes the error of a statement that changes rows, and notes whether there is room. The log is told when that
// changes, and not again by each statement that meets it.
func (s *Store) saw(ctx context.Context, err error) error {
	if err == nil || !strings.Contains(err.Error(), "is full") { // SQLite's words, which D1 repeats
		if err == nil {
			s.Full(ctx) // what is small may still fit
		}
		return err
	}
	if s.room.full.CompareAndSwap(false, true) {
		s.room.log.Error(
			"the database is full, or its disk: what is stored can be read, and nothing more is stored until there is room", "error", err)
	}
	return fmt.Errorf("%w: %w", worker.ErrFull, err)
}

// probeEvery is how often the database is asked whether there is room again.
const probeEvery = time.Second

// Full tells whether the database, or its disk, takes no more: a statement has met it, and a row of several pages,
// which goes at once, is still not taken.
func (s *Store) Full(ctx context.Context) bool {
	r := &s.room
	if !r.full.Load() {
		return false
	}
	now, last := time.Now().UnixNano(), r.probed.Load()
	if passed := now - last; passed > -int64(probeEvery) && passed < int64(probeEvery) ||
		!r.probed.CompareAndSwap(last, now) {
		return true
	}
	_, err := s.db.Change(ctx, nil, `INSERT INTO runs (id, sum, size, read_ms, result) VALUES ('probe', '', 0, 0, hex(zeroblob(8192)))
		ON CONFLICT (id) DO UPDATE SET result = excluded.result`)
	if err == nil {
		_, err = s.db.Change(ctx, nil, `DELETE FROM runs WHERE id = 'probe'`)
	}
	if err == nil && r.full.CompareAndSwap(true, false) {
		r.log.Info("the database has room again")
	}
	return err != nil
}
